// Two folders of results side by side: which observations speak of the same thing. A thing is a
// cell, by its canonical JSON, and a step of it, in files of one stem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data/load.hpp"

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

}  // namespace bloomlab::analysis::compare
