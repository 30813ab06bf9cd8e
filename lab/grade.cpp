#include "lab/grade.hpp"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "analysis/tables/table.hpp"
#include "lab/assignment.hpp"
#include "lab/submission.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::lab {
namespace {

namespace fs = std::filesystem;
using analysis::Words;

constexpr std::size_t most_files = 64;
constexpr std::uintmax_t most_bytes = std::uintmax_t{8} << 20;

/// The files of a submission that count: links may lead anywhere. Throws record::InputError where
/// they are too many or too large.
std::vector<fs::path> files_of(const fs::path& folder, const Language& language) {
  std::vector<fs::path> files;
  std::size_t count = 0;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path name = entry.path().filename();
    if (!fs::is_regular_file(entry.symlink_status()) || is_made(language, name)) continue;
    bytes += entry.file_size();
    if (++count <= most_files) files.push_back(entry.path());
  }
  if (count > most_files) {
    throw record::InputError(folder.string() + ": holds " + std::to_string(count) +
                             " files; a submission has at most " + std::to_string(most_files));
  }
  if (bytes > most_bytes) {
    throw record::InputError(folder.string() + ": its files have " + std::to_string(bytes) +
                             " bytes together; a submission has at most " +
                             std::to_string(most_bytes));
  }
  return files;
}

/// A copy of a submission's files, removed at the end.
class Copy {
 public:
  Copy() {
    std::string pattern = (record::temporary_folder() / "bloomlab-lab-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw record::RunError(pattern + ": cannot be made; make room in the temporary folder");
    }
    path_ = pattern;
  }
  ~Copy() {
    std::error_code left;
    fs::remove_all(path_, left);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  void add(const fs::path& file) const {
    const std::string text = record::read_regular(file, most_bytes);
    std::ofstream copy(path_ / file.filename(), std::ios::binary);
    if (!copy.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
      throw record::RunError(path_.string() + ": cannot be written; make room there");
    }
  }

  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

/// A text of others in one row of the table.
std::string cell(const std::string& text) {
  std::string line = record::made_visible(text);
  for (const char end : {'\n', '\r', '\t'}) std::ranges::replace(line, end, ' ');
  return analysis::csv_quoted(line);
}

Grade grade_one(const fs::path& folder, const CaseBook& book, const Words& words) {
  Grade grade{.submission = folder.string(), .language = {}, .verdict = {}};
  const auto ends_as = [&](std::string_view result, const std::string& fault) {
    grade.verdict = {.result = std::string(result),
                     .findings = {{false, words("unreadable", {{"fault", fault}})}},
                     .rate = {}};
  };
  try {
    Assignment assignment = read_assignment(folder);
    grade.language = assignment.language->name;
    const Copy copy;
    for (const fs::path& file : files_of(folder, *assignment.language)) copy.add(file);
    assignment.folder = copy.path();
    grade.verdict = judge(assignment, book, words);
  } catch (const record::InputError& fault) {
    ends_as("unreadable", fault.what());
  } catch (const std::bad_alloc&) {
    ends_as(not_graded, "no memory was left; run fewer jobs");
  } catch (const std::exception& fault) {
    // What no reader of a submission refuses is a fault of this system.
    ends_as(not_graded, record::plain_fault(fault));
  }
  return grade;
}

}  // namespace

std::vector<Grade> grade(std::span<const fs::path> folders, const CaseBook& book,
                         const Words& words, unsigned jobs,
                         const std::function<void(const Grade&)>& finished) {
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) {
      throw record::InputError(folder.string() +
                               ": is no folder; name the folders of the submissions");
    }
  }
  CaseBook isolated = book;
  isolated.isolation.own_user = true;
  isolated.isolation.hidden.insert(isolated.isolation.hidden.end(), folders.begin(), folders.end());
  std::vector<Grade> grades(folders.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i = next++; i < folders.size(); i = next++) {
      grades[i] = grade_one(folders[i], isolated, words);
      if (grades[i].verdict.result == not_graded) continue;
      const std::lock_guard lock(telling);
      if (finished) finished(grades[i]);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < std::min<std::size_t>(jobs, folders.size()); ++i) {
      workers.emplace_back(work);
    }
    work();
  }
  // What others may have kept from starting is tried again alone.
  for (std::size_t i = 0; i < grades.size(); ++i) {
    if (grades[i].verdict.result != not_graded) continue;
    grades[i] = grade_one(folders[i], isolated, words);
    if (finished) finished(grades[i]);
  }
  return grades;
}

std::string csv_of(std::span<const Grade> grades) {
  std::string csv =
      "number,submission,language,result,held,checks,rate,rate_low,rate_high,theory,reasons\n";
  for (std::size_t i = 0; i < grades.size(); ++i) {
    const auto& [submission, language, verdict] = grades[i];
    csv += std::to_string(i + 1) + "," + cell(submission) + "," + language + "," + verdict.result +
           "," + std::to_string(verdict.held()) + "," + std::to_string(verdict.findings.size());
    if (const auto& rate = verdict.rate) {
      for (const double value :
           {rate->measured, rate->interval.low, rate->interval.high, rate->theory}) {
        csv += "," + exact_text(value);
      }
    } else {
      csv += ",,,,";
    }
    std::string reasons;
    for (const Finding& finding : verdict.findings) {
      if (!finding.holds) reasons += (reasons.empty() ? "" : "; ") + finding.text;
    }
    csv += "," + cell(reasons) + "\n";
  }
  return csv;
}

analysis::plot::Figure class_figure(std::span<const Grade> grades, const Words& words,
                                    std::string name) {
  namespace plot = analysis::plot;
  std::vector<const Grade*> measured;
  for (const Grade& one : grades) {
    if (one.verdict.rate) measured.push_back(&one);
  }
  const auto ratio = [](const Grade* one) {
    return one->verdict.rate->measured / one->verdict.rate->theory;
  };
  std::ranges::stable_sort(measured, {}, ratio);
  plot::Figure figure{
      .name = std::move(name),
      .title = words("figure.title"),
      .caption =
          words("figure.caption", {{"measured", std::to_string(measured.size())},
                                   {"without", std::to_string(grades.size() - measured.size())},
                                   {"level", percent(0.95, 2)}}),
      .x = {.label = words("figure.x"),
            .low = 0.0,
            .high = static_cast<double>(measured.size() + 1)},
      .y = {.label = words("figure.y"), .scale = plot::Scale::log},
      .series = {},
      .markers = {{.axis = plot::MarkerAxis::y, .at = 1.0, .label = words("figure.theory")}}};
  for (const bool passed : {true, false}) {
    plot::Series series{.name = words(passed ? "figure.passed" : "figure.failed"), .points = {}};
    series.open = !passed;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if ((measured[i]->verdict.result == "passed") != passed) continue;
      const Rate& rate = *measured[i]->verdict.rate;
      series.points.push_back({.x = static_cast<double>(i + 1),
                               .y = rate.measured / rate.theory,
                               .low = rate.interval.low / rate.theory,
                               .high = rate.interval.high / rate.theory,
                               .label = std::to_string(measured[i] - grades.data() + 1)});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  return figure;
}

}  // namespace bloomlab::lab
