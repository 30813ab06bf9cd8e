#include "lab/submission.hpp"

#include <sstream>
#include <system_error>
#include <vector>

#include "foreign/child.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::lab {
namespace {

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  while (!command.empty()) {
    const std::size_t space = std::min(command.find(' '), command.size());
    words.emplace_back(command.substr(0, space));
    command.remove_prefix(std::min(space + 1, command.size()));
  }
  return words;
}

/// Whether a line of a compiler begins with a file of the folder: what it says of others holds
/// their text.
bool names_file_of(const std::filesystem::path& folder, std::string_view line) {
  if (line.starts_with("./")) line.remove_prefix(2);
  const std::string_view name = line.substr(0, line.find(':'));
  if (name.empty() || name.size() == line.size() || name.find('/') != name.npos) return false;
  std::error_code unknown;
  const auto status = std::filesystem::symlink_status(folder / name, unknown);
  return std::filesystem::is_regular_file(status);
}

/// What a person needs of a compiler's output: its first line that names an error of the folder.
std::string first_error(const std::filesystem::path& folder, const std::string& output) {
  constexpr std::size_t most_shown = 500;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") == std::string::npos || !names_file_of(folder, line)) continue;
    if (line.size() <= most_shown) return record::made_visible(line);
    std::size_t end = most_shown;
    while ((static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return record::made_visible(line.substr(0, end)) + "...";
  }
  return "the compiler names no error in a file of the folder";
}

/// Removes what an earlier build left, or what is called so.
void remove_product(const Assignment& assignment) {
  namespace fs = std::filesystem;
  const std::string stem = fs::path(assignment.language->source).stem().string();
  std::vector<fs::path> products;
  for (const auto& entry : fs::directory_iterator(assignment.folder)) {
    const fs::path name = entry.path().filename();
    const bool is_ours = name.string().find(stem) != std::string::npos;
    if (is_ours && is_made(*assignment.language, name)) products.push_back(entry.path());
  }
  for (const fs::path& product : products) fs::remove_all(product);
}

}  // namespace

std::optional<std::string> missing_tool(const Language& language) {
  for (const std::string_view command : {language.build, language.start}) {
    if (command.empty() || (language.is_library && command == language.start)) continue;
    const std::string fault = foreign::fault_of(
        {.command = {words_of(command).front()}, .isolation = given_cases().isolation});
    if (!fault.empty()) return fault;
  }
  return std::nullopt;
}

bool is_made(const Language& language, const std::filesystem::path& name) {
  const std::string_view ending = language.made.substr(1);  // "*.so"
  return !language.build.empty() && name.string().ends_with(ending);
}

std::optional<std::string> build(const Assignment& assignment, const CaseBook& book) {
  const Language& language = *assignment.language;
  const auto source = std::filesystem::symlink_status(assignment.folder / language.source);
  if (!std::filesystem::is_regular_file(source)) {
    const bool is_there = std::filesystem::exists(source);
    return std::string(language.source) + (is_there ? ": is no regular file" : ": is not there");
  }
  if (language.build.empty()) return std::nullopt;
  constexpr std::size_t most_output = std::size_t{1} << 20;
  remove_product(assignment);
  // The guard's limits hold for a compiler as for a filter; its standard error is read as output.
  const std::string script = "exec 2>&1 </dev/null; exec " + std::string(language.build);
  try {
    foreign::Child compiler({.command = {"sh", "-c", script},
                             .folder = assignment.folder,
                             .limits = {.seconds = 120.0, .memory_mib = 2048},
                             .isolation = book.isolation});
    const foreign::Finished finished = compiler.finish(most_output);
    if (finished.status == 0) return std::nullopt;
    return first_error(assignment.folder, finished.output);
  } catch (const foreign::SystemFault&) {
    throw;
  } catch (const foreign::Failure& failure) {
    return failure.what();
  }
}

foreign::Target target_of(const Assignment& assignment, const CaseBook& book) {
  const Language& language = *assignment.language;
  foreign::Target target{
      .folder = assignment.folder, .limits = book.limits, .isolation = book.isolation};
  if (language.is_library) {
    target.library = language.start;
  } else {
    target.command = words_of(language.start);
  }
  return target;
}

}  // namespace bloomlab::lab
