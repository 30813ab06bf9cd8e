#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

const std::string claims_of_our_documents =
    R"j({"format": "bloomlab-claims-1", "id": "ours", "source": "our documentation", "claims": [
      {"id": "ours-1", "statement": "10 bits per key give 0.9 %", "printed": "0.9 %",
       "check": {"kind": "closed_form", "truth": "standard_exact(m=1000000, n=100000, k=7)"
}
}]
})j";

}  // namespace

TEST_CASE("claims prints verdict, printed and computed number of a claim", "[cli][claims]") {
  const Said said = bloomlab_says("claims --only S1-28");
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
  const Said said = bloomlab_says("claims --results " + (nothing / "."));
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
  const Said said = bloomlab_says("claims --only S0-12 --json");
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

TEST_CASE("claims judges a file of one's own", "[cli][claims]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", claims_of_our_documents);
  const Said said = bloomlab_says("claims --file " + (folder / "mine.json"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK(said.out.find("ours-1   ROUGH") == 0);
}

TEST_CASE("claims refuses what it does not know with one line", "[cli][claims]") {
  const TemporaryFolder folder;
  write(folder / "bad.json", "{\"format\": ");
  const auto refuses = [](const std::string& arguments, const std::string& part) {
    const Said said = bloomlab_says("claims " + arguments);
    INFO(said.err);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK(said.err.find(part) != std::string::npos);
  };
  refuses("--only S9", "no claim is called \"S9\"");
  refuses("--file " + (folder / "bad.json"), "bad.json: line 1");
  refuses("--file " + (folder / "none.json"), "no such file");
  refuses("--results " + (folder / "none"), "no such folder; --results takes a folder");
}
