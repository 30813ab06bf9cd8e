#include "analysis/data/measurement.hpp"

#include <algorithm>

namespace bloomlab::analysis {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? unknown : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Trial::rate() const {
  // Asked until a hit: Haldane's unbiased estimate (statistics/sequential.hpp).
  if (stopped_by == "hits") return ratio(false_positives - 1, queries() - 1);
  return ratio(false_positives, queries());
}

double Trial::fill() const { return ratio(bits_set, bits); }

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
  return std::all_of(trials.begin(), trials.end(), [&](const Trial& trial) {
    return trial.queries() == trials.front().queries() && trial.stopped_by != "hits";
  });
}

double Measurement::mean_fill() const {
  double sum = 0;
  for (const Trial& trial : trials) sum += trial.fill();
  return sum / static_cast<double>(trials.size());
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
