// The report: from a folder of results to REPORT.md, its figures, and CSV files. Equal results give
// equal bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/content.hpp"
#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// A file of text to be written.
struct TextFile {
  std::string name;
  std::string text;
};

/// A report in memory.
struct Report {
  std::string markdown;
  std::vector<plot::Figure> figures;
  std::vector<TextFile> csv;        ///< STEM.csv: observations; STEM.TABLE.csv: every table
  std::vector<std::string> faults;  ///< one line each: a flag that nobody expected, an expected
                                    ///< one that was not seen, a false negative
};

/// The report on these experiments. Pure. Throws TemplateError for a fault of a template.
[[nodiscard]] Report build_report(std::vector<Experiment> experiments, const Words& words,
                                  const Links& links);

/// What to report on, and where to.
struct ReportRequest {
  std::filesystem::path results;  ///< folder of the result files
  std::filesystem::path report;   ///< folder of REPORT.md
  std::filesystem::path figures;  ///< folder of the figures
  std::optional<std::filesystem::path> csv =
      {};  ///< folder of the CSV files; none: none are written
  std::string language = "en";
};

/// What was written, and what did not hold.
struct ReportOutcome {
  std::filesystem::path report_file;
  std::size_t figures = 0;
  std::size_t csv_files = 0;
  std::vector<std::string> faults;  ///< as above; not empty: the command exits with 1
};

/// Loads, analyses, draws and writes. Figures come first, REPORT.md last, each whole or not at all.
/// Throws record::InputError and record::RunError as load() does, and RunError where nothing can be
/// written or drawn.
ReportOutcome write_report(const ReportRequest& request);

}  // namespace bloomlab::analysis
