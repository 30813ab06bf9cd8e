#include "experiments/kinds/precision.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/sequential.hpp"

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

std::uint64_t Precision::expected_queries(const Parameters& p, double rate, std::uint64_t trials) {
  if (!(rate > 0)) return p.max_queries;
  double hits = 0.0;
  if (p.hits) {
    hits = static_cast<double>(*p.hits);
  } else {
    hits = static_cast<double>(statistics::needed_hits({*p.relative, p.level})) * (1 - rate);
    if (p.of == Object::ensemble) hits /= static_cast<double>(trials);
  }
  const double queries = std::ceil(hits / rate);
  if (!(queries < static_cast<double>(p.max_queries))) return p.max_queries;
  return std::max(statistics::next_batch_end(0), static_cast<std::uint64_t>(queries));
}

}  // namespace bloomlab::experiments
