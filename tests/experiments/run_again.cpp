// What a run does with what earlier runs left.
#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/engine/shard_set.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using Status = RunOutcome::Status;
using testing::TemporaryFolder;

Config small_config(const TemporaryFolder& folder, const std::string& n = "200") {
  return testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": )" + n + R"(,
    "filter": {"kind": "standard", "m": [2000, 3000], "k": [2, 3]},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})",
                              R"(["/filter/k"])");
}

/// Gives a result file another identity.
void change_provenance(const fs::path& path, const std::string& key, const record::Json& value) {
  record::ResultFile file = record::read_result_file(path);
  file.provenance[key] = value;
  record::write_result_file(path, file);
}

}  // namespace

TEST_CASE("a complete result is not measured again", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const auto first = run(config, {.out = folder.path() / "out"});
  CHECK(first.message() == first.path.string() + ": measured 4 cells");
  CHECK(first.units_measured == 2 * 3);
  const auto written = fs::last_write_time(first.path);
  const auto second = run(config, {.out = folder.path() / "out"});
  CHECK(second.status == Status::up_to_date);
  CHECK(second.message() == first.path.string() + ": up to date");
  CHECK(second.units_measured == 0);
  CHECK(fs::last_write_time(first.path) == written);
  CHECK(run(config, {.out = folder.path() / "out", .only = "\"k\":2"}).status ==
        Status::up_to_date);
}

TEST_CASE("the option --force measures what is done, --only with it only what is selected",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  static_cast<void>(run(config, {.out = folder.path() / "out"}));
  const auto all = run(config, {.out = folder.path() / "out", .force = true});
  CHECK(all.status == Status::measured);
  CHECK(all.units_measured == 2 * 3);
  const auto some =
      run(config, {.out = folder.path() / "out", .only = "\"m\":2000", .force = true});
  CHECK(some.units_measured == 3);
  CHECK(record::read_result_file(some.path).observations.size() == 4 * 3);
}

TEST_CASE("a result of another config is replaced with --force alone", "[experiments][run]") {
  const TemporaryFolder folder;
  const auto first = run(small_config(folder), {.out = folder.path() / "out"});
  const Config other = small_config(folder, "201");
  CHECK_THROWS_AS(run(other, {.out = folder.path() / "out"}), record::InputError);
  CHECK_THROWS_WITH(run(other, {.out = folder.path() / "out"}),
                    first.path.string() +
                        ": holds the results of another config of the name config; use another "
                        "--out, rename the config, or replace them by --force");
  CHECK(run(other, {.out = folder.path() / "out", .force = true}).units_measured == 2 * 3);
}

TEST_CASE("a result of another build or machine is replaced by a whole run", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const auto first = run(config, {.out = folder.path() / "out"});
  const std::string path = first.path.string();
  SECTION("build") {
    change_provenance(first.path, "build_id", "0000000-00");
    CHECK(run(config, {.out = folder.path() / "out"}).notices ==
          std::vector<std::string>{path + ": was measured by another build: measured anew"});
  }
  SECTION("machine") {
    change_provenance(first.path, "machine_id", "0000");
    CHECK(run(config, {.out = folder.path() / "out"}).notices ==
          std::vector<std::string>{path + ": was measured on another machine: measured anew"});
  }
}

TEST_CASE("a file that is no result is replaced with --force alone", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const RunOptions options{.out = folder.path() / "out"};
  const fs::path path = run(config, options).path;
  const std::string refused =
      "; use another --out, or, if it is a damaged result, replace it by --force";
  SECTION("notes") {
    std::ofstream(path) << "notes";
    CHECK_THROWS_AS(run(config, options), record::InputError);
    CHECK_THROWS_WITH(run(config, options),
                      Catch::StartsWith(path.string() + ": is no result that can be read (") &&
                          Catch::EndsWith(")" + refused));
    const RunOptions only{.out = options.out, .only = "\"k\":2", .force = true};
    CHECK_THROWS_WITH(run(config, only), Catch::EndsWith(")" + refused + " without --only"));
    CHECK(std::filesystem::file_size(path) == 5);
  }
  SECTION("a config") {
    fs::copy_file(config.path, path, fs::copy_options::overwrite_existing);
    CHECK_THROWS_WITH(run(config, options), Catch::Contains("this is a config, no result") &&
                                                Catch::EndsWith(")" + refused));
    CHECK(read_config(path).cells.size() == 4);
  }
  CHECK(run(config, {.out = options.out, .force = true}).units_measured == 2 * 3);
}

TEST_CASE("the option --only refuses to mix builds in a complete file", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const auto first = run(config, {.out = folder.path() / "out"});
  change_provenance(first.path, "build_id", "0000000-00");
  CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out", .only = "\"k\":2"}),
                    first.path.string() +
                        ": was measured by another build; --only would mix the two: run the whole "
                        "config, or use another --out");
  CHECK(record::read_result_file(first.path).observations.size() == 4 * 3);
}

TEST_CASE("the option --only that matches no cell is refused and writes nothing",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  CHECK_THROWS_AS(run(config, {.out = folder.path() / "out", .only = "\"k\":4"}),
                  record::InputError);
  CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out", .only = "\"k\":4"}),
                    config.path.string() +
                        ": --only '\"k\":4': no cell of 4 contains this text; a cell reads "
                        "like " +
                        config.cells[0].text());
  CHECK_FALSE(fs::exists(folder.path() / "out"));
}

TEST_CASE("shards out of range, or together with --only, are refused", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const std::string where = config.path.string() + ": ";
  for (const Shard shard : {Shard{0, 3}, Shard{4, 3}, Shard{0, 0}}) {
    CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out", .shard = shard}),
                      where + "--shard " + std::to_string(shard.index) + "/" +
                          std::to_string(shard.count) + ": expected I/N with 1 <= I <= N");
  }
  CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out", .shard = Shard{1, 2}, .only = "k"}),
                    where +
                        "--only and --shard: a shard is complete or it cannot be merged; give one "
                        "of them");
}

TEST_CASE("an incomplete set of shards fails the run and is named", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  static_cast<void>(run(config, {.out = folder.path() / "out", .shard = Shard{2, 3}}));
  CHECK_THROWS_AS(run(config, {.out = folder.path() / "out"}), record::RunError);
  CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out"}),
                    (folder.path() / "out" / "config").string() +
                        ": shards missing: 1/3, 3/3; run them with --shard, remove the others, or "
                        "use --force to measure anew");
  SECTION("--force measures the whole and removes what it supersedes") {
    const auto forced = run(config, {.out = folder.path() / "out", .force = true});
    CHECK(forced.status == Status::measured);
    CHECK_FALSE(fs::exists(folder.path() / "out" / "config.shard-2-of-3.json"));
    CHECK(run(config, {.out = folder.path() / "out"}).status == Status::up_to_date);
  }
  SECTION("shards of two counts do not fit") {
    static_cast<void>(run(config, {.out = folder.path() / "out", .shard = Shard{1, 2}}));
    CHECK_THROWS_WITH(run(config, {.out = folder.path() / "out"}),
                      Catch::Contains("shards of 2 and of 3 stand side by side"));
  }
}

TEST_CASE("the shards that a whole run lacks are told, and nothing is made", "[experiments][run]") {
  using Indices = std::vector<std::uint64_t>;
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const fs::path out = folder.path() / "out";
  CHECK(lacking_shards(config, out, 3) == Indices{1, 2, 3});
  CHECK_FALSE(fs::exists(out));
  const fs::path second = run(config, {.out = out, .shard = Shard{2, 3}}).path;
  CHECK(lacking_shards(config, out, 3) == Indices{1, 3});
  SECTION("one of another machine is there, one of another build lacks") {
    change_provenance(second, "machine_id", "another");
    CHECK(lacking_shards(config, out, 3) == Indices{1, 3});
    change_provenance(second, "build_id", "another");
    CHECK(lacking_shards(config, out, 3) == Indices{1, 2, 3});
  }
  SECTION("none lacks where the whole is there") {
    static_cast<void>(run(config, {.out = out, .force = true}));
    CHECK(lacking_shards(config, out, 3).empty());
    CHECK(lacking_shards(config, out, 2).empty());
  }
  SECTION("a whole that is not complete is no whole") {
    static_cast<void>(run(config, {.out = out, .only = "\"k\":2"}));
    CHECK(lacking_shards(config, out, 3) == Indices{1, 3});
  }
  SECTION("one of another count, of another config or under a wrong name is refused") {
    CHECK_THROWS_WITH(lacking_shards(config, out, 2),
                      second.string() +
                          ": is a shard of another number than 2, and shards of one run are "
                          "merged; ask for as many, use another --out, or remove the file");
    CHECK_THROWS_WITH(lacking_shards(small_config(folder, "201"), out, 3),
                      second.string() +
                          ": holds the results of another config of the name config; use another "
                          "--out, rename the config, or remove the file");
    fs::copy_file(second, out / "config.shard-1-of-3.json");
    CHECK_THROWS_WITH(lacking_shards(config, out, 3), Catch::Contains("the file is shard 1/3"));
  }
}

TEST_CASE("shards of another config are not merged", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config old = small_config(folder, "201");
  static_cast<void>(run(old, {.out = folder.path() / "out", .shard = Shard{1, 2}}));
  static_cast<void>(run(old, {.out = folder.path() / "out", .shard = Shard{2, 2}}));
  const auto outcome = run(small_config(folder), {.out = folder.path() / "out"});
  CHECK(outcome.status == Status::measured);
  CHECK(outcome.units_measured == 2 * 3);
  CHECK_FALSE(fs::exists(folder.path() / "out" / "config.shard-1-of-2.json"));
}

TEST_CASE("shards under wrong names are refused before anything is written", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const fs::path out = folder.path() / "out";
  std::vector<fs::path> parts;
  for (std::uint64_t index = 1; index <= 3; ++index) {
    parts.push_back(run(config, {.out = out, .shard = Shard{index, 3}}).path);
  }
  const auto check_refused = [&](const std::string& place) {
    CHECK_THROWS_AS(run(config, {.out = out}), record::InputError);
    CHECK_THROWS_WITH(run(config, {.out = out}),
                      Catch::Contains(": /provenance/shard: found {\"index\":") &&
                          Catch::Contains("by its name the file is shard " + place));
    CHECK_FALSE(fs::exists(out / "config.json"));
  };
  SECTION("two swapped") {
    fs::rename(parts[0], out / "kept");
    fs::rename(parts[1], parts[0]);
    fs::rename(out / "kept", parts[1]);
    check_refused("1/3");
  }
  SECTION("one copied over another") {
    fs::copy_file(parts[0], parts[1], fs::copy_options::overwrite_existing);
    check_refused("2/3");
  }
  SECTION("two of three as one of two") {
    fs::rename(parts[0], out / "config.shard-1-of-2.json");
    fs::rename(parts[1], out / "config.shard-2-of-2.json");
    fs::remove(parts[2]);
    check_refused("1/2");
  }
}

TEST_CASE("a result that would overwrite its config is refused", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  CHECK_THROWS_AS(run(config, {.out = folder.path()}), record::InputError);
  CHECK_THROWS_WITH(run(config, {.out = folder.path()}),
                    config.path.string() +
                        ": its result would be written over it; use another --out than the "
                        "config's own folder");
  CHECK(read_config(config.path).cells.size() == 4);
}

TEST_CASE("a shard without cells is written all the same", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  for (std::uint64_t index = 1; index <= 5; ++index) {
    static_cast<void>(run(config, {.out = folder.path() / "out", .shard = Shard{index, 5}}));
  }
  CHECK(run(config, {.out = folder.path() / "out"}).status == Status::merged);
}

TEST_CASE("a run with --only keeps what an interrupted whole run has measured",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const fs::path out = folder.path() / "out";
  for (const std::uint64_t units : {2U, 4U}) {
    RunOptions options{.out = out, .jobs = 1, .force = true};
    options.progress = [&](const Progress& progress) {
      if (progress.units_done == units) throw std::runtime_error("stopped");
    };
    fs::remove(out / "config.json");
    CHECK_THROWS_WITH(run(config, options), "stopped");
    const auto only = run(config, {.out = out, .only = "\"m\":3000"});
    CHECK(only.units_measured == (units == 2 ? 3 : 2));
    const auto rest = run(config, {.out = out});
    CHECK(rest.units_measured == (units == 2 ? 1 : 0));
    // In the file and in the journal, but counted once: two observations a unit.
    CHECK(rest.observations_kept == 12 - 2 * rest.units_measured);
    CHECK(record::read_result_file(rest.path).provenance.at("complete") == true);
    CHECK_FALSE(fs::exists(out / ".partial"));
  }
}

TEST_CASE("a journal beside a complete result is removed, and the result stands",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  const fs::path out = folder.path() / "out";
  const auto first = run(config, {.out = out});
  RunOptions forced{.out = out, .jobs = 1, .force = true};
  forced.progress = [](const Progress& progress) {
    if (progress.units_done == 2) throw std::runtime_error("stopped");
  };
  CHECK_THROWS_WITH(run(config, forced), "stopped");
  const fs::path journal = out / ".partial" / "config.jsonl";
  REQUIRE(fs::exists(journal));
  const std::string before = testing::canonical_text_of(first.path);
  const auto again = run(config, {.out = out});
  CHECK(again.status == Status::up_to_date);
  CHECK(again.notices ==
        std::vector{journal.string() +
                    ": removed, as the result is complete; --force measures anew"});
  CHECK_FALSE(fs::exists(out / ".partial"));
  CHECK(testing::canonical_text_of(first.path) == before);
}

TEST_CASE("fewer jobs run than the memory holds passes, and the user is told",
          "[experiments][run]") {
  const TemporaryFolder folder;
  // Of one pass for both k, whose array has a byte for every position: 256 MiB, where the bits of
  // a filter would be 32.
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 10,
    "filter": {"kind": "standard", "m": 268435456, "k": [1, 2]},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})",
                                             R"(["/filter/k"])");
  const unsigned jobs = 1U << 20U;
  const auto outcome = run(config, {.out = folder.path() / "out", .jobs = jobs});
  REQUIRE(outcome.notices.size() == 1);
  CHECK_THAT(outcome.notices.front(),
             Catch::Contains(" of 1048576 jobs: a pass over a cell takes 256 MiB, and "));
}

TEST_CASE("a file in place of the folder of results is refused", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  CHECK_THROWS_WITH(run(config, {.out = config.path}),
                    config.path.string() + ": is no folder; name one by --out");
}

TEST_CASE("progress ends with all units done and all weight", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = small_config(folder);
  Progress last;
  double before = 0.0;
  RunOptions options{.out = folder.path() / "out", .jobs = 2};
  options.progress = [&](const Progress& progress) {
    CHECK(progress.done_weight >= before);
    before = progress.done_weight;
    last = progress;
  };
  static_cast<void>(run(config, options));
  CHECK(last.units_done == 6);
  CHECK(last.units_total == 6);
  CHECK(last.done_weight == Approx(last.total_weight));
  CHECK(last.total_weight > 0.0);
  CHECK(last.cell.starts_with(R"({"keys":{"source":"uniform"})"));
}

TEST_CASE("the dearest cells come first, so that none is left for one thread at the end",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"},
    "n": [10, 30000, 20, 10000],
    "filter": {"kind": "standard", "m": 100000, "k": 3},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})");
  std::vector<std::string> order;
  RunOptions options{.out = folder.path() / "out", .jobs = 1};
  options.progress = [&](const Progress& progress) {
    if (order.empty() || order.back() != progress.cell) order.push_back(progress.cell);
  };
  static_cast<void>(run(config, options));
  const auto text = [&](std::size_t cell) { return config.cells[cell].text(); };
  CHECK(order == std::vector{text(1), text(3), text(2), text(0)});
}

TEST_CASE("cells of a grid of the kind's own share seeds, but are measured each by itself",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = read_config(folder.write("matrix.json", R"({
    "$schema": "bloomlab-config-1", "kind": "mutation_matrix", "title": "t", "question": "q",
    "seed": 1, "trials": 2, "max_queries": 1000, "shared_across": ["/defect"],
    "expected_flags": [],
    "grid": {"defect": ["none_standard", "stale_digest", "lost_update"], "n": [100, 1000]}})"));
  const auto outcome = run(config, {.out = folder.path() / "out"});
  CHECK(outcome.units_measured == 12);
  for (std::size_t cell = 0; cell < 6; cell += 2) {
    CHECK(trial_seed(1, config.cells[cell], 0) == trial_seed(1, config.cells[0], 0));
  }
}

}  // namespace bloomlab::experiments
