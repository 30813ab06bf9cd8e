// The key `precision` of a config: ask until the rate is known well enough, instead of a fixed
// number of queries. Decisions are taken at fixed batch ends on counts (statistics/sequential.hpp),
// so threads, shards and resumes change nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {

/// What shall be reached: a relative half-width, or a number of hits.
struct Precision {
  static constexpr std::string_view name = "precision";

  /// Whose rate shall be known.
  enum class Object {
    filter,   ///< of each filter, one a trial, for itself
    ensemble  ///< the mean over filters, from all trials together
  };
  static constexpr std::array<std::string_view, 2> objects = {"filter", "ensemble"};

  struct Parameters {
    std::optional<double> relative;
    double level = 0.0;
    std::optional<std::uint64_t> hits;
    Object of = Object::filter;
    std::uint64_t max_queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(RealField{.name = "relative",
                    .unit = "",
                    .meaning = "half-width of the interval as a part of the rate; or give hits",
                    .max = statistics::thresholds::largest_precision,
                    .min_excluded = true},
          p.relative);
    visit(RealField{.name = "level",
                    .unit = "",
                    .meaning = "confidence of the interval",
                    .min = 0.5,
                    .max = 1.0,
                    .max_excluded = true,
                    .fallback = statistics::thresholds::interval_level},
          p.level);
    visit(IntegerField{"hits", "false positives",
                       "stop at this false positive, wherever it comes; or give relative", 2,
                       1'000'000'000},
          p.hits);
    visit(ChoiceField{"of", "whose rate: each filter's own, or the mean over filters", objects, 0},
          p.of);
    visit(IntegerField{"max_queries", "queries", "never ask a filter more than this", 1,
                       std::uint64_t{1} << 40, 1'000'000'000},
          p.max_queries);
  }

  /// A fault of the parameters together with the number of trials, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, std::uint64_t trials);
};

}  // namespace bloomlab::experiments
