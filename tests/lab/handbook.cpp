// Every command of the lab handbook is right, and every number that it types was printed by one.
#include <catch2/catch.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace {

using namespace bloomlab::tests;
using Catch::Contains;

const std::string docs = BLOOMLAB_SOURCE_DIR "/docs/";

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

/// A chapter: its prose without code, formulas, links and numbers of lists; and its code, a line
/// each.
struct Chapter {
  std::string title = {};
  std::string prose = {};
  std::vector<std::string> code = {};
};

std::vector<Chapter> chapters_of(const std::string& file) {
  std::vector<Chapter> chapters(1);
  std::istringstream lines(read(docs + file));
  bool in_code = false;
  static const std::regex left_out(R"(`[^`]*`|\$[^$]*\$|\]\([^)]*\)|^ *\d\. )");
  for (std::string line; std::getline(lines, line);) {
    if (trimmed(line).starts_with("```")) {
      in_code = !in_code;
      chapters.back().code.emplace_back();  // parts the blocks
    } else if (in_code) {
      chapters.back().code.push_back(trimmed(line));
    } else if (line.starts_with("## ")) {
      chapters.push_back({.title = line});
    } else {
      chapters.back().prose += std::regex_replace(line, left_out, " ") + "\n";
    }
  }
  return chapters;
}

std::set<std::string> numbers_of(const std::string& text) {
  static const std::regex number(R"(\d+(\.\d+)?)");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    found.insert(at->str());
  }
  return found;
}

const std::vector<std::string> texts = {"lab_handbook.md", "lab_solutions.md"};

}  // namespace

TEST_CASE("what the lab handbook shows of a command is what the command prints", "[lab][docs]") {
  std::size_t commands = 0;
  for (const std::string& file : texts) {
    for (const Chapter& chapter : chapters_of(file)) {
      for (std::size_t i = 0; i < chapter.code.size(); ++i) {
        const std::string& line = chapter.code[i];
        if (!line.starts_with("$ bloomlab ")) continue;
        const Said said = bloomlab_says(line.substr(std::string("$ bloomlab ").size()));
        INFO(file << ": " << line);
        CHECK(said.status == 0);
        ++commands;
        std::istringstream printed(said.out);
        std::string each;
        for (++i; i < chapter.code.size() && !chapter.code[i].empty(); ++i) {
          if (chapter.code[i].starts_with("$")) break;
          if (chapter.code[i] == "...") continue;
          REQUIRE(std::getline(printed, each));
          CHECK(trimmed(each) == chapter.code[i]);
        }
        --i;
      }
    }
  }
  CHECK(commands >= 25);
}

TEST_CASE("the commands that the lab handbook gives are understood", "[lab][docs]") {
  std::size_t configs = 0;
  for (const std::string& file : texts) {
    for (const Chapter& chapter : chapters_of(file)) {
      for (const std::string& line : chapter.code) {
        std::istringstream words(line);
        std::string program;
        std::string command;
        words >> program >> command;
        if (program != "bloomlab") continue;
        INFO(file << ": " << line);
        if (command == "run") {
          for (std::string config; words >> config && config != "--out";) {
            CHECK(shell("cd " BLOOMLAB_SOURCE_DIR " && \"$BLOOMLAB\" check " + config).status == 0);
            ++configs;
          }
        } else if (command == "report") {
          CHECK_THAT(bloomlab_says(command + " /nonexistent").err, Contains("/nonexistent"));
        } else {
          CHECK(command == "lab");
        }
      }
    }
  }
  CHECK(configs == 8);
}

TEST_CASE("the assignment of the lab handbook is made, checked and graded as it says",
          "[lab][docs]") {
  const TemporaryFolder folder;
  std::string hidden;
  std::vector<std::string> commands;
  for (const Chapter& chapter : chapters_of("lab_handbook.md")) {
    if (chapter.title != "## The assignment") continue;
    for (const std::string& line : chapter.code) {
      if (line.starts_with("bloomlab lab ")) {
        commands.push_back(line);
      } else {
        hidden += line + "\n";
      }
    }
  }
  REQUIRE(commands.size() == 4);
  write(folder / "hidden.json", hidden);
  const auto done = [&](std::size_t number) {
    return shell("cd " + folder / "" + " && \"$BLOOMLAB\" " + commands[number].substr(9));
  };
  CHECK(done(0).status == 0);
  CHECK(done(1).status == 1);
  CHECK_THAT(done(2).out, Contains("my_filter/results/REPORT.html"));
  CHECK(shell("cd " + folder / "" + " && mkdir submissions && mv my_filter submissions/a").status ==
        0);
  CHECK(done(3).status == 0);
  CHECK_THAT(read(folder / "class.csv"), Contains("submissions/a"));
}

TEST_CASE("every formula of the lab handbook has the source that the program names",
          "[lab][docs]") {
  static const std::regex row(R"(^\| `(\w+)` \| .* \| (.*) \|$)");
  const std::string list = bloomlab_says("theory --list").out;
  std::istringstream lines(read(docs + "lab_handbook.md"));
  int sources = 0;
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, match, row)) continue;
    INFO(line);
    const std::size_t begin = ("\n\n" + list).find("\n\n" + match.str(1) + " ");
    REQUIRE(begin != std::string::npos);
    const std::string entry = list.substr(begin, list.find("\n\n", begin) - begin);
    CHECK_THAT(entry, Contains(match.str(2)));
    ++sources;
  }
  CHECK(sources == 8);
}

TEST_CASE("no number is typed in the lab handbook that its commands do not have", "[lab][docs]") {
  for (const std::string& file : texts) {
    for (const Chapter& chapter : chapters_of(file)) {
      std::string code;
      for (const std::string& line : chapter.code) code += line + "\n";
      // Of a work's year the test of the sources knows better.
      if (chapter.title == "## Where the formulas come from") continue;
      for (const std::string& number : numbers_of(chapter.prose)) {
        INFO(file << ", " << chapter.title << ": " << number);
        CHECK(code.find(number) != std::string::npos);
      }
    }
  }
}
