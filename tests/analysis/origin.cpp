// Observations that do not come from the config beside them are refused.
#include <catch2/catch.hpp>

#include "analysis/data/load.hpp"
#include "record/cell_seed.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"
#include "tests/thrown.hpp"

using namespace bloomlab::analysis;

namespace {

/// A file whose cells, groups and seeds follow from its config, cells sharing keys across k.
bloomlab::record::ResultFile derived_file() {
  auto file = synthetic::results({.m = {4000}, .k = {3, 5}, .trials = 2, .seed = 42});
  file.config["shared_across"] = Json::array({"/filter/k"});
  file.config["grid"] =
      Json{{"keys", Json{{"source", "uniform"}}},
           {"n", 1000},
           {"filter", Json{{"kind", "standard"},
                           {"m", Json{{"per_n", 4}}},
                           {"k", Json{{"range", Json::array({3, 5})}, {"step", 2}}}}},
           {"hash", Json{{"name", "xxhash3_64"}}}};
  bloomlab::tests::edit_each(file.observations, [&](auto& observation) {
    const std::string text = bloomlab::record::seed_text_of(observation.cell, {"/filter/k"});
    observation.group = bloomlab::record::group_of(text);
    observation.seed = bloomlab::record::trial_seed(42, text, observation.trial);
  });
  return file;
}

std::string origin_complaint(const bloomlab::record::ResultFile& file) {
  return bloomlab::tests::thrown([&] { check_origin(file, "DIR/r.json"); }, "none");
}

std::string about_cell(const bloomlab::record::ResultFile& file, std::size_t i,
                       const std::string& rest) {
  return "DIR/r.json: cell " + file.observations[i].cell.dump() + rest + "; run the config again";
}

}  // namespace

TEST_CASE("observations that follow from their config are taken", "[analysis][origin]") {
  CHECK(origin_complaint(derived_file()) == "none");
}

TEST_CASE("a cell that its config has not is named", "[analysis][origin][errors]") {
  auto file = derived_file();
  bloomlab::tests::edit(file.observations, [&](auto& list) { list[2].cell["filter"]["k"] = 4; });
  CHECK(origin_complaint(file) == about_cell(file, 2, " is not in the grid of its config"));
}

TEST_CASE("a false seed and a false group are named", "[analysis][origin][errors]") {
  auto file = derived_file();
  bloomlab::tests::edit(file.observations, [&](auto& list) { list[1].seed += 1; });
  CHECK(origin_complaint(file) ==
        about_cell(file, 1,
                   ", trial 1: seed " + std::to_string(file.observations[1].seed) +
                       " does not follow from the cell and the config's seed 42"));
  auto other = derived_file();
  bloomlab::tests::edit(other.observations,
                        [&](auto& list) { list[3].group = "0123456789abcdef"; });
  CHECK(
      origin_complaint(other) ==
      about_cell(other, 3, ", trial 1: group \"0123456789abcdef\" does not follow from the cell"));
  // What is shared is part of it: the same cells as absent keys to each other have other seeds.
  auto alone = derived_file();
  alone.config.erase("shared_across");
  CHECK_THAT(origin_complaint(alone), Catch::Contains("does not follow from the cell"));
}

TEST_CASE("a config that cannot be read is refused with its place", "[analysis][origin][errors]") {
  auto file = derived_file();
  file.config["seed"] = -1;
  CHECK(origin_complaint(file) ==
        "DIR/r.json: /config/seed: found -1, allowed: a whole number >= 0; run the config again");
  file = derived_file();
  file.config["shared_across"] = Json::array({7});
  CHECK(origin_complaint(file) ==
        "DIR/r.json: /config/shared_across: found 7, allowed: pointers into a cell such as "
        "\"/filter/k\"; run the config again");
}

TEST_CASE("what other programs wrote has seeds of its own", "[analysis][origin]") {
  auto file = derived_file();
  bloomlab::tests::edit(file.observations, [&](auto& list) { list[1].seed += 1; });
  file.provenance["peers"] = Json::array();
  CHECK(origin_complaint(file) == "none");
}
