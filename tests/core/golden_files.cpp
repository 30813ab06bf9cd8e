// Saved filters of earlier releases: today's code loads them and saves the same bytes.

#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/saved_filter.hpp"
#include "tests/core/support.hpp"
#include "tests/paths.hpp"

using namespace bloomlab;

namespace {

constexpr std::uint64_t golden_seed = 0x0123456789abcdef;

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

namespace {

/// A filter of each layout, of keys that are the same for all.
template <class Filter>
void check_saved_layout(const typename Filter::Parameters& parameters) {
  INFO(Filter::name);
  using Keyed = KeyedFilter<XxHash3_64, Filter, EnhancedDoubleHashing>;
  const auto filter = [&] {
    const std::vector<std::uint64_t> keys = bloomlab::test::keys(0, 20);
    if constexpr (Built<Filter>) {
      return Keyed::build(parameters, keys, 1);
    } else {
      Keyed taker(parameters, 1);
      static_cast<void>(taker.insert(keys));
      return taker;
    }
  }();
  const auto bytes = golden(Filter::name);
  const auto loaded = load_bytes<Keyed>(bytes);
  CHECK(loaded == filter);
  CHECK(loaded.filter().state() == filter.filter().state());
  CHECK(saved_bytes(filter) == bytes);
}

}  // namespace

TEST_CASE("a filter of every layout is loaded and saved as it was", "[core][saved][golden]") {
  check_saved_layout<Standard>({.m = 200, .k = 3});
  check_saved_layout<Partitioned>({.m = 200, .k = 3});
  check_saved_layout<Blocked>(Blocked::examples().front());
  check_saved_layout<SplitBlock>({.m = 512});
  check_saved_layout<Multiblock>({.m = 512, .k = 4});
  check_saved_layout<Counting>({.m = 100, .k = 3, .counter_bits = 4});
  check_saved_layout<Spectral>({.m = 50, .k = 3, .method = SpectralMethod::recurring_minimum});
  check_saved_layout<Scalable>(
      {.target = 0.1, .tightening = 0.5, .growth = 2, .first_capacity = 8});
  check_saved_layout<ScalablePartitioned>(
      {.target = 0.1, .tightening = 0.5, .growth = 2, .first_capacity = 8});
  check_saved_layout<ScalableUntightened>({.m = 64, .k = 3, .fp = 0.1});
  check_saved_layout<Dynamic>({.m = 64, .k = 3, .capacity = 8});
  check_saved_layout<Folded>({.m = 200, .k = 3, .folded_to = 130});
  check_saved_layout<Compressed>({.m = 200, .k = 3});
  check_saved_layout<Cuckoo>({.fingerprint_bits = 12, .bucket_size = 4, .buckets = 8});
  check_saved_layout<XorFilter>({.fingerprint_bits = 8});
  check_saved_layout<BinaryFuse>({.arity = 3, .fingerprint_bits = 8});
  check_saved_layout<Ribbon>({.width = 64, .result_bits = 7, .overhead = 0.2});
  check_saved_layout<FingerprintTable>({.capacity = 20});
  check_saved_layout<DigestSet>({.capacity = 20});
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
