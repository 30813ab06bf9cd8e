// bloomlab lab new|check|sweep|grade: the course lab.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "analysis/plot/gnuplot.hpp"
#include "analysis/report/report.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/process_runs.hpp"
#include "cli/terminal.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "lab/grade.hpp"
#include "lab/submission.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

struct LabOptions {
  std::string folder = ".";
  std::string language;
  std::string human = "en";
  std::vector<std::string> folders;
  std::string csv;
  std::optional<std::string> cases;
  std::optional<double> seconds;
  std::optional<std::uint64_t> memory_mib;
  unsigned jobs = 0;
  bool full = false;
};

analysis::Words lab_words(const std::string& human) {
  try {
    return analysis::Words(human, "lab");
  } catch (const record::InputError& error) {
    throw record::InputError("--lang: " + std::string(error.what()));
  }
}

int new_assignment(const LabOptions& options) {
  static_cast<void>(lab_words(options.human));
  const lab::Assignment assignment{options.folder, &lab::language(options.language), options.human};
  lab::write_assignment(assignment);
  std::cout << (assignment.folder / "README.md").string() << '\n';
  return done;
}

int check_assignment(const LabOptions& options) {
  static_cast<void>(record::temporary_folder());  // without it no filter has a place
  const lab::Assignment assignment = lab::read_assignment(options.folder);
  const analysis::Words words = lab_words(assignment.human);
  const lab::Verdict verdict = lab::judge(assignment, lab::given_cases(), words);
  if (verdict.result != "no_toolchain") say_not_isolated();
  for (const lab::Finding& finding : verdict.findings) {
    std::cout << (finding.holds ? "✓ " : "✗ ") << one_line(finding.text) << '\n';
  }
  if (verdict.findings.size() > 1) {
    std::cout << words("summary", {{"held", std::to_string(verdict.held())},
                                   {"checks", std::to_string(verdict.findings.size())}})
              << '\n';
  }
  return verdict.result == "passed" ? done : failed;
}

/// Why the filter cannot be started, as a line for people; nothing where it is built.
std::optional<std::string> not_built(const lab::Assignment& assignment,
                                     const analysis::Words& words) {
  if (const auto missing = lab::missing_tool(*assignment.language)) {
    return words("toolchain", {{"fault", *missing}});
  }
  const auto fault = lab::build(assignment, lab::given_cases());
  if (!fault) return std::nullopt;
  const std::string source(assignment.language->source);
  return words("not_built", {{"source", source}, {"fault", *fault}});
}

/// Leaves every second value of a list, the first among them.
void thin_out(record::Json& value) {
  if (!value.is_array()) return;
  record::Json kept = record::Json::array();
  for (std::size_t i = 0; i < value.size(); i += 2) kept.push_back(value[i]);
  value = std::move(kept);
}

/// The sweep of the assignment's config; or the quick one, of every second size: a process takes a
/// tenth of a second to start, and there is one for each.
experiments::Config sweep_of(const lab::Assignment& assignment, bool full,
                             const analysis::Words& words) {
  constexpr std::uint64_t quick_keys = 1000;
  constexpr std::uint64_t quick_queries = 4000;  // cheaper than keys, and the interval is theirs
  experiments::Config config = experiments::read_config(assignment.folder / "sweep.json");
  if (full) return config;
  record::Json json = config.json;
  json["grid"]["n"] = quick_keys;
  json["queries"] = quick_queries;
  for (record::Json& filter : json["grid"]["filter"]) {
    if (filter.contains("bits_per_key")) thin_out(filter["bits_per_key"]);
    if (filter.contains("m") && filter["m"].contains("per_n")) thin_out(filter["m"]["per_n"]);
  }
  std::cout << words("sweep.quick",
                     {{"keys", grouped(quick_keys)}, {"queries", grouped(quick_queries)}})
            << std::endl;
  return with_json(config, json);
}

/// Builds, measures anew and draws.
int sweep_assignment(const LabOptions& options) {
  lab::Assignment assignment = lab::read_assignment(options.folder);
  assignment.folder = assignment.folder.lexically_normal();
  const analysis::Words words = lab_words(assignment.human);
  if (const auto fault = not_built(assignment, words)) {
    std::cerr << "bloomlab: " << one_line(*fault) << '\n';
    return failed;
  }
  const experiments::Config config = sweep_of(assignment, options.full, words);
  say_not_isolated(config);
  const fs::path results = (assignment.folder / "results").lexically_normal();
  experiments::RunOptions run_options;
  run_options.out = results;
  run_options.force = true;
  use_process_runs(run_options);
  bool is_lacking = false;  // why, the report says
  {
    ProgressPrinter printer(config.stem());
    run_options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
    is_lacking = !experiments::run(config, run_options).lacking.empty();
  }
  const auto outcome = analysis::write_report({.results = results,
                                               .report = results,
                                               .figures = results / "figures",
                                               .pages = results / "pages",
                                               .language = assignment.human});
  std::cout << outcome.page_file.string() << std::endl;
  constexpr std::size_t most_shown = 2;  // a gap that is open shows in every size
  const std::size_t faults = outcome.faults.size();
  for (std::size_t i = 0; i < std::min(faults, most_shown); ++i) {
    std::cerr << "bloomlab: " << one_line(outcome.faults[i]) << '\n';
  }
  if (faults > most_shown) {
    std::cerr << "bloomlab: and " << faults - most_shown << " more, which the report names; "
              << "`bloomlab lab check` looks for their cause\n";
  }
  return is_lacking || !outcome.faults.empty() ? failed : done;
}

/// The cases, with the limits of the command line.
lab::CaseBook cases_of(const LabOptions& options) {
  lab::CaseBook book = options.cases ? lab::with_cases_of(*options.cases) : lab::given_cases();
  book.limits.seconds = options.seconds.value_or(book.limits.seconds);
  book.limits.memory_mib = options.memory_mib.value_or(book.limits.memory_mib);
  return book;
}

/// All folders of the current one that do not hide, by name.
std::vector<fs::path> folders_here() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(".")) {
    const fs::path name = entry.path().filename();
    if (entry.is_directory() && !name.string().starts_with('.')) folders.push_back(name);
  }
  if (folders.empty()) {
    throw record::InputError(
        "no folder of a submission is named, and the current folder holds none; name them");
  }
  std::ranges::sort(folders);
  return folders;
}

/// A file name's stem as a figure may have it.
std::string figure_name(const fs::path& csv) {
  std::string name = csv.stem().string();
  std::ranges::replace_if(
      name,
      [](char c) {
        return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-';
      },
      '_');
  return name;
}

/// Whether a file, there or not, lies in the folder or below it, whatever links lead to them.
bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path inner = fs::weakly_canonical(fs::absolute(file));
  const fs::path outer = fs::canonical(folder);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// Refuses a table that would be lost, or be written over what it must not, before hours of
/// grading. Throws record::InputError.
void check_places(const LabOptions& options, const fs::path& csv, const fs::path& svg) {
  const auto refuse = [&](const std::string& fault) {
    throw record::InputError("--csv: \"" + csv.string() + "\" " + fault);
  };
  std::error_code unknown;
  const fs::path parent = csv.parent_path().empty() ? fs::path(".") : csv.parent_path();
  for (const fs::path& file : {csv, svg}) {
    if (file.has_filename() && (!fs::exists(file, unknown) || fs::is_regular_file(file, unknown)) &&
        (!fs::exists(parent, unknown) ||
         (fs::is_directory(parent, unknown) && ::access(parent.c_str(), W_OK | X_OK) == 0))) {
      continue;
    }
    refuse("is no file that can be written, or its figure is none; name a file");
  }
  if (csv == svg) refuse("is where the figure of the class goes; name it .csv");
  if (options.cases && fs::equivalent(csv, *options.cases, unknown)) {
    refuse("is the file of --cases; name another file");
  }
  for (const std::string& folder : options.folders) {
    if (!fs::is_directory(folder, unknown) || (!lies_in(csv, folder) && !lies_in(svg, folder))) {
      continue;
    }
    refuse("lies in the submission " + folder +
           ", into whose folder nothing is written; name a file elsewhere");
  }
}

int grade_submissions(const LabOptions& options) {
  const fs::path csv = options.csv;
  check_places(options, csv, csv.parent_path() / (figure_name(csv) + ".svg"));
  const analysis::Words words = lab_words(options.human);
  lab::CaseBook book = cases_of(options);
  book.isolation.hidden.emplace_back(options.csv);
  if (options.cases) book.isolation.hidden.emplace_back(*options.cases);
  std::vector<fs::path> folders(options.folders.begin(), options.folders.end());
  if (folders.empty()) folders = folders_here();
  const unsigned jobs =
      options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::size_t count = 0;
  const auto grades = lab::grade(folders, book, words, jobs, [&](const lab::Grade& one) {
    say_not_isolated();  // once, and not where a folder is refused
    std::cout << ++count << "/" << folders.size() << " " << one_line(one.submission) << ": "
              << one.verdict.result << std::endl;
  });
  record::write_atomically(csv, lab::csv_of(grades));
  const auto with_result = [&](std::string_view result) {
    return std::ranges::count(grades, result, [](const auto& one) { return one.verdict.result; });
  };
  const auto passed = with_result("passed");
  const auto lost = with_result(lab::not_graded);
  std::cout << words(
      "grade.summary",
      {{"submissions", std::to_string(grades.size())},
       {"passed", std::to_string(passed)},
       {"failed", std::to_string(static_cast<std::ptrdiff_t>(grades.size()) - passed - lost)}});
  if (lost > 0) {
    std::cout << "; " << words("grade.not_graded", {{"submissions", std::to_string(lost)}});
  }
  std::cout << '\n' << csv.string() << std::endl;
  const auto figure = lab::class_figure(grades, words, figure_name(csv));
  if (!figure.series.empty()) {
    std::cout << analysis::plot::draw(figure, csv.parent_path()).string() << '\n';
  }
  return lost == 0 ? done : failed;
}

Action add_new(CLI::App& parser) {
  auto options = std::make_shared<LabOptions>();
  parser.add_option("folder", options->folder, "A folder that is empty or not there yet")
      ->capture_default_str();
  parser.add_option("--language", options->language, "cpp, python, java or js")->required();
  parser.add_option("--lang", options->human, "Language of its texts: en, zh or ru")
      ->capture_default_str();
  return [options] { return new_assignment(*options); };
}

Action add_check_lab(CLI::App& parser) {
  auto options = std::make_shared<LabOptions>();
  parser.add_option("folder", options->folder, "Folder of an assignment")->capture_default_str();
  parser.footer("Builds the filter and tries it. Exit status 1 where something does not hold.");
  return [options] { return check_assignment(*options); };
}

Action add_sweep(CLI::App& parser) {
  auto options = std::make_shared<LabOptions>();
  parser.add_option("folder", options->folder, "Folder of an assignment")->capture_default_str();
  parser.add_flag("--full", options->full,
                  "All sizes, keys and queries of sweep.json, as it is handed in");
  parser.footer(
      "Builds the filter, measures it in every second size of sweep.json with fewer keys and\n"
      "queries, and writes tables and figures to results/ in the folder. Exit status 1 where a\n"
      "rate differs from theory beyond chance or is missing.");
  return [options] { return sweep_assignment(*options); };
}

Action add_grade(CLI::App& parser) {
  auto options = std::make_shared<LabOptions>();
  parser.add_option("folders", options->folders,
                    "Folders of the submissions; default: all those in the current folder");
  parser
      .add_option(
          "--csv", options->csv,
          "File of the table, a row a submission; the figure of the class has its name with .svg")
      ->required();
  parser.add_option("--cases", options->cases, "Further cases, a JSON file (docs/lab_handbook.md)");
  parser.add_option("--lang", options->human, "Language of the reasons: en, zh or ru")
      ->capture_default_str();
  parser
      .add_option("--seconds", options->seconds,
                  "For the answer to each call; all calls of a submission may take ten times that")
      ->check(number_in(0.1, 86'400.0, "seconds, such as 10"));
  parser.add_option("--memory-mib", options->memory_mib, "Memory of a submission [MiB]")
      ->check(CLI::Range(16U, 1U << 30));
  parser.add_option("--jobs", options->jobs, "Submissions at a time; default: all processors")
      ->check(CLI::Range(1U, 4096U));
  parser.footer(
      "Every submission is copied, built and tried by itself, with the same keys and seeds. One "
      "that "
      "hangs,\ncrashes or takes too much is a row that says so; nothing is written into its "
      "folder.\nExit status 1 where a submission is not graded, as this system failed and not the "
      "filter.");
  return [options] { return grade_submissions(*options); };
}

}  // namespace

Action add_lab(CLI::App& parser) {
  struct Part {
    const CLI::App* parser;
    Action action;
  };
  auto parts = std::make_shared<std::vector<Part>>();
  const auto add = [&](const char* name, const char* summary, Action (*options)(CLI::App&)) {
    CLI::App* part = parser.add_subcommand(name, summary);
    parts->push_back({part, options(*part)});
  };
  add("new", "Make an assignment: handout, filter with two gaps, config, page", add_new);
  add("check", "Say what holds of an assignment's filter", add_check_lab);
  add("sweep", "Measure the assignment's filter in many sizes and draw its rates", add_sweep);
  add("grade", "Judge many submissions, each by itself with limits", add_grade);
  parser.require_subcommand(0, 1);
  parser.footer("Without a word after it: check, of the current folder.");
  return [parts] {
    const auto parsed =
        std::ranges::find_if(*parts, [](const Part& p) { return p.parser->parsed(); });
    return parsed == parts->end() ? check_assignment({}) : parsed->action();
  };
}

}  // namespace bloomlab::cli
