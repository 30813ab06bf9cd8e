// Key source `uniform_32`: 32-bit keys from a keyed bijection of a counter (KeyedPermutation32);
// the universe has 2^32 keys, few enough to ask all of them (kind `census`).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/keys/keyed_permutation_32.hpp"
#include "experiments/sources/counted_keys.hpp"

namespace bloomlab::experiments {

struct Uniform32 : CountedKeys<std::uint32_t, KeyedPermutation32> {
  static constexpr std::string_view name = "uniform_32";
  static constexpr std::string_view summary =
      "32-bit integers: a keyed bijection of a counter; inserted keys take 0 .. n-1, absent keys "
      "the next "
      "q, at most 2^32 in all";
  static std::uint64_t supply(const Parameters& /*p*/) { return std::uint64_t{1} << 32; }
};

}  // namespace bloomlab::experiments
