// Where a cache holds the filter, positions are derived and met vector by vector, for several
// probes before the keys that are left are packed together: hints are not worth their instructions
// there. Where none does, a round is of one probe, and goes over its keys twice: all positions
// first, then the tests, with the memory asked for ahead. What pays in both is that the keys that
// are left are packed by one permutation for a whole vector of them.

#include "core/simd/remix_rounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/remix_rounds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>
#include <type_traits>

#include "core/bits/wide_product.hpp"
#include "core/parameters.hpp"
#include "core/simd/lanes-inl.hpp"
#include "core/simd/packing-inl.hpp"
#include "core/simd/positions-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
inline constexpr bool remix_vectors = true;

using RemixLanes = hn::ScalableTag<std::uint64_t>;
inline constexpr std::size_t remix_lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);

/// The words of a chunk's keys, or what else there is one of for each.
using RemixList = std::array<std::uint64_t, remix_round_keys + 2 * remix_lanes>;

/// Asks for the memory of the bit at a position.
HWY_INLINE void ask_for_bit(const std::uint64_t* filter, std::uint64_t position) {
  __builtin_prefetch(filter + position / 64, 0, 2);
}

/// Calls `use(j, whole)` for the first of the lanes of every vector of `count` keys; `whole` says
/// as a type whether all of its lanes are sure to be keys. Asks before for the memory of the bits
/// at positions[j + lookahead] and following, and of the first ones together.
template <class Use>
HWY_INLINE void for_each_vector(const std::uint64_t* filter, const std::uint64_t* positions,
                                std::size_t count, std::size_t lookahead, const Use& use) {
  constexpr std::integral_constant<std::size_t, remix_lanes> all_lanes;
  std::size_t j = 0;
  if (lookahead != 0) {
    std::size_t asked = std::min(lookahead, count);
    for (std::size_t i = 0; i < asked; ++i) ask_for_bit(filter, positions[i]);
    for (; asked + all_lanes <= count; asked += all_lanes, j += all_lanes) {
      for_each_lane(
          all_lanes, [&](std::size_t lane) HWY_ATTR
          __attribute__((always_inline)) { ask_for_bit(filter, positions[asked + lane]); });
      use(j, std::true_type());
    }
    for (; asked < count; ++asked) ask_for_bit(filter, positions[asked]);
  }
  for (; j < count; j += all_lanes) use(j, std::false_type());
}

/// Of which lanes the bit at the position is set.
HWY_INLINE hn::Mask<RemixLanes> are_set(const std::uint64_t* filter, hn::Vec<RemixLanes> position) {
  const RemixLanes d;
  const hn::RebindToSigned<RemixLanes> ds;
  HWY_ALIGN std::array<std::uint64_t, remix_lanes> places;
  hn::Store(hn::ShiftRight<6>(position), d, places.data());
  const auto at_sign =
      hn::Shl(load_each(d, filter, places.data()), hn::AndNot(position, hn::Set(d, 63)));
  return hn::RebindMask(d, hn::Lt(hn::BitCast(ds, at_sign), hn::Zero(ds)));
}

/// Of which lanes one of `width` bits from the position on is set, which all are of one word.
HWY_INLINE hn::Mask<RemixLanes> are_above_zero(const std::uint64_t* filter,
                                               hn::Vec<RemixLanes> position, unsigned width) {
  const RemixLanes d;
  HWY_ALIGN std::array<std::uint64_t, remix_lanes> places;
  hn::Store(hn::ShiftRight<6>(position), d, places.data());
  const auto shift = hn::And(position, hn::Set(d, 63));
  const auto cells = hn::Shr(load_each(d, filter, places.data()), shift);
  const auto cell = hn::Set(d, (std::uint64_t{1} << width) - 1);
  return hn::Not(hn::Eq(hn::And(cells, cell), hn::Zero(d)));
}

/// Probes after which the keys that are left are packed together, where a cache holds the filter,
/// and positions are derived and met vector by vector: after two a quarter of absent keys is left,
/// of a filter that is half full. A present key passes all, so that every packing less is worth as
/// much as two probes.
inline constexpr int first_packing = 2;
inline constexpr int second_packing = 4;

using KeyLanes = hn::Rebind<std::uint16_t, RemixLanes>;

/// The numbers of keys, which lists hold in 16 bits.
HWY_INLINE hn::Vec<RemixLanes> load_keys(const std::uint16_t* keys) {
  const hn::Rebind<std::uint32_t, RemixLanes> wider;
  return hn::PromoteTo(RemixLanes(), hn::PromoteTo(wider, hn::LoadU(KeyLanes(), keys)));
}
/// Writes those of the mask one after the other; what follows them in the memory of a whole vector
/// becomes anything.
HWY_INLINE void store_keys(hn::Vec<RemixLanes> keys, hn::Mask<RemixLanes> mask,
                           std::uint16_t* out) {
  hn::StoreU(hn::TruncateTo(KeyLanes(), packed(RemixLanes(), keys, mask)), KeyLanes(), out);
}

/// The positions of probe number `i`: of the first bits of cells.
template <Steps When>
HWY_INLINE void derive_cells(const RemixedBits& bits, int i, std::span<const std::uint64_t> words,
                             std::uint64_t* next, std::uint64_t* positions) {
  derive_positions<When>(words, bits.step, bits.cells_of(i), next, positions);
  const std::uint64_t first = bits.first_of(i);
  if (first == 0 && bits.cell_width == 0) return;
  for (std::size_t j = 0; j < words.size(); ++j) {
    positions[j] = (positions[j] + first) << bits.cell_width;
  }
}

/// The lookups of one chunk. @tparam Keys also tells which keys are left
/// @tparam Plain cells are bits that are not sliced
template <bool Keys, bool Plain>
class RemixRounds {
 public:
  RemixRounds(const RemixedBits& bits, const std::uint64_t* filter)
      : filter_(filter), bits_(bits) {}

  /// How many of at most remix_round_keys keys have all their bits set.
  std::size_t run(std::span<const std::uint64_t> digests) {
    side_ = 0;
    const std::uint64_t* words = digests.data();
    if (digests.size() % remix_lanes != 0) {
      // The last vector reads beyond the end, here and in the lists.
      std::copy(digests.begin(), digests.end(), words_[0].data());
      words = words_[0].data();
    }
    std::size_t left = 0;
    if (!bits_.in_memory) {
      if (bits_.k <= second_packing) return derive_and_keep<0, 0>(words, digests.size());
      left = derive_and_keep<0, first_packing>(words, digests.size());
      left = derive_and_keep<first_packing, second_packing>(words_[side_].data(), left);
      return derive_and_keep<second_packing, 0>(words_[side_].data(), left);
    }
    derive_cells<Steps::never>(bits_, 0, digests, nullptr, positions_.data());
    left = keep<true>(words, digests.size());
    for (int i = 1; i < bits_.k && left != 0; ++i) {
      std::uint64_t* const those_left = words_[side_].data();
      derive_cells<Steps::before>(bits_, i, {those_left, left}, those_left, positions_.data());
      left = keep<false>(those_left, left);
    }
    return left;
  }
  /// Which ones, after run().
  [[nodiscard]] const std::uint16_t* keys() const { return keys_[side_].data(); }

 private:
  // Those of `count` keys whose bit is set go to the other list, so that no load has to wait until
  // it is known where the keys before it were stored.
  template <bool First>
  HWY_INLINE std::size_t keep(const std::uint64_t* words, std::size_t count) {
    const RemixLanes d;
    // Copies, which no store into the lists can change as far as the compiler knows.
    const std::uint64_t* const from_words = words;
    const std::uint16_t* const from_keys = Keys ? keys_[side_].data() : nullptr;
    const Lists to = lists(1 - side_);
    const std::uint64_t* const filter = filter_;
    const std::uint64_t* const positions = positions_.data();
    const unsigned width = 1U << bits_.cell_width;
    std::fill_n(positions_.begin() + static_cast<std::ptrdiff_t>(count), remix_lanes, 0U);
    std::size_t left = 0;
    for_each_vector(
        filter, positions, count,
        bits_.lookahead, [&](std::size_t j, auto whole) HWY_ATTR __attribute__((always_inline)) {
          const auto position = hn::LoadU(d, positions + j);
          auto taken = Plain ? are_set(filter, position) : are_above_zero(filter, position, width);
          if constexpr (!whole.value) {
            if (j + remix_lanes > count) taken = hn::And(taken, hn::FirstN(d, count - j));
          }
          if constexpr (Keys) {
            store_keys(First ? hn::Iota(d, j) : load_keys(from_keys + j), taken, to.keys + left);
          }
          left += store_packed(d, hn::LoadU(d, from_words + j), taken, to.words + left);
        });
    side_ = 1 - side_;
    return left;
  }

  // The same with the positions derived vector by vector, without hints, and for the probes from
  // Begin up to End (0: all) before those that are left are packed together.
  template <int Begin, int End>
  HWY_INLINE std::size_t derive_and_keep(const std::uint64_t* words, std::size_t count) {
    constexpr bool First = Begin == 0;
    const int end = End != 0 ? End : bits_.k;
    const RemixLanes d;
    const std::uint64_t* const from_words = words;
    const std::uint16_t* const from_keys = Keys ? keys_[side_].data() : nullptr;
    const Lists to = lists(1 - side_);
    const std::uint64_t* const filter = filter_;
    [[maybe_unused]] const unsigned width = 1U << bits_.cell_width;
    [[maybe_unused]] const auto m = hn::Set(d, bits_.m);
    std::size_t left = 0;
    const auto keep_lanes = [&](std::size_t j, auto word, auto every) HWY_ATTR
        __attribute__((always_inline)) {
      auto taken = every;
      for (int i = Begin; i < end; ++i) {
        if (i != 0) word = next_words(d, bits_.step, word);
        if constexpr (Plain) {
          taken = hn::And(taken, are_set(filter, multiply_high_by_32(d, word, m)));
        } else {
          const auto cell = hn::Add(multiply_high_by_32(d, word, hn::Set(d, bits_.cells_of(i))),
                                    hn::Set(d, bits_.first_of(i)));
          const auto position = hn::ShiftLeftSame(cell, static_cast<int>(bits_.cell_width));
          taken = hn::And(taken, are_above_zero(filter, position, width));
        }
      }
      if constexpr (Keys) {
        store_keys(First ? hn::Iota(d, j) : load_keys(from_keys + j), taken, to.keys + left);
      }
      left += store_packed(d, word, taken, to.words + left);
    };
    std::size_t j = 0;
    for (; j + remix_lanes <= count; j += remix_lanes) {
      keep_lanes(j, hn::LoadU(d, from_words + j), hn::FirstN(d, remix_lanes));
    }
    if (j < count) {
      const auto rest = hn::FirstN(d, count - j);
      keep_lanes(j, hn::MaskedLoad(rest, d, from_words + j), rest);
    }
    side_ = 1 - side_;
    return left;
  }

  struct Lists {
    std::uint64_t* words;
    std::uint16_t* keys;
  };
  Lists lists(std::size_t side) {
    return {words_[side].data(), Keys ? keys_[side].data() : nullptr};
  }

  const std::uint64_t* filter_;
  RemixedBits bits_;
  std::size_t side_ = 0;
  HWY_ALIGN std::array<RemixList, 2> words_;
  HWY_ALIGN std::array<std::array<std::uint16_t, std::tuple_size_v<RemixList>>, Keys ? 2 : 1> keys_;
  HWY_ALIGN RemixList positions_;
};

bool is_plain(const RemixedBits& bits) { return bits.cell_width == 0 && !bits.sliced; }

template <bool Plain>
std::uint64_t count_cells(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                          std::span<const std::uint64_t> filter) {
  RemixRounds<false, Plain> rounds(bits, filter.data());
  std::uint64_t count = 0;
  for (std::size_t first = 0; first < digests.size(); first += remix_round_keys) {
    count += rounds.run(digests.subspan(first, std::min(remix_round_keys, digests.size() - first)));
  }
  return count;
}

std::uint64_t count_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                           std::span<const std::uint64_t> filter) {
  return is_plain(bits) ? count_cells<true>(bits, digests, filter)
                        : count_cells<false>(bits, digests, filter);
}

template <bool Plain>
std::size_t find_cells(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                       std::span<const std::uint64_t> filter, std::span<std::uint16_t> keys) {
  RemixRounds<true, Plain> rounds(bits, filter.data());
  const std::size_t left = rounds.run(digests);
  std::copy_n(rounds.keys(), left, keys.begin());
  return left;
}

std::size_t find_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                        std::span<const std::uint64_t> filter, std::span<std::uint16_t> keys) {
  return is_plain(bits) ? find_cells<true>(bits, digests, filter, keys)
                        : find_cells<false>(bits, digests, filter, keys);
}

/// Sets one bit. @return 1 if it was not set before, else 0
HWY_INLINE std::uint64_t set_bit(std::uint64_t* filter, std::uint64_t position) {
  std::uint64_t& word = filter[position / 64];
  const std::uint64_t before = word;
  word = before | (std::uint64_t{1} << (position % 64));
  return (~before >> (position % 64)) & 1;
}

/// Sets the bits of one key. @return what the filter said of it before
HWY_INLINE Answer insert_word(const RemixedBits& bits, std::uint64_t word, std::uint64_t* filter) {
  std::uint64_t missing = 0;
  for (int i = 0; i < bits.k; ++i, word = bits.step.next(word)) {
    missing |= set_bit(filter, multiply_high(word, bits.m));
  }
  return missing != 0 ? Answer::absent : Answer::maybe;
}

/// One position of each of some keys.
struct PositionPlane {
  HWY_ALIGN std::array<std::uint64_t, remix_round_keys / 2> positions;
  std::size_t size = 0;
};

/// Sets the bits of a plane, and asks for those that come `lookahead` bits later: there or, so that
/// the memory never stands still, in the plane after it.
template <bool Hints>
HWY_INLINE void set_plane(std::uint64_t* filter, const PositionPlane& due,
                          const PositionPlane& next, std::size_t lookahead) {
  const auto set = [&](std::size_t j) HWY_ATTR __attribute__((always_inline)) {
    static_cast<void>(set_bit(filter, due.positions[j]));
  };
  const std::size_t ahead = Hints ? std::min(lookahead, due.size) : 0;
  std::size_t j = 0;
  for (; j + ahead < due.size; ++j) {
    if constexpr (Hints) ask_for_bit(filter, due.positions[j + ahead]);
    set(j);
  }
  for (std::size_t i = 0; j < due.size; ++i, ++j) {
    if (i < next.size) ask_for_bit(filter, next.positions[i]);
    set(j);
  }
}

template <bool Hints>
void insert_planes(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::uint64_t* filter) {
  std::array<PositionPlane, 2> planes;
  HWY_ALIGN decltype(PositionPlane::positions) words;
  std::size_t side = 0;
  for (std::size_t first = 0; first < digests.size(); first += words.size()) {
    const std::size_t count = std::min(words.size(), digests.size() - first);
    const std::uint64_t* from = digests.data() + first;
    for (int i = 0; i < bits.k; ++i) {
      PositionPlane& due = planes[side];
      PositionPlane& next = planes[1 - side];
      derive_cells<Steps::after>(bits, i, {from, count}, words.data(), next.positions.data());
      from = words.data();
      next.size = count;
      set_plane<Hints>(filter, due, next, bits.lookahead);
      side = 1 - side;
    }
  }
  planes[1 - side].size = 0;
  set_plane<Hints>(filter, planes[side], planes[1 - side], bits.lookahead);
}

/// Probes per key up to which a vector of keys is inserted at once.
inline constexpr int most_grouped_probes = 32;

/// Inserts a vector of keys after the other: derives all positions of one while it sets the bits of
/// the one before, so that no position is read just after it was written as part of a vector. For
/// filters that a cache holds: there is no hint.
void insert_groups(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::uint64_t* filter) {
  const RemixLanes d;
  const auto k = static_cast<std::size_t>(bits.k);
  std::array<std::uint64_t, most_grouped_probes> cells;
  std::array<std::uint64_t, most_grouped_probes> first;
  for (int i = 0; i < bits.k; ++i) {
    cells[static_cast<std::size_t>(i)] = bits.cells_of(i);
    first[static_cast<std::size_t>(i)] = bits.first_of(i);
  }
  HWY_ALIGN std::array<std::array<std::uint64_t, most_grouped_probes * remix_lanes>, 2> positions;
  const std::size_t groups = digests.size() / remix_lanes;
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint64_t* const next = positions[group % 2].data();
    const std::uint64_t* const due = positions[1 - group % 2].data();
    auto words = hn::LoadU(d, digests.data() + group * remix_lanes);
    for (std::size_t i = 0; i < k; ++i) {
      const auto at = multiply_high_by_32(d, words, hn::Set(d, cells[i]));
      hn::Store(hn::Add(at, hn::Set(d, first[i])), d, next + i * remix_lanes);
      words = next_words(d, bits.step, words);
      if (group == 0) continue;
      for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
        static_cast<void>(set_bit(filter, due[i * remix_lanes + lane]));
      }
    }
  }
  if (groups != 0) {
    const std::uint64_t* const due = positions[(groups - 1) % 2].data();
    for (std::size_t i = 0; i < k * remix_lanes; ++i) static_cast<void>(set_bit(filter, due[i]));
  }
  for (std::size_t j = groups * remix_lanes; j < digests.size(); ++j) {
    std::uint64_t word = digests[j];
    for (std::size_t i = 0; i < k; ++i, word = bits.step.next(word)) {
      static_cast<void>(set_bit(filter, first[i] + multiply_high(word, cells[i])));
    }
  }
}

void insert_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::span<std::uint64_t> filter) {
  if (!bits.in_memory && bits.k <= most_grouped_probes) {
    insert_groups(bits, digests, filter.data());
  } else if (bits.lookahead == 0) {
    insert_planes<false>(bits, digests, filter.data());
  } else {
    insert_planes<true>(bits, digests, filter.data());
  }
}

/// Positions on their way at once where each key's answer has to be known before the next key is
/// inserted: all of some keys.
inline constexpr std::size_t told_lanes = 64;

/// The positions of some groups of keys, a vector of keys each, that were asked for ahead.
class AskedGroups {
 public:
  AskedGroups(const RemixedBits& bits, std::uint64_t* filter)
      : filter_(filter),
        m_(bits.m),
        step_(bits.step),
        k_(static_cast<std::size_t>(bits.k)),
        ahead_((told_lanes + k_ * remix_lanes - 1) / (k_ * remix_lanes)) {}

  /// Groups between the hint and the use, >= 1.
  [[nodiscard]] std::size_t ahead() const { return ahead_; }

  /// Derives the positions of a group's keys and asks for their memory.
  HWY_INLINE void ask(std::size_t group, const std::uint64_t* digests) {
    const RemixLanes d;
    std::uint64_t* const positions = positions_of(group);
    auto words = hn::LoadU(d, digests);
    for (std::size_t i = 0; i < k_; ++i) {
      if (i != 0) words = next_words(d, step_, words);
      hn::Store(multiply_high_by_32(d, words, hn::Set(d, m_)), d, positions + i * remix_lanes);
      for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
        ask_for_bit(filter_, positions[i * remix_lanes + lane]);
      }
    }
  }
  /// Inserts the keys of a group that was asked for, one after the other.
  HWY_INLINE void insert(std::size_t group, Answer* before) {
    const std::uint64_t* const positions = positions_of(group);
    for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
      std::uint64_t missing = 0;
      for (std::size_t i = 0; i < k_; ++i) {
        missing |= set_bit(filter_, positions[i * remix_lanes + lane]);
      }
      before[lane] = missing != 0 ? Answer::absent : Answer::maybe;
    }
  }

 private:
  [[nodiscard]] std::uint64_t* positions_of(std::size_t group) {
    return positions_.data() + group % (ahead_ + 1) * k_ * remix_lanes;
  }

  std::uint64_t* filter_;
  std::uint64_t m_;
  WordStep step_;
  std::size_t k_;
  std::size_t ahead_;
  HWY_ALIGN std::array<std::uint64_t, told_lanes + 2 * remix_lanes * max_probes> positions_;
};

void tell_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                 std::span<std::uint64_t> filter, std::span<Answer> before) {
  AskedGroups groups(bits, filter.data());
  const std::size_t count = digests.size() / remix_lanes;
  const std::size_t ahead = std::min(groups.ahead(), count);
  const auto ask = [&](std::size_t group)
                       HWY_ATTR { groups.ask(group, digests.data() + group * remix_lanes); };
  for (std::size_t group = 0; group < ahead; ++group) ask(group);
  for (std::size_t group = 0; group < count; ++group) {
    if (group + ahead < count) ask(group + ahead);
    groups.insert(group, before.data() + group * remix_lanes);
  }
  for (std::size_t i = count * remix_lanes; i < digests.size(); ++i) {
    before[i] = insert_word(bits, digests[i], filter.data());
  }
}
#else
inline constexpr bool remix_vectors = false;

std::uint64_t count_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                           std::span<const std::uint64_t> /*filter*/) {
  return 0;
}
std::size_t find_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                        std::span<const std::uint64_t> /*filter*/,
                        std::span<std::uint16_t> /*keys*/) {
  return 0;
}
void insert_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                   std::span<std::uint64_t> /*filter*/) {}
void tell_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                 std::span<std::uint64_t> /*filter*/, std::span<Answer> /*before*/) {}
#endif

bool has_rounds() { return remix_vectors; }

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(has_rounds);
HWY_EXPORT(count_rounds);
HWY_EXPORT(find_rounds);
HWY_EXPORT(insert_rounds);
HWY_EXPORT(tell_rounds);

bool has_remix_rounds(std::uint64_t m) {
  return m >> 32 == 0 && HWY_DYNAMIC_DISPATCH(has_rounds)();
}

std::uint64_t count_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                            std::span<const std::uint64_t> filter) {
  return HWY_DYNAMIC_DISPATCH(count_rounds)(bits, digests, filter);
}

std::size_t find_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                         std::span<const std::uint64_t> filter, std::span<std::uint16_t> keys) {
  return HWY_DYNAMIC_DISPATCH(find_rounds)(bits, digests, filter, keys);
}

void insert_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                    std::span<std::uint64_t> filter, std::span<Answer> before) {
  assert(bits.cell_width == 0 && (before.empty() || !bits.sliced));
  if (before.empty()) {
    HWY_DYNAMIC_DISPATCH(insert_rounds)(bits, digests, filter);
  } else {
    HWY_DYNAMIC_DISPATCH(tell_rounds)(bits, digests, filter, before);
  }
}

}  // namespace bloomlab::simd
#endif
