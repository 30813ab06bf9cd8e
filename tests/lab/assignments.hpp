// Assignments that the tests make, with their gaps filled.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "foreign/child.hpp"
#include "lab/assignment.hpp"
#include "lab/submission.hpp"
#include "record/visible_text.hpp"
#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace bloomlab::tests {

inline void replace_in(const std::string& file, const std::string& what, const std::string& by) {
  std::string text = read(file);
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error(file + " holds no \"" + what + "\"");
  write(file, text.replace(at, what.size(), by));
}

/// By language: the lines for the gaps; and "keeping the keys": what is put before which text to
/// make of a filter one that keeps them.
inline nlohmann::json solutions() {
  return nlohmann::json::parse(read(BLOOMLAB_SOURCE_DIR "/tests/lab/solutions.json"));
}

inline std::string source_of(const std::string& folder, const std::string& language) {
  return folder + "/" + std::string(lab::language(language).source);
}

/// Puts the solutions in place of the lines in the gaps.
inline void fill_gaps(const std::string& folder, const std::string& language) {
  const auto lines = solutions().at(language);
  const std::string file = source_of(folder, language);
  for (int gap = 1; gap <= 2; ++gap) {
    const std::string text = read(file);
    const std::size_t mark = text.find(">>> gap " + std::to_string(gap));
    const std::size_t begin = text.find("return", mark);
    const std::size_t end = text.find('\n', begin);
    write(file, text.substr(0, begin) +
                    lines.at(static_cast<std::size_t>(gap - 1)).get<std::string>() +
                    text.substr(end));
  }
}

/// The text with plain spaces in its numbers.
inline std::string with_plain_spaces(std::string text) {
  const std::string narrow = "\u202f";
  for (std::size_t at = 0; (at = text.find(narrow, at)) != std::string::npos; ++at) {
    text.replace(at, narrow.size(), " ");
  }
  return text;
}

/// The row of a submission in the table of a class.
inline std::string row_of(const std::string& csv, const std::string& submission) {
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("/" + submission + "\"") != std::string::npos) return line;
  }
  FAIL("there is no row of " + submission);
  return "";
}

/// A new assignment at `folder`.
inline void make_assignment(const std::string& folder, const std::string& language,
                            const std::string& human = "en") {
  const Said said =
      bloomlab_says("lab new " + folder + " --language " + language + " --lang " + human);
  if (said.status != 0) throw std::runtime_error(said.err);
}

/// A new assignment, filled as it should be.
inline std::string right_one(const std::string& path, const std::string& language,
                             const std::string& human = "en") {
  make_assignment(path, language, human);
  fill_gaps(path, language);
  return path;
}

/// Whether this machine isolates filters; where not, the test is skipped in part.
inline bool isolates() {
  const std::string& why = foreign::why_not_isolated();
  if (!why.empty()) skip("filters are not isolated on this machine: " + why);
  return why.empty();
}

/// The same of the tools of a language.
inline bool has_tools(const std::string& language) {
  const auto missing = lab::missing_tool(lab::language(language));
  if (missing) skip(*missing);
  return !missing;
}

/// A class that is graded: what is said, and its table.
struct Graded {
  Said said;
  std::string csv;

  /// @param before the program, in the words of a shell
  Graded(const TemporaryFolder& folder, const std::string& arguments,
         const std::string& before = "")
      : said(shell(before + " \"$BLOOMLAB\" lab grade --csv " + folder / "class.csv " + arguments)),
        csv(with_plain_spaces(read(folder / "class.csv"))) {
    INFO(said.err);
    CHECK(said.status == (csv.find(",not_graded,") == std::string::npos ? 0 : 1));
  }

  [[nodiscard]] std::string row(const std::string& name) const { return row_of(csv, name); }
  void check_that_all_is_visible(std::size_t rows) const {
    for (const std::string& text : {csv, said.out, said.err}) {
      CHECK(record::first_hidden(text).value_or("") == "");
    }
    CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == rows + 1);
  }
};

}  // namespace bloomlab::tests
