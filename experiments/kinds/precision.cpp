#include "experiments/kinds/precision.hpp"

namespace bloomlab::experiments {

std::optional<std::string> Precision::check(const Parameters& p, std::uint64_t trials) {
  if (p.relative.has_value() == p.hits.has_value()) {
    return std::string(p.hits ? "both" : "neither") +
           " \"relative\" and \"hits\" given; write one of them";
  }
  if (p.of == Object::filter) return std::nullopt;
  if (p.hits) {
    return "a fixed number of hits speaks of one filter; write \"of\": \"filter\", or \"relative\"";
  }
  const auto least = static_cast<std::uint64_t>(statistics::thresholds::precision_trials);
  if (trials >= least) return std::nullopt;
  return "the ensemble's rate needs at least " + std::to_string(least) + " trials, found " +
         std::to_string(trials) + "; write more trials, or \"of\": \"filter\"";
}

}  // namespace bloomlab::experiments
