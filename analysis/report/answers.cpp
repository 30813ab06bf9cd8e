#include "analysis/report/answers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/tables/table.hpp"

namespace bloomlab::analysis {

namespace {

/// Subjects with the key of their heading.
constexpr std::array<std::pair<Subject, std::string_view>, 7> headings = {{
    {Subject::sources, "subject.sources"},
    {Subject::lab, "subject.lab"},
    {Subject::hashing, "subject.hashing"},
    {Subject::filters, "subject.filters"},
    {Subject::laboratory, "subject.laboratory"},
    {Subject::speed, "subject.speed"},
    {Subject::own, "subject.own"},
}};

Subject subject_of(const std::string& stem) {
  for (const ExhibitEntry& exhibit : exhibits()) {
    if (exhibit.stem == stem) return exhibit.subject;
  }
  return Subject::own;
}

std::string item(const std::string& title, std::string_view anchor, const std::string& answer,
                 const Words& words) {
  return words("summary.item", {{"title", markdown_escaped(title)},
                                {"anchor", link_text(std::string(anchor))},
                                {"answer", answer}})
      .append("\n");
}

/// The suite's configs on this subject that have no section, in one line.
std::string not_measured(Subject subject, const std::vector<Section>& sections,
                         const Words& words) {
  std::string stems;
  for (const std::string& stem : known_stems()) {
    const bool measured = std::any_of(sections.begin(), sections.end(),
                                      [&](const Section& s) { return s.stem == stem; });
    if (measured || subject_of(stem) != subject) continue;
    stems.append(stems.empty() ? "" : ", ").append(markdown_escaped(stem));
  }
  return stems.empty() ? "" : words("summary.not_measured", {{"stems", stems}}).append("\n");
}

}  // namespace

std::vector<std::string> known_stems() {
  std::vector<std::string> stems;
  for (const ExhibitEntry& exhibit : exhibits()) {
    const std::string stem(exhibit.stem);
    if (std::find(stems.begin(), stems.end(), stem) == stems.end()) stems.push_back(stem);
  }
  return stems;
}

std::string answers_text(const std::vector<Section>& sections, const Page& claims,
                         const Words& words) {
  std::string text;
  for (const auto& [subject, heading] : headings) {
    std::string items;
    if (subject == Subject::sources) {
      items += item(words("claims.title"), claims_anchor, claims.answer, words);
    }
    for (const Section& section : sections) {
      if (subject_of(section.stem) != subject) continue;
      items += item(section.title, section.stem, section.answer, words);
    }
    items += not_measured(subject, sections, words);
    if (items.empty()) continue;
    text.append("### ").append(words(heading)).append("\n\n").append(items).append("\n");
  }
  return text;
}

}  // namespace bloomlab::analysis
