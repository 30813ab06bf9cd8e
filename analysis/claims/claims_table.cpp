#include "analysis/claims/claims_table.hpp"

namespace bloomlab::analysis::claims {
namespace {

Entry computed_entry(const Finding& finding) {
  if (finding.computed) return {finding.computed_text, *finding.computed};
  return finding.computed_text.empty() ? no_entry() : word_entry(finding.computed_text);
}

Entry verdict_entry(Verdict verdict) {
  Entry entry = word_entry(std::string(name_of(verdict)));
  entry.marked =
      verdict == Verdict::misprint || verdict == Verdict::rough || verdict == Verdict::wrong;
  return entry;
}

Entry text_entry(const std::string& text) { return text.empty() ? no_entry() : word_entry(text); }

std::string with_unit(const std::string& number, const std::string& unit) {
  return number.empty() || unit.empty() ? number : number + " " + unit;
}

/// What was found out, then what the claim itself notes.
std::string full_note(const JudgedClaim& claim) {
  const std::string& found = claim.finding.note;
  const std::string& own = claim.text.note;
  return found + (found.empty() || own.empty() ? "" : "; ") + own;
}

Json claim_json(const JudgedClaim& claim) {
  const Finding& finding = claim.finding;
  return {{"id", claim.text.id},
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
          {"reading", claim.text.reading},
          {"note", full_note(claim)}};
}

}  // namespace

Table claims_table(std::span<const JudgedClaim> claims, const std::string& language) {
  Table table{.name = "claims",
              .caption = "What the sources say, and what is true.",
              .columns = {{"id", "claim"},
                          {"statement", "what is claimed"},
                          {"printed", "printed"},
                          {"computed", "computed"},
                          {"verdict", "verdict"},
                          {"kind", "checked by"},
                          {"evidence", "config"},
                          {"note", "note"}},
              .rows = {}};
  for (const JudgedClaim& claim : claims) {
    const auto translated = claim.text.translations.find(language);
    table.rows.push_back(
        {word_entry(claim.text.id),
         word_entry(translated == claim.text.translations.end() ? claim.text.statement
                                                                : translated->second),
         text_entry(with_unit(claim.finding.printed, claim.text.unit)),
         computed_entry(claim.finding), verdict_entry(claim.finding.verdict),
         word_entry(claim.kind), text_entry(claim.finding.evidence), text_entry(full_note(claim))});
  }
  return table;
}

Json claims_json(std::span<const JudgedClaim> claims) {
  Json list = Json::array();
  Json verdicts = Json::object();
  for (const Verdict verdict :
       {Verdict::right, Verdict::definition, Verdict::misprint, Verdict::rough, Verdict::wrong,
        Verdict::not_measured, Verdict::open}) {
    verdicts[std::string(name_of(verdict))] = 0;
  }
  for (const JudgedClaim& claim : claims) {
    list.push_back(claim_json(claim));
    if (claim.finding.verdict == Verdict::listed) continue;
    Json& count = verdicts[std::string(name_of(claim.finding.verdict))];
    count = count.get<int>() + 1;
  }
  return {{"claims", list}, {"verdicts", verdicts}};
}

}  // namespace bloomlab::analysis::claims
