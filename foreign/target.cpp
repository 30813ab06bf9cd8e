#include "foreign/target.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  for (;;) {
    const std::size_t end = std::min(path.find(':'), path.size());
    folders.emplace_back(path.substr(0, end));
    if (end == path.size()) return folders;
    path.remove_prefix(end + 1);
  }
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::ranges::mismatch(folder, path);
  return end == folder.end();
}

/// As the system's list of users has it; empty where it has none.
fs::path home_of_user() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> texts;
  static_cast<void>(::getpwuid_r(::getuid(), &entry, texts.data(), texts.size(), &found));
  return found != nullptr ? found->pw_dir : "";
}

/// The program of that name; empty where there is none.
fs::path found_in_path(const std::string& program, const Isolation& isolation) {
  for (const std::string& folder : folders_of(search_path(isolation))) {
    fs::path place = fs::path(folder) / program;
    if (is_file(place) && ::access(place.c_str(), X_OK) == 0) return place;
  }
  return {};
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

fs::path home_folder() {
  const char* const home = std::getenv("HOME");
  fs::path folder = home != nullptr && *home == '/' ? fs::path(home) : home_of_user();
  folder = folder.lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

std::string search_path(const Isolation& isolation) {
  const char* const all = std::getenv("PATH");
  std::string path = all != nullptr ? all : "/bin:/usr/bin";
  const fs::path home = home_folder();
  if (!isolation.hides_home || home.empty()) return path;
  std::string rest;
  for (const std::string& folder : folders_of(path)) {
    if (is_below(folder, home)) continue;
    if (!rest.empty()) rest += ':';
    rest += folder;
  }
  return rest;
}

std::vector<fs::path> named_files(const Target& target) {
  std::vector<fs::path> files;
  const auto add = [&files](const fs::path& path) {
    files.push_back(fs::absolute(path).lexically_normal());
  };
  for (const fs::path& part : parts_of(target)) add(target.folder / part);
  if (!target.command.empty() && !has_slash(target.command.front())) {
    const fs::path program = found_in_path(target.command.front(), target.isolation);
    if (!program.empty()) add(program);
  }
  return files;
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
    if (!found_in_path(program, target.isolation).empty()) return "";
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
