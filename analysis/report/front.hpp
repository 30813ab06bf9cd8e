// The front page of a report: its answers, and links to everything else. A study may bring one of
// its own (docs/report.md), a page like any other: Markdown with SQL blocks over all results, and
// tags
//   {{title}}          the title of the only result, or that of any report
//   {{verdict}}        how much was tested, what deviates, what is wrong with results
//   {{answer:STEM}}    the answer of a result with a link to its page; "not measured" without it
//   {{answers}}        those of all results that no other tag names
//   {{figure:NAME}}    a figure of any page, by the name of its file
//   {{claims}}         what the claims books found, with a link
//   {{method}}         a link to thresholds, machine and versions
//   {{replication}}    whether another draw of the study led to the same verdicts; empty without
//   one
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/report/section.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// A front page as it was written.
struct FrontText {
  std::string name;   ///< of its file, for errors
  std::string text;   ///< in English, with the blocks
  std::string prose;  ///< in the language of the report; the text where nobody translated it
};

/// Reads a front page and its translation, NAME.zh.md beside NAME.md. Throws record::InputError.
[[nodiscard]] FrontText read_front(const std::filesystem::path& path, const std::string& language);

/// The front page of any folder of results.
[[nodiscard]] FrontText general_front(const Words& words);

/// Results under a heading of the front page.
struct Chapter {
  std::string title;
  std::vector<std::string> stems;
};

/// What a front page is made of.
struct FrontParts {
  std::span<const Section> sections;
  std::span<const Experiment> experiments;
  std::string verdict;
  std::string claims;            ///< answer of the claims; empty: none were judged
  std::string replication = {};  ///< what another draw of the study said; empty: there is none
};

/// A front page with its numbers; links are marks.
struct FrontPage {
  std::string markdown;
  std::vector<Chapter> chapters;  ///< every result is in one
  std::vector<plot::Figure> figures;
};

/// Throws record::InputError or TemplateError for a fault of the page.
[[nodiscard]] FrontPage make_front(const FrontText& front, const FrontParts& parts,
                                   const Words& words);

}  // namespace bloomlab::analysis
