#include "statistics/coverage.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

constexpr double negligible = 1e-20;

// Sums of weights, the likeliest count's being 1.
struct Weights {
  double covered = 0.0;
  double all = 0.0;

  void add(double weight, bool covers) {
    all += weight;
    if (covers) covered += weight;
  }
};

}  // namespace

double exact_coverage(BinomialInterval method, std::uint64_t queries, double rate, double level) {
  detail::require_positive_count("exact_coverage", "queries", queries);
  detail::require_probability("exact_coverage", "rate", rate);
  detail::require_open_unit("exact_coverage", "level", level);
  if (rate >= 1.0) return method(queries, queries, level).contains(rate) ? 1.0 : 0.0;

  const auto draws = static_cast<double>(queries);
  const double odds = rate / (1.0 - rate);
  const auto mode = std::min(queries, static_cast<std::uint64_t>((draws + 1.0) * rate));
  // From the likeliest count outwards, each weight from its neighbour's: all terms are positive,
  // and dividing by their sum needs no logarithm of a factorial.
  // Both ends of an interval rise with the hits: those that cover the rate follow each other.
  const auto first_where = [&](auto is_there) {
    std::uint64_t from = 0;
    std::uint64_t to = queries + 1;
    while (from < to) {
      const std::uint64_t middle = from + (to - from) / 2;
      if (is_there(method(middle, queries, level))) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  };
  const std::uint64_t first = first_where([&](const Interval& i) { return i.high >= rate; });
  const std::uint64_t beyond = first_where([&](const Interval& i) { return i.low > rate; });
  const auto is_covered = [&](std::uint64_t hits) { return hits >= first && hits < beyond; };
  Weights weights;
  weights.add(1.0, is_covered(mode));
  double weight = 1.0;
  for (std::uint64_t hits = mode; hits < queries && weight > negligible; ++hits) {
    weight *= static_cast<double>(queries - hits) / static_cast<double>(hits + 1) * odds;
    weights.add(weight, is_covered(hits + 1));
  }
  weight = 1.0;
  for (std::uint64_t hits = mode; hits > 0 && weight > negligible; --hits) {
    weight *= static_cast<double>(hits) / static_cast<double>(queries - hits + 1) / odds;
    weights.add(weight, is_covered(hits - 1));
  }
  return weights.covered / weights.all;
}

}  // namespace bloomlab::statistics
