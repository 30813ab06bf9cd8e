#include "analysis/data/load.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <utility>

#include "record/input_error.hpp"
#include "record/shards.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"

using namespace bloomlab::analysis;
using bloomlab::record::InputError;
using bloomlab::record::ResultFile;
using bloomlab::record::RunError;
using bloomlab::record::write_result_file;

namespace {

/// Shard `index` of three of a file whose cells have `trials` observations each.
ResultFile shard_of(const ResultFile& whole, std::size_t index, std::size_t trials) {
  ResultFile shard{whole.config, whole.provenance, {}};
  for (std::size_t i = 0; i < whole.observations.size(); ++i) {
    if (i / trials % 3 == index - 1) shard.observations.push_back(whole.observations[i]);
  }
  return shard;
}

}  // namespace

TEST_CASE("every result of a folder is loaded, by stem", "[analysis][load]") {
  const Temporary folder;
  const ResultFile file = synthetic::results({.trials = 2});
  write_result_file(folder.path / "b.json", file);
  write_result_file(folder.path / "a.json", file);
  write_result_file(folder.path / "a.confirmation.json", file);
  std::ofstream(folder.path / "README.md") << "not a result";
  std::filesystem::create_directory(folder.path / "figures");
  const auto sets = load(folder.path);
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].stem == "a");
  CHECK(sets[0].file_name == "a.json");
  CHECK(sets[0].confirmation);
  CHECK_FALSE(sets[1].confirmation);
}

TEST_CASE("a complete set of shards is the whole result", "[analysis][load]") {
  const Temporary folder;
  const ResultFile whole = synthetic::results({.trials = 2});
  for (std::size_t index = 1; index <= 3; ++index) {
    write_result_file(folder.path / bloomlab::record::file_name({"a", index, 3}),
                      shard_of(whole, index, 2));
  }
  const auto sets = load(folder.path);
  REQUIRE(sets.size() == 1);
  CHECK(canonical_text(sets[0].file) == canonical_text(whole));
  SECTION("beside the whole file it must say the same") {
    write_result_file(folder.path / "a.json", whole);
    CHECK(load(folder.path).size() == 1);
    write_result_file(folder.path / "a.json", synthetic::results({.trials = 2, .seed = 2}));
    CHECK_THROWS_WITH(load(folder.path), Catch::Contains("a.json: differs from the shards"));
  }
}

TEST_CASE("missing shards are named", "[analysis][load]") {
  const Temporary folder;
  const ResultFile whole = synthetic::results({.trials = 2});
  write_result_file(folder.path / "a.shard-2-of-3.json", shard_of(whole, 2, 2));
  CHECK_THROWS_AS(load(folder.path), RunError);
  CHECK_THROWS_WITH(load(folder.path),
                    Catch::EndsWith("a: shards missing: 1/3, 3/3; run them with `bloomlab run "
                                    "--shard I/N`"));
}

TEST_CASE("what cannot be read is bad input", "[analysis][load]") {
  const Temporary folder;
  SECTION("no folder") {
    CHECK_THROWS_WITH(load(folder.path / "nowhere"), Catch::Contains("cannot be read as a folder"));
  }
  SECTION("an empty folder") {
    CHECK_THROWS_WITH(load(folder.path), Catch::Contains("holds no result file"));
  }
  SECTION("a file that is no result") {
    std::ofstream(folder.path / "a.json") << "{\"format\": 1}";
    CHECK_THROWS_AS(load(folder.path), InputError);
  }
  SECTION("a confirmation alone") {
    write_result_file(folder.path / "a.confirmation.json", synthetic::results({.trials = 2}));
    CHECK_THROWS_WITH(load(folder.path), Catch::Contains("without its result file a.json"));
  }
}

TEST_CASE("a result has a title and a question as short as a config's", "[analysis][load]") {
  const Temporary folder;
  ResultFile file = synthetic::results({.trials = 2});
  for (const auto& [key, most] : {std::pair("title", 500), std::pair("question", 2000)}) {
    std::string text;
    for (int i = 0; i < most; ++i) text += "布";
    file.config[key] = text;
    write_result_file(folder.path / "a.json", file);
    CHECK(load(folder.path).size() == 1);
    file.config[key] = text + "隆";
    write_result_file(folder.path / "a.json", file);
    CHECK_THROWS_WITH(load(folder.path),
                      Catch::Contains(std::string("a.json: /config/") + key + ": has " +
                                      std::to_string(most + 1) + " letters; at most"));
    file.config[key] = "short";
  }
}

TEST_CASE("a result without observations is bad input", "[analysis][load]") {
  ResultFile file = synthetic::results({.trials = 2});
  file.observations.clear();
  CHECK_THROWS_AS(analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}}),
                  InputError);
}
