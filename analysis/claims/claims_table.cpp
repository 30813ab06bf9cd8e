#include "analysis/claims/claims_table.hpp"

#include <algorithm>
#include <array>

#include "analysis/text/links.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr std::array<Verdict, 7> judging = {
    Verdict::right, Verdict::definition,   Verdict::misprint, Verdict::rough,
    Verdict::wrong, Verdict::not_measured, Verdict::open};

/// Text for people, escaped.
Entry prose_entry(const std::string& text) {
  if (text.empty()) return no_entry();
  return {markdown_escaped(text)};
}

Entry computed_entry(const Finding& finding, const Words& words) {
  if (finding.computed) return {finding.computed_text};
  return prose_entry(words.of_data(finding.computed_text));
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return number.empty() || unit.empty() ? number : number + " " + unit;
}

Entry statement_entry(const ClaimText& text, const Words& words) {
  const auto translated = text.translations.find(words.language());
  if (translated != text.translations.end()) {
    return prose_entry(translated->second);
  }
  Entry entry = prose_entry(text.statement);
  if (words.language() != "en") entry.text.append(" ").append(words("claims.in_english"));
  return entry;
}

/// What was found out, then what the claim itself notes.
std::string full_note(const JudgedClaim& claim) {
  const std::string& found = claim.finding.note;
  const std::string& own = claim.text.note;
  return found + (found.empty() || own.empty() ? "" : "; ") + own;
}

/// How the source is understood stands in the note, too.
Entry note_entry(const JudgedClaim& claim, const Words& words) {
  const std::string note = full_note(claim);
  Entry entry = prose_entry(words.of_data(note));
  if (claim.text.reading.empty()) return entry;
  const std::string reading =
      words("claims.read_as", {{"reading", markdown_escaped(words.of_data(claim.text.reading))}});
  entry.text = note.empty() ? reading : reading + " " + entry.text;
  return entry;
}

/// The config whose section shows the claim.
const std::string& shown_by(const JudgedClaim& claim) {
  return claim.finding.evidence.empty() ? claim.text.see : claim.finding.evidence;
}

Entry shown_by_entry(const JudgedClaim& claim, std::span<const std::string> sections) {
  const std::string& stem = shown_by(claim);
  Entry entry = prose_entry(stem);
  if (std::find(sections.begin(), sections.end(), stem) != sections.end()) {
    std::string link = "[";
    entry.text = link.append(entry.text).append("](").append(section_mark(stem)).append(")");
  }
  return entry;
}

Json claim_json(const JudgedClaim& claim) {
  const Finding& finding = claim.finding;
  return {{"id", claim.text.id},
          {"voice", name_of(claim.voice)},
          {"source", claim.book},
          {"statement", claim.text.statement},
          {"kind", claim.kind},
          {"verdict", finding.verdict == Verdict::listed ? Json() : Json(name_of(finding.verdict))},
          {"printed", finding.printed},
          {"unit", claim.text.unit},
          {"computed", finding.computed ? Json(*finding.computed) : Json()},
          {"computed_text", finding.computed_text},
          {"entries", finding.entries},
          {"entries_right", finding.entries_right},
          {"evidence", finding.evidence},
          {"see", claim.text.see},
          {"reading", claim.text.reading},
          {"note", full_note(claim)}};
}

std::vector<Entry> tally_row(const std::string& id, Entry source,
                             std::span<const JudgedClaim> claims) {
  std::vector<Entry> row = {Entry{id}, std::move(source), count_entry(claims.size())};
  const auto counts = tally(claims);
  for (const Verdict verdict : judging) {
    const auto found = counts.find(verdict);
    row.push_back(count_entry(found == counts.end() ? 0 : found->second));
  }
  return row;
}

}  // namespace

std::span<const Verdict> judging_verdicts() { return judging; }

std::string_view name_of(Voice voice) {
  constexpr std::array<std::string_view, 3> names = {"source", "vendor", "laboratory"};
  return names[static_cast<std::size_t>(voice)];
}

std::vector<JudgedClaim> claims_of(std::span<const JudgedClaim> claims, Voice voice) {
  std::vector<JudgedClaim> own;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(own),
               [&](const JudgedClaim& claim) { return claim.voice == voice; });
  return own;
}

std::map<Verdict, std::uint64_t> tally(std::span<const JudgedClaim> claims) {
  std::map<Verdict, std::uint64_t> counts;
  for (const JudgedClaim& claim : claims) {
    if (claim.finding.verdict != Verdict::listed) ++counts[claim.finding.verdict];
  }
  return counts;
}

std::string verdict_word(Verdict verdict, const Words& words) {
  return words("claims.verdict." + std::string(name_of(verdict)));
}

bool is_off(const JudgedClaim& claim) {
  const Verdict verdict = claim.finding.verdict;
  return verdict == Verdict::misprint || verdict == Verdict::rough || verdict == Verdict::wrong;
}

Table claims_table(std::span<const JudgedClaim> claims, const Words& words,
                   std::span<const std::string> sections) {
  Table table{.name = "claims",
              .caption = words("table.claims.caption"),
              .columns = {{words("column.claim")},
                          {words("column.statement")},
                          {words("column.printed")},
                          {words("column.computed")},
                          {words("column.verdict")},
                          {words("column.checked_by")},
                          {words("column.shown_by")},
                          {words("column.note")}},
              .rows = {}};
  for (const JudgedClaim& claim : claims) {
    const std::string printed = with_unit(claim.finding.printed, claim.text.unit);
    table.rows.push_back({Entry{claim.text.id}, statement_entry(claim.text, words),
                          prose_entry(words.of_data(printed)), computed_entry(claim.finding, words),
                          Entry{verdict_word(claim.finding.verdict, words), is_off(claim)},
                          Entry{words("claims.kind." + claim.kind)},
                          shown_by_entry(claim, sections), note_entry(claim, words)});
  }
  return table;
}

std::string claims_csv(std::span<const JudgedClaim> claims) {
  std::string text = "id,statement,printed,computed,verdict,kind,evidence,reading,note,voice\n";
  for (const JudgedClaim& claim : claims) {
    const Finding& finding = claim.finding;
    const std::vector<std::string> fields = {
        claim.text.id,
        claim.text.statement,
        with_unit(finding.printed, claim.text.unit),
        finding.computed ? exact_text(*finding.computed) : finding.computed_text,
        std::string(name_of(finding.verdict)),
        claim.kind,
        shown_by(claim),
        claim.text.reading,
        full_note(claim),
        std::string(name_of(claim.voice))};
    text += csv_line(fields);
  }
  return text;
}

Table verdicts_table(std::span<const JudgedClaim> claims, const Words& words) {
  Table table{
      .name = "verdicts",
      .caption = words("table.verdicts.caption"),
      .columns = {{words("column.source_id")}, {words("column.source")}, {words("column.claims")}},
      .rows = {}};
  for (const Verdict verdict : judging) {
    table.columns.push_back({verdict_word(verdict, words)});
  }
  for (auto first = claims.begin(); first != claims.end();) {
    const auto last = std::find_if(
        first, claims.end(), [&](const JudgedClaim& claim) { return claim.book != first->book; });
    table.rows.push_back(
        tally_row(first->book, prose_entry(words.of_data(first->source)), {first, last}));
    const bool more = last != claims.end() && last->voice == Voice::source;
    if (first->voice == Voice::source && !more) {
      const auto sources = claims_of(claims, Voice::source);
      table.rows.push_back(tally_row("", Entry{words("claims.all_sources")}, sources));
    }
    first = last;
  }
  return table;
}

Json claims_json(std::span<const JudgedClaim> claims) {
  Json list = Json::array();
  Json verdicts = Json::object();
  for (const JudgedClaim& claim : claims) list.push_back(claim_json(claim));
  for (const Voice voice : {Voice::source, Voice::vendor, Voice::laboratory}) {
    Json& counts = verdicts[std::string(name_of(voice))];
    for (const Verdict verdict : judging) counts[std::string(name_of(verdict))] = 0;
    for (const auto& [verdict, count] : tally(claims_of(claims, voice))) {
      counts[std::string(name_of(verdict))] = count;
    }
  }
  return {{"claims", list}, {"verdicts", verdicts}};
}

}  // namespace bloomlab::analysis::claims
