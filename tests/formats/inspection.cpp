// What an inspection says of a filter beside its bits: faults, and which filters can be merged.

#include "formats/inspection.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "formats/stored_filter.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;

TEST_CASE("no bit set is a fault where the column has values", "[formats][inspection]") {
  for (const auto& values : {std::optional<std::uint64_t>(), {0}, {1}, {5}}) {
    for (const bool empty : {false, true}) {
      StoredBits bits{.layout = Layout::split_block, .m = 512, .k = 8};
      bits.words = StoredWords(8);
      if (!empty) bits.words.own()[0] = 0x80;
      StoredFilter filter{.format = "parquet", .layers = {bits}};
      filter.values = values;
      const auto faults = inspect(filter, std::nullopt).faults;
      if (empty && values.value_or(0) > 0) {
        CHECK(faults == std::vector<std::string>{
                            "no bit is set, and the column has " + std::to_string(*values) +
                            " values: every lookup would be a false negative"});
      } else {
        CHECK(faults.empty());
      }
    }
  }
}

TEST_CASE("two filters are of the same kind by format, version, size, probes and hash",
          "[formats][inspection]") {
  StoredBits bits{.m = 640, .k = 5};
  bits.words = StoredWords(10);
  std::ranges::fill(bits.words.own(), 0x1111111111111111);
  StoredFilter filter{.format = "spark", .hash = "a hash", .layers = {bits}};
  CHECK(inspect(filter, 0.01).same_kind == "spark, m = 640, k = 5, a hash");
  filter.version = "V2";
  CHECK(inspect(filter, 0.01).same_kind == "spark V2, m = 640, k = 5, a hash");
  CHECK(inspect(filter, 0.01).folds);
  for (const char* format : {"raw", "redisbloom"}) {
    filter.format = format;
    const Inspection one = inspect(filter, 0.01);
    CHECK(one.same_kind.empty());
    CHECK_FALSE(one.folds);
    CHECK(one.fold.has_value() == (filter.format == "redisbloom"));
  }
}
