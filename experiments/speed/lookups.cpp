#include "experiments/speed/lookups.hpp"

#include <algorithm>
#include <array>

#include "experiments/speed/noise.hpp"

namespace bloomlab::experiments {
namespace {

/// Keys between two looks at the clock's loop.
constexpr std::uint64_t keys_a_pass = 8192;

/// Asks one key after the other, the next one only when the answer is there: it says where the key
/// stands, as 0 or 1 halved is always 0, which no compiler and no processor knows beforehand.
template <class Ask>
std::uint64_t ask_in_a_chain(const KeyBatch& keys, Ask ask) {
  std::uint64_t reported = 0;
  std::uint64_t answer = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    answer = ask(keys.slice(i + (answer >> 1), 1));
    reported += answer;
  }
  return reported;
}

}  // namespace

Lookups::Lookups(const Fleet& fleet, const LookupPlan& plan) : fleet_(fleet), plan_(plan) {
  for (unsigned thread = 0; thread < plan.threads; ++thread) {
    workers_.emplace_back(plan.key_length);
    workers_.back().askers = fleet.askers();
  }
}

void Lookups::draw(unsigned thread, std::uint64_t repetition, Asked asked) {
  stay_on_one_processor(thread);
  Worker& worker = workers_[thread];
  const std::uint64_t n = fleet_.members_each();
  // Every loop, repetition and thread has absent keys and draws of its own.
  const std::uint64_t stream =
      (static_cast<std::uint64_t>(asked) * repetitions() + repetition) * plan_.threads + thread;
  std::uint64_t absent_key = n + stream * plan_.queries;
  Draws draws(KeyedPermutation(plan_.seed)((std::uint64_t{1} << 61) + stream));
  std::uint64_t inserted_keys = 0;
  worker.numbers.resize(plan_.queries);
  for (std::uint64_t& number : worker.numbers) {
    const bool inserted_key =
        asked == Asked::inserted_keys || (asked == Asked::mix && draws.next() >> 63 == 1);
    number = inserted_key ? draws.below(n) : absent_key++;
    inserted_keys += inserted_key ? 1 : 0;
  }
  worker.keys.take(fleet_.keys(), worker.numbers);
  if (asked == Asked::inserted_keys) worker.counts.inserted_keys += plan_.queries;
  if (asked == Asked::mix) worker.counts.mixed_inserted_keys += inserted_keys;
  if (asked == Asked::absent_keys) worker.counts.absent_keys += plan_.queries;
}

std::uint64_t Lookups::ask(Worker& worker, Question question, std::uint64_t pass) const {
  const std::uint64_t first = pass * keys_a_pass;
  const KeyBatch keys = worker.keys.batch().slice(
      static_cast<std::size_t>(first),
      static_cast<std::size_t>(std::min(keys_a_pass, plan_.queries - first)));
  if (plan_.regime == Regime::batched) return (*worker.askers.front().*question)(keys);
  if (plan_.regime == Regime::dependent) {
    return ask_in_a_chain(
        keys, [&](const KeyBatch& key) { return (*worker.askers.front().*question)(key); });
  }
  std::uint64_t reported = 0;
  std::size_t turn = static_cast<std::size_t>(first % worker.askers.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    reported += (*worker.askers[turn].*question)(keys.slice(i, 1));
    if (++turn == worker.askers.size()) turn = 0;
  }
  return reported;
}

TimedLoop Lookups::loop(const char* name, Asked asked) {
  const auto run = [this, asked](unsigned thread, std::uint64_t pass) {
    Worker& worker = workers_[thread];
    const Question question = asked == Asked::nobody ? &Asker::only_hash : &Asker::count_contained;
    const std::uint64_t reported = ask(worker, question, pass);
    switch (asked) {
      case Asked::absent_keys:
        worker.counts.reported_absent_keys += reported;
        return;
      case Asked::mix:
        worker.counts.reported_mixed += reported;
        return;
      case Asked::inserted_keys:
        worker.counts.reported_inserted_keys += reported;
        return;
      case Asked::nobody:
        worker.dry += reported;
    }
  };
  return {.name = name,
          .passes = (plan_.queries + keys_a_pass - 1) / keys_a_pass,
          .threads = plan_.threads,
          .prepare = [this, asked](unsigned thread,
                                   std::uint64_t repetition) { draw(thread, repetition, asked); },
          .run = run};
}

record::Json Lookups::time() {
  const std::array<TimedLoop, 4> loops = {
      loop("negative_ns", Asked::absent_keys), loop("mixed_ns", Asked::mix),
      loop("positive_ns", Asked::inserted_keys), loop("dry_ns", Asked::nobody)};
  const auto durations = run_timed(loops, plan_.repetitions);
  record::Json timing;
  for (std::size_t i = 0; i < loops.size(); ++i) timing[loops[i].name] = durations[i];
  return timing;
}

void Lookups::query_further_absent_keys() {
  constexpr std::uint64_t first_beyond = std::uint64_t{1} << 60;  // of all that loops ask
  const std::uint64_t asked = counts().absent_keys;
  const std::uint64_t wanted = plan_.absent_keys - std::min(plan_.absent_keys, asked);
  Worker& worker = workers_.front();
  const std::size_t filters = worker.askers.size();
  std::uint64_t turn = 0;
  for (std::uint64_t done = 0; done < wanted; done += keys_a_pass, ++turn) {
    const auto count = static_cast<std::size_t>(std::min(keys_a_pass, wanted - done));
    const std::size_t filter = static_cast<std::size_t>(turn % filters);
    worker.keys.take_range(fleet_.keys()[filter], first_beyond + done, count);
    worker.counts.reported_absent_keys +=
        worker.askers[filter]->count_contained(worker.keys.batch());
    worker.counts.absent_keys += count;
  }
}

LookupCounts Lookups::counts() const {
  LookupCounts sum;
  for (const Worker& worker : workers_) {
    sum.inserted_keys += worker.counts.inserted_keys;
    sum.reported_inserted_keys += worker.counts.reported_inserted_keys;
    sum.absent_keys += worker.counts.absent_keys;
    sum.reported_absent_keys += worker.counts.reported_absent_keys;
    sum.mixed_inserted_keys += worker.counts.mixed_inserted_keys;
    sum.reported_mixed += worker.counts.reported_mixed;
  }
  return sum;
}

}  // namespace bloomlab::experiments
