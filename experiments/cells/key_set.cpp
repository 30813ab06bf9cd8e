#include "experiments/cells/key_set.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "experiments/cells/cell_parts.hpp"

namespace bloomlab::experiments {
namespace {

template <class Source>
class KeySetOf final : public KeySet {
 public:
  KeySetOf(const typename Source::Parameters& parameters, std::uint64_t seed, std::uint64_t n,
           std::uint64_t q)
      : KeySet(n, q), keys_(parameters, seed, n, q) {}

  KeyBatch inserted_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.inserted_keys(first, count, buffer);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.absent_keys(first, count, buffer);
  }
  bool made_on_demand() const noexcept override { return Source::made_on_demand; }

 private:
  typename Source::Keys keys_;
};

/// Integer keys, stored.
class HeldKeys final : public KeySet {
 public:
  explicit HeldKeys(const KeySet& keys) : KeySet(keys.inserted_keys(), keys.absent_keys()) {
    KeyBuffer buffer;
    const KeyBatch inserted_keys = keys.inserted_keys(0, keys.inserted_keys(), buffer);
    bytes_ = inserted_keys.integer_bytes();
    inserted_keys_.assign(inserted_keys.values().begin(), inserted_keys.values().end());
    static_cast<void>(keys.absent_keys(0, keys.absent_keys(), buffer));
    absent_keys_ = std::move(buffer.values);
  }
  /// In place of the keys their digests, integers of 8 bytes.
  HeldKeys(const KeySet& keys, const Hasher& hasher, std::uint64_t seed) : HeldKeys(keys) {
    for (std::vector<std::uint64_t>* values : {&inserted_keys_, &absent_keys_}) {
      // Keys are hashed to another place, a part at a time, and then written over.
      std::vector<std::uint64_t> digests(std::min(hashed_at_once, values->size()));
      for (std::size_t first = 0; first < values->size(); first += digests.size()) {
        const auto part =
            std::span(*values).subspan(first, std::min(digests.size(), values->size() - first));
        hasher.family_word(KeyBatch::integers(part, bytes_), seed, 0,
                           {digests.data(), part.size()});
        std::copy_n(digests.data(), part.size(), part.data());
      }
    }
    bytes_ = 8;
  }

  KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                         KeyBuffer& /*buffer*/) const override {
    return KeyBatch::integers(inserted_keys_, bytes_).slice(first, count);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                       KeyBuffer& /*buffer*/) const override {
    return KeyBatch::integers(absent_keys_, bytes_).slice(first, count);
  }
  bool made_on_demand() const noexcept override { return false; }

 private:
  static constexpr std::size_t hashed_at_once = 1024;

  std::vector<std::uint64_t> inserted_keys_;
  std::vector<std::uint64_t> absent_keys_;
  int bytes_ = 8;
};

}  // namespace

std::unique_ptr<KeySet> make_keys(const Cell& cell, std::uint64_t seed, std::uint64_t absent_keys) {
  std::unique_ptr<KeySet> keys;
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    keys = std::make_unique<KeySetOf<Source>>(parameters, seed, cell.n, absent_keys);
  });
  return keys;
}

bool worth_holding(const KeySet& keys) {
  KeyBuffer buffer;
  return keys.inserted_keys(0, 0, buffer).holds_integers() && keys.made_on_demand() &&
         keys.inserted_keys() <= max_held_keys &&
         keys.absent_keys() <= max_held_keys - keys.inserted_keys();
}

std::unique_ptr<KeySet> held(std::unique_ptr<KeySet> keys) {
  if (!worth_holding(*keys)) return keys;
  return std::make_unique<HeldKeys>(*keys);
}

std::unique_ptr<KeySet> held_digests(const KeySet& keys, const Hasher& hasher, std::uint64_t seed) {
  return std::make_unique<HeldKeys>(keys, hasher, seed);
}

}  // namespace bloomlab::experiments
