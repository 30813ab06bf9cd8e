// What a good config becomes.
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "experiments/engine/provenance.hpp"
#include "record/grid_point.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments::testing {
namespace {

Config read(const std::string& text) {
  const TemporaryFolder folder;
  return read_config(folder.write("a_config.json", text), {std::uint64_t{16} << 30});
}

/// The good config with a filter that chooses its positions, of which cells share nothing.
std::string with_filter(const std::string& filter) {
  std::string text = good_config_with(
      R"({"kind": "standard", "m": {"per_n": [8, 9.6]}, "k": {"range": [5, 7]}})", filter);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{R"(["/filter/k"])", "[]"},
        {R"(, "probe": "independent", "reduction": "multiply_shift")", ""}}) {
    text.replace(text.find(from), from.size(), to);
  }
  return text;
}

const std::string good_grid_keys = R"("keys": {"source": "uniform"})";
const std::string good_hash =
    R"({"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"})";

}  // namespace

TEST_CASE("a config is read whole", "[config]") {
  const Config config = read(good_config);
  CHECK(config.stem() == "a_config");
  CHECK(config.kind == "false_positive_rate");
  CHECK(config.title == "A title");
  CHECK(config.question == "A question?");
  CHECK(config.seed == 42);
  CHECK(config.trials == 2);
  CHECK(config.shared_across == std::vector<std::string>{"/filter/k"});
  CHECK(config.json == record::Json::parse(good_config));
  CHECK(config.experiment->of_filters()->kind() == "false_positive_rate");
  CHECK(config.experiment->of_filters()->absent_keys(1) == 1000);
}

TEST_CASE("a config of very many keys is refused by its first unknown one", "[config][errors]") {
  std::string many = "{";
  for (int i = 0; i < 100'000; ++i) many += "\"k" + std::to_string(i) + "\": 1, ";
  CHECK_THROWS_WITH(read(many + good_config.substr(1)),
                    Catch::Contains(R"(: /k0: unknown key "k0"; known: "$schema", )"));
}

TEST_CASE("a seed text has the words that it always had, a config those of the field alone",
          "[config]") {
  const std::string text = R"({"$schema": "bloomlab-config-1", "kind": "counting_deletion",
    "title": "t", "question": "?", "seed": 20241, "trials": 2, "filters": 5, "queries": 100,
    "shared_across": ["/deletions"],
    "grid": {"way": ["inserted_keys", "absent_keys"], "counters": "saturate_4", "m": 6000,
             "n": 1000, "k": 7, "deletions": [1, 20]}})";
  CHECK(read(text).cells.at(0).seed_text() ==
        R"({"way":"members","counters":"saturate_4","m":6000,"n":1000,"k":7})");
  std::string old = text;
  old.replace(old.find("/deletions"), 10, "/erase");
  old.replace(old.find("\"deletions"), 10, "\"erase");
  CHECK_THROWS_WITH(read(old), Catch::Contains("unknown key \"erase\""));
}

TEST_CASE("the first axis varies slowest, and everything is resolved", "[config][grid]") {
  const Config config = read(good_config);
  REQUIRE(config.cells.size() == 12);
  CHECK(config.cells[0].text() ==
        R"({"keys":{"source":"uniform"},"n":100,"filter":{"kind":"standard","m":800,"k":5},)"
        R"("hash":{"name":"xxhash3_64","probe":"independent","reduction":"multiply_shift"}})");
  std::vector<std::string> order;
  for (const Cell& cell : config.cells) {
    CHECK(cell.number == order.size());
    CHECK(cell.n == cell.json().at("n"));
    order.push_back(cell.json().at("n").dump() + " " + cell.json().at("filter").at("m").dump() +
                    " " + cell.json().at("filter").at("k").dump());
  }
  CHECK(order == std::vector<std::string>{"100 800 5", "100 800 6", "100 800 7", "100 960 5",
                                          "100 960 6", "100 960 7", "1000 8000 5", "1000 8000 6",
                                          "1000 8000 7", "1000 9600 5", "1000 9600 6",
                                          "1000 9600 7"});
}

TEST_CASE("the written order of the grid is the order of the cells, not of their keys",
          "[config][grid]") {
  std::string text = good_config_with(R"("n": [100, 1000],)", "");
  const std::string hash_line = R"("hash": )" + good_hash;
  text.replace(text.find(hash_line), hash_line.size(), hash_line + R"(, "n": [100, 1000])");
  const Config config = read(text);
  REQUIRE(config.cells.size() == 12);
  CHECK(config.cells[0].n == 100);
  CHECK(config.cells[1].n == 1000);  // now the last axis
  // The same cells as before, with the same keys in the same order: so the same seeds.
  std::set<std::string> expected;
  std::set<std::string> found;
  for (const Cell& cell : read(good_config).cells) expected.insert(cell.text() + cell.group());
  for (const Cell& cell : config.cells) found.insert(cell.text() + cell.group());
  CHECK(found == expected);
}

TEST_CASE("an element of an axis may be an object with axes of its own", "[config][grid]") {
  const Config config = read(
      good_config_with(R"({"kind": "standard", "m": {"per_n": [8, 9.6]}, "k": {"range": [5, 7]}})",
                       R"([{"kind": "standard", "m": [64, 128], "k": 3},
          {"kind": "standard", "m": 256, "k": [1, {"range": [4, 8], "step": 2}]}])"));
  std::vector<std::string> filters;
  for (const Cell& cell : config.cells) {
    if (cell.n == 100) filters.push_back(cell.json().at("filter").dump());
  }
  CHECK(filters ==
        std::vector<std::string>{
            R"({"kind":"standard","m":64,"k":3})", R"({"kind":"standard","m":128,"k":3})",
            R"({"kind":"standard","m":256,"k":1})", R"({"kind":"standard","m":256,"k":4})",
            R"({"kind":"standard","m":256,"k":6})", R"({"kind":"standard","m":256,"k":8})"});
}

TEST_CASE("a name may be an axis too", "[config][grid]") {
  const Config config =
      read(good_config_with(R"("name": "xxhash3_64")", R"("name": ["md5", "sha1", "fnv1a_64"])"));
  REQUIRE(config.cells.size() == 36);
  CHECK(config.cells[0].hash == "md5");
  CHECK(config.cells[1].hash == "sha1");
  CHECK(config.cells[2].hash == "fnv1a_64");
}

TEST_CASE("probe, reduction and fields with a default may be left out", "[config]") {
  const Config config = read(good_config_with(good_hash, R"({"name": "xxhash3_64"})"));
  CHECK(config.cells[0].text() == read(good_config).cells[0].text());
  std::string text = good_config_with(R"(["/filter/k"])", "[]");
  const std::string filter =
      R"({"kind": "standard", "m": {"per_n": [8, 9.6]}, "k": {"range": [5, 7]}})";
  text.replace(text.find(filter), filter.size(),
               R"({"kind": "scalable", "target": 0.01, "tightening": 0.5, "growth": 2,
                   "first_capacity": 64})");
  CHECK(read(text).cells[0].json().at("filter").dump() ==
        R"({"kind":"scalable","target":0.01,"tightening":0.5,"growth":2,"first_capacity":64,)"
        R"("insert_policy":"always"})");
}

TEST_CASE("cells that differ only in what is shared have the group and the seeds in common",
          "[config][seeds]") {
  const Config config = read(good_config);
  CHECK(config.cells[0].group() == config.cells[2].group());
  CHECK(config.cells[0].group() != config.cells[3].group());
  CHECK(trial_seed(42, config.cells[0], 1) == trial_seed(42, config.cells[2], 1));
  const Config alone = read(good_config_with(R"(["/filter/k"])", "[]"));
  std::set<std::string> groups;
  for (const Cell& cell : alone.cells) groups.insert(cell.group());
  CHECK(groups.size() == alone.cells.size());
  const Config whole = read(good_config_with(R"(["/filter/k"])", R"(["/filter", "/n"])"));
  for (const Cell& cell : whole.cells) CHECK(cell.group() == whole.cells[0].group());
}

// The values are those of another program (Python's hashlib) over the documented texts.
TEST_CASE("seeds and groups never change", "[config][seeds]") {
  const Cell cell = read(good_config).cells[0];
  CHECK(cell.seed_text() ==
        R"({"keys":{"source":"uniform"},"n":100,"filter":{"kind":"standard","m":800},)"
        R"("hash":{"name":"xxhash3_64","probe":"independent","reduction":"multiply_shift"}})");
  CHECK(cell.group() == "a5ddb35a14fb9389");
  CHECK(trial_seed(42, cell, 0) == 14599442466047016610U);
  CHECK(trial_seed(42, cell, 1) == 2670239963756726640U);
  CHECK(trial_seed(43, cell, 0) != trial_seed(42, cell, 0));
}

TEST_CASE("a cell has the same seeds alone as among others", "[config][seeds]") {
  const Config many = read(good_config);
  const Config one = read(good_config_with(R"([100, 1000])", "1000"));
  CHECK(one.cells[0].text() == many.cells[6].text());
  CHECK(one.cells[0].number != many.cells[6].number);
  CHECK(trial_seed(42, one.cells[0], 0) == trial_seed(42, many.cells[6], 0));
}

TEST_CASE("a cell says what its trials draw anew", "[config]") {
  using Words = std::vector<std::string>;
  const auto redrawn = [](const std::string& keys) {
    return read(good_config_with(good_grid_keys, R"("keys": )" + keys)).cells[0].redrawn;
  };
  CHECK(redrawn(R"({"source": "uniform"})") == Words{"keys", "hash_seed"});
  CHECK(redrawn(R"({"source": "sequential"})") == Words{"hash_seed"});
  CHECK(redrawn(R"({"source": "minstd_rand0"})") == Words{"keys", "hash_seed"});
  CHECK(redrawn(R"({"source": "minstd_rand0", "seed": 1024})") == Words{"hash_seed"});
}

TEST_CASE("the typed parts of a cell are those that the config names", "[config]") {
  const Config config =
      read(good_config_with(good_grid_keys, R"("keys": {"source": "minstd_rand0", "seed": 7})"));
  const Cell& cell = config.cells[4];
  int visits = 0;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    CHECK(Filter::name == "standard");
    if constexpr (requires { parameters.m, parameters.k; }) {
      CHECK(parameters.m == 960);
      CHECK(parameters.k == 6);
    }
    ++visits;
  });
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    CHECK(Source::name == "minstd_rand0");
    if constexpr (requires { parameters.seed; }) CHECK(parameters.seed == 7U);
    ++visits;
  });
  CHECK(visits == 2);
}

TEST_CASE("a relative path starts from the config's folder, and stays as written in the cell",
          "[config]") {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 2000; ++i) lines += std::to_string(i) + "\n";
  folder.write("words.txt", lines);
  const Config config = read_config(folder.write(
      "a.json",
      good_config_with(good_grid_keys, R"("keys": {"source": "file", "path": "words.txt"})")));
  CHECK(config.cells[0].json().at("keys").at("path") == "words.txt");
  visit_source(config.cells[0], [&]<class Source>(std::type_identity<Source>, const auto& p) {
    if constexpr (requires { p.path; }) CHECK(p.path == (folder.path() / "words.txt").string());
  });
}

TEST_CASE("absent keys may come from a second file, and it is said what it loses", "[config]") {
  const TemporaryFolder folder;
  std::string inserted;
  std::string absent;
  for (int i = 0; i < 1100; ++i) {
    inserted += std::to_string(i) + "\n";
    absent += std::to_string(i + 990) + "\n";
  }
  folder.write("inserted.txt", inserted);
  folder.write("absent.txt", absent);
  const Config config = read_config(folder.write(
      "a.json",
      good_config_with(good_grid_keys, R"("keys": {"source": "file", "path": "inserted.txt",
                                          "absent_path": "absent.txt"})")));
  CHECK(config.cells[0].json().at("keys").dump() ==
        R"({"source":"file","path":"inserted.txt","absent_path":"absent.txt"})");
  CHECK(estimate(config).notes ==
        std::vector<std::string>{(folder.path() / "absent.txt").string() +
                                 ": 10 lines are inserted keys and are left out (n = 1000)"});
  const auto before = identity_of(config).config;
  folder.write("absent.txt", absent + "one more\n");
  CHECK(identity_of(config).config != before);
}

TEST_CASE("bits per key of a filter of blocks are rounded up to whole blocks", "[config]") {
  const auto [kind, rest, bits] = GENERATE(table<std::string, std::string, std::uint64_t>({
      {"blocked", R"(, "k": 7, "block_bits": 512)", 1024},
      {"blocked", R"(, "k": 7, "block_bits": 64)", 960},
      {"register_blocked", R"(, "k": 7)", 960},
      {"register_blocked", R"(, "k": 7, "word_bits": 32)", 928},
      {"cache_sectorized", R"(, "k": 8, "groups": 4)", 1024},
      {"split_block", "", 1024},
      {"multiblock", R"(, "k": 7)", 1344},
  }));
  CAPTURE(kind, rest);
  const Config config =
      read(with_filter(R"({"kind": ")" + kind + R"(", "m": {"per_n": 9.21})" + rest + "}"));
  REQUIRE(config.cells.size() == 2);
  CHECK(config.cells[0].json().at("filter").at("m") == bits);
  CHECK(config.cells[0].asked_bits == 921U);
  CHECK(record::is_point_of(config.json.at("grid"), config.cells[0].json()));
  CHECK(record::is_point_of(config.json.at("grid"), config.cells[1].json()));
}

TEST_CASE("a size that needs no rounding is as it was asked, and one that is written is refused",
          "[config]") {
  CHECK_FALSE(read(good_config).cells[0].asked_bits.has_value());
  const auto fault_of = [&](const std::string& filter) {
    try {
      static_cast<void>(read(with_filter(filter)));
    } catch (const record::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(fault_of(R"({"kind": "split_block", "m": 1000})"),
             Catch::EndsWith("split_block: m is 1000; it must be a multiple of 256, the bits of a "
                             "block: choose 768 or 1024"));
  CHECK_THAT(
      fault_of(R"({"kind": "blocked", "m": {"per_n": 10}, "k": 7, "block_bits": 100})"),
      Catch::EndsWith("blocked: block_bits is 100; it must be a power of two from 64 to 512"));
  CHECK_THAT(fault_of(R"({"kind": "split_block", "m": {"per_n": [1, 2]}})"),
             Catch::Contains("are equal"));
}

TEST_CASE("the estimate says which sizes are rounded", "[config][estimate]") {
  const Config config = read(with_filter(R"({"kind": "split_block", "m": {"per_n": [8, 12.8]}})"));
  CHECK(
      estimate(config).notes ==
      std::vector<std::string>{"in 2 of 4 cells m is rounded up to whole blocks, at most from 800 "
                               "bits to 1024 (split_block, n = 100)"});
  CHECK(estimate(read(good_config)).notes.empty());
}

TEST_CASE("expected flags are read, and rate is the test that they mean", "[config]") {
  const Config config =
      read(good_config_with(R"("expected_flags": [])",
                            R"("expected_flags": [{"cell": {"filter": {"k": 6}}, "reason": "why"},
                            {"cell": {"n": 100}, "test": "fill", "reason": "because"}])"));
  REQUIRE(config.expected_flags.size() == 2);
  CHECK(config.expected_flags[0].test == "rate");
  CHECK(config.expected_flags[0].reason == "why");
  CHECK(config.expected_flags[1].test == "fill");
}

}  // namespace bloomlab::experiments::testing
