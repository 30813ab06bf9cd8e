// Keys with the hash that they are to be hashed by, when somebody asks for their digests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/digest_stream.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// A batch of keys whose digests are the first words of a hash under one seed.
class HashedKeys {
 public:
  /// The keys must outlive it.
  HashedKeys(const Hasher& hasher, const KeyBatch& keys, std::uint64_t seed) noexcept
      : hasher_(hasher), keys_(keys), seed_(seed) {}

  /// Word 0 of Hasher::digest() of every key. Precondition: this outlives the stream.
  [[nodiscard]] DigestStream stream() const& noexcept { return {keys_.size(), this, write}; }
  void stream() const&& = delete;

 private:
  static void write(const void* self, std::size_t first, std::size_t count, std::uint64_t* out) {
    const auto& [hasher, keys, seed] = *static_cast<const HashedKeys*>(self);
    hasher.family_word(keys.slice(first, count), seed, 0, {out, count});
  }

  Hasher hasher_;
  KeyBatch keys_;
  std::uint64_t seed_;
};

}  // namespace bloomlab
