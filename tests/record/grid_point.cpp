// A cell against a grid: what arrays, ranges, per_n and linked objects offer.
#include "record/grid_point.hpp"

#include <catch2/catch.hpp>

#include "record/filter_for_rate.hpp"

using namespace bloomlab::record;

namespace {

bool offers(const char* grid, const char* cell) {
  return is_point_of(Json::parse(grid), Json::parse(cell));
}

}  // namespace

TEST_CASE("values, arrays and defaults", "[record][grid_point]") {
  CHECK(offers(R"({"n": 1000})", R"({"n": 1000, "k": 7})"));
  CHECK(offers(R"({"n": 1e3})", R"({"n": 1000})"));
  CHECK_FALSE(offers(R"({"n": 1000})", R"({"n": 1001})"));
  CHECK_FALSE(offers(R"({"n": 1000})", R"({"k": 7})"));
  CHECK(offers(R"({"hash": ["a", "b"]})", R"({"hash": "b"})"));
  CHECK_FALSE(offers(R"({"hash": ["a", "b"]})", R"({"hash": "c"})"));
  CHECK_FALSE(offers(R"({"n": []})", R"({"n": 1})"));
}

TEST_CASE("an element of an array links its members", "[record][grid_point]") {
  const char* grid = R"({"filter": [{"kind": "x", "m": [8, 9], "k": 1}, {"kind": "x", "m": 16}]})";
  CHECK(offers(grid, R"({"filter": {"kind": "x", "m": 9, "k": 1}})"));
  CHECK(offers(grid, R"({"filter": {"kind": "x", "m": 16, "k": 5}})"));
  CHECK_FALSE(offers(grid, R"({"filter": {"kind": "x", "m": 9, "k": 5}})"));
  CHECK_FALSE(offers(grid, R"({"filter": 9})"));
}

TEST_CASE("ranges offer their steps and both ends", "[record][grid_point]") {
  const char* grid = R"({"k": {"range": [1, 9], "step": 4}})";
  CHECK(offers(grid, R"({"k": 1})"));
  CHECK(offers(grid, R"({"k": 5})"));
  CHECK(offers(grid, R"({"k": 9})"));
  CHECK_FALSE(offers(grid, R"({"k": 4})"));
  CHECK_FALSE(offers(grid, R"({"k": 13})"));
  CHECK(offers(R"({"p": [{"range": [0.1, 0.9], "step": 0.1}, 2]})", R"({"p": 0.7})"));
  CHECK(offers(R"({"p": [{"range": [0.1, 0.9], "step": 0.1}, 2]})", R"({"p": 2})"));
  CHECK_FALSE(offers(R"({"p": {"range": [0.1, 0.9], "step": 0.1}})", R"({"p": 0.75})"));
  CHECK_FALSE(offers(R"({"k": {"range": [1]}})", R"({"k": 1})"));
  CHECK_FALSE(offers(R"({"k": {"range": [1, 9], "step": 0}})", R"({"k": 1})"));
}

TEST_CASE("per_n offers whole blocks of a filter of blocks", "[record][grid_point]") {
  const auto split = [](const char* per_n, std::uint64_t n, std::uint64_t m) {
    const Json filter = {{"kind", "split_block"}, {"m", {{"per_n", Json::parse(per_n)}}}};
    return is_point_of({{"n", n}, {"filter", filter}},
                       {{"n", n}, {"filter", {{"kind", "split_block"}, {"m", m}}}});
  };
  CHECK(split("9.6", 1000, 9728));
  CHECK_FALSE(split("9.6", 1000, 9600));
  CHECK_FALSE(split("9.6", 1000, 9472));
  CHECK_FALSE(split("9.6", 1000, 9984));
  CHECK(split("[8, 9.6]", 10, 256));
  CHECK(split("25.6", 10, 256));
  CHECK_FALSE(split("25.7", 10, 256));
  CHECK(split(R"({"range": [8, 12], "step": 0.5})", 10, 256));
  CHECK_FALSE(split(R"({"range": [8, 12], "step": 0.5})", 10, 512));
  CHECK_FALSE(split(R"({"range": [1, 2], "step": 1e-300})", 1, 256));
  CHECK(offers(R"({"n": 100, "filter": {"kind": "multiblock", "m": {"per_n": 10}, "k": [3, 5]}})",
               R"({"n": 100, "filter": {"kind": "multiblock", "m": 1152, "k": 3}})"));
  CHECK_FALSE(offers(R"({"n": 100, "filter": {"kind": "blocked", "m": {"per_n": 10}}})",
                     R"({"n": 100, "filter": {"kind": "blocked", "m": 1024, "k": "x"}})"));
}

TEST_CASE("per_n offers the bits rounded up", "[record][grid_point]") {
  CHECK(offers(R"({"n": 3, "m": {"per_n": 9.6}})", R"({"n": 3, "m": 29})"));
  CHECK_FALSE(offers(R"({"n": 3, "m": {"per_n": 9.6}})", R"({"n": 3, "m": 28})"));
  CHECK_FALSE(offers(R"({"n": 3, "m": {"per_n": 9.6}})", R"({"n": 3, "m": 30})"));
  CHECK(offers(R"({"n": 1000, "m": {"per_n": 9.6}})", R"({"n": 1000, "m": 9600})"));
  CHECK(offers(R"({"n": [10, 20], "m": {"per_n": [8, 10]}})", R"({"n": 20, "m": 200})"));
  CHECK_FALSE(offers(R"({"n": [10, 20], "m": {"per_n": [8, 10]}})", R"({"n": 20, "m": 80})"));
  CHECK(offers(R"({"n": 786432, "m": {"per_n": 10.666666666666666}})",
               R"({"n": 786432, "m": 8388608})"));
  const char* many = R"({"n": 7, "m": {"per_n": {"range": [1, 32], "step": 0.5}}})";
  CHECK(offers(many, R"({"n": 7, "m": 11})"));  // ceil(1.5 * 7)
  CHECK(offers(many, R"({"n": 7, "m": 224})"));
  CHECK_FALSE(offers(many, R"({"n": 7, "m": 12})"));
  CHECK_FALSE(offers(many, R"({"n": 7, "m": 228})"));
}

TEST_CASE("a closed form takes what its filter is told", "[record][grid_point]") {
  const char* grid = R"({"n": 10, "filter": {"bits_per_key": [8, 9.5], "fpr": 0.01,
    "expected": {"m": {"per_n": "bits_per_key"}, "fp": {"same_as": "fpr"}}}})";
  const auto cell = [](const char* bits, const char* m, const char* fp) {
    return std::string(R"({"n": 10, "filter": {"bits_per_key": )") + bits +
           R"(, "fpr": 0.01, "expected": {"m": )" + m + R"(, "fp": )" + fp + "}}}";
  };
  CHECK(offers(grid, cell("8", "80", "0.01").c_str()));
  CHECK(offers(grid, cell("9.5", "95", "0.01").c_str()));
  CHECK_FALSE(offers(grid, cell("8", "95", "0.01").c_str()));
  CHECK_FALSE(offers(grid, cell("8", "80", "0.02").c_str()));
}

TEST_CASE("a filter by its rate offers the filter of that size, and no other",
          "[record][grid_point]") {
  const char* grid = R"({"n": 1000, "filter": [{"kind": "standard", "m": 8, "k": 1},
                                               {"kind": "others", "for_rate": 0.01}]})";
  const FilterForRate sized = filter_for_rate("blocked", 0.01, 1000);
  REQUIRE(sized.fault.empty());
  Json cell = {{"n", 1000}, {"filter", sized.filter}};
  CHECK(is_point_of(Json::parse(grid), cell));
  cell["filter"]["m"] = sized.filter.at("m").get<std::uint64_t>() + 512;
  CHECK_FALSE(is_point_of(Json::parse(grid), cell));
  cell["filter"] = sized.filter;
  cell["n"] = 2000;
  CHECK_FALSE(is_point_of(Json::parse(grid), cell));
}
