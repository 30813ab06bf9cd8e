// Two folders of results side by side: which observations speak of the same thing, and what they
// say of rates. A thing is a cell, by its canonical JSON, and a step of it, in files of one stem;
// rates are compared cell by cell, the filter being the replicate.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data/load.hpp"
#include "statistics/two_rates.hpp"

namespace bloomlab::analysis::compare {

/// One cell (of one step) in both folders. Observations are by trial.
struct CellPair {
  Json cell;
  std::optional<std::uint64_t> step;
  std::vector<const record::Observation*> first;
  std::vector<const record::Observation*> second;

  /// Both have the same trials with the same seeds.
  [[nodiscard]] bool same_seeds() const;
  /// The same, and every count is equal as well.
  [[nodiscard]] bool same_counts() const;
};

/// One stem in both folders.
struct FilePair {
  std::string stem;
  std::string kind;
  const ResultSet* first = nullptr;
  const ResultSet* second = nullptr;
  bool same_config = false;      ///< but for title, question and what is expected of it
  std::vector<CellPair> cells;   ///< in the first's grid order
  std::vector<Json> only_first;  ///< cells, or cells with a "step", of the first alone
  std::vector<Json> only_second;
};

/// What two folders have in common. Points into the result sets, which must outlive it.
struct Pairing {
  std::vector<FilePair> files;  ///< by stem
  std::vector<std::string> stems_only_first;
  std::vector<std::string> stems_only_second;

  /// Cells that both have.
  [[nodiscard]] std::uint64_t cells() const;
};

/// Pairs what `load` read. Confirmation files are passed over: which cells they hold depends on
/// what was flagged.
[[nodiscard]] Pairing pair_up(const std::vector<ResultSet>& first,
                              const std::vector<ResultSet>& second);

/// One cell's rate in both folders, tested.
struct RateDifference {
  std::string stem;
  const CellPair* pair = nullptr;
  std::uint64_t first_hits = 0;
  std::uint64_t first_queries = 0;
  std::uint64_t second_hits = 0;
  std::uint64_t second_queries = 0;
  statistics::RateChange change;  ///< at thresholds::interval_level
  double adjusted_p = 1.0;        ///< after Holm, over the tests of the comparison
  bool changed = false;           ///< beyond chance

  /// How far from 1 the ratio's interval reaches, up or down: the size that cannot be excluded.
  [[nodiscard]] double possible_size() const;
};

/// What the cells of one pair of files say of rates and other counts.
struct RateFindings {
  std::vector<RateDifference> tested;
  std::uint64_t equal_counts = 0;             ///< cells: seeds and all counts are equal, no test
  std::vector<const CellPair*> other_counts;  ///< seeds are equal, hits are or are none, others not
  /// Cells: hits are not counted, there are none, or nobody knows the filters' spread.
  std::uint64_t untested = 0;
};

/// Tests the rates of a pair of files; adjusted p-values are left at 1.
/// Throws record::InputError, naming the file, for counts that cannot be.
[[nodiscard]] RateFindings rate_findings(const FilePair& files);

}  // namespace bloomlab::analysis::compare
