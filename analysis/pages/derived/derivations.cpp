#include "analysis/pages/derived/derivations.hpp"

#include <array>

#include "analysis/kinds/speed_rows.hpp"
#include "analysis/pages/database.hpp"

namespace bloomlab::analysis::pages {

namespace {

const char* name_of(statistics::Verdict verdict) {
  switch (verdict) {
    case statistics::Verdict::accepted:
      return "accepted";
    case statistics::Verdict::rejected:
      return "rejected";
    case statistics::Verdict::undecided:
      break;
  }
  return "undecided";
}

Value count_or_null(const std::optional<std::uint64_t>& count) {
  return count ? Value(signed_of(*count)) : Value(std::monostate{});
}

void set_rung(RowBuilder& rows, const Rung& rung) {
  const statistics::Equivalence& verdict = rung.verdict;
  const auto& rejection = verdict.at_rejection;
  const auto& equivalence = verdict.at_equivalence;
  rows.set_computed("form", rung.name);
  rows.set_number("form_fpr", rung.rate);
  rows.set_interval("ratio", verdict.ratio, rejection.low, rejection.high);
  rows.set_interval("ratio_90", verdict.ratio, equivalence.low, equivalence.high);
  rows.set_computed("verdict", name_of(verdict.verdict));
  rows.set_computed("distinguished", std::int64_t{verdict.significantly_different ? 1 : 0});
  rows.set_computed("further_queries", count_or_null(verdict.further_queries));
  rows.set_computed("filters_needed", count_or_null(verdict.filters_needed));
}

}  // namespace

std::span<const Derivation> derivations() {
  static constexpr std::array<Derivation, 3> all = {{
      {"speeds", [](const Experiment& e) { return is_speed_kind(e.kind); }, speeds_of},
      {"mutants", [](const Experiment& e) { return e.kind == "mutation_matrix"; }, mutants_of},
      {"rungs", [](const Experiment& e) { return !e.measurements.empty(); }, rungs_of},
  }};
  return all;
}

Relation rungs_of(const Experiment& experiment) {
  RowBuilder rows;
  CellNumbers number;
  for (const Measurement& m : experiment.measurements) {
    const std::int64_t cell = number(m.cell);
    for (const Rung& rung : m.estimate->ladder) {
      rows.begin_row();
      rows.set_cell(cell, m.cell);
      rows.set_computed("step", m.step ? Value(signed_of(*m.step)) : Value(std::monostate{}));
      set_rung(rows, rung);
    }
  }
  return rows.take({"cell", "step", "form", "form_fpr", "ratio", "ratio_low", "ratio_high",
                    "ratio_90", "ratio_90_low", "ratio_90_high", "verdict", "distinguished",
                    "further_queries", "filters_needed"});
}

}  // namespace bloomlab::analysis::pages
