// The commands that the README and docs show do what is said there, and links lead somewhere.

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

namespace fs = std::filesystem;

const fs::path root_of_tree = BLOOMLAB_SOURCE_DIR;

/// What groups 1 of all matches say.
std::vector<std::string> found_in(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    all.push_back(at->str(1));
  }
  return all;
}

}  // namespace

TEST_CASE("the commands of the README's table can be run as they stand", "[cli][readme]") {
  const std::string readme = read(root_of_tree / "README.md");
  // A word in capitals stands for something of the reader's own; --help answers for what measures.
  static const std::regex whole_word(R"(\b[A-Z]{4,}\b)");
  static const std::regex measures(R"(^(check|run|report|canon|verify|compare|audit|bench|lab)\b)");
  int run = 0;
  for (const std::string& command : found_in(readme, std::regex(R"(\n\| `bloomlab ([^`]+)`)"))) {
    INFO(command);
    const bool is_asked_for_help =
        std::regex_search(command, whole_word) || std::regex_search(command, measures);
    const std::string name = command.substr(0, command.find(' '));
    CHECK(bloomlab_says(is_asked_for_help ? name + " --help" : command).status == 0);
    ++run;
  }
  CHECK(run >= 14);
}

TEST_CASE("links of the README and of the index of docs lead to files", "[cli][readme]") {
  for (const char* page : {"README.md", "docs/README.md", "docs/commands.md"}) {
    const fs::path file = root_of_tree / page;
    for (const std::string& link :
         found_in(read(file), std::regex(R"(\]\(([^)#:]+)(?:#[^)]*)?\))"))) {
      INFO(page << ": " << link);
      CHECK(fs::exists(file.parent_path() / link));
    }
  }
}

TEST_CASE("the index of docs names every page of docs", "[cli][readme]") {
  const std::string index = read(root_of_tree / "docs/README.md");
  for (const auto& entry : fs::directory_iterator(root_of_tree / "docs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".md" || name == "README.md") continue;
    INFO(name);
    CHECK(index.find("(" + name + ")") != std::string::npos);
  }
}

namespace {

struct Shown {
  std::string command;
  std::vector<std::string> lines;
};

/// The commands of a page's blocks that ask only, and what the page shows of each: lines that begin
/// with `$ bloomlab`, until the next command, remark or empty line.
std::vector<Shown> shown_in(const std::string& page) {
  static const std::regex asks(
      R"(\$ (?:\./)?bloomlab ((?:theory|plan|judge|system|threshold|explain|list|inspect|claims)\b.*))");
  std::vector<Shown> all;
  bool is_block = false;
  bool is_shown = false;
  std::istringstream text(page);
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (line.starts_with("```")) {
      is_block = !is_block;
      is_shown = false;
    } else if (is_block && std::regex_match(line, match, asks)) {
      all.push_back({match.str(1), {}});
      is_shown = true;
    } else if (line.empty() || line.starts_with("#") || line.starts_with("$ ")) {
      is_shown = false;
    } else if (is_shown) {
      all.back().lines.push_back(line);
    }
  }
  return all;
}

/// Whether it takes files that stand for the reader's own.
bool takes_own_files(const std::string& command) {
  return std::regex_search(command, std::regex(R"(book\.csv|users\.dcso|monday\.bloom)"));
}

}  // namespace

TEST_CASE("what docs show of a command that only asks is what it prints", "[cli][readme]") {
  std::vector<std::string> tried;
  for (const auto& entry : fs::directory_iterator(root_of_tree / "docs")) {
    if (entry.path().extension() != ".md") continue;
    for (const Shown& shown : shown_in(read(entry.path()))) {
      if (takes_own_files(shown.command)) continue;
      INFO(entry.path().filename().string() << ": bloomlab " << shown.command);
      const Said said =
          shell("cd '" + root_of_tree.string() + "' && \"$BLOOMLAB\" " + shown.command);
      CHECK(said.status != 2);  // 1: what was promised does not hold, as some show
      std::size_t place = 0;
      for (const std::string& line : shown.lines) {
        if (line == "...") continue;
        const std::string part = line.substr(0, line.find(" ..."));
        INFO(part);
        const std::size_t found = said.out.find(part, place);
        REQUIRE(found != std::string::npos);
        place = found + part.size();
      }
      tried.push_back(shown.command);
    }
  }
  CHECK(tried.size() >= 14);
}
