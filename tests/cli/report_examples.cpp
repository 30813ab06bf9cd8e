// The examples of docs/report.md read the tables that a report writes, with the tools of this
// machine.

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

namespace fs = std::filesystem;

struct Example {
  const char* language;  ///< of its block in the document
  const char* is_there;  ///< succeeds where its tools are
  const char* command;   ///< runs the file "example"
};

constexpr std::array examples = {
    Example{"python", "python3 -c 'import pandas'", "python3 example"},
    Example{"r", "Rscript -e 'library(DBI); library(RSQLite)'", "Rscript example"},
    Example{"sql", "command -v duckdb", "duckdb -csv <example"}};

/// The text of the only block of a language in docs/report.md.
std::string block_in(const std::string& language) {
  const std::string page = read(BLOOMLAB_SOURCE_DIR "/docs/report.md");
  const std::string fence = "\n```" + language + "\n";
  const auto begin = page.find(fence);
  INFO(language);
  REQUIRE(begin != std::string::npos);
  REQUIRE(page.find(fence, begin + 1) == std::string::npos);
  const auto text = begin + fence.size();
  return page.substr(text, page.find("\n```\n", text) + 1 - text);
}

/// The numbers of every line that has some.
std::vector<std::vector<double>> rows_of(const std::string& text) {
  static const std::regex number(R"(\d+(\.\d+)?(e[-+]?\d+)?)");
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<double> row;
    for (std::sregex_iterator at(line.begin(), line.end(), number), end; at != end; ++at) {
      row.push_back(std::stod(at->str()));
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

/// A row a number of hash functions, 1 to 20: k, the measured rate in its interval, the closed
/// form.
void check_rates(const std::string& text) {
  const auto rows = rows_of(text);
  REQUIRE(rows.size() == 20);
  double k = 0;
  for (const auto& row : rows) {
    ++k;
    REQUIRE(row.size() == 5);
    CHECK(row[0] == Approx(k));
    CHECK(row[1] < row[2]);
    CHECK(row[2] < row[3]);
    CHECK(row[2] == Approx(row[4]).epsilon(0.02));
    CHECK(row[4] == Approx(std::pow(-std::expm1(-k / 8), k)).epsilon(0.001));
  }
}

}  // namespace

TEST_CASE("the examples of docs/report.md show the measured rates beside the closed form",
          "[cli][report]") {
  const TemporaryFolder folder;
  const std::string in_folder = "cd " + (folder / ".") + " && ";
  fs::create_directories(folder / "results");
  fs::copy_file(BLOOMLAB_SOURCE_DIR "/results/fpr_vs_k.json", folder / "results/fpr_vs_k.json");
  const Said report =
      shell(in_folder + "bloomlab() { \"$BLOOMLAB\" \"$@\"; } && " + block_in("sh"));
  INFO(report.err);
  REQUIRE(report.status == 0);
  int run = 0;
  for (const Example& example : examples) {
    INFO(example.language);
    write(folder / "example", block_in(example.language));
    if (shell(example.is_there).status != 0) continue;
    const Said said = shell(in_folder + example.command);
    INFO(said.out << said.err);
    CHECK(said.status == 0);
    check_rates(said.out);
    ++run;
  }
  if (run == 0) skip("neither pandas, nor RSQLite, nor DuckDB is on this machine");
}
