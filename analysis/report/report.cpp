#include "analysis/report/report.hpp"

#include <algorithm>
#include <utility>

#include "analysis/claims/claims_table.hpp"
#include "analysis/data/axes.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/report/claims_section.hpp"
#include "analysis/report/common.hpp"
#include "analysis/report/provenance.hpp"
#include "analysis/report/section.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/number_text.hpp"
#include "record/sha256.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// The cell by what distinguishes it from the others, and its step.
std::string place_of(const Experiment& experiment, const Json& cell,
                     const std::optional<std::uint64_t>& step, const Words& words) {
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
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

/// How much was tested, how much flagged, and whether that was foreseen.
std::string tally_text(const std::vector<Experiment>& experiments, bool foreseen,
                       const Words& words) {
  std::uint64_t tests = 0;
  std::uint64_t flags = 0;
  for (const Experiment& experiment : experiments) {
    tests += experiment.flags.tests;
    flags += experiment.flags.flagged.size();
  }
  if (flags == 0) return words("verdict.none", {{"tests", grouped(tests)}});
  return words(foreseen ? "verdict.holds" : "verdict",
               {{"tests", grouped(tests)}, {"flags", grouped(flags)}});
}

std::string verdict_text(const Report& report, const std::vector<Experiment>& experiments,
                         const Words& words) {
  std::string text = tally_text(experiments, report.faults.empty(), words);
  if (report.faults.empty()) return text;
  text += " ";
  text.append(words("verdict.faults", {{"count", grouped(report.faults.size())}})).append("\n");
  for (const std::string& fault : report.faults)
    text.append("\n- ").append(markdown_escaped(fault));
  return text;
}

/// Sections in the order of the chapters.
std::vector<Section> ordered(std::vector<Section> sections, const std::vector<Chapter>& chapters) {
  std::vector<Section> sorted;
  for (const Chapter& chapter : chapters) {
    for (const std::string& stem : chapter.stems) {
      const auto found = std::find_if(sections.begin(), sections.end(),
                                      [&](const Section& section) { return section.stem == stem; });
      if (found == sections.end()) continue;
      sorted.push_back(std::move(*found));
      sections.erase(found);
    }
  }
  return sorted;
}

std::string method_text(const std::vector<Experiment>& experiments, const Words& words) {
  const std::string name = "templates/method." + words.language() + ".md";
  return expand(
      name, template_called(name),
      {{"table:provenance", markdown(provenance_table(experiments, words))},
       {"table:provenance_files", markdown(provenance_files_table(experiments, words))},
       {"table:thresholds", markdown(thresholds_table(words))},
       {"thresholds_hash",
        words("thresholds.hash",
              {{"algorithm", "SHA-256"},
               {"hash", record::sha256_hex(statistics::thresholds::canonical_text())}})}});
}

void add_sections(Report& report, std::span<const Experiment> experiments, const Words& words) {
  std::vector<Section> all(experiments.size());
  for_each_index(all.size(), [&](std::size_t i) {
    all[i] = make_section(experiments[i], words, marked_links(), experiments);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].fault.empty()) report.faults.push_back(all[i].fault);
    const auto own = faults_of(experiments[i], words);
    report.faults.insert(report.faults.end(), own.begin(), own.end());
    for (auto& [name, text] : all[i].content.csv) {
      report.csv.push_back({csv_name(all[i].stem, name), std::move(text)});
    }
    report.sections.push_back(std::move(all[i]));
  }
}

void add_claims(Report& report, std::span<const claims::JudgedClaim> judged, const Words& words) {
  if (judged.empty()) return;
  std::vector<std::string> stems;
  for (const Section& section : report.sections) stems.push_back(section.stem);
  Page page = claims_section(judged, stems, words);
  report.claims = std::move(page.body);
  report.claims_answer = std::move(page.answer);
  const std::string file = "claims.csv";
  const std::vector<std::pair<std::string, std::string>> files = {{"claims", file}};
  report.claims += "\n\n" + csv_links(files, words, marked_links());
  report.csv.push_back({file, claims::claims_csv(judged)});
}

}  // namespace

Report build_report(const std::vector<Experiment>& experiments, const Words& words,
                    const ReportExtras& extras, std::vector<std::string> faults) {
  Report report;
  report.faults = std::move(faults);
  add_sections(report, experiments, words);
  add_claims(report, extras.claims, words);
  Words front_words = words;
  for (const Experiment& experiment : experiments) {
    front_words = front_words.with(page_phrases(experiment, words));
  }
  FrontPage front = make_front(extras.front ? *extras.front : general_front(words),
                               {.sections = report.sections,
                                .experiments = experiments,
                                .verdict = verdict_text(report, experiments, words),
                                .claims = report.claims_answer},
                               front_words);
  report.front = std::move(front.markdown);
  report.figures = std::move(front.figures);
  report.sections = ordered(std::move(report.sections), front.chapters);
  report.chapters = std::move(front.chapters);
  report.method = method_text(experiments, words);
  for (const Section& section : report.sections) {
    report.figures.insert(report.figures.end(), section.content.figures.begin(),
                          section.content.figures.end());
  }
  return report;
}

}  // namespace bloomlab::analysis
