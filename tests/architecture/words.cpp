// The words of docs/glossary.md are said everywhere, and those that they replaced nowhere.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path tree = BLOOMLAB_SOURCE_DIR;

constexpr std::array<std::string_view, 15> retired = {
    "stranger", "asked back",  "told apart", "share of set bits",
    "launch",   "index famil", "indexfamil", "disturb",
    "subject",  "erased",      "erasing",    "erasure",
    "unite",    "非成员",      "чуж"};

/// In texts that people read, who need not know members of objects.
constexpr std::string_view of_objects = "member";

struct Exception {
  std::string_view file;  ///< beginning of its path
  std::string_view word;  ///< empty: every word
};

/// What speaks of the old words, or means something else by them.
constexpr std::array exceptions = {
    Exception{"docs/glossary.md", ""},
    Exception{"record/names.", ""},
    Exception{"tests/record/names.cpp", ""},
    Exception{"tests/architecture/words.cpp", ""},
    Exception{"cmake/", "launch"},             // a compiler launcher
    Exception{"CMake", "launch"},              // the same
    Exception{"tests/plot/", ""},              // pictures that were approved
    Exception{"docs/planner/index.html", ""},  // generated
    Exception{"docs/explain/index.html", ""},  // generated
    Exception{"docs/lab/index.html", ""},      // generated
};

bool is_excepted(const std::string& file, std::string_view word) {
  return std::any_of(exceptions.begin(), exceptions.end(), [&](const Exception& exception) {
    return file.starts_with(exception.file) && (exception.word.empty() || exception.word == word);
  });
}

std::string lowered_text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 128 ? std::tolower(letter) : letter);
  });
  return text;
}

bool is_read(const fs::path& path) {
  static const std::vector<std::string> endings = {".cpp", ".hpp", ".in",   ".md",   ".json",
                                                   ".js",  ".txt", ".html", ".cmake"};
  return std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

/// "remembered", "membership".
bool is_part_of_another(const std::string& text, std::size_t at) {
  const bool begins = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
  return !begins || text.compare(at + of_objects.size(), 4, "ship") == 0;
}

void look_for(std::string_view word, const std::string& file, const std::string& text,
              std::vector<std::string>& found) {
  if (is_excepted(file, word)) return;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (word == of_objects && is_part_of_another(text, at)) continue;
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    found.push_back(file + ":" + std::to_string(line + 1) + ": " + std::string(word));
  }
}

std::vector<std::string> found_in(const std::vector<std::string>& places,
                                  const std::vector<std::string_view>& words) {
  std::vector<std::string> found;
  const auto read = [&](const fs::path& path) {
    if (!is_read(path)) return;
    const std::string file = fs::relative(path, tree).generic_string();
    const std::string text = lowered_text_of(path);
    for (const std::string_view word : words) look_for(word, file, text, found);
  };
  for (const std::string& place : places) {
    if (fs::is_regular_file(tree / place)) {
      read(tree / place);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(tree / place)) {
      if (entry.is_regular_file()) read(entry.path());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no retired word is said in documents, help texts, templates, configs and code",
          "[architecture][words]") {
  const auto found =
      found_in({"README.md", "CHANGELOG.md", "CMakeLists.txt", "docs", "configs", "core", "record",
                "statistics", "experiments", "analysis", "planner", "formats", "foreign", "audit",
                "lab", "examples", "cli", "cmake", "tests"},
               {retired.begin(), retired.end()});
  CHECK(found == std::vector<std::string>{});
}

TEST_CASE("no template and no config calls an inserted key a member", "[architecture][words]") {
  CHECK(found_in({"README.md", "configs", "analysis/templates"}, {of_objects}) ==
        std::vector<std::string>{});
}
