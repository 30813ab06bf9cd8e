// What is written here is, byte for byte, what the other programs write for the same keys.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "formats/foreign_filter.hpp"
#include "formats/inspection.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab::formats;
using bloomlab::tests::fixture;
using namespace std::string_literals;

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

namespace {

/// What is wrong with a size; "" where a filter is made.
std::string refusal_of_size(std::string_view format, std::uint64_t m, std::uint64_t k) {
  try {
    static_cast<void>(make_foreign(format, m, k));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes and probes of a written filter are those that its format has", "[formats]") {
  const std::array<std::string_view, 3> formats{"guava", "bits_and_blooms", "parquet"};
  CHECK(std::ranges::equal(written_formats(), formats));
  struct Sized {
    std::uint64_t m, guava, parquet;
  };
  for (const Sized& one : {Sized{1, 64, 256},
                           {63, 64, 256},
                           {64, 64, 256},
                           {65, 128, 256},
                           {255, 256, 256},
                           {256, 256, 256},
                           {257, 320, 512},
                           {512, 512, 512},
                           {513, 576, 1024},
                           {1023, 1024, 1024},
                           {1025, 1088, 2048}}) {
    CHECK(bits_of_format("guava", one.m) == one.guava);
    CHECK(bits_of_format("parquet", one.m) == one.parquet);
    CHECK(bits_of_format("bits_and_blooms", one.m) == one.m);
    for (const std::string_view format : formats) {
      const std::uint64_t next = bits_of_format(format, one.m);
      CHECK(refusal_of_size(format, one.m, 8) ==
            (next == one.m
                 ? ""
                 : std::string(format) + ": " + std::to_string(one.m) +
                       " bits are no size of this format; the next is " + std::to_string(next)));
      if (next == one.m) {
        const auto filter = make_foreign(format, next, 8);
        CHECK(filter->bits().m == next);
        CHECK(filter->bits().words.size() == (next + 63) / 64);
      }
    }
  }
  CHECK(refusal_of_size("guava", 0, 7) ==
        "guava: 0 bits are no size of this format; the next is 64");
  CHECK(refusal_of_size("bits_and_blooms", 0, 7) ==
        "bits_and_blooms: 0 bits are no size of this format; the next is 1");
  CHECK(refusal_of_size("parquet", 0, 8) ==
        "parquet: 0 bits are no size of this format; the next is 256");
  for (const std::string& format : {"guava"s, "bits_and_blooms"s}) {
    for (const std::uint64_t k : {1U, 255U}) CHECK(refusal_of_size(format, 64, k).empty());
    for (const std::uint64_t k : {0U, 256U}) {
      CHECK(refusal_of_size(format, 64, k) ==
            format + ": found k = " + std::to_string(k) + "; 1 to 255");
    }
  }
  for (const std::uint64_t k : {0U, 7U, 9U}) {
    CHECK(refusal_of_size("parquet", 256, k) ==
          "parquet: found k = " + std::to_string(k) + "; it is 8");
  }
  CHECK(refusal_of_size("spark", 64, 7) == "unknown format spark");
}

TEST_CASE("the largest sizes of written filters are those of their formats", "[formats]") {
  const std::uint64_t parquet = std::uint64_t{1} << 30;
  CHECK(refusal_of_size("parquet", parquet, 8).empty());
  CHECK(refusal_of_size("parquet", 2 * parquet, 8) == "parquet: a filter has at most 2^30 bits");
  const std::uint64_t guava = 64 * ((std::uint64_t{1} << 31) - 1);
  const std::string too_large = "guava: a filter has at most 2^31 - 1 words";
  CHECK(refusal_of_size("guava", guava + 64, 7) == too_large);
  constexpr int refused = 41;
  const ::pid_t child = ::fork();
  if (child == 0) {  // with too little memory for a filter as large, 16 GiB
    const ::rlimit limit{std::uint64_t{4} << 30, std::uint64_t{4} << 30};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(0);
    try {
      if (refusal_of_size("guava", guava, 7) == too_large) ::_exit(refused);
    } catch (const std::bad_alloc&) {
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK_FALSE((WIFEXITED(status) && WEXITSTATUS(status) == refused));
}

TEST_CASE("filters of the formats' least and most probes are read as they were written",
          "[formats]") {
  for (const std::string& format : {"guava"s, "bits_and_blooms"s}) {
    for (const std::uint64_t k : {1U, 2U, 3U, 4U, 5U, 255U}) {
      const std::string bytes = written(format, 64'000, k);
      const auto all = inspect_bytes(std::as_bytes(std::span(bytes)), 0.01, "");
      REQUIRE(all.size() == 1);
      CHECK(all[0].format == format);
      CHECK(all[0].k == k);
      REQUIRE((all[0].keys || k == 255));
      if (k == 255) continue;
      CHECK(all[0].keys->low <= 1000);
      CHECK(all[0].keys->high >= 1000);
    }
  }
}
