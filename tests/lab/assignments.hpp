// Assignments that the tests make, with their gaps filled.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "lab/assignment.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace bloomlab::tests {

inline void replace_in(const std::string& file, const std::string& what, const std::string& by) {
  std::string text = read(file);
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error(file + " holds no \"" + what + "\"");
  write(file, text.replace(at, what.size(), by));
}

/// Puts the solutions of tests/lab/solutions.json in place of the lines in the gaps.
inline void fill_gaps(const std::string& folder, const std::string& language) {
  const auto solutions =
      nlohmann::json::parse(read(BLOOMLAB_SOURCE_DIR "/tests/lab/solutions.json"));
  const std::string file = folder + "/" + std::string(lab::language(language).source);
  for (int gap = 1; gap <= 2; ++gap) {
    const std::string text = read(file);
    const std::size_t mark = text.find(">>> gap " + std::to_string(gap));
    const std::size_t begin = text.find("return", mark);
    const std::size_t end = text.find('\n', begin);
    write(file,
          text.substr(0, begin) +
              solutions.at(language).at(static_cast<std::size_t>(gap - 1)).get<std::string>() +
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

}  // namespace bloomlab::tests
