// The positions of one key alone, made while a filter asks for them (core/filters/one_key.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/digests.hpp"
#include "core/hash/one_key.hpp"
#include "core/probe/planes.hpp"

namespace bloomlab {

/// A key of which a hashing scheme needs `Words` words, for any k.
template <class Family, class Reduction, std::size_t Words>
class ProbedKey {
 public:
  template <class Hash, class Key>
  [[gnu::always_inline]] ProbedKey(const OneKeyHasher<Hash>& hasher, const Key& key) {
    hasher.template write<Words>(key, words_.data());
  }

  /// The walk of the key over [0, m), which this must outlive.
  [[gnu::always_inline]] [[nodiscard]] auto walk(std::uint64_t m) const noexcept {
    return Family::template walk<Reduction>(digests(), m);
  }
  /// The key as a batch, which this must outlive.
  [[gnu::always_inline]] [[nodiscard]] DigestBatch digests() const noexcept {
    return {words_.data(), 1, 1, static_cast<int>(Words)};
  }

 private:
  std::array<std::uint64_t, Words> words_;
};

/// A key under a family of functions, each of which is evaluated when its position is asked for.
template <class Hash, class Key, class Reduction>
class FamilyKey {
 public:
  [[gnu::always_inline]] FamilyKey(const OneKeyHasher<Hash>& hasher, const Key& key) noexcept
      : hasher_(&hasher), key_(&key) {}

  /// The walk (core/probe/walk.hpp) of the key.
  class Walk : public HeldPosition {
   public:
    static constexpr bool costly = true;  // a hash a position
    struct State {
      std::uint64_t position;
    };

    Walk(const FamilyKey& key, std::uint64_t m) noexcept : key_(key), reduce_(m) {}

    [[gnu::always_inline]] [[nodiscard]] State first(std::size_t /*key*/) const { return at(0); }
    [[gnu::always_inline]] void advance(State& state, std::size_t /*key*/, int i) const {
      state = at(static_cast<std::size_t>(i));
    }

   private:
    [[gnu::always_inline]] [[nodiscard]] State at(std::size_t index) const {
      return {reduce_(key_.hasher_->family_word(*key_.key_, index))};
    }

    FamilyKey key_;
    Reduction reduce_;
  };

  /// The walk of the key over [0, m), which hasher and key must outlive.
  [[gnu::always_inline]] [[nodiscard]] Walk walk(std::uint64_t m) const noexcept {
    return {*this, m};
  }

 private:
  const OneKeyHasher<Hash>* hasher_;
  const Key* key_;
};

}  // namespace bloomlab
