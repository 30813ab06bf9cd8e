#include "analysis/report/report.hpp"

#include <algorithm>
#include <utility>

#include "analysis/claims/claims_table.hpp"
#include "analysis/data/axes.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/format/number.hpp"
#include "analysis/report/answers.hpp"
#include "analysis/report/bibliography.hpp"
#include "analysis/report/claims_section.hpp"
#include "analysis/report/common.hpp"
#include "analysis/report/provenance.hpp"
#include "analysis/tables/cells_table.hpp"
#include "record/sha256.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// Known configs first, in their order; the others by name.
void sort_for_report(std::vector<Experiment>& experiments) {
  const std::vector<std::string> known = known_stems();
  const auto rank = [&](const Experiment& experiment) {
    return std::find(known.begin(), known.end(), experiment.stem) - known.begin();
  };
  std::sort(experiments.begin(), experiments.end(), [&](const auto& a, const auto& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.stem < b.stem;
  });
}

std::string anchor(const std::string& stem) { return "<a id=\"" + link_text(stem) + "\"></a>"; }

/// The cell by what tells it from the others, and its step.
std::string place_of(const Experiment& experiment, const Json& cell,
                     const std::optional<std::uint64_t>& step, const Words& words) {
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  const std::string label = label_of(cell, axes);
  const std::string place = label.empty() ? words("fault.cell") : label;
  return step ? words("fault.step", {{"place", place}, {"step", std::to_string(*step)}}) : place;
}

std::vector<std::string> faults_of(const Experiment& experiment, const Words& words) {
  std::vector<std::string> faults;
  for (const FlaggedCell& flag : experiment.flags.flagged) {
    if (flag.expected) continue;
    faults.push_back(
        words("fault.flag", {{"stem", experiment.stem},
                             {"test", flag.test.name},
                             {"place", place_of(experiment, flag.cell, flag.step, words)},
                             {"z", fixed(flag.test.z, 1)},
                             {"p", p_value_phrase(flag.test.adjusted_p)}}));
  }
  for (const ExpectedFlag& entry : experiment.flags.unseen) {
    faults.push_back(
        words("fault.unseen", {{"stem", experiment.stem},
                               {"test", entry.test},
                               {"place", place_of(experiment, entry.cell, std::nullopt, words)}}));
  }
  if (const std::uint64_t lost = false_negatives(experiment); lost > 0) {
    faults.push_back(
        words("fault.lost", {{"stem", experiment.stem}, {"count", std::to_string(lost)}}));
  }
  for (std::string& fault : speed_faults(experiment)) faults.push_back(std::move(fault));
  return faults;
}

/// How much was tested, and how much flagged.
std::string tally_text(const std::vector<Experiment>& experiments, const Words& words) {
  std::uint64_t tests = 0;
  std::uint64_t flags = 0;
  for (const Experiment& experiment : experiments) {
    tests += experiment.flags.tests;
    flags += experiment.flags.flagged.size();
  }
  return words("verdict", {{"configs", grouped(experiments.size())},
                           {"tests", grouped(tests)},
                           {"flags", grouped(flags)}});
}

std::string verdict_text(const Report& report, const Words& words) {
  std::string text = report.summary + " ";
  if (report.faults.empty()) return text.append(words("verdict.holds"));
  text.append(words("verdict.faults", {{"count", grouped(report.faults.size())}})).append("\n");
  for (const std::string& fault : report.faults)
    text.append("\n- ").append(markdown_escaped(fault));
  return text;
}

void add_csv(Report& report, const Experiment& experiment, const Content& content) {
  report.csv.push_back({experiment.stem + ".csv", csv(observations_table(experiment))});
  for (const Table& table : content.tables) {
    report.csv.push_back({experiment.stem + "." + table.name + ".csv", csv(table)});
  }
}

}  // namespace

Report build_report(std::vector<Experiment> experiments, const Words& words, const Links& links,
                    std::span<const claims::JudgedClaim> judged, std::vector<std::string> faults) {
  sort_for_report(experiments);
  Report report;
  report.faults = std::move(faults);
  report.summary = tally_text(experiments, words);
  std::vector<Section> sections;
  std::string pages;
  for (const Experiment& experiment : experiments) {
    sections.push_back(make_section(experiment, words, links, experiments));
    const Section& section = sections.back();
    pages += anchor(section.stem) + "\n\n" + section.body + "\n\n";
    report.answers[link_text(section.stem)] = {section.answer};
    report.figures.insert(report.figures.end(), section.content.figures.begin(),
                          section.content.figures.end());
    // Words stand in entries too; programs read the same ones in every language.
    const bool english = words.language() == "en";
    add_csv(report, experiment,
            english ? section.content
                    : make_section(experiment, Words("en"), links, experiments).content);
    if (!section.notice.empty()) report.notices.push_back(section.notice);
    if (!section.fault.empty()) report.faults.push_back(section.fault);
    const auto own = faults_of(experiment, words);
    report.faults.insert(report.faults.end(), own.begin(), own.end());
  }
  std::vector<std::string> stems;
  for (const Section& section : sections) stems.push_back(section.stem);
  const Page claimed = claims_section(judged, stems, words);
  report.answers[std::string(claims_anchor)] = {claimed.answer, false};
  if (!judged.empty()) {
    report.csv.push_back({"claims.csv", csv(claims::claims_table(judged, Words("en")))});
  }
  const std::string name = "templates/report." + words.language() + ".md";
  report.markdown =
      expand(name, template_called(name),
             {{"verdict", verdict_text(report, words)},
              {"summary", answers_text(sections, claimed, words)},
              {"claims", anchor(std::string(claims_anchor)) + "\n\n" + claimed.body},
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
