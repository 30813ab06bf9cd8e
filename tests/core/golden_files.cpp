// Serialized and saved filters of earlier releases: today's code reads them and writes the same
// bytes.

#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/serialize.hpp"
#include "tests/core/golden_filters.hpp"
#include "tests/paths.hpp"

using namespace bloomlab;
using bloomlab::test::for_each_golden;
using bloomlab::test::golden_seed;

namespace {

/// The bytes of a file of hexadecimal digits; white space does not count.
std::vector<std::byte> golden(std::string_view filter) {
  const auto path = std::filesystem::path(BLOOMLAB_SOURCE_DIR) / "tests/core/golden" /
                    (std::string(filter) + ".hex");
  INFO(path);
  std::ifstream file(path);
  REQUIRE(file);
  std::string digits;
  for (char letter = 0; file.get(letter);) {
    if (std::isxdigit(static_cast<unsigned char>(letter)) != 0) digits.push_back(letter);
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace

TEST_CASE("a file of the first release is read and written as it was",
          "[core][serialization][golden]") {
  for_each_golden([]<class Filter>(const Filter& filter) {
    INFO(Filter::name);
    const auto bytes = golden(Filter::name);
    const auto read = deserialize<Filter>(bytes);
    CHECK(read.filter.state() == filter.state());
    CHECK(read.filter.parameters() == filter.parameters());
    CHECK(read.hash == "xxhash3_64");
    CHECK(read.seed == golden_seed);
    CHECK(serialize(filter, "xxhash3_64", golden_seed) == bytes);
  });
}

namespace {

/// Files of keyed filters: what a release saved, all later ones load.
template <class Keyed>
void check_saved(const std::string& name, Keyed keyed) {
  INFO(name);
  for (int key = 0; key < 20; ++key) keyed.insert(key);
  keyed.insert("a text");
  const auto bytes = golden("saved_" + name);
  const auto loaded = load_bytes<Keyed>(bytes);
  CHECK(loaded == keyed);
  CHECK(loaded.seed() == golden_seed);
  CHECK(loaded.contains("a text"));
  CHECK(saved_bytes(keyed) == bytes);
}

}  // namespace

TEST_CASE("a keyed filter that was saved before is loaded and saved as it was",
          "[core][saved][golden]") {
  check_saved("default", KeyedFilter<>({.m = 300, .k = 3}, golden_seed));
  check_saved("remix",
              KeyedFilter<MultiplyMix64, Standard, Remix>({.m = 300, .k = 3}, golden_seed));
  check_saved("xxhash3_64", KeyedFilter<XxHash3_64, Standard, EnhancedDoubleHashing>(
                                {.m = 300, .k = 3}, golden_seed));
  check_saved("split_block", KeyedFilter<MultiplySwap64, SplitBlock>({.m = 512}, golden_seed));
  check_saved("counting", KeyedFilter<Murmur2_64A, Counting, Remix>(
                              {.m = 200, .k = 3, .counter_bits = 4}, golden_seed));
  check_saved("scalable", KeyedFilter<XxHash64, Scalable, Remix>(
                              {.target = 0.1, .tightening = 0.5, .growth = 2, .first_capacity = 8},
                              golden_seed));
}
