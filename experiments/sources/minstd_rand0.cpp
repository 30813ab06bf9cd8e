#include "experiments/sources/minstd_rand0.hpp"

#include <array>
#include <random>

namespace bloomlab::experiments {
namespace {

/// Numbers of buckets of a libstdc++ set that grows one key at a time: the least prime of that
/// library's list that is twice as large as the one before, from 13 on.
constexpr std::array<std::uint32_t, 28> bucket_counts = {
    13,       29,        59,        127,       257,       541,        1109,
    2357,     5087,      10273,     20753,     42043,     85229,      172933,
    351061,   712697,    1447153,   2938679,   5967347,   12117689,   24607243,
    49969847, 101473717, 206062531, 418451333, 849749479, 1725587117, 3504151727};

/// The order in which libstdc++'s std::unordered_set<int> is read, for distinct keys from 0 that
/// were inserted one by one without reserve(). Its nodes are one list, those of a bucket side by
/// side. A key becomes the first of its bucket; the first key of a bucket, the first of the list. A
/// set that holds as many keys as buckets takes more buckets, and its keys in the order of the list
/// anew.
class SetOrder {
 public:
  void insert(std::uint32_t key) {
    if (keys_.size() == buckets_.size()) rehash();
    keys_.push_back(key);
    next_.push_back(end);
    link(static_cast<std::uint32_t>(keys_.size() - 1));
  }

  [[nodiscard]] std::vector<std::uint64_t> keys() const {
    std::vector<std::uint64_t> in_order;
    in_order.reserve(keys_.size());
    for (std::uint32_t node = first_; node != end; node = next_[node]) {
      in_order.push_back(keys_[node]);
    }
    return in_order;
  }

 private:
  static constexpr std::uint32_t end = ~std::uint32_t{0};  ///< of the list
  static constexpr std::uint32_t none = end;               ///< an empty bucket
  static constexpr std::uint32_t head = end - 1;           ///< stands before the list's first node

  [[nodiscard]] std::uint32_t& after(std::uint32_t node) {
    return node == head ? first_ : next_[node];
  }
  [[nodiscard]] std::uint32_t& bucket_of(std::uint32_t node) {
    return buckets_[keys_[node] % buckets_.size()];
  }

  /// A bucket is known by the node before its first one.
  void link(std::uint32_t node) {
    std::uint32_t& bucket = bucket_of(node);
    if (bucket == none) {
      if (first_ != end) bucket_of(first_) = node;
      bucket = head;
    }
    next_[node] = after(bucket);
    after(bucket) = node;
  }

  void rehash() {
    buckets_.assign(bucket_counts.at(growths_++), none);
    std::uint32_t node = first_;
    first_ = end;
    while (node != end) {
      const std::uint32_t following = next_[node];
      link(node);
      node = following;
    }
  }

  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> buckets_;
  std::uint32_t first_ = end;
  std::size_t growths_ = 0;
};

/// The next outputs of the engine, as the lab report gathered and read them.
std::vector<std::uint64_t> gather(std::minstd_rand0& engine, std::uint64_t count) {
  SetOrder set;
  for (std::uint64_t i = 0; i < count; ++i) set.insert(static_cast<std::uint32_t>(engine()));
  return set.keys();
}

}  // namespace

MinstdRand0::Keys::Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q) {
  std::minstd_rand0 engine(static_cast<std::uint32_t>(generator_seed(p, seed)));
  inserted_keys_ = gather(engine, n);
  absent_keys_ = gather(engine, q);
}

}  // namespace bloomlab::experiments
