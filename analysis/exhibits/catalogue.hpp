// What the sections of particular configs show beside what every section shows: one file an
// exhibit, and one line in the catalogue (catalogue.cpp).
#pragma once

#include <span>
#include <string_view>

#include "analysis/content.hpp"

namespace bloomlab::analysis {

/// What a config's answer is about: the parts of the report's first page, in their order.
enum class Subject {
  sources,     ///< formulas and tables of textbooks and slides
  lab,         ///< the lab report, and filters that grow
  hashing,     ///< hash functions and the positions that derive from them
  filters,     ///< filters other than the standard one
  laboratory,  ///< whether the suite's own statistics hold
  speed,       ///< time and memory
  own,         ///< configs that the suite does not know
};

/// An exhibit for the config called `stem`.
struct ExhibitEntry {
  std::string_view stem;
  Exhibit build;
  Subject subject = Subject::own;
};

/// Every exhibit; several may belong to one config. The order of the first mention of a config is
/// the order of the report's sections, and that of its answers within their subject.
[[nodiscard]] std::span<const ExhibitEntry> exhibits();

Content textbook_exhibit(const Experiment& experiment, const Words& words);
Content ratio_exhibit(const Experiment& experiment, const Words& words);
Content lab_report_exhibit(const Experiment& experiment, const Words& words);
Content lab_effect_exhibit(const Experiment& experiment, const Words& words);
Content size_exhibit(const Experiment& experiment, const Words& words);
Content probes_exhibit(const Experiment& experiment, const Words& words);
Content load_exhibit(const Experiment& experiment, const Words& words);
Content fill_exhibit(const Experiment& experiment, const Words& words);
Content hash_choice_exhibit(const Experiment& experiment, const Words& words);
Content growth_exhibit(const Experiment& experiment, const Words& words);
Content scalable_sweep_exhibit(const Experiment& experiment, const Words& words);
Content scalable_fair_exhibit(const Experiment& experiment, const Words& words);
Content mutation_matrix_exhibit(const Experiment& experiment, const Words& words);
Content ladder_exhibit(const Experiment& experiment, const Words& words);
Content cost_growth_exhibit(const Experiment& experiment, const Words& words);
Content precision_exhibit(const Experiment& experiment, const Words& words);
Content coverage_exhibit(const Experiment& experiment, const Words& words);
Content stopping_exhibit(const Experiment& experiment, const Words& words);
Content power_exhibit(const Experiment& experiment, const Words& words);
Content census_exhibit(const Experiment& experiment, const Words& words);
Content layouts_exhibit(const Experiment& experiment, const Words& words);
Content index_families_exhibit(const Experiment& experiment, const Words& words);
Content double_hashing_exhibit(const Experiment& experiment, const Words& words);
Content family_probes_exhibit(const Experiment& experiment, const Words& words);
Content counting_deletion_exhibit(const Experiment& experiment, const Words& words);
Content counting_overflow_exhibit(const Experiment& experiment, const Words& words);
Content spectral_multiplicity_exhibit(const Experiment& experiment, const Words& words);
Content hash_quality_exhibit(const Experiment& experiment, const Words& words);
Content hash_width_exhibit(const Experiment& experiment, const Words& words);
Content javascript_exhibit(const Experiment& experiment, const Words& words);
Content folding_exhibit(const Experiment& experiment, const Words& words);
Content compression_exhibit(const Experiment& experiment, const Words& words);
Content reduction_exhibit(const Experiment& experiment, const Words& words);
Content zoo_exhibit(const Experiment& experiment, const Words& words);
Content speed_exhibit(const Experiment& experiment, const Words& words);
Content speed_table_exhibit(const Experiment& experiment, const Words& words);
Content external_peers_exhibit(const Experiment& experiment, const Words& words);

}  // namespace bloomlab::analysis
