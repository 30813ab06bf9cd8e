// Names that are retired: configs and results with them are read, seeds and digests made from them.
#include "record/names.hpp"

#include <catch2/catch.hpp>

#include "record/cell_seed.hpp"
#include "record/columns.hpp"
#include "record/result_file.hpp"
#include "tests/record/temporary_folder.hpp"

namespace bloomlab::record {
namespace {

const Json retired_config = Json::parse(R"({
    "kind": "counting_deletion", "title": "Erasing keys", "seed": 7, "trials": 1, "strangers": 5,
    "shared_across": ["/erase", "/filter/k"],
    "expected_flags": [{"cell": {"subject": "limit", "way": "strangers"}, "reason": "chance"}],
    "grid": {"way": ["members", "strangers"], "subject": "limit", "erase": [1, 2]}})");

const Json config_today = Json::parse(R"({
    "kind": "counting_deletion", "title": "Deleting keys", "seed": 7, "trials": 1, "absent_keys": 5,
    "shared_across": ["/deletions", "/filter/k"],
    "expected_flags": [{"cell": {"implementation": "limit", "way": "absent_keys"},
                        "reason": "chance"}],
    "grid": {"way": ["inserted_keys", "absent_keys"], "implementation": "limit",
             "deletions": [1, 2]}})");

const Json retired_cell = Json::parse(R"({"way": "members", "subject": "limit", "erase": 1})");
const Json cell_today =
    Json::parse(R"({"way": "inserted_keys", "implementation": "limit", "deletions": 1})");

ResultFile result_today() {
  ResultFile file;
  file.config = config_today;
  file.provenance = Json::object();
  const std::string seed_text = seed_text_of(cell_today, {"/deletions"});
  file.observations.push_back({.cell = cell_today,
                               .group = group_of(seed_text),
                               .trial = 0,
                               .step = {},
                               .seed = trial_seed(7, seed_text, 0),
                               .redrawn = {"keys"},
                               .measured = Json{{"inserted_keys_lost", 5}, {"deleted", 1}},
                               .timing = Json{{"absent_keys_ns", 7}}});
  return file;
}

}  // namespace

TEST_CASE("a config with retired names is the same as one with those of today", "[record][names]") {
  CHECK(config_of_today(retired_config) == config_today);
  CHECK(config_of_today(config_today) == config_today);
  CHECK(config_in_format_1(config_today).dump() == retired_config.dump());
  CHECK(config_in_format_1(retired_config).dump() == retired_config.dump());
}

TEST_CASE("a word is renamed only as a value of its parameter", "[record][names]") {
  const Json cell = {{"way", "strangers"}, {"source", "members"}};
  CHECK(cell_of_today(cell).dump() == R"({"way":"absent_keys","source":"members"})");
  CHECK(cell_in_format_1(cell_of_today(cell)) == cell);
}

TEST_CASE("a retired name beside that of today stays, to be refused", "[record][names]") {
  const Json both = {{"strangers", 1}, {"absent_keys", 2}};
  CHECK(config_of_today(both) == both);
}

TEST_CASE("what is no config and no cell stays as it is", "[record][names][errors]") {
  const Json odd = Json::parse(R"({"grid": 7, "expected_flags": {"a": 1}, "shared_across": [3]})");
  CHECK(config_of_today(odd) == odd);
  CHECK(cell_of_today(Json(3)) == Json(3));
}

TEST_CASE("seeds are made from the names of format 1", "[record][names]") {
  CHECK(seed_text_of(cell_today, {}) == R"({"way":"members","subject":"limit","erase":1})");
  CHECK(seed_text_of(retired_cell, {}) == seed_text_of(cell_today, {}));
  CHECK(seed_text_of(cell_today, {"/deletions"}) == R"({"way":"members","subject":"limit"})");
  CHECK(seed_text_of(cell_today, {"/erase"}) == R"({"way":"members","subject":"limit"})");
}

TEST_CASE(
    "a result is written in the names of today, and its digest is made from those of format 1",
    "[record][names]") {
  const Json entry = columns_of(result_today().observations, config_today).at(0);
  CHECK(entry["cell"] == cell_today);
  CHECK(entry["measured"].dump() == R"({"inserted_keys_lost":[5],"deleted":[1]})");
  const std::string canon = canonical_text(result_today());
  CHECK(canon.find(R"("cell":{"way":"members","subject":"limit","erase":1})") != std::string::npos);
  CHECK(canon.find(R"("measured":{"members_lost":5,"erased":1})") != std::string::npos);
  CHECK(canon.find(R"("title":"Erasing keys")") != std::string::npos);
  CHECK(canon.find("absent_keys") == std::string::npos);
}

TEST_CASE("observations with retired names are read, of journals too", "[record][names]") {
  const Observation today = result_today().observations.front();
  Json json = to_json(today);
  json["cell"] = retired_cell;
  json["measured"] = Json{{"members_lost", 5}, {"erased", 1}};
  json["timing"] = Json{{"strangers_ns", 7}};
  CHECK(to_json(observation_from_json(json, "file")) == to_json(today));
}

TEST_CASE("peers of a result say their implementation", "[record][names]") {
  const Json provenance = {{"peers", {{{"subject", "boost_bloom"}}}}, {"jobs", 1}};
  CHECK(provenance_of_today(provenance)["peers"][0]["implementation"] == "boost_bloom");
  CHECK(provenance_of_today(Json{{"jobs", 1}}) == Json{{"jobs", 1}});
}

TEST_CASE("a result with retired names is the same in memory as one with those of today",
          "[record][names]") {
  const TemporaryFolder folder;
  const ResultFile today = result_today();
  ResultFile old = today;
  old.config = retired_config;
  old.observations[0].cell = retired_cell;
  old.observations[0].measured = Json{{"members_lost", 5}, {"erased", 1}};
  old.observations[0].timing = Json{{"strangers_ns", 7}};
  write_result_file(folder.path() / "old.json", old);
  const ResultFile read = read_result_file(folder.path() / "old.json");
  CHECK(read.config == today.config);
  CHECK(to_json(read.observations[0]) == to_json(today.observations[0]));
  CHECK(canonical_text(read) == canonical_text(today));
  CHECK(canonical_text(old) == canonical_text(today));
}

}  // namespace bloomlab::record
