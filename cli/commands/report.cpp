// bloomlab report RESULTS_DIR: results against theory, with figures.

#include "analysis/report/report.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "analysis/html/raw.hpp"
#include "analysis/text/words.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string results;
  std::string out;
  std::string figures;
  std::string pages;
  std::string csv;
  std::string sqlite;
  std::string front;
  std::string language = "en";
  std::vector<std::string> claims;
  bool json = false;
};

analysis::ReportRequest request_of(const ReportOptions& options) {
  analysis::ReportRequest request;
  request.results = options.results;
  request.report = options.out.empty() ? options.results : options.out;
  request.figures =
      options.figures.empty() ? request.report / "figures" : fs::path(options.figures);
  request.pages = options.pages.empty() ? request.report / "pages" : fs::path(options.pages);
  if (!options.csv.empty()) request.csv = options.csv;
  if (!options.sqlite.empty()) request.sqlite = options.sqlite;
  if (!options.front.empty()) request.front = options.front;
  request.language = options.language;
  request.claims = {options.claims.begin(), options.claims.end()};
  return request;
}

void require_language(const ReportOptions& options) {
  try {
    static_cast<void>(analysis::Words(options.language));
  } catch (const record::InputError& error) {
    throw record::InputError("--lang: " + std::string(error.what()));
  }
}

void require_places(const analysis::ReportRequest& request) {
  record::require_writable_folder(request.report, "--out");
  record::require_writable_folder(request.figures, "--figures");
  record::require_writable_folder(request.pages, "--pages");
  if (request.csv) record::require_writable_folder(*request.csv, "--csv");
  if (request.sqlite) {
    record::require_writable_folder(fs::absolute(*request.sqlite).parent_path(), "--sqlite");
  }
}

int report(const ReportOptions& options) {
  require_language(options);
  const analysis::ReportRequest request = request_of(options);
  require_places(request);
  const analysis::ReportOutcome outcome = analysis::write_report(request);
  std::string text = outcome.report_file.string() + " and " + outcome.page_file.string() +
                     " with " + counted(outcome.figures, "figure") + " in " +
                     outcome.figures_folder.string() + "\n";
  if (request.csv) {
    text += std::to_string(outcome.csv_files) + " CSV files in " + request.csv->string() + "\n";
  }
  print_answer(options.json,
               record::object("report", outcome.report_file.string(), "page",
                              outcome.page_file.string(), "figures", outcome.figures, "csv_files",
                              outcome.csv_files, "faults", outcome.faults),
               text);
  std::cout.flush();
  if (!analysis::html::can_convert_formulas()) {
    std::cerr << "bloomlab: formulas in " << outcome.page_file.filename().string()
              << " stand as TeX, since \"blahtexml\" is not in PATH; install the package "
                 "blahtexml\n";
  }
  for (const std::string& fault : outcome.faults) {
    std::cerr << "bloomlab: " << one_line(fault) << '\n';
  }
  return outcome.faults.empty() ? done : failed;
}

}  // namespace

Action add_report(CLI::App& parser) {
  auto options = std::make_shared<ReportOptions>();
  parser.add_option("results", options->results, "Folder of result files")->required();
  parser.add_option("--out", options->out,
                    "Folder of REPORT.md and REPORT.html; default: the results' own");
  parser.add_option("--figures", options->figures,
                    "Folder of the figures; default: figures/ beside REPORT.md");
  parser.add_option("--pages", options->pages,
                    "Folder of a page for every result, and of its tables as CSV; default: pages/\n"
                    "beside REPORT.md");
  parser.add_option("--front", options->front,
                    "Front page of a study (docs/report.md); default: the answers of all results");
  parser.add_option("--csv", options->csv,
                    "Also write every table and every raw count as CSV into this folder");
  parser.add_option(
      "--sqlite", options->sqlite,
      "Also write the tables that pages see as an SQLite database: a new file, or over one");
  parser
      .add_option("--lang", options->language,
                  "Language: en writes REPORT.md and REPORT.html, zh and ru\n"
                  "REPORT.zh.md and so on")
      ->capture_default_str();
  parser.add_option("--claims", options->claims,
                    "Books of claims to judge by these results, into REPORT.claims.md; or a\n"
                    "folder of books");
  parser.add_flag("--json", options->json, "Say what was written as JSON");
  parser.footer(
      "REPORT.md has the answers. Results stand in it where they are short together, else each on "
      "a\n"
      "page of its own; thresholds and versions are in REPORT.method.md, among the pages.\n"
      "Reports of all languages share a folder. Figures and pages of zh and ru go to zh/ and ru/ "
      "in\n"
      "their folders; CSV files are the same in every language.\n"
      "Exit status 1 when a cell deviates from theory and its config did not expect it, or\n"
      "expected it in vain, when a file is bad or a run unfinished. The good results are reported\n"
      "all the same; where there is none, exit status 2 (1 for unfinished runs alone).");
  return [options] { return report(*options); };
}

}  // namespace bloomlab::cli
