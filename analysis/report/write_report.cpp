#include <utility>

#include "analysis/data/load.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "analysis/report/report.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

namespace fs = std::filesystem;

/// `to` as seen from `from`, ready to have a file name put behind it.
std::string relative_link(const fs::path& to, const fs::path& from) {
  const fs::path relative = fs::weakly_canonical(to).lexically_relative(fs::weakly_canonical(from));
  const std::string text = relative.generic_string();
  return text.empty() || text == "." ? "" : link_text(text) + "/";
}

void make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) {
    throw record::RunError(folder.string() + ": cannot be made (" + fault.message() +
                           "); choose another folder");
  }
}

}  // namespace

ReportOutcome write_report(const ReportRequest& request) {
  const Words words(request.language);
  std::vector<Experiment> experiments;
  for (ResultSet& set : load(request.results)) experiments.push_back(analyse(std::move(set)));
  const Report report = build_report(std::move(experiments), words,
                                     {.results = relative_link(request.results, request.report),
                                      .figures = relative_link(request.figures, request.report)});
  make_folder(request.report);
  if (!report.figures.empty()) make_folder(request.figures);
  for (const plot::Figure& figure : report.figures) plot::draw(figure, request.figures);
  if (request.csv) {
    make_folder(*request.csv);
    for (const TextFile& file : report.csv) {
      record::write_atomically(*request.csv / file.name, file.text);
    }
  }
  const fs::path file = request.report / "REPORT.md";
  record::write_atomically(file, report.markdown);
  return {.report_file = file,
          .figures = report.figures.size(),
          .csv_files = request.csv ? report.csv.size() : 0,
          .faults = report.faults};
}

}  // namespace bloomlab::analysis
