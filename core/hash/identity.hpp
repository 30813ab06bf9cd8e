// No hash at all: passes a 32-bit integer key through, for probes that mix the key themselves.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word 0 is the low 32 bits of an integer key (of bytes: the first four, little-endian, zeros
/// where there are none). Ignores the seed. Only for probes that need it (Probe::needs_identity);
/// batches of texts are refused upstream.
struct Identity : HashBase<Identity, 1, 32> {
  static constexpr std::string_view name = "identity";
  static constexpr bool takes_seed = false;
  static constexpr bool passes_through = true;
  static constexpr std::string_view source = "no hash: the key itself";

  struct Function;
};

}  // namespace bloomlab
