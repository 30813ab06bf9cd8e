#include "experiments/kinds/false_positive_rate.hpp"

#include "experiments/k_sliced.hpp"
#include "experiments/kinds/precise_measurement.hpp"

namespace bloomlab::experiments {

std::optional<std::string> FalsePositiveRate::check_trials(const Parameters& p,
                                                           std::uint64_t trials) {
  if (p.queries.has_value() == p.precision.has_value()) {
    std::string fault = p.queries ? "both \"queries\" and" : "neither \"queries\" nor";
    return fault.append(
        " \"precision\" given; write one of them: the number of strangers to ask, "
        "or what to reach");
  }
  if (!p.precision) return std::nullopt;
  auto fault = Precision::check(*p.precision, trials);
  if (fault) fault->insert(0, "precision: ");
  return fault;
}

std::vector<Measurement> FalsePositiveRate::measure(const Parameters& p, Subject& subject,
                                                    const KeySet& keys) {
  if (p.precision) return {fill_and_ask_until(*p.precision, subject, keys)};
  return {fill_and_ask(subject, keys, 0, keys.members())};
}

std::vector<Measurement> FalsePositiveRate::measure_together(
    const Parameters& p, const std::vector<std::unique_ptr<Subject>>& subjects,
    const std::vector<std::unique_ptr<KeySet>>& keys) {
  return fill_and_ask_together(*p.precision, subjects, keys);
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

  const record::Json timing = group_timing_json(durations);
  std::vector<Measurement> measurements;
  const std::vector<FilterState> states = slice.states();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Counts counts{keys.members(), true_positives[i], keys.strangers(), false_positives[i]};
    measurements.push_back({std::nullopt, measured_json(counts, states[i], false), timing});
  }
  return measurements;
}

}  // namespace bloomlab::experiments
