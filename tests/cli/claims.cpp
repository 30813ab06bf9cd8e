#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
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
            "mkdir -p share/bloomlab/configs/claims && cp mine.json share/bloomlab/configs/claims "
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
  std::filesystem::create_directories(folder / "empty");
  refuses(folder / "empty", "empty: holds no file of claims; name files of claims");
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

TEST_CASE("claims --table judges a printed table", "[cli][claims]") {
  const TemporaryFolder folder;
  const std::string table = folder / "book.csv";
  write(table, "# My book, table 3.1\nm_over_n,k,printed\n8,5,0.0217\n8,6,0.0215\n10,7,0.00891\n");
  const Said said = bloomlab_says("claims --table " + table);
  CHECK(said.err.empty());
  CHECK(said.status == 0);
  CHECK(said.out ==
        "My book, table 3.1\n\n"
        "line  m/n  k  printed  closed form   exact, n = 10 000  verdict\n"
        "3     8    5  0.0217   0.021679 =    0.021681 =         RIGHT\n"
        "4     8    6  0.0215   0.021577 cut  0.021579 cut       TRUNCATED\n"
        "5     10   7  0.00891  0.0081937 ≠   0.0081944 ≠        MISPRINT   two digits "
        "transposed\n\n"
        "3 rows: 1 right to the last digit, 1 truncated, 1 misprinted with an explanation, 0 wrong "
        "without one\n");
  const auto json = nlohmann::json::parse(bloomlab_says("claims --json --table " + table).out);
  CHECK(json.at("source") == "My book, table 3.1");
  CHECK(json.at("counts").at("MISPRINT") == 1);
  CHECK(json.at("rows").at(0).at("exact_digits") == "rounded");
  CHECK(json.at("rows").at(2).at("notes").at(0) == "two digits transposed");
}

TEST_CASE("the config of a table is run, and its results stand beside the rows", "[cli][claims]") {
  const TemporaryFolder folder;
  const std::string table = folder / "book.csv";
  write(table, "n,m,k,printed\n100,800,5,0.0217\n200,800,2,0.155\n");
  const std::string config = folder / "book.json";
  const Said written = bloomlab_says("claims --table " + table + " --emit-config " + config);
  CHECK(written.err.empty());
  CHECK(written.out.find("\nmeasure it: bloomlab run " + config + " --out results\n") !=
        std::string::npos);
  REQUIRE(bloomlab_says("run " + config + " --out " + (folder / "results")).status == 0);
  const std::string drawn = folder / "drawn.svg";
  const Said measured = bloomlab_says("claims --table " + table + " --figure " + drawn +
                                      " --results " + (folder / "results"));
  INFO(measured.err);
  CHECK(measured.status == 0);
  CHECK(measured.out.find("measured [95 %]") != std::string::npos);
  CHECK(measured.out.find("–") == std::string::npos);
  CHECK(read(drawn).find("right to the last digit") != std::string::npos);
  // The same config again is no harm, another one is.
  CHECK(bloomlab_says("claims --table " + table + " --emit-config " + config).status == 0);
  write(config, "{}");
  const Said kept = bloomlab_says("claims --table " + table + " --emit-config " + config);
  CHECK(kept.status == 2);
  CHECK(kept.out.empty());
  CHECK(kept.err == "bloomlab: --emit-config: " + config +
                        " is there already and holds something else; remove it, or name another "
                        "file\n");
  CHECK(read(config) == "{}");
}

TEST_CASE("a table that cannot be read or drawn is refused", "[cli][claims]") {
  const TemporaryFolder folder;
  const std::string table = folder / "book.csv";
  const auto refused = [](const std::string& arguments) {
    const Said said = bloomlab_says("claims --table " + arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(refused(table) == "bloomlab: " + table + ": no such file; check the path\n");
  CHECK(refused(folder / ".").find(": is a folder; name a file\n") != std::string::npos);
  CHECK(shell("mkfifo " + (folder / "pipe")).status == 0);
  CHECK(refused(folder / "pipe").find("nothing came for 10 s") != std::string::npos);
  std::string bad = "m_over_n,k,printed\n";
  for (int i = 0; i < 25; ++i) bad += "8,6,x\n";
  write(table, bad);
  const std::string lines = refused(table + " --emit-config " + (folder / "mine.json"));
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 21);
  CHECK(lines.ends_with("bloomlab: 5 more lines are bad\n"));
  CHECK_FALSE(std::filesystem::exists(folder / "mine.json"));
  write(table, "m_over_n,k,printed\n8,6,0.0216\n");
  CHECK(refused(table + " --figure mine.png") ==
        "bloomlab: --figure: found \"mine.png\"; a file that ends in .svg is written, such as "
        "table.svg\n");
  write(folder / "table.svg", "m_over_n,k,printed\n8,6,0.0216\n");
  CHECK(refused((folder / "table.svg") + " --figure " + (folder / "table.svg"))
            .ends_with("is the table; name another file\n"));
  std::string many = "m_over_n,k,printed\n";
  for (int k = 1; k <= 33; ++k) many += "8," + std::to_string(k) + ",0.1\n";
  write(table, many);
  CHECK(refused(table + " --figure " + (folder / "many.svg")) ==
        "bloomlab: " + table +
            ": has 33 pairs of k and n; at most 32 curves are drawn; draw a part of the table\n");
  write(table, "n,m,k,printed\n1E,8E,6,0.0216\n");
  CHECK(refused(table + " --emit-config " + (folder / "mine.json"))
            .find("this table cannot be measured here, nothing is written: ") != std::string::npos);
  CHECK(bloomlab_says("claims --emit-config mine.json").status == 2);
  CHECK(bloomlab_says("claims --only S1 --table " + table).status == 2);
}
