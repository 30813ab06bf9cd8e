// XXH64 (Collet 2014), from the xxHash library: what the Parquet format prescribes for its filters.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/xxhash.hpp"

namespace bloomlab {
/// Word 0 is XXH64(key, seed).
struct XxHash64 : HashBase<XxHash64, 1> {
  static constexpr std::string_view name = "xxhash64";
  static constexpr std::string_view source = "Collet 2014, xxHash, XXH64 (library xxHash)";
  /// The hash of one key, inlined.
  using Kernel = detail::Xxh64Kernel;

  struct Function;
};

}  // namespace bloomlab
