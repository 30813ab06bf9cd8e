// What is known of a hash function whose type is hidden.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// A hash function by name: its facts, and how it hashes a batch. See Hasher for their meaning.
struct HashOperations {
  std::string_view name;
  std::string_view source;
  int digest_bits = 64;
  int words = 1;
  bool takes_seed = true;
  bool passes_through = false;
  void (*digest_batch)(const KeyBatch&, std::uint64_t seed, const DigestPlanes&) = nullptr;
};

}  // namespace bloomlab
