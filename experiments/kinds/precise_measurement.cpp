#include "experiments/kinds/precise_measurement.hpp"

#include <algorithm>
#include <functional>

#include "statistics/sequential.hpp"

namespace bloomlab::experiments {
namespace {

/// One filter with its keys, and how far its questions are.
class Interview {
 public:
  Interview(Implementation& implementation, const KeySet& keys)
      : implementation_(implementation), keys_(keys) {
    durations_.insert_ns =
        for_each_inserted_key_batch(keys, 0, keys.inserted_keys(), buffer_,
                                    [&](const KeyBatch& batch) { implementation_.insert(batch); });
    durations_.inserted_keys_ns = for_each_inserted_key_batch(
        keys, 0, keys.inserted_keys(), buffer_, [&](const KeyBatch& batch) {
          counts_.true_positives += implementation_.count_contained(batch);
        });
    counts_.inserted = keys.inserted_keys();
  }

  [[nodiscard]] std::uint64_t asked() const { return counts_.absent_keys; }
  [[nodiscard]] std::uint64_t hits() const { return counts_.false_positives; }
  [[nodiscard]] std::uint64_t most() const { return keys_.absent_keys(); }

  /// Asks the absent keys up to number `end`.
  void ask_until(std::uint64_t end) {
    ask(end, [&](const KeyBatch& batch) { return batch.size(); });
  }

  /// Asks the absent keys up to number `end`, or up to the one that is the hit number `hits`.
  void ask_until(std::uint64_t end, std::uint64_t hits) {
    ask(end,
        [&](const KeyBatch& batch) { return questions_to(batch, hits - counts_.false_positives); });
  }

  /// @param stopped_by why the questions ended
  [[nodiscard]] Measurement measurement(std::string_view stopped_by) const {
    Measurement result{std::nullopt,
                       measured_json(counts_, implementation_.state(), implementation_.grows()),
                       timing_json(durations_)};
    result.measured["stopped_by"] = stopped_by;
    return result;
  }

 private:
  /// Asks batches up to `end`; of each as many keys as `share` says, and none after a batch that
  /// was not asked whole.
  void ask(std::uint64_t end, const std::function<std::size_t(const KeyBatch&)>& share) {
    bool whole = true;
    durations_.absent_keys_ns += for_each_absent_key_batch(
        keys_, counts_.absent_keys, end, buffer_, [&](const KeyBatch& batch) {
          if (!whole) return;
          const std::size_t count = share(batch);
          counts_.false_positives += implementation_.count_contained(batch.slice(0, count));
          counts_.absent_keys += count;
          whole = count == batch.size();
        });
  }

  /// How many keys of the batch to ask until `hits` of them are reported; all where fewer are.
  std::size_t questions_to(const KeyBatch& batch, std::uint64_t hits) {
    if (implementation_.count_contained(batch) < hits) return batch.size();
    std::size_t low = 0;  // too few keys
    std::size_t high = batch.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (implementation_.count_contained(batch.slice(0, middle)) < hits ? low : high) = middle;
    }
    return high;
  }

  Implementation& implementation_;
  const KeySet& keys_;
  KeyBuffer buffer_;
  Counts counts_;
  Durations durations_;
};

std::uint64_t next_end(const Interview& interview) {
  return std::min(statistics::next_batch_end(interview.asked()), interview.most());
}

Measurement until_hits(std::uint64_t hits, Interview interview) {
  while (interview.hits() < hits && interview.asked() < interview.most()) {
    interview.ask_until(next_end(interview), hits);
  }
  return interview.measurement(interview.hits() == hits ? "hits" : "max_queries");
}

Measurement until_precise(std::uint64_t needed, Interview interview) {
  while (interview.asked() < interview.most()) {
    interview.ask_until(next_end(interview));
    if (statistics::precise_enough(interview.hits(), interview.asked(), needed)) {
      return interview.measurement("precision");
    }
  }
  return interview.measurement("max_queries");
}

std::vector<Measurement> measurements_of(const std::vector<Interview>& interviews,
                                         std::string_view stopped_by) {
  std::vector<Measurement> measurements;
  for (const Interview& interview : interviews) {
    measurements.push_back(interview.measurement(stopped_by));
  }
  return measurements;
}

}  // namespace

Measurement fill_and_ask_until(const Precision::Parameters& target, Implementation& implementation,
                               const KeySet& keys) {
  if (target.hits) return until_hits(*target.hits, {implementation, keys});
  return until_precise(statistics::needed_hits({*target.relative, target.level}),
                       {implementation, keys});
}

std::vector<Measurement> fill_and_ask_together(
    const Precision::Parameters& target,
    const std::vector<std::unique_ptr<Implementation>>& implementations,
    const std::vector<std::unique_ptr<KeySet>>& keys) {
  const statistics::EnsemblePrecision rule({*target.relative, target.level},
                                           implementations.size());
  std::vector<Interview> interviews;
  for (std::size_t i = 0; i < implementations.size(); ++i)
    interviews.emplace_back(*implementations[i], *keys[i]);
  std::vector<std::uint64_t> hits(interviews.size());
  while (interviews.front().asked() < interviews.front().most()) {
    const std::uint64_t end = next_end(interviews.front());
    for (std::size_t i = 0; i < interviews.size(); ++i) {
      interviews[i].ask_until(end);
      hits[i] = interviews[i].hits();
    }
    const statistics::Precision decision = rule.decide(hits, end);
    if (decision == statistics::Precision::reached) return measurements_of(interviews, "precision");
    if (decision == statistics::Precision::more_queries_cannot_help) {
      return measurements_of(interviews, "spread");
    }
  }
  return measurements_of(interviews, "max_queries");
}

}  // namespace bloomlab::experiments
