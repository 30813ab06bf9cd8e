// Configs with names that are retired give the same cells, seeds and groups as those of today.
#include <catch2/catch.hpp>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

const std::string with_retired_names = R"({
  "$schema": "bloomlab-config-1", "kind": "counting_deletion", "title": "Erasing keys",
  "question": "?", "seed": 20241, "trials": 2, "filters": 5, "queries": 100,
  "shared_across": ["/erase"],
  "expected_flags": [{"cell": {"way": "members", "erase": 20}, "reason": "a test"}],
  "grid": {"way": ["members", "strangers"], "counters": "saturate_4", "m": 6000, "n": 1000, "k": 7,
           "erase": [1, 20]}})";

const std::string with_names_of_today = R"({
  "$schema": "bloomlab-config-1", "kind": "counting_deletion", "title": "Deleting keys",
  "question": "?", "seed": 20241, "trials": 2, "filters": 5, "queries": 100,
  "shared_across": ["/deletions"],
  "expected_flags": [{"cell": {"way": "inserted_keys", "deletions": 20}, "reason": "a test"}],
  "grid": {"way": ["inserted_keys", "absent_keys"], "counters": "saturate_4", "m": 6000, "n": 1000,
           "k": 7, "deletions": [1, 20]}})";

Config config_named_by(const std::string& text) {
  return bloomlab::experiments::config_of(record::parse_json(text, "mine.json"), "mine.json");
}

}  // namespace

TEST_CASE("a config with retired names has the cells and seeds of one with those of today",
          "[experiments][config]") {
  const Config old = config_named_by(with_retired_names);
  const Config today = config_named_by(with_names_of_today);
  CHECK(old.json == today.json);
  REQUIRE(old.cells.size() == 4);
  REQUIRE(today.cells.size() == 4);
  for (std::size_t i = 0; i < old.cells.size(); ++i) {
    CHECK(old.cells[i].text() == today.cells[i].text());
    CHECK(old.cells[i].group == today.cells[i].group);
    CHECK(trial_seed(old.seed, old.cells[i], 1) == trial_seed(today.seed, today.cells[i], 1));
  }
  CHECK(today.cells[0].seed_text ==
        R"({"way":"members","counters":"saturate_4","m":6000,"n":1000,"k":7})");
}

TEST_CASE("a retired name beside that of today is refused", "[experiments][config][errors]") {
  std::string text = with_names_of_today;
  text.insert(text.find(R"("counters")"), R"("erase": 1, )");
  CHECK_THROWS_WITH(config_named_by(text), Catch::Contains("unknown key \"erase\""));
}

}  // namespace bloomlab::experiments
