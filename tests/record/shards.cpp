#include "record/shards.hpp"

#include <catch2/catch.hpp>

#include "record/input_error.hpp"
#include "tests/edit.hpp"

namespace {

using bloomlab::record::Json;
using bloomlab::record::merge_shards;
using bloomlab::record::ResultFile;
using bloomlab::record::RunError;
using bloomlab::record::shard_name;
using bloomlab::record::ShardName;

/// Shard `index` of `count` of a run with `cells` cells of two trials each.
ResultFile shard(int index, int count, int cells) {
  ResultFile file{Json{{"seed", 1}}, Json{{"commit", "abc"}, {"jobs", index}}, {}};
  for (int cell = index - 1; cell < cells; cell += count) {
    for (std::uint64_t trial = 0; trial < 2; ++trial) {
      bloomlab::record::Observation observation;
      observation.cell = Json{{"n", cell}};
      observation.group = std::string(1, 'g');  // GCC 12 warns falsely about = "g"
      observation.trial = trial;
      file.observations.push_back(observation);
    }
  }
  return file;
}

}  // namespace

TEST_CASE("a shard's file name is taken apart and put together", "[record][shards]") {
  const auto name = shard_name("out/fpr_vs_m.shard-2-of-3.json");
  REQUIRE(name);
  CHECK(*name == ShardName{"fpr_vs_m", 2, 3});
  CHECK(bloomlab::record::file_name(*name) == "fpr_vs_m.shard-2-of-3.json");
}

TEST_CASE("other file names are no shards", "[record][shards]") {
  for (const char* file : {"a.json", "a.shard-0-of-3.json", "a.shard-4-of-3.json",
                           "a.shard-1-of-.json", "a.shard-01-of-3.json", "a.shard--1-of-3.json",
                           ".shard-1-of-3.json", "a.shard-1-of-3.txt"}) {
    INFO(file);
    CHECK_FALSE(shard_name(file));
  }
}

TEST_CASE("merged shards stand in grid order, then trial", "[record][shards]") {
  for (const int cells : {1, 2, 3, 4, 7}) {
    const ResultFile parts[] = {shard(1, 3, cells), shard(2, 3, cells), shard(3, 3, cells)};
    const ResultFile merged = merge_shards(parts, "a");
    CHECK(canonical_text(merged) == canonical_text(shard(1, 1, cells)));
    CHECK(merged.provenance.at("shards").size() == 3);
  }
}

TEST_CASE("shards that do not fit together are refused", "[record][shards]") {
  ResultFile parts[] = {shard(1, 2, 4), shard(2, 2, 4)};
  SECTION("another config") {
    parts[1].config["seed"] = 2;
    CHECK_THROWS_WITH(merge_shards(parts, "a"),
                      "a: shards 1 and 2 were made from different configs; run the shards again");
  }
  SECTION("another commit") {
    parts[1].provenance["commit"] = "def";
    CHECK_THROWS_WITH(merge_shards(parts, "a"),
                      "a: shards 1 and 2 were made by different commits, \"abc\" and \"def\"; run "
                      "the shards again");
  }
  SECTION("a shard that is too short") {
    bloomlab::tests::edit(parts[1].observations, [](auto& list) { list.resize(2); });
    parts[0] = shard(1, 2, 6);
    CHECK_THROWS_WITH(merge_shards(parts, "a"),
                      "a: shard 2 of 2 has 1 cells, which is too few among 4; run it again");
  }
  SECTION("a cell in two of them") {
    bloomlab::tests::edit(parts[1].observations, [](auto& list) {
      list[0].cell = list[1].cell = Json{{"n", 0}};
    });
    CHECK_THROWS_WITH(merge_shards(parts, "a"),
                      "a: cell {\"n\":0} is in shard 1 and in shard 2; run the shards again");
  }
  SECTION("none at all") { CHECK_THROWS_AS(merge_shards({}, "a"), RunError); }
}

TEST_CASE("a shard with the name of another is refused", "[record][shards]") {
  ResultFile file = shard(1, 3, 4);
  bloomlab::record::require_own_name(file, "a.shard-2-of-3.json");  // it says nothing of it
  file.provenance["shard"] = {{"index", 1}, {"count", 3}};
  bloomlab::record::require_own_name(file, "a.shard-1-of-3.json");
  bloomlab::record::require_own_name(file, "a.json");
  CHECK_THROWS_WITH(
      bloomlab::record::require_own_name(file, "o/a.shard-1-of-2.json"),
      "o/a.shard-1-of-2.json: /provenance/shard: found {\"index\":1,\"count\":3}, and "
      "by its name the file is shard 1/2; give it back its own name, or run the "
      "config with --shard 1/2");
}

TEST_CASE("missing shards are named, ten at the most", "[record][shards]") {
  CHECK(bloomlab::record::missing_shards(3, {1, 2, 3}).empty());
  CHECK(bloomlab::record::missing_shards(3, {2}) == "1/3, 3/3");
  CHECK(bloomlab::record::missing_shards(12, {}) ==
        "1/12, 2/12, 3/12, 4/12, 5/12, 6/12, 7/12, 8/12, 9/12, 10/12 and 2 more");
}
