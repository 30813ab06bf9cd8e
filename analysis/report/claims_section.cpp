#include "analysis/report/claims_section.hpp"

#include <algorithm>

#include "analysis/claims/claims_table.hpp"
#include "analysis/format/number.hpp"

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

Tags counts_of(std::span<const claims::JudgedClaim> judged) {
  const auto counts = claims::tally(judged);
  const auto count = [&](claims::Verdict verdict) {
    const auto found = counts.find(verdict);
    return found == counts.end() ? std::uint64_t{0} : found->second;
  };
  const std::uint64_t waiting = count(claims::Verdict::not_measured) + count(claims::Verdict::open);
  std::uint64_t all = 0;
  for (const auto& [verdict, number] : counts) all += number;
  return {{"sources", grouped(sources_of(judged))},
          {"judged", grouped(all - waiting)},
          {"right", grouped(count(claims::Verdict::right) + count(claims::Verdict::definition))},
          {"misprint", grouped(count(claims::Verdict::misprint))},
          {"rough", grouped(count(claims::Verdict::rough))},
          {"wrong", grouped(count(claims::Verdict::wrong))},
          {"waiting", grouped(waiting)},
          {"rough_within", percent(claims::Tolerance{}.rough_within, 2)}};
}

}  // namespace

Page claims_section(std::span<const claims::JudgedClaim> judged,
                    std::span<const std::string> sections, const Words& words) {
  Tags tags = counts_of(judged);
  for (const claims::Verdict verdict : claims::judging_verdicts()) {
    tags["verdict:" + std::string(claims::name_of(verdict))] = claims::verdict_word(verdict, words);
  }
  std::vector<claims::JudgedClaim> off;
  std::copy_if(judged.begin(), judged.end(), std::back_inserter(off), claims::is_off);
  tags["table:verdicts"] = markdown(claims::verdicts_table(judged, words));
  tags["table:off"] = markdown(claims::claims_table(off, words, sections));
  tags["tables"] = folded_tables(judged, sections, words);
  const std::string name = "templates/claims." + words.language() + ".md";
  return fill_page(name, template_called(name), tags);
}

}  // namespace bloomlab::analysis
