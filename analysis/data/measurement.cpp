#include "analysis/data/measurement.hpp"

#include <algorithm>
#include <numeric>

namespace bloomlab::analysis {

Trials::Trials(Eigen::Index count)
    : conditional_rate(count), stopped_by(static_cast<std::size_t>(count)) {
  for (Counts* column : {&number, &seed, &true_positives, &false_positives, &true_negatives,
                         &false_negatives, &inserted, &bits, &bits_set, &memory_bits, &layers}) {
    column->resize(count);
  }
}

Reals Trials::rates() const {
  Reals rates = false_positives.cast<double>() / queries().cast<double>();
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (stopped_by[static_cast<std::size_t>(i)] != "hits") continue;
    // Asked until a hit: Haldane's unbiased estimate (statistics/sequential.hpp).
    const auto asked = static_cast<double>(false_positives[i] + true_negatives[i] - 1);
    rates[i] = asked > 0 ? static_cast<double>(false_positives[i] - 1) / asked : unknown;
  }
  return rates;
}

const Rung* Estimate::lowest_accepted() const& {
  const auto found = std::find_if(ladder.begin(), ladder.end(), [](const Rung& rung) {
    return rung.verdict.verdict == statistics::Verdict::accepted;
  });
  return found == ladder.end() ? nullptr : &*found;
}

const Rung* Estimate::lowest_true() const& {
  const auto found = std::find_if(ladder.begin(), ladder.end(), [](const Rung& rung) {
    return rung.verdict.verdict == statistics::Verdict::accepted &&
           !rung.verdict.significantly_different;
  });
  return found == ladder.end() ? nullptr : &*found;
}

bool Measurement::asked_equally() const {
  const Counts queries = trials.queries();
  return (queries == queries[0]).all() && std::ranges::count(trials.stopped_by, "hits") == 0;
}

double Measurement::mean_fill() const {
  const Reals fills = trials.fills();
  return std::accumulate(fills.begin(), fills.end(), 0.0) / static_cast<double>(fills.size());
}

bool FlagCheck::as_expected() const {
  return unseen.empty() && std::all_of(flagged.begin(), flagged.end(), [](const FlaggedCell& flag) {
           return flag.expected.has_value();
         });
}

std::uint64_t Experiment::setting(const std::string& key) const {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_number_integer()) return 0;
  return found->get<std::uint64_t>();
}

}  // namespace bloomlab::analysis
