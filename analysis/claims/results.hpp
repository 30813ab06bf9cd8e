// The results that claims are held against: read when a claim asks for them, and queried in SQL.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/pages/database.hpp"

namespace bloomlab::analysis::claims {

/// The stems of the results that a query names: "lab_report" for "lab_report.cells".
[[nodiscard]] std::vector<std::string> stems_named(const std::string& sql);

/// A folder of results, experiments at hand, or none. Not for several threads at once.
class Results {
 public:
  /// No results at all: every claim that needs some is "not measured".
  Results() = default;
  /// The files STEM.json of this folder.
  explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// These experiments, which must outlive it.
  explicit Results(std::span<const Experiment> experiments) : given_(experiments) {}

  /// The analysed results of a config, or null where the folder has none. Throws record::InputError
  /// for a broken file.
  [[nodiscard]] const Experiment* find(const std::string& stem) const&;
  void find(const std::string& stem) const&& = delete;

  /// The rows of a query over tables "STEM.cells" and so on (docs/pages.md), all of whose stems are
  /// here. Throws record::InputError `WHERE: fault`.
  [[nodiscard]] pages::Relation query(const std::string& sql, const std::string& where) const;

 private:
  std::filesystem::path folder_;
  std::span<const Experiment> given_;
  mutable std::map<std::string, std::optional<Experiment>> read_;
};

}  // namespace bloomlab::analysis::claims
