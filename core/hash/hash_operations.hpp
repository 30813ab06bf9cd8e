// What is known of a hash function whose type is hidden.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Hashes batches by what it holds, such as a program that runs beside this one.
class BatchHash {
 public:
  BatchHash() = default;
  BatchHash(const BatchHash&) = delete;
  BatchHash& operator=(const BatchHash&) = delete;
  virtual ~BatchHash() = default;

  /// The first `out.width` words of the digest of every key. May throw, and so may then whoever
  /// asks for digests.
  virtual void digest_batch(const KeyBatch& keys, std::uint64_t seed,
                            const DigestPlanes& out) const = 0;
};

/// A hash function by name: its facts, and how it hashes a batch. See Hasher for their meaning.
struct HashOperations {
  std::string_view name;
  std::string_view source;
  int digest_bits = 64;
  int words = 1;
  bool takes_seed = true;
  bool passes_through = false;
  void (*digest_batch)(const KeyBatch&, std::uint64_t seed, const DigestPlanes&) = nullptr;
  const BatchHash* holder = nullptr;  ///< where there is one, it hashes
};

}  // namespace bloomlab
