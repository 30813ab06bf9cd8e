// Static filters of fingerprints in which a key's slots xor to its fingerprint: what xor filters
// and binary fuse filters share. They differ in where the slots of a key lie (the Layout).
//
// Keys are edges of a hypergraph over the slots. An edge whose slot no other edge touches is taken
// away; if that takes away all edges, the slots are filled in reverse order, each settling the edge
// that was taken away with it.
// Source: Graf, Lemire 2020, "Xor filters: faster and smaller than Bloom and cuckoo filters";
// Botelho, Pagh, Ziviani 2007, "Simple and space-efficient minimal perfect hash functions".
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"
#include "core/bits/packed_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/one_word.hpp"

namespace bloomlab::detail {

/// The edges in the order in which they were taken away, and the slot that each settles.
struct PeelingOrder {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> slots;
};

/// Takes edges away while there is one with a slot of its own; nothing where some are left.
/// @tparam Layout has `slots()` and `positions(hash)`, an array of different slots
template <class Layout>
[[nodiscard]] std::optional<PeelingOrder> peel(std::span<const std::uint64_t> hashes,
                                               const Layout& layout) {
  struct Slot {
    std::uint64_t together = 0;  // xor of the hashes of the edges that touch it
    std::uint32_t edges = 0;
  };
  std::vector<Slot> slots(layout.slots());
  for (const std::uint64_t hash : hashes) {
    for (const std::uint64_t at : layout.positions(hash)) {
      slots[at].together ^= hash;
      ++slots[at].edges;
    }
  }
  PeelingOrder order;
  order.hashes.reserve(hashes.size());
  order.slots.reserve(hashes.size());
  std::vector<std::uint64_t> single;
  for (std::uint64_t at = 0; at < slots.size(); ++at) {
    if (slots[at].edges == 1) single.push_back(at);
  }
  while (!single.empty()) {
    const std::uint64_t settled = single.back();
    single.pop_back();
    if (slots[settled].edges != 1) continue;
    const std::uint64_t hash = slots[settled].together;
    order.hashes.push_back(hash);
    order.slots.push_back(settled);
    for (const std::uint64_t at : layout.positions(hash)) {
      slots[at].together ^= hash;
      if (--slots[at].edges == 1) single.push_back(at);
    }
  }
  if (order.hashes.size() != hashes.size()) return std::nullopt;
  return order;
}

/// Bits of a table for n keys, while it is built not counted; 2^64 - 1 for too many keys.
template <class Layout>
[[nodiscard]] std::uint64_t peeled_bits(std::uint64_t n, std::uint64_t width) noexcept {
  if (n > max_static_keys) return std::numeric_limits<std::uint64_t>::max();
  return PackedArray::memory_bits_for(Layout(n).slots(), static_cast<unsigned>(width));
}

/// The table of such a filter.
/// @tparam Layout as for peel(), also `arity`
template <class Layout>
class PeeledTable {
 public:
  /// Hash functions that are tried before building is given up. One fails with a probability well
  /// below 1/2, unless digests are equal, which are dropped after the first try.
  static constexpr std::uint64_t attempts = 64;

  /// A table of all keys, or nothing. @param width bits of a fingerprint, 1 .. 32
  /// Throws AllocationError and std::bad_alloc.
  [[nodiscard]] static std::optional<PeeledTable> build(const Layout& layout, unsigned width,
                                                        const DigestBatch& digests) {
    std::vector<std::uint64_t> words;
    if (digests.size != 0) words.assign(digests.word(0).begin(), digests.word(0).end());
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
      hashes.resize(words.size());
      std::ranges::transform(words, hashes.begin(),
                             [attempt](std::uint64_t word) { return remix(word, attempt); });
      if (const auto order = peel(std::span<const std::uint64_t>(hashes), layout)) {
        PeeledTable table(layout, width, attempt, words.size());
        table.fill(*order);
        return table;
      }
      if (attempt == 0) {
        std::ranges::sort(words);
        words.erase(std::unique(words.begin(), words.end()), words.end());
      }
    }
    return std::nullopt;
  }

  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    answer_each(digests, out, [this](std::uint64_t word) { return holds(word); });
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return count_each(digests, [this](std::uint64_t word) { return holds(word); });
  }
  /// One key, inlined (core/filters/one_key.hpp).
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept {
    return holds(word);
  }

  /// `keys` counts equal digests once if the first hash function failed. The rate is 2^-width: the
  /// fingerprint of an absent key is independent of its slots.
  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits = table_.size() * table_.width();
    const std::uint64_t bits_set = count_set_bits(table_.words());
    return {.bits = bits,
            .bits_set = bits_set,
            .memory_bits = table_.memory_bits(),
            .conditional_rate = keys_ == 0 ? 0.0 : integer_power(0.5, table_.width()),
            .layers = {{bits, bits_set, keys_, Layout::arity}}};
  }

  [[nodiscard]] const PackedArray& table() const& noexcept { return table_; }
  void table() const&& = delete;

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    std::uint64_t planned = self.layout_.keys();
    visit(planned);
    if constexpr (Visitor::reading) {
      visit.check(planned <= max_static_keys, "there are more keys than a filter takes");
      const Layout layout(planned);
      visit.require(PackedArray::memory_bits_for(layout.slots(), self.table_.width()));
      static_cast<PeeledTable&>(self) = PeeledTable(layout, self.table_.width(), 0, 0);
    }
    visit(self.attempt_);
    visit(self.keys_);
    visit(self.table_);
  }

 private:
  PeeledTable(const Layout& layout, unsigned width, std::uint64_t attempt, std::uint64_t keys)
      : layout_(layout), table_(layout.slots(), width), attempt_(attempt), keys_(keys) {}

  [[nodiscard]] std::uint64_t fingerprint(std::uint64_t hash) const noexcept {
    // The high bits of a product with an odd number depend on all bits of the hash.
    return (hash * 0xd6e8feb86659fd93) >> (64 - table_.width());
  }

  [[nodiscard]] std::uint64_t together(std::uint64_t hash) const noexcept {
    std::uint64_t value = 0;
    for (const std::uint64_t at : layout_.positions(hash)) value ^= table_.get(at);
    return value;
  }

  [[nodiscard]] bool holds(std::uint64_t word) const noexcept {
    const std::uint64_t hash = remix(word, attempt_);
    return together(hash) == fingerprint(hash) && keys_ != 0;
  }

  void fill(const PeelingOrder& order) noexcept {
    for (std::size_t i = order.hashes.size(); i-- > 0;) {
      // The slot is still zero: it does not take part in what the others come to.
      table_.set(order.slots[i], together(order.hashes[i]) ^ fingerprint(order.hashes[i]));
    }
  }

  Layout layout_;
  PackedArray table_;
  std::uint64_t attempt_;
  std::uint64_t keys_;
};

}  // namespace bloomlab::detail
