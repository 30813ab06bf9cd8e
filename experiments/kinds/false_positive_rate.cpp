#include "experiments/kinds/false_positive_rate.hpp"

#include "experiments/cells/k_sliced.hpp"
#include "experiments/kinds/precise_measurement.hpp"

namespace bloomlab::experiments {

std::optional<std::string> FalsePositiveRate::check_trials(std::uint64_t trials) const {
  if (parameters_.queries.has_value() == precision().has_value()) {
    std::string fault = parameters_.queries ? "both \"queries\" and" : "neither \"queries\" nor";
    return fault.append(
        " \"precision\" given; write one of them: the number of absent keys to ask, "
        "or what to reach");
  }
  if (!precision()) return std::nullopt;
  auto fault = Precision::check(*precision(), trials);
  if (fault) fault->insert(0, "precision: ");
  return fault;
}

std::vector<Measurement> FalsePositiveRate::measure(Implementation& implementation,
                                                    const KeySet& keys) const {
  if (precision()) return {fill_and_ask_until(*precision(), implementation, keys)};
  return {fill_and_ask(implementation, keys, 0, keys.inserted_keys())};
}

std::vector<Measurement> FalsePositiveRate::measure_together(
    const std::vector<std::unique_ptr<Implementation>>& implementations,
    const std::vector<std::unique_ptr<KeySet>>& keys) const {
  return fill_and_ask_together(*precision(), implementations, keys);
}

std::vector<Measurement> FalsePositiveRate::measure_slice(KSliced& slice,
                                                          const KeySet& keys) const {
  KeyBuffer buffer;
  Durations durations;
  durations.insert_ns = for_each_inserted_key_batch(
      keys, 0, keys.inserted_keys(), buffer, [&](const KeyBatch& batch) { slice.insert(batch); });
  durations.inserted_keys_ns = for_each_inserted_key_batch(
      keys, 0, keys.inserted_keys(), buffer, [&](const KeyBatch& batch) { slice.ask(batch); });
  const std::vector<std::uint64_t> true_positives = slice.take_counts();
  durations.absent_keys_ns =
      for_each_absent_key_batch(keys, buffer, [&](const KeyBatch& batch) { slice.ask(batch); });
  const std::vector<std::uint64_t> false_positives = slice.take_counts();

  const record::Json timing = group_timing_json(durations);
  std::vector<Measurement> measurements;
  const std::vector<FilterState> states = slice.states();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Counts counts{keys.inserted_keys(), true_positives[i], keys.absent_keys(),
                        false_positives[i]};
    measurements.push_back({std::nullopt, measured_json(counts, states[i], false), timing});
  }
  return measurements;
}

}  // namespace bloomlab::experiments
