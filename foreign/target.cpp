#include "foreign/target.hpp"

#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "record/input_error.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::foreign {
namespace {

namespace fs = std::filesystem;

bool has_slash(std::string_view program) { return program.find('/') != std::string_view::npos; }

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

bool is_in_path(const std::string& program) {
  const char* const all = std::getenv("PATH");
  std::string_view rest = all != nullptr ? all : "/bin:/usr/bin";
  for (;;) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path place = fs::path(rest.substr(0, end)) / program;
    if (is_file(place) && ::access(place.c_str(), X_OK) == 0) return true;
    if (end == rest.size()) return false;
    rest.remove_prefix(end + 1);
  }
}

/// The files that the filter is made of, as they are found from its folder.
std::set<fs::path> parts_of(const Target& target) {
  std::set<fs::path> parts;
  if (!target.library.empty()) parts.insert(target.library);
  for (std::size_t i = 0; i < target.command.size(); ++i) {
    if (i == 0 && !has_slash(target.command[i])) continue;
    if (is_file(target.folder / target.command[i])) parts.insert(target.command[i]);
  }
  parts.insert(target.files.begin(), target.files.end());
  return parts;
}

}  // namespace

std::string Target::text() const {
  if (!library.empty()) return record::made_visible(library.string());
  std::string text;
  for (const std::string& word : command) {
    text += text.empty() ? "" : " ";
    text +=
        word.empty() || word.find_first_of(" \t\"'") != std::string::npos ? "'" + word + "'" : word;
  }
  return record::made_visible(text);
}

std::string fault_of(const Target& target) {
  const fs::path folder = target.folder.empty() ? "." : target.folder;
  const auto from = "; a relative path starts from " + folder.string();
  if (!target.library.empty()) {
    if (is_file(folder / target.library)) return "";
    return target.library.string() + ": there is no such library" + from;
  }
  if (target.command.empty()) return "the command is empty; name a program and its arguments";
  const std::string& program = target.command.front();
  if (!has_slash(program)) {
    if (is_in_path(program)) return "";
    return program + ": there is no such program in PATH; install it, or give its path";
  }
  if (!is_file(folder / program)) return program + ": there is no such program" + from;
  if (::access((folder / program).c_str(), X_OK) == 0) return "";
  return program + ": cannot be executed; make it executable, or name its interpreter first";
}

std::string digest_of(const Target& target) {
  std::string text = target.text();
  for (const fs::path& part : parts_of(target)) {
    const auto any_size = std::numeric_limits<std::uintmax_t>::max();
    text += "\n" + part.string() + " " +
            record::sha256_hex(record::read_text(target.folder / part, any_size));
  }
  return record::sha256_hex(text);
}

}  // namespace bloomlab::foreign
