// Ranges, sizes per key, and what a config costs.
#include <catch2/catch.hpp>
#include <limits>

#include "core/catalogue.hpp"
#include "experiments/cells/k_sliced.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "record/filter_for_rate.hpp"
#include "record/grid.hpp"
#include "record/grid_point.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments::testing {
namespace {

using record::ceil_per_n;
using record::Choice;
using record::choices;
using record::count_choices;
using record::Json;

std::string expanded(const std::string& text) {
  const Json json = Json::parse(text);
  const record::Origin origin{"f"};
  const record::JsonView view(json, origin);
  Json all = Json::array();
  for (const Choice& choice : choices(view)) all.push_back(choice.value);
  CHECK(count_choices(view) == all.size());
  return all.dump();
}

}  // namespace

TEST_CASE("a range includes both ends", "[config][grid]") {
  CHECK(expanded(R"({"range": [1, 4]})") == "[1,2,3,4]");
  CHECK(expanded(R"({"range": [2, 32], "step": 10})") == "[2,12,22,32]");
  CHECK(expanded(R"({"range": [7, 7]})") == "[7]");
  CHECK(expanded(R"({"kind": "direct_bitmap", "range": 7})") ==
        R"([{"kind":"direct_bitmap","range":7}])");
  CHECK(expanded(R"({"range": [-1, 1]})") == "[-1,0,1]");
  CHECK(expanded(R"({"range": [0.1, 0.5], "step": 0.2})") == "[0.1,0.30000000000000004,0.5]");
  CHECK(expanded(R"({"range": [0, 1], "step": 0.1})").substr(0, 9) == "[0.0,0.1,");
  CHECK(count_choices(record::JsonView(Json::parse(R"({"range": [0, 1], "step": 0.1})"),
                                       record::Origin{"f"})) == 11);
}

TEST_CASE("axes multiply within an object and add up within an array", "[config][grid]") {
  CHECK(expanded("7") == "[7]");
  CHECK(expanded(R"({"a": [1, 2], "b": ["x", "y"]})") ==
        R"([{"a":1,"b":"x"},{"a":1,"b":"y"},{"a":2,"b":"x"},{"a":2,"b":"y"}])");
  CHECK(expanded(R"([{"a": [1, 2]}, 3, {"range": [4, 5]}])") == R"([{"a":1},{"a":2},3,4,5])");
  CHECK(expanded(R"({"m": {"per_n": [8, {"range": [10, 11]}]}})") ==
        R"([{"m":{"per_n":8}},{"m":{"per_n":10}},{"m":{"per_n":11}}])");
  CHECK(expanded("{}") == "[{}]");
}

TEST_CASE("choices are counted without making them", "[config][grid]") {
  const Json axis = Json::parse(R"({"range": [1, 1000000000]})");
  Json grid = Json::object();
  for (int i = 0; i < 10; ++i) grid["axis" + std::to_string(i)] = axis;
  const record::Origin origin{"f"};
  CHECK(count_choices(record::JsonView(grid, origin)) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("bits per key are taken as the decimal number that is written", "[config][grid]") {
  CHECK(ceil_per_n(9.6, 1000) == 9600);
  CHECK(ceil_per_n(1.1, 10) == 11);  // 1.1 * 10 is above 11 in double
  CHECK(ceil_per_n(0.7, 10) == 7);
  CHECK(ceil_per_n(14.4, 1000000) == 14400000);
  CHECK(ceil_per_n(8, 12345) == 98760);
  CHECK(ceil_per_n(0.1, 11) == 2);
  CHECK(ceil_per_n(9.585, 1000) == 9585);
  CHECK(ceil_per_n(9.5851, 1000) == 9586);
  CHECK(ceil_per_n(1e-300, 1000) == 1);
  CHECK(ceil_per_n(1e15, 3) == 3000000000000000);
  CHECK(ceil_per_n(0.3333333333333333, 3) == 1);
  CHECK(ceil_per_n(1e300, 1) == std::numeric_limits<std::uint64_t>::max());
  CHECK(ceil_per_n(281474976710656, std::uint64_t{1} << 40) ==
        std::numeric_limits<std::uint64_t>::max());
  // No product of one decimal and a power of ten needs rounding.
  for (std::uint64_t tenths = 1; tenths <= 640; ++tenths) {
    CHECK(ceil_per_n(static_cast<double>(tenths) / 10.0, 100000) == tenths * 10000);
  }
}

TEST_CASE("sizes are written with IEC prefixes", "[config][estimate]") {
  CHECK(iec_bytes(0) == "0 B");
  CHECK(iec_bytes(1023) == "1023 B");
  CHECK(iec_bytes(1024) == "1.00 KiB");
  CHECK(iec_bytes(1536) == "1.50 KiB");
  CHECK(iec_bytes(std::uint64_t{16} << 30) == "16.0 GiB");
  CHECK(iec_bytes(std::numeric_limits<std::uint64_t>::max()) == "16.0 EiB");
}

TEST_CASE("the estimate of a config counts its cells and its largest pass", "[config][estimate]") {
  const TemporaryFolder folder;
  const Config config =
      read_config(folder.write("a.json", good_config_with(R"({"range": [5, 7]})", "5")));
  const Estimate one = estimate(config);
  CHECK(one.cells == 4);
  CHECK(one.memory_bytes == 1200);  // 9600 bits; the keys are made when they are needed
  CHECK(one.seconds > 0.0);
  const Estimate more = estimate(
      read_config(folder.write("b.json", good_config_with(R"("trials": 2)", R"("trials": 2000)"))));
  CHECK(more.cells == 12);
  CHECK(more.seconds > one.seconds);
  CHECK(more.memory_bytes >= 1200);
}

TEST_CASE("the memory of a cell is that of its filter and its keys", "[config][estimate]") {
  const TemporaryFolder folder;
  const Config config = read_config(folder.write(
      "a.json", good_config_with(R"({"source": "uniform"})", R"({"source": "minstd_rand0"})")));
  const CellMemory memory = cell_memory(config, config.cells[0]);
  CHECK(config.experiment->of_filters()->absent_keys(config.cells[0].n) == 1000);
  CHECK(memory.filter_bytes == 104);  // 800 bits, rounded up to words of 64
  CHECK(memory.key_bytes >= 1100 * sizeof(std::uint64_t));
  CHECK(memory.total() == memory.filter_bytes + memory.key_bytes);
  CHECK(CellMemory{1, std::numeric_limits<std::uint64_t>::max()}.total() ==
        std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a filter by its rate is sized for the n of its cell; others are those not named",
          "[config][grid]") {
  const TemporaryFolder folder;
  const Config config = read_config(folder.write("a.json", R"({
    "$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t", "question": "q",
    "seed": 1, "trials": 2, "queries": 1000, "shared_across": [], "expected_flags": [],
    "grid": {"keys": {"source": "uniform"}, "n": [100, 2048],
             "filter": [{"kind": "others", "for_rate": 0.01},
                        {"kind": ["standard", "split_block"], "for_rate": 0.1}],
             "hash": {"name": "xxhash3_64"}}})"));
  // All but direct_bitmap, which no n sizes; each for two n.
  REQUIRE(config.cells.size() == 2 * (Filters::size - 1));
  CHECK(config.cells.front().filter == "partitioned");
  const Json last = config.cells.back().json();
  CHECK(last.at("filter").at("kind") == "split_block");
  CHECK(last.at("filter") == record::filter_for_rate("split_block", 0.1, 2048).filter);
  for (const Cell& cell : config.cells) {
    INFO(cell.text());
    CHECK(record::is_point_of(Json::parse(R"({"filter": [{"kind": "others", "for_rate": 0.01},
                                   {"kind": ["standard", "split_block"], "for_rate": 0.1}]})"),
                              cell.json()));
  }
}

TEST_CASE("a grid of more cells than memory holds is refused before any is made",
          "[config][grid][errors]") {
  const TemporaryFolder folder;
  const auto path = [&](std::uint64_t cells) {
    return folder.write("a.json", R"({
      "$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t", "question": "q",
      "seed": 1, "trials": 1, "queries": 10,
      "grid": {"keys": {"source": "uniform"}, "n": {"range": [1, )" +
                                      std::to_string(cells) + R"(]},
               "filter": {"kind": "standard", "m": 64, "k": 1}, "hash": {"name": "xxhash3_64"}}})");
  };
  const Machine small{.memory_bytes = 2U << 20U, .bound_by = "--max-memory is"};
  CHECK(read_config(path(2048), small).cells.size() == 2048);
  CHECK_THROWS_WITH(
      read_config(path(2049), small),
      Catch::EndsWith("a.json: /grid: has 2049 cells, which take 2.00 MiB of memory; "
                      "--max-memory is 2.00 MiB; shorten an axis or split the config"));
  // A small grid takes no room that counts.
  CHECK(read_config(path(1000), {.memory_bytes = 100'000}).cells.size() == 1000);
}

TEST_CASE("cells of several k take one pass and its array, or a filter each",
          "[config][estimate]") {
  const TemporaryFolder folder;
  const auto slices = [&](const std::string& queries) {
    static int number = 0;
    const Config config = read_config(folder.write(std::to_string(number++) + ".json", R"({
    "$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t", "question": "q",
    "seed": 1, "trials": 10, "shared_across": ["/filter/k"], "expected_flags": [], )" + queries +
                                                                                           R"(,
    "grid": {"keys": {"source": "uniform"}, "n": 100,
             "filter": {"kind": "standard", "m": 6400, "k": [1, 2, 3]},
             "hash": {"name": "xxhash3_64", "probe": "independent",
                      "reduction": "multiply_shift"}}})"));
    std::vector<const Cell*> cells;
    for (const Cell& cell : config.cells) cells.push_back(&cell);
    std::vector<std::uint64_t> bytes;
    for (const Slice& slice : slices_of(config, cells)) {
      CHECK(is_sliced(config, slice) == (slice.size() == 3));
      bytes.push_back(pass_memory(config, slice).filter_bytes);
    }
    CHECK(estimate(config).memory_bytes == bytes.front());
    return bytes;
  };
  CHECK(slices(R"("queries": 1000)") == std::vector{KSliced::array_bytes(6400)});
  // With a precision every k is measured by itself.
  CHECK(slices(R"("precision": {"relative": 0.1, "max_queries": 100000})") ==
        std::vector<std::uint64_t>(3, 800));
}

}  // namespace bloomlab::experiments::testing
