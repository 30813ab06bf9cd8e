// Every threshold of the analysis, in one place: what counts as few, as many, as wrong. A report
// prints this list, so that no verdict hangs on a number that the reader cannot see. Changing a
// value changes verdicts: it needs a line in the changelog and a complete new run.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bloomlab::statistics {

/// A number that decides, with its name and what it decides. Reads as its value.
struct Threshold {
  std::string_view name;
  double value;
  std::string_view meaning;

  // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever its value may stand.
  constexpr operator double() const noexcept { return value; }
};

namespace thresholds {

inline constexpr Threshold family_alpha{
    "family_alpha", 0.01, "probability that a table of right cells shows any flag (Holm)"};
inline constexpr Threshold suspect_share{
    "suspect_share", 0.05,
    "expected share of right cells among the suspects (Benjamini-Hochberg, or Benjamini-Yekutieli "
    "where cells share seeds)"};
inline constexpr Threshold interval_level{"interval_level", 0.95,
                                          "confidence level of an interval that stands alone"};
inline constexpr Threshold simultaneous_level{
    "simultaneous_level", 0.99, "confidence that all intervals of one table hold together"};
inline constexpr Threshold power{"power", 0.90,
                                 "probability of noticing the minimum detectable effect"};
inline constexpr Threshold fill_only_effect{
    "fill_only_effect", 0.10,
    "a cell whose hits cannot show a relative effect this small is labelled fill-based only"};
inline constexpr Threshold few_hits{
    "few_hits", 30.0,
    "below this many hits (or misses, if fewer) intervals are exact, not approximate"};
inline constexpr Threshold minimum_trials{
    "minimum_trials", 5.0,
    "from this many filters on, their observed spread makes the ensemble's interval"};
inline constexpr Threshold binomial_design_effect{
    "binomial_design_effect", 1.02,
    "up to this ratio of the variance to the binomial one, hits are treated as binomial"};
inline constexpr Threshold normal_skewness{
    "normal_skewness", 0.02,
    "tests use the normal law only for counts whose skewness is at most this (2500 hits, Poisson)"};

// The theory ladder.
inline constexpr Threshold equivalence_level{
    "equivalence_level", 0.90,
    "level of the interval of measured/theory that must lie within the tolerance: accepted"};
inline constexpr Threshold rejection_level{
    "rejection_level", 0.99,
    "level of the interval of measured/theory that must exclude 1: distinguished, rejected"};
inline constexpr Threshold equivalence_tolerance{
    "equivalence_tolerance", 0.01, "measured/theory this close to 1 is as good as theory"};

// Stopping at a precision.
inline constexpr Threshold first_batch{"first_batch", 4096.0,
                                       "queries of each filter before the first decision to stop"};
inline constexpr Threshold batch_growth_divisor{
    "batch_growth_divisor", 8.0,
    "a batch is this part of the queries before it, never smaller than the first"};
inline constexpr Threshold largest_precision{
    "largest_precision", 0.10, "largest relative half-width at which a run may be told to stop"};
inline constexpr Threshold precision_trials{
    "precision_trials", 10.0, "filters that a precision of the ensemble needs at least"};

// Durations.
inline constexpr Threshold bootstrap_resamples{
    "bootstrap_resamples", 4000.0, "resamples behind the interval of a median duration"};
inline constexpr Threshold exact_rank_sample{
    "exact_rank_sample", 50.0,
    "up to this many values a side, all different, Mann-Whitney's test is exact"};

// Speeds.
inline constexpr Threshold speed_alpha{
    "speed_alpha", 0.001, "probability that a table of speeds with right rates shows any as wrong"};
inline constexpr Threshold speed_effect{
    "speed_effect", 0.02, "relative deviation of a rate that every row of speeds must notice"};
inline constexpr Threshold noise{
    "noise", 0.03,
    "a process run is marked when a loop of its bracket is this far from the run's median"};
inline constexpr Threshold noisy_share{
    "noisy_share", 0.20, "above this share of marked process runs a run of speeds has failed"};

// Two runs against each other.
inline constexpr Threshold comparison_process_runs{
    "comparison_process_runs", 10.0,
    "process runs a side from which a duration of two runs is tested, and may fail a comparison"};
inline constexpr Threshold noise_quantile{"noise_quantile", 0.95,
                                          "this share of the ratios between halves of one run's "
                                          "process runs lies within the noise floor"};

// The statistics judged by themselves.
inline constexpr Threshold calibration_alpha{
    "calibration_alpha", 0.05, "level of the tests whose alarms and detections are counted"};
inline constexpr Threshold calibration_effect{
    "calibration_effect", 0.10, "relative deviation that a planned experiment must notice"};
inline constexpr Threshold coverage_tolerance{
    "coverage_tolerance", 0.01,
    "coverage of an approximate interval may differ by this from its level"};
inline constexpr Threshold coverage_hits{
    "coverage_hits", 30.0, "expected hits from which approximate intervals must keep their level"};
inline constexpr Threshold simulation_level{
    "simulation_level", 0.99, "level of the binomial bound around a share counted by simulation"};

/// All of the above, in this order.
[[nodiscard]] std::span<const Threshold> all() noexcept;

/// All of them as one text, a line "name=value" each in this order: what a report hashes, so that
/// two reports can be seen to have judged by the same numbers.
[[nodiscard]] std::string canonical_text();

}  // namespace thresholds
}  // namespace bloomlab::statistics
