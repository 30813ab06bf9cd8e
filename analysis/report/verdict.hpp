// The first sentences of a report: what was tested and what deviates, beginning with the filters
// from outside, whose author reads the report to know of them; and what is wrong with the results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// What the results say of a filter from outside (docs/foreign_filters.md), over all configs.
struct OutsideFilter {
  std::string name;                      ///< of its program, library or type: "my_filter"
  std::uint64_t cells = 0;               ///< that it was to be measured in
  std::uint64_t failed = 0;              ///< of them, those of which no trial has a result
  std::string reason;                    ///< why the first of these has none
  std::uint64_t rates = 0;               ///< rates that were measured
  std::uint64_t tested = 0;              ///< of them, those that were held against a closed form
  std::uint64_t off = 0;                 ///< of them, those that deviate beyond chance
  std::optional<std::uint64_t> other_k;  ///< the one number of hash functions, not the expected
                                         ///< one, with which every rate of filters that do not
                                         ///< grow fits; where some rates are off
};

/// The filters from outside, in the order of their first cells.
[[nodiscard]] std::vector<OutsideFilter> outside_filters(std::span<const Experiment> experiments);

/// What did not hold in an experiment, one line each: deviations that nobody expected, expected
/// ones that were not seen, false negatives, cells whose filter gave no result, timings that do not
/// say what they are for.
[[nodiscard]] std::vector<std::string> faults_of(const Experiment& experiment, const Words& words);

/// The first sentences, and the list of the faults.
[[nodiscard]] std::string verdict_text(std::span<const Experiment> experiments,
                                       std::span<const std::string> faults, const Words& words);

}  // namespace bloomlab::analysis
