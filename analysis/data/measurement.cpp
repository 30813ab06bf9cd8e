#include "analysis/data/measurement.hpp"

#include <algorithm>

namespace bloomlab::analysis {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? unknown : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Trial::rate() const { return ratio(false_positives, queries()); }

double Trial::fill() const { return ratio(bits_set, bits); }

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
