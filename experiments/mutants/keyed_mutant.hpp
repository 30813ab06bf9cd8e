// From keys to the digests that a mutant takes: the hash stage of the mutation matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash/hasher.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "experiments/implementation.hpp"

namespace bloomlab::experiments {

/// Keys of a batch of digests: what "the last key of a batch" means in the names of defects.
inline constexpr std::size_t mutant_batch_keys = 1024;

/// Keys -> digests of xxhash3_64 -> a filter with insert, count_contained and state.
template <class Filter>
class KeyedMutant final : public Implementation {
 public:
  KeyedMutant(Filter filter, DigestNeed need, std::uint64_t seed)
      : filter_(std::move(filter)), need_(need), seed_(seed) {}

  void insert(const KeyBatch& keys) override {
    for_each_batch(keys, [this](const DigestBatch& digests) { filter_.insert(digests); });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    for_each_batch(keys,
                   [&](const DigestBatch& digests) { count += filter_.count_contained(digests); });
    return count;
  }

  [[nodiscard]] FilterState state() const override { return filter_.state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }
  [[nodiscard]] Filter& filter() noexcept { return filter_; }

 private:
  template <class Use>
  void for_each_batch(const KeyBatch& keys, Use&& use) {
    for (std::size_t first = 0; first < keys.size(); first += mutant_batch_keys) {
      const std::size_t count = std::min(mutant_batch_keys, keys.size() - first);
      use(hasher_.digest(keys.slice(first, count), seed_, need_, buffer_));
    }
  }

  Hasher hasher_ = Hasher::of<XxHash3_64>();
  Filter filter_;
  DigestNeed need_;
  std::uint64_t seed_;
  DigestBuffer buffer_;
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
    for (const std::uint64_t& value : keys.values()) {
      const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof value);
      texts_.push_back(bytes.substr(0, bytes.find('\0')));
    }
    return KeyBatch::texts(texts_);
  }

  std::unique_ptr<Implementation> filter_;
  std::vector<std::string_view> texts_;
};

}  // namespace bloomlab::experiments
