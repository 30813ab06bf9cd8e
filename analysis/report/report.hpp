// The report: from a folder of results to REPORT.md, REPORT.html, figures, and CSV files. Equal
// results give equal bytes. Beside the sections stand what sources claim, and where the numbers
// come from: machine, commit, compiler, libraries, and the thresholds in force.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "analysis/compare/verdicts.hpp"
#include "analysis/content.hpp"
#include "analysis/report/front.hpp"
#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// A file of text to be written.
struct TextFile {
  std::string name;
  std::string text;
};

/// A file of a table. That of all cells is made of the experiment when it is written.
struct TableFile {
  std::string name;
  GiveText text;
};

/// A report in memory; links of its texts are marks (analysis/text/utf8.hpp).
struct Report {
  std::string front;              ///< Markdown, with a heading of level 1
  std::vector<Section> sections;  ///< in the order of the chapters
  std::vector<Chapter> chapters;
  std::string claims;  ///< Markdown; empty where no claims were judged
  std::string method;  ///< Markdown: machine, versions, thresholds
  std::string claims_answer;
  std::vector<plot::Figure> figures;
  std::vector<TableFile> csv;       ///< STEM.TABLE.csv: every table of a page; claims.csv where
                                    ///< claims were judged; the same in every language
  std::vector<std::string> faults;  ///< one line each: a bad file, a flag that nobody expected, an
                                    ///< expected one that was not seen, a false negative
};

/// What a report may say beside the results.
struct ReportExtras {
  std::optional<FrontText> front = {};  ///< none: the general one
  std::span<const claims::JudgedClaim> claims = {};
  std::optional<compare::Verdicts> replication = {};  ///< the study against another draw of it
};

/// The report on these experiments, which are in the order of their stems and must outlive its
/// `csv`. Pure. `faults` are what was wrong with other files of their folder; they stand in the
/// report before its own. Throws TemplateError for a fault of a template, record::InputError for
/// one of the front page.
[[nodiscard]] Report build_report(const std::vector<Experiment>& experiments, const Words& words,
                                  const ReportExtras& extras = {},
                                  std::vector<std::string> faults = {});

/// Where the files of a report lie, seen from REPORT.md; each ends with "/" or is empty.
struct Places {
  Links links;
  std::string pages;
};

/// The files of Markdown by their place as seen from REPORT.md: REPORT.md, and among the pages
/// REPORT.method.md, REPORT.claims.md and one for every result. Sections that are short together
/// and have no front page of a study stand in REPORT.md, and the other two beside it.
[[nodiscard]] std::vector<TextFile> report_files(const Report& report, const Places& places,
                                                 const Words& words, bool is_study);

/// The report as one page of HTML with `pictures`, figures' SVG files by their names; of an empty
/// one the words stand that say what it shows.
[[nodiscard]] std::string report_page(const Report& report,
                                      const std::map<std::string, std::string>& pictures,
                                      const std::string& language, const Places& places);

/// What to report on, and where to.
struct ReportRequest {
  std::filesystem::path results;  ///< folder of the result files
  std::filesystem::path report;   ///< folder of REPORT.md, or REPORT.zh.md, REPORT.ru.md
  std::filesystem::path figures;  ///< folder of the figures; those of zh and ru: zh/ and ru/ in it
  std::filesystem::path pages;    ///< folder of the results' pages; those of zh and ru as above
  std::optional<std::filesystem::path> csv =
      {};  ///< folder of the CSV files; none: none are written
  std::optional<std::filesystem::path> sqlite = {};  ///< database of all tables; none: none
  std::optional<std::filesystem::path> front = {};   ///< front page; none: that of any folder
  std::string language = "en";
  std::vector<std::filesystem::path> claims = {};  ///< books of claims, or folders of them
};

/// "REPORT.md" in English, "REPORT.zh.md" in another language: reports in all languages share a
/// folder. `ending` is "md", "html", "method.md" or "claims.md".
[[nodiscard]] std::string report_name(const std::string& language, const std::string& ending);

/// What was written, and what did not hold.
struct ReportOutcome {
  std::filesystem::path report_file;
  std::filesystem::path page_file;
  std::filesystem::path figures_folder;
  std::size_t figures = 0;
  std::size_t csv_files = 0;
  std::vector<std::string> faults;  ///< as above; not empty: the command exits with 1
};

/// Loads, analyses, draws and writes; what `bloomlab compare --write` left in
/// RESULTS/replication/verdicts.json is said too; a bad file is a fault, and the good ones are
/// reported. Figures come first, then REPORT.html, REPORT.md last, each whole or not at all. Throws
/// record::InputError and record::RunError as load_good() does where no result is good, and
/// RunError where nothing can be written. Without gnuplot the figures are left out, which is a
/// fault.
ReportOutcome write_report(const ReportRequest& request);

/// Facts that all result files share.
[[nodiscard]] Table provenance_table(const std::vector<Experiment>& experiments,
                                     const Words& words);

/// Facts that differ between result files, one row a file.
[[nodiscard]] Table provenance_files_table(const std::vector<Experiment>& experiments,
                                           const Words& words);

/// Every threshold of the analysis with its value and meaning.
[[nodiscard]] Table thresholds_table(const Words& words);

/// Counts of verdicts by source, the claims that are off, then all claims, folded, source by
/// source. Claims of one source stand side by side.
/// @param sections stems of the configs that have a section of their own
[[nodiscard]] Page claims_section(std::span<const claims::JudgedClaim> judged,
                                  std::span<const std::string> sections, const Words& words);

}  // namespace bloomlab::analysis
