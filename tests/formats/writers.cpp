// What is written here is, byte for byte, what the other programs write for the same keys.

#include <catch2/catch.hpp>
#include <string>

#include "formats/foreign_filter.hpp"
#include "formats/inspection.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab::formats;
using bloomlab::tests::fixture;

namespace {

std::string written(std::string_view format, std::uint64_t m, std::uint64_t k) {
  const auto filter = make_foreign(format, m, k);
  for (int i = 0; i < 1000; ++i) filter->insert("key-" + std::to_string(i));
  const auto bytes = filter->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("a filter written for Guava is Guava's", "[formats]") {
  CHECK(written("guava", 9600, 7) == fixture("guava.bloom"));
}

TEST_CASE("a filter written for bits-and-blooms is that of Go", "[formats]") {
  CHECK(written("bits_and_blooms", 9586, 7) == fixture("bits_and_blooms.bloom"));
}

TEST_CASE("a filter written for Parquet stands in the file of DuckDB", "[formats]") {
  CHECK(fixture("duckdb.parquet").find(written("parquet", 8 * 2048, 8)) != std::string::npos);
}

TEST_CASE("what is written is read", "[formats]") {
  const std::string bytes = written("parquet", 1 << 14, 8);
  const auto all = inspect_bytes(std::as_bytes(std::span(bytes)), 0.01, "");
  REQUIRE(all.size() == 1);
  CHECK(all[0].format == "parquet");
  CHECK(all[0].keys->low <= 1000);
  CHECK(all[0].keys->high >= 1000);
}

TEST_CASE("a size that a format does not have is refused", "[formats]") {
  CHECK_THROWS_WITH(make_foreign("guava", 100, 7),
                    "guava: 100 bits are no size of this format; the next is 128");
  CHECK_THROWS_WITH(make_foreign("parquet", 768, 8),
                    "parquet: 768 bits are no size of this format; the next is 1024");
  CHECK_THROWS_WITH(make_foreign("parquet", 512, 7), "parquet: found k = 7; it is 8");
  CHECK_THROWS_WITH(make_foreign("guava", 128, 256), "guava: found k = 256; 1 to 255");
}
