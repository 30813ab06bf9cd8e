#include "record/suggest.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace bloomlab::record {
namespace {
constexpr std::array<std::string_view, 4> known = {"standard", "scalable", "xxhash3_64",
                                                   "murmur3_128"};
}

TEST_CASE("the edit distance counts letters and swaps of neighbours", "[record][suggest]") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("standrad", "standard") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // each stretch is edited once
  CHECK(edit_distance("same", "same") == 0);
}

TEST_CASE("the nearest known word is found, and none is better than a far one",
          "[record][suggest]") {
  CHECK(nearest("standrd", known) == "standard");
  CHECK(nearest("murmur3", known) == "murmur3_128");
  CHECK(nearest("xxhash_64", known) == "xxhash3_64");
  CHECK_FALSE(nearest("cuckoo", known).has_value());
  CHECK_FALSE(nearest("", known).has_value());
  CHECK_FALSE(nearest(std::string(100000, 's'), known).has_value());
  constexpr std::array<std::string_view, 2> short_words = {"m", "k"};
  CHECK_FALSE(nearest("n", short_words).has_value());
  CHECK(nearest("mm", short_words) == "m");
}

TEST_CASE("a suggestion names one word, or all", "[record][suggest]") {
  CHECK(suggestion("standrd", known) == R"(did you mean "standard"?)");
  CHECK(suggestion("cuckoo", known) ==
        R"(known: "standard", "scalable", "xxhash3_64", "murmur3_128")");
  CHECK(suggestion("x", {}) == "none is known here");
}

}  // namespace bloomlab::record
