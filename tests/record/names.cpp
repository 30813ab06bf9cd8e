// Seeds and digests are made from the words of the first results, whatever names are today.
#include "record/names.hpp"

#include <catch2/catch.hpp>

#include "record/cell_seed.hpp"
#include "record/result_file.hpp"

namespace bloomlab::record {
namespace {

const Json config_of_today = Json::parse(R"({
    "kind": "counting_deletion", "title": "Deleting keys", "seed": 7, "trials": 1, "absent_keys": 5,
    "shared_across": ["/deletions", "/filter/k"],
    "expected_flags": [{"cell": {"implementation": "limit", "way": "absent_keys"},
                        "reason": "chance"}],
    "grid": {"way": ["inserted_keys", "absent_keys"], "implementation": "limit",
             "deletions": [1, 2]}})");

const Json cell_of_today =
    Json::parse(R"({"way": "inserted_keys", "implementation": "limit", "deletions": 1})");

}  // namespace

TEST_CASE("a seed is made from the words that it always was", "[record][names]") {
  CHECK(seed_text_of(cell_of_today, {}) == R"({"way":"members","subject":"limit","erase":1})");
  CHECK(seed_text_of(cell_of_today, {"/deletions"}) == R"({"way":"members","subject":"limit"})");
}

// A result file may hold any text.
TEST_CASE("what is no pointer into a cell takes nothing out of its seed", "[record][names]") {
  Json cell = cell_of_today;
  cell["list"] = {1, 2};
  const std::string all = seed_text_of(cell, {});
  for (const char* none : {"trials", "", "/", "/a~2", "/list/0", "/list/9", "/list/-", "/way/x",
                           "/list/99999999999999999999"}) {
    INFO(none);
    CHECK(seed_text_of(cell, {none}) == all);
  }
}

TEST_CASE("a digest is made from the words that it always was", "[record][names]") {
  ResultFile file;
  file.config = config_of_today;
  file.observations.push_back({.cell = cell_of_today,
                               .group = "0123456789abcdef",
                               .trial = 0,
                               .step = {},
                               .seed = 3,
                               .redrawn = {"keys"},
                               .measured = Json{{"inserted_keys_lost", 5}, {"deleted", 1}},
                               .timing = Json{{"absent_keys_ns", 7}}});
  CHECK(canonical_text(file) ==
        R"({"format":"bloomlab-result-1","config":{"kind":"counting_deletion",)"
        R"("title":"Erasing keys","seed":7,"trials":1,"strangers":5,)"
        R"("shared_across":["/erase","/filter/k"],)"
        R"("expected_flags":[{"cell":{"subject":"limit","way":"strangers"},"reason":"chance"}],)"
        R"("grid":{"way":["members","strangers"],"subject":"limit","erase":[1,2]}},)"
        R"("observations":[{"cell":{"way":"members","subject":"limit","erase":1},)"
        R"("group":"0123456789abcdef","trial":0,"seed":3,"redrawn":["keys"],)"
        R"("measured":{"members_lost":5,"erased":1}}]})"
        "\n");
}

TEST_CASE("a word is another only as a value of its parameter", "[record][names]") {
  const Json other = {{"way", "absent_keys"}, {"source", "inserted_keys"}};
  CHECK(digested_cell(other).dump() == R"({"way":"strangers","source":"inserted_keys"})");
}

TEST_CASE("a name whose place is taken stays", "[record][names]") {
  const Json both = {{"strangers", 1}, {"absent_keys", 2}};
  CHECK(digested_config(both) == both);
}

TEST_CASE("what is no config and no cell stays as it is", "[record][names][errors]") {
  const Json odd = Json::parse(R"({"grid": 7, "expected_flags": {"a": 1}, "shared_across": [3]})");
  CHECK(digested_config(odd) == odd);
  CHECK(digested_cell(Json(3)) == Json(3));
}

}  // namespace bloomlab::record
