// From keys to the digests that a mutant takes: the hash stage of the mutation matrix.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash/hasher.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/hash_stage.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// Keys of a batch of digests: what "the last key of a batch" means in the names of defects.
inline constexpr std::size_t mutant_batch_keys = 1024;

/// Keys -> digests of xxhash3_64 -> a filter with insert, count_contained and state.
template <class Filter>
class KeyedMutant final : public Implementation {
 public:
  KeyedMutant(Filter filter, DigestNeed need, std::uint64_t seed)
      : filter_(std::move(filter)),
        hash_(Hasher::of<XxHash3_64>(), need, seed),
        memory_(mutant_batch_keys * static_cast<std::size_t>(need.words)) {}

  void insert(const KeyBatch& keys) override {
    hash_.for_each_part(keys, memory_, [this](std::size_t, const DigestBatch& digests) {
      filter_.insert(digests);
    });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    hash_.for_each_part(keys, memory_, [&](std::size_t, const DigestBatch& digests) {
      count += filter_.count_contained(digests);
    });
    return count;
  }

  [[nodiscard]] FilterState state() const override { return filter_.state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }
  [[nodiscard]] Filter& filter() noexcept { return filter_; }

 private:
  Filter filter_;
  HashStage hash_;
  std::vector<std::uint64_t> memory_;  // of the digests of a batch
};

/// A filter whose keys end at their first zero byte: binary keys taken for texts of the language C.
class TextKeys final : public Implementation {
 public:
  explicit TextKeys(std::unique_ptr<Implementation> filter) : filter_(std::move(filter)) {}

  void insert(const KeyBatch& keys) override { filter_->insert(texts(keys)); }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_->count_contained(texts(keys));
  }
  [[nodiscard]] FilterState state() const override { return filter_->state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }

 private:
  KeyBatch texts(const KeyBatch& keys) {
    static_assert(std::endian::native == std::endian::little,
                  "the bytes of a key are those of its value");
    texts_.clear();
    for (const std::string_view& text : keys.texts()) {
      texts_.push_back(text.substr(0, text.find('\0')));
    }
    for (const std::uint64_t& value : keys.values()) {
      const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof value);
      texts_.push_back(bytes.substr(0, bytes.find('\0')));
    }
    return KeyBatch::texts(texts_);
  }

  std::unique_ptr<Implementation> filter_;
  std::vector<std::string_view> texts_;
};

/// A filter that sees some bits of a key: keys that differ in the others are one to it. Keys are
/// random numbers, so that what is left of one is a hash of it.
class MaskedKeys final : public Implementation {
 public:
  MaskedKeys(std::unique_ptr<Implementation> filter, std::uint64_t mask)
      : filter_(std::move(filter)), mask_(mask) {}

  void insert(const KeyBatch& keys) override { filter_->insert(masked(keys)); }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_->count_contained(masked(keys));
  }
  [[nodiscard]] FilterState state() const override { return filter_->state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }

 private:
  KeyBatch masked(const KeyBatch& keys) {
    values_.assign(keys.values().begin(), keys.values().end());
    for (std::uint64_t& value : values_) value &= mask_;
    return KeyBatch::integers(values_, keys.integer_bytes());
  }

  std::unique_ptr<Implementation> filter_;
  std::uint64_t mask_;
  std::vector<std::uint64_t> values_;
};

}  // namespace bloomlab::experiments
