#include "lab/submission.hpp"

#include <vector>

#include "foreign/child.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::lab {
namespace {

constexpr std::string_view end_mark = "bloomlab-built ";

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  while (!command.empty()) {
    const std::size_t space = std::min(command.find(' '), command.size());
    words.emplace_back(command.substr(0, space));
    command.remove_prefix(std::min(space + 1, command.size()));
  }
  return words;
}

/// What a person needs of a compiler's output: its first line that names an error.
std::string first_error(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.find("error") != std::string::npos) return record::made_visible(line);
  }
  return lines.empty() ? "it says nothing" : record::made_visible(lines.front());
}

}  // namespace

std::optional<std::string> missing_tool(const Language& language) {
  for (const std::string_view command : {language.build, language.start}) {
    if (command.empty() || (language.is_library && command == language.start)) continue;
    const std::string fault = foreign::fault_of({.command = {words_of(command).front()}});
    if (!fault.empty()) return fault;
  }
  return std::nullopt;
}

std::optional<std::string> build(const Assignment& assignment) {
  const Language& language = *assignment.language;
  if (!std::filesystem::is_regular_file(assignment.folder / language.source)) {
    return std::string(language.source) + ": is not there";
  }
  if (language.build.empty()) return std::nullopt;
  constexpr std::size_t most_lines = 1000;
  constexpr std::size_t most_line = 1 << 16;
  // The guard's limits hold for a compiler as for a filter; its standard error is read as output.
  const std::string script =
      "exec 2>&1; " + std::string(language.build) + "; echo \"" + std::string(end_mark) + "$?\"";
  try {
    foreign::Child compiler({.command = {"sh", "-c", script},
                             .folder = assignment.folder,
                             .limits = {.seconds = 120.0, .memory_mib = 2048}});
    std::vector<std::string> lines;
    while (lines.size() < most_lines) {
      lines.push_back(compiler.read_line(most_line));
      if (!lines.back().starts_with(end_mark)) continue;
      if (lines.back() == std::string(end_mark) + "0") return std::nullopt;
      lines.pop_back();
      break;
    }
    return first_error(lines);
  } catch (const foreign::Failure& failure) {
    return failure.what();
  }
}

foreign::Target target_of(const Assignment& assignment, const foreign::Limits& limits) {
  const Language& language = *assignment.language;
  foreign::Target target{.folder = assignment.folder, .limits = limits};
  if (language.is_library) {
    target.library = language.start;
  } else {
    target.command = words_of(language.start);
  }
  return target;
}

}  // namespace bloomlab::lab
