#include "experiments/sources/minstd_rand0.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <unordered_set>
#include <vector>

namespace bloomlab::experiments {
namespace {

std::vector<std::uint64_t> seeds_of(const KeyBatch& batch) {
  return {batch.values().begin(), batch.values().end()};
}

}  // namespace

TEST_CASE("minstd_rand0 gives the lab report's sets in their order of iteration",
          "[experiments][sources]") {
  constexpr std::size_t n = 100'000;
  constexpr std::size_t q = 10'000;
  // The lab report's loop, with the generator written out: x <- 16807 x mod (2^31 - 1).
  std::uint64_t state = 1024;
  const auto draw = [&] { return static_cast<int>(state = state * 16807 % 2'147'483'647); };
  std::unordered_set<int> first;
  while (first.size() != n) first.insert(draw());
  std::unordered_set<int> second;
  while (second.size() != q) second.insert(draw());

  const MinstdRand0::Keys keys({1024}, 5, n, q);
  KeyBuffer buffer;
  const KeyBatch inserted_keys = keys.inserted_keys(0, n, buffer);
  const KeyBatch absent_keys = keys.absent_keys(0, q, buffer);
  CHECK(std::ranges::equal(inserted_keys.values(),
                           std::vector<std::uint64_t>(first.begin(), first.end())));
  CHECK(std::ranges::equal(absent_keys.values(),
                           std::vector<std::uint64_t>(second.begin(), second.end())));
  CHECK(inserted_keys.integer_bytes() == 4);
  // The order is the set's, not the generator's: 1024 * 16807 is drawn first.
  CHECK(inserted_keys.values()[0] != 17'210'368);
  CHECK(std::ranges::find(inserted_keys.values(), 17'210'368) != inserted_keys.values().end());
}

TEST_CASE("inserted keys and absent keys of minstd_rand0 are disjoint, at a million keys",
          "[experiments][sources]") {
  constexpr std::size_t n = 600'000;
  constexpr std::size_t q = 400'000;
  const MinstdRand0::Keys keys({}, 20211121, n, q);
  KeyBuffer buffer;
  std::vector<std::uint64_t> all = seeds_of(keys.inserted_keys(0, n, buffer));
  const auto absent_keys = seeds_of(keys.absent_keys(0, q, buffer));
  all.insert(all.end(), absent_keys.begin(), absent_keys.end());
  REQUIRE(all.size() == n + q);
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  CHECK(all.back() < 2'147'483'647);
}

TEST_CASE("the generator's seed is the config's where there is one, else drawn from the trial's",
          "[experiments][sources]") {
  CHECK(MinstdRand0::generator_seed({1024}, 77) == 1024);
  CHECK(MinstdRand0::generator_seed({}, 0) == 1);
  CHECK(MinstdRand0::generator_seed({}, 2'147'483'645) == 2'147'483'646);
  CHECK(MinstdRand0::generator_seed({}, 2'147'483'646) == 1);
  CHECK_FALSE(MinstdRand0::redraws_keys({1024}));
  CHECK(MinstdRand0::redraws_keys({}));
}

}  // namespace bloomlab::experiments
