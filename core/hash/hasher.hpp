// The hash stage: turns a batch of keys into digests. Which hash is decided once a batch, so that
// hashes and filters never multiply into instantiations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/digests.hpp"
#include "core/hash/digest_planes.hpp"
#include "core/hash/hash_operations.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/seed_family.hpp"

namespace bloomlab {

/// Reusable storage of the hash stage; one a thread. Holds what Hasher::digest returned last.
class DigestBuffer {
 public:
  DigestBuffer() = default;

 private:
  friend class Hasher;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> seeds_;  // of the family of seeds_[0]; kept, as it rarely changes
};

/// A hash of the catalogue with its type hidden. Cheap to copy.
///
/// Two ways from a key to several words (DigestNeed):
/// * family: word i is the first word of the hash under family_seed(seed, i);
/// * otherwise the words of the hash under `seed` itself, then, where it has fewer than are needed,
///   those under family_seed(seed, 1), and so on: two words are both halves of a 128-bit hash or a
///   64-bit hash under two seeds.
class Hasher {
 public:
  /// The hasher of a type such as XxHash3_64.
  template <class Hash>
  [[nodiscard]] static Hasher of() noexcept {
    return Hasher(operations_of<Hash>);
  }
  /// The hasher of a hash whose type is hidden already; what is given must outlive it.
  explicit Hasher(const HashOperations& operations) noexcept : operations_(&operations) {}

  [[nodiscard]] std::string_view name() const noexcept { return operations_->name; }
  [[nodiscard]] std::string_view source() const noexcept { return operations_->source; }
  /// Bits of one evaluation: 64 a word, or 32 where the word is a widened one (see widened_32.hpp).
  [[nodiscard]] int digest_bits() const noexcept { return operations_->digest_bits; }
  /// False: the hash has no seed of its own; the seed is put in front of the key as 8 little-endian
  /// bytes (nothing for seed 0).
  [[nodiscard]] bool takes_seed() const noexcept { return operations_->takes_seed; }
  /// Whether this is `identity`: not a hash, only for probes with needs_identity(), and only for
  /// integer keys.
  [[nodiscard]] bool passes_through() const noexcept { return operations_->passes_through; }
  /// Whether a call costs far more than a key: digests are then asked for in large batches.
  [[nodiscard]] bool is_held() const noexcept { return operations_->holder != nullptr; }
  /// Words that one evaluation yields, 1 .. 4.
  [[nodiscard]] int words() const noexcept { return operations_->words; }

  /// The digests of a batch under `seed`, as `need` asks. The view is valid until the buffer is
  /// used again. Allocates only while the buffer grows.
  [[nodiscard]] DigestBatch digest(const KeyBatch& keys, std::uint64_t seed, DigestNeed need,
                                   DigestBuffer& buffer) const;

  /// The first word of every key under family_seed(seed, index): one plane of a family, for those
  /// who may not need them all. Throws std::invalid_argument where out.size() != keys.size().
  void family_word(const KeyBatch& keys, std::uint64_t seed, int index,
                   std::span<std::uint64_t> out) const;

  /// Number of seeds that write() wants for `need`.
  [[nodiscard]] int seeds_for(DigestNeed need) const noexcept;

  /// As digest(), into the caller's memory and with seeds made beforehand (SeedFamily, in order; at
  /// least seeds_for(need) of them). Precondition: out.width == need.words.
  void write(const KeyBatch& keys, std::span<const std::uint64_t> seeds, DigestNeed need,
             const DigestPlanes& out) const;

  friend bool operator==(const Hasher&, const Hasher&) = default;

 private:
  template <class Hash>
  static constexpr HashOperations operations_of = {
      Hash::name,         Hash::source,
      Hash::digest_bits,  static_cast<int>(std::tuple_size_v<typename Hash::Digest>),
      Hash::takes_seed,   Hash::passes_through,
      &Hash::digest_batch};

  void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) const {
    if (operations_->holder != nullptr) return operations_->holder->digest_batch(keys, seed, out);
    operations_->digest_batch(keys, seed, out);
  }

  const HashOperations* operations_;
};

}  // namespace bloomlab
