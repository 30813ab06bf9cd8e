#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "analysis/claims/book.hpp"
#include "analysis/data/load.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "analysis/report/report.hpp"
#include "core/parallel/for_each_index.hpp"
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

/// Every language but English has folders of its own for what has texts in it.
fs::path in_language(const fs::path& folder, const std::string& language) {
  return language == "en" ? folder : folder / language;
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The tables of the report as CSV beside its pages.
void write_tables(const Report& report, const fs::path& folder) {
  make_folder(folder);
  for (const TextFile& file : report.csv) record::write_atomically(folder / file.name, file.text);
}

/// The experiments whose counts can be analysed; the others become faults. Throws InputError where
/// there is none.
std::vector<Experiment> analyse_good(Loaded& loaded) {
  std::vector<std::optional<Experiment>> analysed(loaded.sets.size());
  std::vector<std::string> faults(loaded.sets.size());
  for_each_index(loaded.sets.size(), [&](std::size_t i) {
    const std::string place = loaded.sets[i].place();
    try {
      analysed[i] = analyse(std::move(loaded.sets[i]));
    } catch (const std::exception& fault) {
      const std::string what = fault.what();
      faults[i] = what.find(place) == std::string::npos ? place + ": " + what : what;
    }
  });
  std::vector<Experiment> experiments;
  for (std::size_t i = 0; i < analysed.size(); ++i) {
    if (analysed[i]) experiments.push_back(std::move(*analysed[i]));
    if (!faults[i].empty()) loaded.faults.push_back(faults[i]);
  }
  if (experiments.empty()) throw record::InputError(loaded.faults.front());
  return experiments;
}

/// The claims of these books, judged; `words` learns what the books translate. What is wrong with a
/// book becomes a fault.
std::vector<claims::JudgedClaim> judge(std::span<const fs::path> books,
                                       std::span<const Experiment> experiments, Words& words,
                                       std::vector<std::string>& faults) {
  try {
    const auto read = claims::read_books(books);
    for (const claims::Book& book : read) {
      const auto own = book.words.find(words.language());
      if (own != book.words.end()) words = words.with(own->second);
    }
    return claims::judge_books(read, claims::Results(experiments));
  } catch (const record::InputError& fault) {
    faults.emplace_back(fault.what());
    return {};
  }
}

/// Every table that pages see, but for those that are there already.
void add_tables(std::span<const Experiment> experiments, std::vector<TextFile>& files) {
  for (const Experiment& experiment : experiments) {
    for (const pages::NamedTable& table : pages::tables_for(experiment)) {
      const pages::Relation rows = table.make(experiment);
      std::string name = csv_name(experiment.stem, std::string(table.name));
      const bool known = std::any_of(files.begin(), files.end(),
                                     [&](const TextFile& file) { return file.name == name; });
      if (rows.columns.empty() || known) continue;
      files.push_back({std::move(name), pages::csv(rows)});
    }
  }
}

}  // namespace

std::string report_name(const std::string& language, const std::string& ending) {
  std::string name = "REPORT.";
  if (language != "en") name.append(language).append(".");
  return name.append(ending);
}

ReportOutcome write_report(const ReportRequest& request) {
  Words words(request.language);
  std::optional<FrontText> front;
  if (request.front) front = read_front(*request.front, request.language);
  Loaded loaded = load_good(request.results);
  std::vector<Experiment> experiments = analyse_good(loaded);
  if (request.sqlite) pages::save_tables(experiments, *request.sqlite);
  const auto judged = judge(request.claims, experiments, words, loaded.faults);
  Report report = build_report(experiments, words, {.front = front, .claims = judged},
                               std::move(loaded.faults));
  const fs::path figures = in_language(request.figures, request.language);
  const fs::path pages = in_language(request.pages, request.language);
  const Places places{.links = {.results = relative_link(request.results, request.report),
                                .figures = relative_link(figures, request.report),
                                .tables = relative_link(request.pages, request.report)},
                      .pages = relative_link(pages, request.report)};
  make_folder(request.report);
  if (!report.figures.empty()) make_folder(figures);
  std::map<std::string, std::string> pictures;
  std::vector<std::string> drawn(report.figures.size());
  for_each_index(drawn.size(), [&](std::size_t i) {
    drawn[i] = text_of_file(plot::draw(report.figures[i], figures));
  });
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    pictures[report.figures[i].name] = std::move(drawn[i]);
  }
  write_tables(report, request.pages);
  if (request.csv) {
    make_folder(*request.csv);
    add_tables(experiments, report.csv);
    for (const TextFile& file : report.csv) {
      record::write_atomically(*request.csv / file.name, file.text);
    }
  }
  const fs::path page = request.report / report_name(request.language, "html");
  record::write_atomically(page, report_page(report, pictures, request.language, places));
  const std::vector<TextFile> files = report_files(report, places, words, front.has_value());
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const fs::path path = request.report / file->name;
    make_folder(path.parent_path());
    record::write_atomically(path, file->text);
  }
  return {.report_file = request.report / files.front().name,
          .page_file = page,
          .figures_folder = figures,
          .figures = report.figures.size(),
          .csv_files = request.csv ? report.csv.size() : 0,
          .faults = report.faults};
}

}  // namespace bloomlab::analysis
