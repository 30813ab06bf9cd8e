#include "experiments/kinds/false_positive_rate.hpp"

#include "experiments/k_sliced.hpp"

namespace bloomlab::experiments {

std::vector<Measurement> FalsePositiveRate::measure(const Parameters& /*p*/, Subject& subject,
                                                    const KeySet& keys) {
  return {fill_and_ask(subject, keys, 0, keys.members())};
}

std::vector<Measurement> FalsePositiveRate::measure_slice(const Parameters& /*p*/, KSliced& slice,
                                                          const KeySet& keys) {
  KeyBuffer buffer;
  Durations durations;
  durations.insert_ns = for_each_member_batch(keys, 0, keys.members(), buffer,
                                              [&](const KeyBatch& batch) { slice.insert(batch); });
  durations.members_ns = for_each_member_batch(keys, 0, keys.members(), buffer,
                                               [&](const KeyBatch& batch) { slice.ask(batch); });
  const std::vector<std::uint64_t> true_positives = slice.take_counts();
  durations.strangers_ns =
      for_each_stranger_batch(keys, buffer, [&](const KeyBatch& batch) { slice.ask(batch); });
  const std::vector<std::uint64_t> false_positives = slice.take_counts();

  const record::Json timing = {{"group_insert_ns", durations.insert_ns},
                               {"group_members_ns", durations.members_ns},
                               {"group_strangers_ns", durations.strangers_ns}};
  std::vector<Measurement> measurements;
  const std::vector<FilterState> states = slice.states();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Counts counts{keys.members(), true_positives[i], keys.strangers(), false_positives[i]};
    measurements.push_back({std::nullopt, measured_json(counts, states[i], false), timing});
  }
  return measurements;
}

}  // namespace bloomlab::experiments
