#include "analysis/report/claims_section.hpp"

#include <algorithm>

#include "analysis/claims/claims_table.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

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

}  // namespace

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
