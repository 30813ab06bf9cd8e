// Estimates and tests. The trial is the replicate: queries of one trial share a filter. Every test
// of a config belongs to one family, judged by Holm's procedure, which holds for cells that share
// keys and seeds too; nothing here adds up z over cells.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// Estimates, tests, detectable effects and theory ladder for every measurement;
/// needs their predictions. The rate test compares all hits with the closed form: under its
/// variance between filters, or where theory has none by the spread that several filters show. The
/// fill test compares the set bits with theory, for independent probes only.
[[nodiscard]] std::vector<Measurement> with_statistics(std::vector<Measurement> measurements);

/// The tests of measurements that have their statistics, as a whole.
[[nodiscard]] Family family_of(const std::vector<Measurement>& measurements);

/// The rate of the ensemble of filters with its interval at another level, for intervals that have
/// to hold together.
[[nodiscard]] statistics::Estimate ensemble_rate(const Measurement& measurement, double level);

/// The flags of the measurements against those that the config expects.
[[nodiscard]] FlagCheck check_flags(const std::vector<Measurement>& measurements,
                                    const std::vector<ExpectedFlag>& expected);

/// The `expected_flags` of a config; none where it has no such key.
/// Throws record::InputError for an entry that is not {cell, test, reason}.
[[nodiscard]] std::vector<ExpectedFlag> expected_flags(const Json& config,
                                                       const std::string& where);

/// Tests of bloomlab's own filters, and what they found.
struct Tally {
  std::uint64_t tests = 0;
  std::uint64_t predicted = 0;  ///< deviations that the config said must be seen
  std::uint64_t possible = 0;   ///< that it said may be seen: no prediction
  std::uint64_t unexpected = 0;

  [[nodiscard]] std::uint64_t flags() const { return predicted + possible + unexpected; }
  /// The key of the text that says it, whose tags are the counts above and `flags`.
  [[nodiscard]] std::string_view sentence() const;
};

/// Over all experiments.
[[nodiscard]] Tally tally_of(std::span<const Experiment> experiments);

/// What deviates from theory beyond chance in a result file whose cells come one after the other:
/// the flags of check_flags(), without what only suspects are told by. Little is kept of a cell.
class FlagSearch {
 public:
  /// @param where names the file in errors   @param at_once measurements that are tested together,
  /// by several threads
  explicit FlagSearch(std::string where, std::size_t at_once = 4096)
      : where_(std::move(where)), at_once_(at_once), tabulator_(where_) {}

  /// All observations of one or more cells. Throws as tabulate() and with_theory().
  void add(std::span<const record::Observation> rows);
  /// The flags, after the last cell. @param config of the file, with what it expects
  [[nodiscard]] std::vector<FlaggedCell> flagged(const Json& config);

 private:
  void test_cells();

  std::string where_;
  std::size_t at_once_;
  Tabulator tabulator_;
  std::vector<double> p_values_;  // of all tests
  struct Candidate {
    std::size_t place = 0;  // of its p-value
    FlaggedCell flag;
  };
  std::vector<Candidate> candidates_;  // whose p-value may suffice
};

}  // namespace bloomlab::analysis
