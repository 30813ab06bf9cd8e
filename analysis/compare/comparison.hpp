// Two folders of results against each other: which rates and durations differ beyond chance, and
// whether any differs by so much that the comparison fails.
//
// Three families of tests: rates, durations of all cells of a file together, durations of single
// cells. Holm's procedure within each, at a part of thresholds::family_alpha; the parts add up to
// the whole (Bonferroni 1936), so that a comparison of equals shows any difference with probability
// family_alpha at most, whatever the tests have to do with each other. Families, because a test of
// ten process runs a side cannot give p-values below 1e-5: thousands of rates beside it would
// silence it, and hundreds of noisy cells the few rows that see a little slowdown of all.
//
// When a comparison fails: how large a difference has to be, beside being beyond chance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/pairs.hpp"
#include "analysis/compare/times.hpp"

namespace bloomlab::analysis::compare {

/// Sizes from which differences fail a comparison, as parts of the first folder's value; what is
/// not named never fails.
struct FailOn {
  std::optional<double> rate;  ///< in either direction, in (0, 100]
  std::optional<double> time;  ///< slower only, in (0, 100]
};

/// Reads "rate:0.01,time:5%": each at most once, in any order, as a part or in per cent.
/// Throws record::InputError that says what was found and what is allowed.
[[nodiscard]] FailOn parse_fail_on(const std::string& text);

/// One pair of files: what is known beside the tests.
struct FileFindings {
  const FilePair* files = nullptr;
  std::uint64_t equal_counts = 0;             ///< cells, as in RateFindings
  std::uint64_t untested = 0;                 ///< cells, likewise
  std::vector<const CellPair*> other_counts;  ///< likewise
  TimeFindings times;                         ///< without its tests, which are in the comparison
};

/// What a comparison found. Points into the pairing.
struct Comparison {
  std::vector<RateDifference> rates;  ///< changed ones first, then by p-value
  std::vector<TimeDifference> times;  ///< the same
  std::vector<FileFindings> files;    ///< by stem
  double alpha = 0.0;                 ///< of the whole comparison
  /// Relative change of a rate that a typical test (the median one) notices with
  /// thresholds::power; NaN without tests.
  double detectable_rate = 0.0;
  /// No difference of single cells' durations, however large, could be beyond chance: too few
  /// process runs for so many tests.
  bool cells_are_mute = false;
  bool together_are_mute = false;  ///< the same of all cells together

  [[nodiscard]] std::uint64_t changed_rates() const;
  [[nodiscard]] std::uint64_t changed_times() const;
};

/// Compares what was paired. Throws record::InputError as the findings do.
[[nodiscard]] Comparison compare_pairs(const Pairing& pairing);

/// Whether a rate fails: it changed, and its interval does not exclude a change of limits.rate.
[[nodiscard]] bool fails(const RateDifference& difference, const FailOn& limits);

/// Whether a duration fails: it changed, and is estimated as slower by limits.time at least.
[[nodiscard]] bool fails(const TimeDifference& difference, const FailOn& limits);

/// Whether anything fails.
[[nodiscard]] bool fails(const Comparison& comparison, const FailOn& limits);

}  // namespace bloomlab::analysis::compare
