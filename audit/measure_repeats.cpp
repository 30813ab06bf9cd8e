#include <algorithm>

#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

constexpr std::uint64_t compared_size = 1000;

std::uint64_t reported(std::span<const Answer> answers) {
  return static_cast<std::uint64_t>(std::ranges::count(answers, Answer::maybe));
}

std::uint64_t different(std::span<const Answer> a, std::span<const Answer> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// The seed is no matter here but that it is the same.
std::vector<Answer> filled_answers(foreign::ForeignFilter& filter, const Examined& examined,
                                   std::uint64_t seed, std::uint64_t queries) {
  filter.create(examined.request(compared_size, seed));
  RandomKeys keys(seed + 17);
  keys.insert(filter, 0, compared_size);
  return keys.answers(filter, first_absent, queries);
}

/// Absent keys in batches and one by one: how many more or fewer a batch has reported.
std::uint64_t batch_differences(foreign::ForeignFilter& filter) {
  constexpr std::uint64_t batches = 20;
  constexpr std::uint64_t keys_each = 100;
  RandomKeys keys(23);
  std::uint64_t differences = 0;
  keys.for_each_batch(
      first_absent, batches * keys_each,
      [&](const KeyBatch& batch) {
        std::uint64_t single = 0;
        Answer answer{};
        for (std::size_t i = 0; i < batch.size(); ++i) {
          filter.query(batch.slice(i, 1), {&answer, 1});
          single += answer == Answer::maybe ? 1 : 0;
        }
        const std::uint64_t together = filter.count_contained(batch);
        differences += std::max(single, together) - std::min(single, together);
      },
      keys_each);
  return differences;
}

}  // namespace

void measure_repeats(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                     Evidence& evidence) {
  RandomKeys keys(plan.seed);
  filter.create(examined.request(compared_size, plan.seed));
  const auto first = keys.answers(filter, first_absent, plan.repeated_answers);
  const auto second = keys.answers(filter, first_absent, plan.repeated_answers);
  evidence.repeats.answers = plan.repeated_answers;
  evidence.repeats.empty_hits = reported(first);
  evidence.repeats.changed = different(first, second);

  const std::uint64_t queries = std::min<std::uint64_t>(plan.repeated_answers, 20'000);
  const auto made = filled_answers(filter, examined, plan.seed, queries);
  const auto remade = filled_answers(filter, examined, plan.seed, queries);
  evidence.repeats.remade_changed = different(made, remade);
  evidence.repeats.batch_changed = batch_differences(filter);

  // Twice the keys, so that there are hits enough to compare.
  const auto under = [&](std::uint64_t seed) {
    filter.create(examined.request(compared_size, seed));
    keys.insert(filter, 0, 2 * compared_size);
    return keys.answers(filter, first_absent, queries);
  };
  const auto one = under(plan.seed + 1);
  const auto other = under(plan.seed + 2);
  evidence.seeds = {.queries = queries, .first = reported(one), .second = reported(other)};
  for (std::size_t i = 0; i < one.size(); ++i) {
    evidence.seeds.both += one[i] == Answer::maybe && other[i] == Answer::maybe ? 1 : 0;
  }
}

}  // namespace bloomlab::audit::detail
