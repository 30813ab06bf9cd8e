#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

const std::string claims_of_our_documents =
    R"j({"format": "bloomlab-claims-1", "id": "ours", "source": "our documentation", "claims": [
      {"id": "ours-1", "statement": "10 bits per key give 0.9 %", "printed": "0.9 %",
       "check": {"sql": "select standard_exact(1000000, 100000, 7) as truth"}}]})j";

/// `bloomlab claims` on the books of this project.
Said claims_says(const std::string& arguments) {
  return bloomlab_says("claims " BLOOMLAB_SOURCE_DIR "/configs/claims " + arguments);
}

}  // namespace

TEST_CASE("claims prints verdict, printed and computed number of a claim", "[cli][claims]") {
  const Said said = claims_says("--only S1-28");
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  CHECK(
      said.out ==
      "S1-28    MISPRINT      The rate at a ratio of 1:64\n"
      "         printed 0.000000000004; computed 4.43326×10⁻¹⁴; two zeros were lost: 14 decimals, "
      "as its neighbours have\n"
      "sources: 1 MISPRINT\n");
}

TEST_CASE("claims counts sources, vendors and remarks apart, and the sentences", "[cli][claims]") {
  const TemporaryFolder nothing;
  const Said said = claims_says("--results " + (nothing / "."));
  CHECK(said.status == 0);
  const std::size_t sources = said.out.find("\nsources: ");
  const std::size_t vendors = said.out.find("\nvendors: ");
  const std::size_t remarks = said.out.find("\nremarks: ");
  const std::size_t sentences = said.out.find(" sentences with a number or a testable property");
  REQUIRE(sources != std::string::npos);
  CHECK((sources < vendors && vendors < remarks && remarks < sentences));
  CHECK(said.out.find("WRONG", remarks) == std::string::npos);
}

TEST_CASE("claims --json counts verdicts and holds numbers in full", "[cli][claims]") {
  const Said said = claims_says("--only S0-12 --json");
  REQUIRE(said.status == 0);
  const auto json = nlohmann::json::parse(said.out);
  REQUIRE(json.at("claims").size() == 2);
  CHECK(json.at("claims").at(0).at("entries") == 49);
  CHECK(json.at("claims").at(0).at("entries_right") == 49);
  CHECK(json.at("claims").at(0).at("verdict") == "RIGHT");
  CHECK(json.at("claims").at(1).at("entries_right") == 8);
  CHECK(json.at("claims").at(1).at("verdict") == "MISPRINT");
  CHECK(json.at("verdicts").at("source").at("RIGHT") == 1);
  CHECK(json.at("verdicts").at("laboratory").at("RIGHT") == 0);
}

TEST_CASE("claims judges files of one's own", "[cli][claims]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", claims_of_our_documents);
  const Said said = bloomlab_says("claims " + (folder / "mine.json"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK(said.out.starts_with("ours-1   ROUGH"));
  CHECK(bloomlab_says("claims --file " + (folder / "mine.json")).status == 2);
}

TEST_CASE("the example of docs/claims.md is a book", "[cli][claims]") {
  const std::string page = read(BLOOMLAB_SOURCE_DIR "/docs/claims.md");
  const std::size_t start = page.find("```json\n") + 8;
  const TemporaryFolder folder;
  write(folder / "mine.json", page.substr(start, page.find("```", start) - start));
  const Said said = bloomlab_says("claims " + (folder / "mine.json"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK(said.out.starts_with("ours-1   WRONG"));
}

TEST_CASE("claims finds the books of the source tree, and those that were installed",
          "[cli][claims]") {
  const TemporaryFolder folder;
  const Said tree = shell("cd " BLOOMLAB_SOURCE_DIR " && $BLOOMLAB claims --only S1-18a");
  CHECK(tree.status == 0);
  CHECK(tree.out.starts_with("S1-18a   RIGHT"));
  CHECK(shell("cd / && $BLOOMLAB claims --only S1-18a").out == tree.out);
  const std::string go = "cd " + (folder / ".") + " && mkdir -p bin && cp $BLOOMLAB bin/ && ";
  const Said nowhere = shell(go + "bin/bloomlab claims");
  CHECK(nowhere.status == 2);
  CHECK(
      nowhere.err.starts_with("bloomlab: no book of claims is named, and neither configs/claims"));
  write(folder / "mine.json", claims_of_our_documents);
  const Said installed =
      shell(go +
            "mkdir -p share/bloomlab/claims && cp mine.json share/bloomlab/claims "
            "&& bin/bloomlab claims");
  INFO(installed.err);
  CHECK(installed.status == 0);
  CHECK(installed.out.starts_with("ours-1   ROUGH"));
}

TEST_CASE("claims refuses what it does not know with one line", "[cli][claims]") {
  const TemporaryFolder folder;
  write(folder / "bad.json", "{\"format\": ");
  std::string broken = claims_of_our_documents;
  broken.replace(broken.find("select"), 6, "selekt");
  write(folder / "broken.json", broken);
  const auto refuses = [](const std::string& arguments, const std::string& part) {
    const Said said = bloomlab_says("claims " + arguments);
    INFO(said.err);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK(said.err.find(part) != std::string::npos);
  };
  refuses(BLOOMLAB_SOURCE_DIR "/configs/claims --only S9", "no claim is called \"S9\"");
  refuses(folder / "bad.json", "bad.json: line 1");
  refuses(folder / "none.json", "no such file");
  refuses(folder / "broken.json", "broken.json: claim ours-1: near \"selekt\": syntax error");
  refuses((folder / "broken.json") + " --results " + (folder / "none"),
          "no such folder; --results takes a folder");
}

TEST_CASE("report judges the books that are named, and reports without a broken one",
          "[cli][claims]") {
  const TemporaryFolder folder;
  write(folder / "small.json", small_config());
  REQUIRE(
      bloomlab_says("run " + (folder / "small.json") + " --out " + (folder / "results")).status ==
      0);
  const std::string report = "report " + (folder / "results");
  CHECK(bloomlab_says(report).status == 0);
  CHECK(read(folder / "results/REPORT.md").find("What the sources say") == std::string::npos);
  write(folder / "mine.json", claims_of_our_documents);
  CHECK(bloomlab_says(report + " --claims " + (folder / "mine.json")).status == 0);
  CHECK(read(folder / "results/REPORT.md").find("What the sources say") != std::string::npos);
  CHECK(read(folder / "results/REPORT.claims.md").find("| ours-1 |") != std::string::npos);
  write(folder / "mine.json", "{}");
  const Said said = bloomlab_says(report + " --claims " + (folder / "mine.json"));
  CHECK(said.status == 1);
  CHECK(said.err.find("mine.json: ") != std::string::npos);
}
