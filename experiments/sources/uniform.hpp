// Key source `uniform`: 64-bit keys from a keyed bijection of a counter (KeyedPermutation), which
// keeps inserted and absent keys apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/sources/counted_keys.hpp"

namespace bloomlab::experiments {

struct Uniform : CountedKeys<std::uint64_t, KeyedPermutation> {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view summary =
      "64-bit integers: a keyed bijection of a counter; inserted keys take 0 .. n-1, absent keys "
      "the next "
      "q";
};

}  // namespace bloomlab::experiments
