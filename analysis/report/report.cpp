#include "analysis/report/report.hpp"

#include <algorithm>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/speed_rows.hpp"
#include "analysis/format/number.hpp"
#include "analysis/report/bibliography.hpp"
#include "analysis/report/common.hpp"
#include "analysis/report/provenance.hpp"
#include "analysis/tables/cells_table.hpp"
#include "analysis/text/embedded.hpp"
#include "record/sha256.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// The configs that the suite knows, in the order of the report.
std::vector<std::string> known_stems() {
  std::vector<std::string> stems;
  for (const ExhibitEntry& exhibit : exhibits()) {
    const std::string stem(exhibit.stem);
    if (std::find(stems.begin(), stems.end(), stem) == stems.end()) stems.push_back(stem);
  }
  return stems;
}

/// Known configs first, in their order; the others by name.
void sort_for_report(std::vector<Experiment>& experiments) {
  const auto known = known_stems();
  const auto rank = [&](const Experiment& experiment) {
    return std::find(known.begin(), known.end(), experiment.stem) - known.begin();
  };
  std::sort(experiments.begin(), experiments.end(), [&](const auto& a, const auto& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.stem < b.stem;
  });
}

std::string anchor(const std::string& stem) { return "<a id=\"" + link_text(stem) + "\"></a>"; }

/// One item a config: its answer, or that it was not measured.
std::string summary_text(const std::vector<Section>& sections, const Words& words) {
  std::string text;
  for (const Section& section : sections) {
    text += words("summary.item", {{"title", markdown_escaped(section.title)},
                                   {"anchor", link_text(section.stem)},
                                   {"answer", section.answer}}) +
            "\n";
  }
  for (const std::string& stem : known_stems()) {
    const bool measured = std::any_of(sections.begin(), sections.end(),
                                      [&](const Section& s) { return s.stem == stem; });
    if (measured) continue;
    text += words("summary.not_measured", {{"stem", markdown_escaped(stem)}}) + "\n";
  }
  return text;
}

/// The cell by what tells it from the others, and its step.
std::string place_of(const Experiment& experiment, const Json& cell,
                     const std::optional<std::uint64_t>& step) {
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  const std::string label = label_of(cell, axes);
  return (label.empty() ? "its cell" : label) + (step ? ", step " + std::to_string(*step) : "");
}

std::vector<std::string> faults_of(const Experiment& experiment) {
  std::vector<std::string> faults;
  for (const FlaggedCell& flag : experiment.flags.flagged) {
    if (flag.expected) continue;
    faults.push_back(experiment.stem + ": " + flag.test.name + " of " +
                     place_of(experiment, flag.cell, flag.step) +
                     " deviates from theory, which expected_flags does not expect (z = " +
                     fixed(flag.test.z, 1) + ", after Holm " +
                     p_value_phrase(flag.test.adjusted_p) + ")");
  }
  for (const ExpectedFlag& entry : experiment.flags.unseen) {
    faults.push_back(experiment.stem + ": expected_flags expects the " + entry.test + " of " +
                     place_of(experiment, entry.cell, std::nullopt) +
                     " to deviate from theory, and it does not");
  }
  if (const std::uint64_t lost = false_negatives(experiment); lost > 0) {
    faults.push_back(experiment.stem + ": " + std::to_string(lost) +
                     " members were answered \"absent\": false negatives");
  }
  for (std::string& fault : speed_faults(experiment)) faults.push_back(std::move(fault));
  return faults;
}

std::string verdict_text(const std::vector<Experiment>& experiments, const Report& report,
                         const Words& words) {
  std::uint64_t tests = 0;
  std::uint64_t flags = 0;
  for (const Experiment& experiment : experiments) {
    tests += experiment.flags.tests;
    flags += experiment.flags.flagged.size();
  }
  std::string text = words("verdict", {{"configs", grouped(experiments.size())},
                                       {"tests", grouped(tests)},
                                       {"flags", grouped(flags)}});
  text += ' ';
  if (report.faults.empty()) return text.append(words("verdict.holds"));
  text.append(words("verdict.faults", {{"count", grouped(report.faults.size())}})).append("\n");
  for (const std::string& fault : report.faults)
    text.append("\n- ").append(markdown_escaped(fault));
  return text;
}

void add_csv(Report& report, const Experiment& experiment, const Section& section) {
  report.csv.push_back({experiment.stem + ".csv", csv(observations_table(experiment))});
  for (const Table& table : section.content.tables) {
    report.csv.push_back({experiment.stem + "." + table.name + ".csv", csv(table)});
  }
}

}  // namespace

Report build_report(std::vector<Experiment> experiments, const Words& words, const Links& links) {
  sort_for_report(experiments);
  Report report;
  std::vector<Section> sections;
  std::string pages;
  for (const Experiment& experiment : experiments) {
    sections.push_back(make_section(experiment, words, links));
    const Section& section = sections.back();
    pages += anchor(section.stem) + "\n\n" + section.body + "\n\n";
    report.figures.insert(report.figures.end(), section.content.figures.begin(),
                          section.content.figures.end());
    add_csv(report, experiment, section);
    const auto faults = faults_of(experiment);
    report.faults.insert(report.faults.end(), faults.begin(), faults.end());
  }
  const std::string name = "templates/report." + words.language() + ".md";
  const auto text = embedded_text(name);
  if (!text) throw TemplateError(name + ": there is no such template");
  report.markdown =
      expand(name, *text,
             {{"verdict", verdict_text(experiments, report, words)},
              {"summary", summary_text(sections, words)},
              {"sections", pages},
              {"table:bibliography", markdown(bibliography_table(experiments, words))},
              {"table:provenance", markdown(provenance_table(experiments, words))},
              {"table:provenance_files", markdown(provenance_files_table(experiments, words))},
              {"table:thresholds", markdown(thresholds_table(words))},
              {"thresholds_hash",
               words("thresholds.hash",
                     {{"algorithm", "SHA-256"},
                      {"hash", record::sha256_hex(statistics::thresholds::canonical_text())}})}});
  return report;
}

}  // namespace bloomlab::analysis
