#include "lab/submission.hpp"

#include <sstream>
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

/// What a person needs of a compiler's output: its first line that names an error.
std::string first_error(const std::string& output) {
  std::istringstream lines(output);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return record::made_visible(line);
    if (first.empty()) first = line;
  }
  return first.empty() ? "the compiler says nothing" : record::made_visible(first);
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
  if (!std::filesystem::is_regular_file(assignment.folder / language.source)) {
    return std::string(language.source) + ": is not there";
  }
  if (language.build.empty()) return std::nullopt;
  constexpr std::size_t most_output = std::size_t{1} << 20;
  remove_product(assignment);
  // The guard's limits hold for a compiler as for a filter; its standard error is read as output.
  const std::string script = "exec 2>&1; exec " + std::string(language.build);
  try {
    foreign::Child compiler({.command = {"sh", "-c", script},
                             .folder = assignment.folder,
                             .limits = {.seconds = 120.0, .memory_mib = 2048},
                             .isolation = book.isolation});
    const foreign::Finished finished = compiler.finish(most_output);
    if (finished.status == 0) return std::nullopt;
    return first_error(finished.output);
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
