#include "experiments/kinds/precision.hpp"

namespace bloomlab::experiments {

std::optional<std::string> Precision::check(const Parameters& p, std::uint64_t trials) {
  if (p.relative.has_value() == p.hits.has_value()) {
    std::string fault = p.hits ? "both \"relative\" and" : "neither \"relative\" nor";
    return fault.append(" \"hits\" given; write one of them");
  }
  if (p.of == Object::filter) return std::nullopt;
  if (p.hits) {
    return "a fixed number of hits speaks of one filter; write \"of\": \"filter\", or \"relative\"";
  }
  const auto least = static_cast<std::uint64_t>(statistics::thresholds::precision_trials);
  if (trials >= least) return std::nullopt;
  std::string fault = "the ensemble's rate needs at least ";
  return fault.append(std::to_string(least))
      .append(" trials, found ")
      .append(std::to_string(trials))
      .append("; write more trials, or \"of\": \"filter\"");
}

}  // namespace bloomlab::experiments
