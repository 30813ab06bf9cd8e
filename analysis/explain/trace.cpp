#include "analysis/explain/trace.hpp"

#include <array>
#include <set>
#include <string_view>

#include "analysis/explain/lesson.hpp"
#include "core/filter_state.hpp"
#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "core/theory/models.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::explain {
namespace {

/// The hash stage and the probe stage of a lesson.
class KeyReader {
 public:
  explicit KeyReader(const Lesson& lesson)
      : lesson_(lesson),
        hasher_(make_hasher(lesson.hash)),
        probe_(make_probe(lesson.probe, lesson.reduction)) {}

  [[nodiscard]] Reading read(const std::string& key) {
    const auto given = lesson_.positions.find(key);
    if (given != lesson_.positions.end()) {
      return {.key = key, .positions = given->second, .given = true};
    }
    const auto k = static_cast<int>(lesson_.k);
    const DigestBatch digests = digest(key, probe_.need(k));
    Reading reading{.key = key};
    for (int i = 0; i < digests.width; ++i) reading.words.push_back(digests.word(i)[0]);
    const PositionBatch positions = probe_.positions(digests, lesson_.m, k, position_buffer_);
    for (int i = 0; i < k; ++i) reading.positions.push_back(positions.probe(i)[0]);
    return reading;
  }

  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }

 private:
  DigestBatch digest(const std::string& key, DigestNeed need) {
    if (hasher_.passes_through()) {
      const std::array<std::uint64_t, 1> value = {*mixed_key(key)};
      return hasher_.digest(KeyBatch::integers(value, 4), lesson_.seed, need, digest_buffer_);
    }
    const std::array<std::string_view, 1> text = {key};
    return hasher_.digest(KeyBatch::texts(text), lesson_.seed, need, digest_buffer_);
  }

  const Lesson& lesson_;
  Hasher hasher_;
  Probe probe_;
  DigestBuffer digest_buffer_;
  PositionBuffer position_buffer_;
};

/// The filter of a lesson. It takes digests as ever; where a lesson gives positions, the digests
/// are the positions themselves, which independent probes modulo m leave as they are.
class WatchedFilter {
 public:
  WatchedFilter(const Lesson& lesson, const Probe& probe)
      : takes_positions_(!lesson.positions.empty()),
        filter_({.m = lesson.m, .k = lesson.k},
                takes_positions_ ? Probe::of<Independent, Modulo>() : probe) {}

  void insert(const Reading& reading) { filter_.insert(batch_of(reading)); }
  [[nodiscard]] Answer contains(const Reading& reading) const {
    std::array<Answer, 1> answer{};
    filter_.contains(batch_of(reading), answer);
    return answer[0];
  }
  [[nodiscard]] bool test(std::uint64_t position) const { return filter_.bits().test(position); }
  [[nodiscard]] std::vector<bool> bits() const {
    std::vector<bool> bits(filter_.bits().size());
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = test(i);
    return bits;
  }
  [[nodiscard]] FilterState state() const { return filter_.state(); }

 private:
  [[nodiscard]] DigestBatch batch_of(const Reading& reading) const {
    const std::vector<std::uint64_t>& words = takes_positions_ ? reading.positions : reading.words;
    return {words.data(), 1, 1, static_cast<int>(words.size())};
  }

  bool takes_positions_;
  Standard filter_;
};

Insertion insertion_of(Reading reading, WatchedFilter& filter) {
  Insertion insertion{.reading = std::move(reading)};
  std::set<std::uint64_t> own;
  for (const std::uint64_t position : insertion.reading.positions) {
    const bool repeated = !own.insert(position).second;
    insertion.touches.push_back(filter.test(position) ? Touch::standing
                                : repeated            ? Touch::repeated
                                                      : Touch::fresh);
  }
  filter.insert(insertion.reading);
  insertion.bits = filter.bits();
  return insertion;
}

Question question_of(Reading reading, const WatchedFilter& filter, bool is_inserted) {
  Question question{.reading = std::move(reading)};
  if (filter.contains(question.reading) == Answer::maybe) {
    question.verdict = is_inserted ? Verdict::inserted_key : Verdict::false_positive;
    return question;
  }
  for (const std::uint64_t position : question.reading.positions) {
    if (filter.test(position)) continue;
    question.stopped_by = position;
    break;
  }
  return question;
}

void note_setters(Trace& trace) {
  trace.setter.resize(trace.lesson.m);
  for (std::size_t i = 0; i < trace.insertions.size(); ++i) {
    const Insertion& insertion = trace.insertions[i];
    for (std::size_t j = 0; j < insertion.touches.size(); ++j) {
      if (insertion.touches[j] == Touch::fresh) trace.setter[insertion.reading.positions[j]] = i;
    }
  }
}

}  // namespace

Trace trace(const Lesson& lesson) {
  if (const auto fault = fault_of(lesson)) throw record::InputError("explain: " + *fault);
  KeyReader reader(lesson);
  WatchedFilter filter(lesson, reader.probe());
  const std::set<std::string> inserted_keys(lesson.inserted.begin(), lesson.inserted.end());
  Trace result{.lesson = lesson, .n = inserted_keys.size()};
  for (const std::string& key : lesson.inserted) {
    result.insertions.push_back(insertion_of(reader.read(key), filter));
  }
  for (const std::string& key : lesson.queried) {
    result.questions.push_back(question_of(reader.read(key), filter, inserted_keys.contains(key)));
  }
  const FilterState state = filter.state();
  result.bits = filter.bits();
  result.bits_set = state.bits_set;
  result.conditional_rate = state.conditional_rate;
  if (const auto query = reader.probe().prediction(lesson.m, result.n, lesson.k)) {
    result.probe_rate = theory::evaluate(*query).number();
  }
  note_setters(result);
  return result;
}

}  // namespace bloomlab::analysis::explain
