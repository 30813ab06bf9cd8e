// Files whose values are of other kinds end no command with the words of the JSON library, nor with
// a status that the command does not have.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::ordered_json;

const std::vector<Json>& other_kinds() {
  static const std::vector<Json> values = {
      nullptr,          true,          -1, 1e300, "x", Json::array({Json::array({1})}),
      Json{{"a", "b"}}, Json::object()};
  return values;
}

/// The command says what it says in its own words.
void check_words(const std::string& command) {
  INFO(command);
  const Said said = bloomlab_says(command);
  INFO(said.err);
  CHECK(said.status >= 0);
  CHECK(said.status <= 2);
  CHECK_THAT(said.out, !Catch::Contains("json.exception"));
  CHECK_THAT(said.err, !Catch::Contains("json.exception"));
}

}  // namespace

TEST_CASE("a result whose values are of other kinds is refused in words of this program",
          "[cli][results][errors]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config("[3]"));
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "good")).status == 0);
  const Json good = observations_in(folder / "good/a.json");
  const std::vector<Json::json_pointer> places = {
      "/config/kind"_json_pointer,
      "/config/seed"_json_pointer,
      "/config/grid/filter"_json_pointer,
      "/provenance/config_digest"_json_pointer,
      "/provenance/machine"_json_pointer,
      "/observations/0/cell/n"_json_pointer,
      "/observations/0/cell/filter/k"_json_pointer,
      "/observations/0/cell/hash"_json_pointer,
      "/observations/0/measured/false_positives"_json_pointer,
      "/observations/0/timing/insert_ns"_json_pointer};
  for (std::size_t i = 0; i < places.size(); ++i) {
    Json file = good;
    file[places[i]] = other_kinds()[i % other_kinds().size()];
    INFO(places[i]);
    const std::string bad = folder / "bad";
    std::filesystem::create_directories(bad);
    write_observations(bad + "/a.json", file);
    check_words("canon " + bad);
    check_words("verify " + bad);
    check_words("compare " + (folder / "good") + " " + bad);
    check_words("run " + (folder / "a.json") + " --out " + bad);
    check_words("report " + bad);
  }
}

TEST_CASE(
    "files of a config, claims, cases and times with values of other kinds are refused so too",
    "[cli][errors]") {
  const TemporaryFolder folder;
  for (const Json& value : other_kinds()) {
    Json config = Json::parse(small_config("[3]"));
    for (const std::string key : {"expected_flags", "grid", "shared_across", "page"}) {
      Json changed = config;
      changed[key] = value;
      write(folder / "c.json", changed.dump());
      check_words("check " + (folder / "c.json"));
    }
    const Json claims = {{"format", "bloomlab-claims-1"}, {"voice", value}, {"claims", value}};
    write(folder / "claims.json", claims.dump());
    check_words("claims " + (folder / "claims.json"));
    const Json cases = {{"format", "bloomlab-lab-cases-1"}, {"limits", value}, {"cases", value}};
    write(folder / "cases.json", cases.dump());
    std::filesystem::create_directories(folder / "submission");
    write(folder / "submission/assignment.json", value.dump());
    check_words("lab grade --csv " + (folder / "g.csv") + " --cases " + (folder / "cases.json") +
                " " + (folder / "submission"));
    check_words("lab grade --csv " + (folder / "h.csv") + " " + (folder / "submission"));
    const Json calibration = {{"format", "bloomlab-calibration-1"}, {"filters", {value}}};
    write(folder / "times.json", calibration.dump());
    check_words("plan --items 1000 --fpr 1% --verify --calibration " + (folder / "times.json"));
  }
}
