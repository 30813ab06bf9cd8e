// Peers that take one key after the other, as bytes, or as integers and texts; or calls of some
// keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/answer.hpp"
#include "core/keys/key_batch.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// Calls `use(bytes, length)` for every key, an integer as its little-endian bytes.
template <class Use>
void for_each_key_bytes(const KeyBatch& keys, Use use) {
  const auto length = static_cast<std::size_t>(keys.integer_bytes());
  for (const std::uint64_t& value : keys.values()) {
    use(static_cast<const void*>(&value), length);
  }
  for (const std::string_view text : keys.texts()) {
    use(static_cast<const void*>(text.data()), text.size());
  }
}

/// Calls `use(key)` for every key, an integer or a text.
template <class Use>
void for_each_key(const KeyBatch& keys, const Use& use) {
  for (const std::uint64_t key : keys.values()) use(key);
  for (const std::string_view key : keys.texts()) use(key);
}

/// Calls `use(span)` for spans of `size` keys, the last of as many as are left.
template <class Key, class Use>
void for_each_span(std::span<const Key> keys, std::size_t size, const Use& use) {
  for (std::size_t first = 0; first < keys.size(); first += size) {
    use(keys.subspan(first, std::min(size, keys.size() - first)));
  }
}
template <class Use>
void for_each_call(const KeyBatch& keys, std::size_t keys_per_call, const Use& use) {
  for_each_span(keys.values(), keys_per_call, use);
  for_each_span(keys.texts(), keys_per_call, use);
}

/// Asks a filter that has contains(key) of an integer and of a text.
template <class Filter>
class OneKeyAsker final : public Asker {
 public:
  explicit OneKeyAsker(const Filter& filter) : filter_(filter) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    for_each_key(keys, [&](const auto& key) { count += filter_.contains(key) ? 1 : 0; });
    return count;
  }
  /// Its hash is part of its lookup.
  std::uint64_t only_hash(const KeyBatch& keys) override { return only_read(keys); }

 private:
  const Filter& filter_;
};

/// Asks a filter that has contains(bytes, length).
template <class Filter>
class KeyedAsker final : public Asker {
 public:
  explicit KeyedAsker(const Filter& filter) : filter_(filter) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    for_each_key_bytes(keys, [&](const void* key, std::size_t length) {
      count += filter_.contains(key, length) ? 1 : 0;
    });
    return count;
  }
  /// Its hash cannot be had apart from it: the bytes' lengths are all that is looked at.
  std::uint64_t only_hash(const KeyBatch& keys) override { return only_read(keys); }

 private:
  const Filter& filter_;
};

/// Deduplicates by a filter that has contains(bytes, length) and insert(bytes, length).
template <class Filter>
class KeyedDeduplicator final : public Deduplicator {
 public:
  explicit KeyedDeduplicator(Filter& filter) : filter_(filter) {}

  void take(const KeyBatch& keys, std::span<Answer> known) override {
    auto said = known.begin();
    for_each_key_bytes(keys, [&](const void* key, std::size_t length) {
      *said = filter_.contains(key, length) ? Answer::maybe : Answer::absent;
      if (*said == Answer::absent) filter_.insert(key, length);
      ++said;
    });
  }

 private:
  Filter& filter_;
};

}  // namespace bloomlab::experiments
