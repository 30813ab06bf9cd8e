// What structures that keep the keys themselves share: one container for integer keys, one for
// texts, chosen by the first keys that come; and the count of the memory that they take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/answer.hpp"
#include "core/filter_state.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/keys/key_batch.hpp"
#include "core/require_places.hpp"
#include "core/theory/query.hpp"

namespace bloomlab::detail {

/// Counts the bytes that a standard container has allocated at the moment, in a number that it does
/// not own. What the heap itself adds to a block (mostly 8 to 16 bytes) is not in it.
template <class T>
class CountingAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  explicit CountingAllocator(std::uint64_t* bytes) noexcept : bytes_(bytes) {}
  template <class Other>
  CountingAllocator(
      const CountingAllocator<Other>& other) noexcept  // NOLINT: rebinding is implicit
      : bytes_(other.bytes()) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    T* const block = std::allocator<T>().allocate(count);
    *bytes_ += count * sizeof(T);
    return block;
  }
  void deallocate(T* block, std::size_t count) noexcept {
    *bytes_ -= count * sizeof(T);
    std::allocator<T>().deallocate(block, count);
  }
  [[nodiscard]] std::uint64_t* bytes() const noexcept { return bytes_; }
  template <class Other>
  friend bool operator==(const CountingAllocator& a, const CountingAllocator<Other>& b) noexcept {
    return a.bytes() == b.bytes();
  }

 private:
  std::uint64_t* bytes_;
};

/// Bytes that a text takes outside of the string object.
[[nodiscard]] inline std::uint64_t heap_bytes(const std::string& text) noexcept {
  const auto* const object = reinterpret_cast<const char*>(&text);
  const bool inside = text.data() >= object && text.data() < object + sizeof text;
  return inside ? 0 : text.capacity() + 1;
}

/// Bytes that the keys of a container take outside of it.
template <class Container>
[[nodiscard]] std::uint64_t texts_outside(const Container& keys) noexcept {
  std::uint64_t bytes = 0;
  if constexpr (std::is_same_v<typename Container::value_type, std::string>) {
    for (const std::string& key : keys) bytes += heap_bytes(key);
  }
  return bytes;
}

/// Keys in a container of the standard library.
/// @tparam Container of keys as they are stored, std::uint64_t or std::string, with a
/// CountingAllocator   @tparam Access inserts keys into it, returns by how many bytes what they
/// take outside of it grew, and searches it for one
template <class Container, class Access>
class ContainedKeys {
 public:
  using Stored = typename Container::value_type;
  using Key =
      std::conditional_t<std::is_same_v<Stored, std::string>, std::string_view, std::uint64_t>;

  explicit ContainedKeys(std::uint64_t* bytes)
      : bytes_(bytes), keys_(CountingAllocator<Stored>(bytes)) {}
  ContainedKeys(const ContainedKeys&) = delete;
  ContainedKeys& operator=(const ContainedKeys&) = delete;
  ContainedKeys(ContainedKeys&&) = default;
  ContainedKeys& operator=(ContainedKeys&&) = default;
  ~ContainedKeys() { *bytes_ -= texts_outside(keys_); }

  void insert(std::span<const Key> keys) { *bytes_ += Access::insert(keys_, keys); }
  [[nodiscard]] bool contains(Key key) const { return Access::contains(keys_, key); }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  std::uint64_t* bytes_;
  Container keys_;
};

/// Keys in a container that has each once and is searched by its own means.
struct SetAccess {
  template <class Set, class Key>
  static std::uint64_t insert(Set& set, std::span<const Key> keys) {
    std::uint64_t bytes = 0;
    if constexpr (std::is_same_v<Key, std::string_view>) {
      for (const Key key : keys) {
        if (!set.contains(key)) bytes += heap_bytes(*set.emplace(key).first);
      }
    } else {
      set.insert(keys.begin(), keys.end());
    }
    return bytes;
  }
  template <class Set, class Key>
  static bool contains(const Set& set, Key key) {
    return set.contains(key);
  }
};

/// 8 bytes_per_key n + more [bits], or 2^64 - 1 where that would pass it.
[[nodiscard]] constexpr std::uint64_t bits_of_nodes(std::uint64_t n, std::uint64_t bytes_per_key,
                                                    std::uint64_t more = 0) noexcept {
  constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
  return n > (impossible - more) / (8 * bytes_per_key) ? impossible : 8 * bytes_per_key * n + more;
}

/// A set of integers or of texts. Keys of both sorts, or integers of two widths, do not mix.
/// @tparam Container of std::uint64_t or std::string   @tparam Access see ContainedKeys
template <template <class Stored> class Container, class Access>
class ExactContainer {
  using Integers = ContainedKeys<Container<std::uint64_t>, Access>;
  using Texts = ContainedKeys<Container<std::string>, Access>;

 public:
  static constexpr bool chooses_positions = true;

  /// None.
  struct Parameters {
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };
  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}
  [[nodiscard]] static std::vector<Parameters> examples() { return {{}}; }
  /// Nothing: there are no parameters.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& /*p*/) {
    return std::nullopt;
  }
  /// 1: one question, of the whole key.
  [[nodiscard]] static int probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
    return 1;
  }
  /// The closed form of the rate: `exact_set`, 0.
  [[nodiscard]] static theory::Query prediction(const Parameters& /*p*/, std::uint64_t n) {
    return {"exact_set", {{"n", n}}};
  }
  [[nodiscard]] static double rate(const Parameters& /*p*/, std::uint64_t /*n*/) { return 0.0; }
  /// How it is sized for a goal: it has one shape.
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    return {.traits = {.grows = true, .exact = true},
            .shapes = {{1, 1, [](std::uint64_t) { return Parameters{}; }}},
            .note = "for keys of 8 bytes"};
  }

  ExactContainer() : bytes_(std::make_unique<std::uint64_t>(0)) {}
  explicit ExactContainer(const Parameters& /*p*/) : ExactContainer() {}
  // What was moved from lets go of its keys at once: they count down a counter that goes with the
  // other set.
  ExactContainer(ExactContainer&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        keys_(std::move(other.keys_)),
        integer_bytes_(other.integer_bytes_) {
    other.clear();
  }
  ExactContainer& operator=(ExactContainer&& other) noexcept {
    if (this == &other) return *this;
    clear();  // while the counter that its keys count down is still there
    bytes_ = std::move(other.bytes_);
    keys_ = std::move(other.keys_);
    integer_bytes_ = other.integer_bytes_;
    other.clear();
    return *this;
  }
  ~ExactContainer() = default;

  /// Inserts every key of the batch. Throws std::invalid_argument where the keys are not of the
  /// sort that the set has.
  void insert(const KeyBatch& keys) {
    if (keys.size() == 0) return;
    require_sort(keys);
    if (keys.holds_integers()) {
      if (!holds_keys()) keys_.template emplace<Integers>(bytes_.get());
      integer_bytes_ = keys.integer_bytes();
      std::get<Integers>(keys_).insert(integers(keys));
    } else {
      if (!holds_keys()) keys_.template emplace<Texts>(bytes_.get());
      std::get<Texts>(keys_).insert(keys.texts());
    }
  }

  /// Whether the set has each key. out.size() == keys.size(). Throws as insert().
  void contains(const KeyBatch& keys, std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    std::size_t next = 0;
    for_each_key(keys, [&](bool held) { out[next++] = held ? Answer::maybe : Answer::absent; });
  }
  /// How many keys of the batch the set has. Throws as insert().
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) const {
    std::uint64_t count = 0;
    for_each_key(keys, [&](bool held) { count += held ? 1 : 0; });
    return count;
  }

  /// The memory really allocated; `bits` is the same, `bits_set` 0: there are no single bits.
  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits = 8 * *bytes_;
    return {.bits = bits,
            .bits_set = 0,
            .memory_bits = bits,
            .conditional_rate = 0.0,
            .layers = {{bits, 0, size(), 1}}};
  }
  /// Empty again, open to keys of any sort, with no memory kept.
  void clear() noexcept { keys_.template emplace<std::monostate>(); }

  /// Keys stored.
  [[nodiscard]] std::uint64_t size() const noexcept {
    if (const auto* const held = std::get_if<Integers>(&keys_)) return held->size();
    if (const auto* const held = std::get_if<Texts>(&keys_)) return held->size();
    return 0;
  }

 private:
  [[nodiscard]] bool holds_keys() const noexcept {
    return !std::holds_alternative<std::monostate>(keys_);
  }

  void require_sort(const KeyBatch& keys) const {
    if (!holds_keys()) return;
    const bool same = keys.holds_integers() ? std::holds_alternative<Integers>(keys_) &&
                                                  keys.integer_bytes() == integer_bytes_
                                            : std::holds_alternative<Texts>(keys_);
    if (same) return;
    throw std::invalid_argument(
        "a set of keys takes keys of one sort: texts, or integers of one width");
  }

  /// The values, cut to the width of the keys.
  static std::vector<std::uint64_t> integers(const KeyBatch& keys) {
    std::vector<std::uint64_t> values(keys.values().begin(), keys.values().end());
    for (std::uint64_t& value : values) value &= mask(keys);
    return values;
  }
  static std::uint64_t mask(const KeyBatch& keys) noexcept {
    return ~std::uint64_t{0} >> (64 - 8 * keys.integer_bytes());
  }

  template <class Use>
  void for_each_key(const KeyBatch& keys, Use&& use) const {
    require_sort(keys);
    if (!holds_keys()) {
      for (std::size_t i = 0; i < keys.size(); ++i) use(false);
    } else if (keys.holds_integers()) {
      const auto& held = std::get<Integers>(keys_);
      for (const std::uint64_t value : keys.values()) use(held.contains(value & mask(keys)));
    } else {
      const auto& held = std::get<Texts>(keys_);
      for (const std::string_view text : keys.texts()) use(held.contains(text));
    }
  }

  std::unique_ptr<std::uint64_t> bytes_;  // stands still when the set moves: allocators point to it
  std::variant<std::monostate, Integers, Texts> keys_;
  int integer_bytes_ = 0;
};

}  // namespace bloomlab::detail
