#include "analysis/report/report.hpp"

#include <algorithm>
#include <utility>

#include "analysis/claims/book.hpp"
#include "analysis/data/measurement.hpp"
#include "analysis/report/front.hpp"
#include "analysis/report/section.hpp"
#include "analysis/report/verdict.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/number_text.hpp"
#include "record/sha256.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

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
  report.csv.push_back({file, given(claims::claims_csv(judged))});
}

/// One member of a list: a value, or the names and values of an object.
std::string member_text(const Json& member) {
  if (!member.is_object()) return value_text(member);
  std::string text;
  for (const auto& [name, value] : member.items()) {
    text.append(text.empty() ? "" : " ").append(name).append(" ").append(value_text(value));
  }
  return text;
}

/// A list in one entry, so that a table does not get a column for each of its numbers; how many
/// there are where they are too many to read.
Json list_fact(const Json& list) {
  constexpr std::size_t most_shown = 4;
  if (list.empty()) return nullptr;
  if (list.size() > most_shown) return "× " + std::to_string(list.size());
  std::string text;
  for (const Json& member : list) text.append(text.empty() ? "" : "; ").append(member_text(member));
  return text;
}

/// Adds the facts in a value, each under its path.
void add_facts(const Json& value, const std::string& path, Json& facts) {
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) add_facts(member, path + "/" + name, facts);
  } else {
    facts[path] = value.is_array() ? list_fact(value) : value;
  }
}

/// The facts of a run without those of its single shards.
Json facts_of(const Experiment& experiment) {
  Json facts = Json::object();
  for (const auto& [name, value] : experiment.provenance.items()) {
    if (name != "shards") add_facts(value, "/" + name, facts);
  }
  return facts;
}

struct Facts {
  std::vector<std::string> paths;
  std::vector<Json> of_files;  ///< one an experiment

  [[nodiscard]] bool shared(const std::string& path) const {
    return std::all_of(of_files.begin(), of_files.end(), [&](const Json& facts) {
      return facts.value(path, Json()) == of_files.front().value(path, Json());
    });
  }
};

Facts gather(const std::vector<Experiment>& experiments) {
  Facts facts;
  for (const Experiment& experiment : experiments) {
    facts.of_files.push_back(facts_of(experiment));
    for (const auto& [path, value] : facts.of_files.back().items()) {
      if (std::find(facts.paths.begin(), facts.paths.end(), path) == facts.paths.end()) {
        facts.paths.push_back(path);
      }
    }
  }
  return facts;
}

std::string fact_name(const std::string& path) {
  std::string name = path.substr(path.empty() ? 0 : 1);
  std::replace(name.begin(), name.end(), '/', ' ');
  return name;
}

Entry fact_entry(const Json& facts, const std::string& path) {
  const Json value = facts.value(path, Json());
  return value.is_null() ? no_entry() : Entry{markdown_escaped(value_text(value))};
}

/// A table a source, folded under its name.
std::string folded_tables(std::span<const claims::JudgedClaim> judged,
                          std::span<const std::string> sections, const Words& words) {
  std::string text;
  for (auto first = judged.begin(); first != judged.end();) {
    const auto last = std::find_if(first, judged.end(), [&](const claims::JudgedClaim& claim) {
      return claim.book != first->book;
    });
    Table table = claims::claims_table({first, last}, words, sections);
    table.caption.clear();
    table.fold_label =
        words("claims.fold", {{"id", first->book},
                              {"source", markdown_escaped(words.of_data(first->source))},
                              {"count", grouped(static_cast<std::uint64_t>(last - first))}});
    text.append(text.empty() ? "" : "\n").append(markdown(table));
    first = last;
  }
  return text;
}

std::uint64_t sources_of(std::span<const claims::JudgedClaim> judged) {
  std::uint64_t sources = 0;
  std::string_view last;
  for (const claims::JudgedClaim& claim : judged) {
    if (claim.book != last) ++sources;
    last = claim.book;
  }
  return sources;
}

/// The counts of one voice, under tags that begin with `prefix`.
void add_counts(std::span<const claims::JudgedClaim> judged, const std::string& prefix,
                Tags& tags) {
  const auto counts = claims::tally(judged);
  const auto count = [&](claims::Verdict verdict) {
    const auto found = counts.find(verdict);
    return found == counts.end() ? std::uint64_t{0} : found->second;
  };
  const std::uint64_t waiting = count(claims::Verdict::not_measured) + count(claims::Verdict::open);
  std::uint64_t all = 0;
  for (const auto& [verdict, number] : counts) all += number;
  tags[prefix + "judged"] = grouped(all - waiting);
  tags[prefix + "right"] =
      grouped(count(claims::Verdict::right) + count(claims::Verdict::definition));
  tags[prefix + "misprint"] = grouped(count(claims::Verdict::misprint));
  tags[prefix + "rough"] = grouped(count(claims::Verdict::rough));
  tags[prefix + "wrong"] = grouped(count(claims::Verdict::wrong));
  tags[prefix + "waiting"] = grouped(waiting);
}

/// Sources, vendors and the laboratory's own remarks, each counted apart.
Tags counts_of(std::span<const claims::JudgedClaim> judged) {
  const auto sources = claims::claims_of(judged, claims::Voice::source);
  Tags tags = {{"sources", grouped(sources_of(sources))},
               {"rough_within", percent(claims::Tolerance{}.rough_within, 2)}};
  add_counts(sources, "", tags);
  add_counts(claims::claims_of(judged, claims::Voice::vendor), "vendor_", tags);
  add_counts(claims::claims_of(judged, claims::Voice::laboratory), "remarks_", tags);
  return tags;
}

/// "(S1-28: RIGHT, then ROUGH)" for each claim that two draws judge differently.
std::string changed_text(const compare::Verdicts& verdicts, const Words& words) {
  std::string text;
  for (const compare::ChangedClaim& claim : verdicts.changed) {
    text += words("replication.changed", {{"id", markdown_escaped(claim.id)},
                                          {"first", markdown_escaped(claim.first)},
                                          {"second", markdown_escaped(claim.second)}});
  }
  return text;
}

std::string replication_text(const compare::Verdicts& verdicts, const Words& words) {
  return words("replication", {{"seed", std::to_string(verdicts.seed)},
                               {"configs", grouped(verdicts.configs)},
                               {"claims", grouped(verdicts.claims)},
                               {"same", grouped(verdicts.claims_same)},
                               {"changed", changed_text(verdicts, words)},
                               {"predicted", grouped(verdicts.predicted.any())},
                               {"predicted_both", grouped(verdicts.predicted.both)},
                               {"possible", grouped(verdicts.possible.any())},
                               {"possible_both", grouped(verdicts.possible.both)},
                               {"others", grouped(verdicts.unexpected.any())},
                               {"others_both", grouped(verdicts.unexpected.both)},
                               {"chance", significant(verdicts.chance, 2)},
                               {"rates", grouped(verdicts.rates)},
                               {"rates_off", grouped(verdicts.rates_off)}});
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
  FrontPage front = make_front(
      extras.front ? *extras.front : general_front(words),
      {.sections = report.sections,
       .experiments = experiments,
       .verdict = verdict_text(experiments, report.faults, words),
       .claims = report.claims_answer,
       .replication = extras.replication ? replication_text(*extras.replication, words) : ""},
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

Table provenance_table(const std::vector<Experiment>& experiments, const Words& words) {
  const Facts facts = gather(experiments);
  Table table{.name = "provenance",
              .caption = words("table.provenance.caption"),
              .columns = {{words("column.fact")}, {words("column.value")}},
              .rows = {}};
  for (const std::string& path : facts.paths) {
    if (!facts.shared(path)) continue;
    table.rows.push_back({Entry{fact_name(path)}, fact_entry(facts.of_files.front(), path)});
  }
  return table;
}

Table provenance_files_table(const std::vector<Experiment>& experiments, const Words& words) {
  const Facts facts = gather(experiments);
  Table table{.name = "provenance_files",
              .caption = words("table.provenance_files.caption"),
              .columns = {{words("column.file")}},
              .rows = {}};
  std::vector<std::string> differing;
  for (const std::string& path : facts.paths) {
    if (facts.shared(path)) continue;
    differing.push_back(path);
    table.columns.push_back({fact_name(path)});
  }
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    auto& row = table.rows.emplace_back();
    row.push_back({experiments[i].file_name});
    for (const std::string& path : differing) row.push_back(fact_entry(facts.of_files[i], path));
  }
  table.fold_label = words("table.provenance_files.fold");
  return table;
}

Table thresholds_table(const Words& words) {
  Table table{
      .name = "thresholds",
      .caption = words("table.thresholds.caption"),
      .columns = {{words("column.threshold")}, {words("column.value")}, {words("column.meaning")}},
      .rows = {}};
  for (const statistics::Threshold& threshold : statistics::thresholds::all()) {
    table.rows.push_back({Entry{std::string(threshold.name)},
                          Entry{parameter_text(threshold.value)},
                          Entry{words.of_data(std::string(threshold.meaning))}});
  }
  return table;
}

Page claims_section(std::span<const claims::JudgedClaim> judged,
                    std::span<const std::string> sections, const Words& words) {
  Tags tags = counts_of(judged);
  for (const claims::Verdict verdict : claims::judging_verdicts()) {
    tags["verdict:" + std::string(claims::name_of(verdict))] = claims::verdict_word(verdict, words);
  }
  std::vector<claims::JudgedClaim> said;
  std::vector<claims::JudgedClaim> off;
  for (const claims::JudgedClaim& claim : judged) {
    if (claim.voice != claims::Voice::laboratory) said.push_back(claim);
    if (claim.voice != claims::Voice::laboratory && claims::is_off(claim)) off.push_back(claim);
  }
  const auto remarks = claims::claims_of(judged, claims::Voice::laboratory);
  tags["table:verdicts"] = markdown(claims::verdicts_table(judged, words));
  tags["table:off"] = markdown(claims::claims_table(off, words, sections));
  tags["tables"] = folded_tables(said, sections, words);
  tags["remarks"] = folded_tables(remarks, sections, words);
  const std::string name = "templates/claims." + words.language() + ".md";
  return fill_page(name, template_called(name), tags);
}

}  // namespace bloomlab::analysis
