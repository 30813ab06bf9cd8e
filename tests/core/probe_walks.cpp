// The walks of fused probes: step by step the positions that the family writes as planes.

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/filters/detail/fused_probes.hpp"
#include "core/parameters.hpp"
#include "core/probe/walk.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

constexpr std::size_t walked_keys = 37;
constexpr int most_walked = 32;

/// All positions of the walk, in planes.
template <PositionWalk Walk>
std::vector<std::uint64_t> walked(const Walk& walk, int k) {
  std::vector<std::uint64_t> positions(walked_keys * static_cast<std::size_t>(k));
  for (std::size_t key = 0; key < walked_keys; ++key) {
    auto state = walk.first(key);
    for (int i = 0; i < k; ++i) {
      if (i > 0) walk.advance(state, key, i);
      positions[static_cast<std::size_t>(i) * walked_keys + key] = walk.position(state, i);
    }
  }
  return positions;
}

template <class Family, class Reduction>
void check_walk(const std::vector<std::uint64_t>& words) {
  const Probe probe = Probe::of<Family, Reduction>();
  for (const std::uint64_t m :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{31}, std::uint64_t{64},
        std::uint64_t{1000}, std::uint64_t{65536}, (std::uint64_t{1} << 33) + 1, max_filter_bits}) {
    if (!probe.accepts(m)) continue;
    for (const int k : {1, 2, 3, 7, most_walked}) {
      INFO(bloomlab::test::label(probe) << ", m = " << m << ", k = " << k);
      const int width = probe.need(k).words;
      // The stride is longer than the batch, as it is where a batch is cut from a larger one.
      const DigestBatch digests{words.data(), walked_keys + 5, walked_keys, width};
      std::vector<std::uint64_t> planes(walked_keys * static_cast<std::size_t>(k));
      probe.write(digests, m, k, planes.data());
      CHECK(walked(Family::template walk<Reduction>(digests, m), k) == planes);
    }
  }
}

}  // namespace

TEST_CASE("walking from probe to probe gives the positions of the planes", "[core][probe]") {
  const std::vector<std::uint64_t> words = bloomlab::test::keys(0, (walked_keys + 5) * most_walked);
  for_each_type<bloomlab::detail::FusedFamilies>([&]<class Family>(std::type_identity<Family>) {
    for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
      if constexpr (Family::template allows<Reduction>) check_walk<Family, Reduction>(words);
    });
  });
}

TEST_CASE("probes that are not fused go by planes", "[core][probe]") {
  const auto ignore = [](const auto&) {};
  CHECK(bloomlab::detail::with_walk(make_probe("remix", "multiply_shift"), ignore));
  CHECK(bloomlab::detail::with_walk(make_probe("double_hashing_odd", "multiply_shift"), ignore));
  CHECK_FALSE(bloomlab::detail::with_walk(make_probe("remix", "modulo"), ignore));
  CHECK_FALSE(bloomlab::detail::with_walk(make_probe("triple_hashing", "multiply_shift"), ignore));
}
