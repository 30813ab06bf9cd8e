// Where a cache holds the filter, or not much more than a cache, positions are derived and met
// vector by vector, for several probes before the keys that are left are packed together by one
// permutation for a whole vector of them: hints are not worth their instructions there, as a
// processor has the loads of several vectors under way. Of larger ones, one key comes after the
// other, and the memory of its next bit is asked for when this one is met: so memory is never
// without work. A position that a vector has stored is read too late for that.

#include "core/simd/remix_rounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/remix_lookups.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/bits/wide_product.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/lanes-inl.hpp"
#include "core/simd/packing-inl.hpp"
#include "core/simd/positions-inl.hpp"
#include "core/simd/remix_lanes-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if BLOOMLAB_REMIX_VECTORS
/// The words of a chunk's keys, or what else there is one of for each.
using RemixList = std::array<std::uint64_t, remix_round_keys + 2 * remix_lanes>;

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

/// Bits that the second cache holds.
inline constexpr std::uint64_t most_bits_near = std::uint64_t{1} << 22;

/// Where every key of the first few meets the first probes, keys are taken to be present, which
/// pass all probes: then nothing is dropped, and single loads of one key after the other cost less
/// than vectors of them (docs/bench.md). Beyond the second cache only narrow vectors lose.
inline constexpr bool takes_present_keys_alone =
    HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;
inline constexpr std::size_t keys_looked_at = 8;
inline constexpr std::uint64_t most_bits_alone =
    HWY_TARGET == HWY_AVX2 ? std::uint64_t{1} << 26 : most_bits_near;
/// Whether single loads of other keys cost less than vectors, too, up to most_bits_near.
inline constexpr bool takes_keys_alone = HWY_TARGET == HWY_AVX2;

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

/// The answers for so many keys, of which those in the list are reported.
HWY_INLINE void write_answers(const std::uint16_t* reported, std::size_t count, std::size_t keys,
                              Answer* out) {
  std::fill_n(out, keys, Answer::absent);
  for (std::size_t i = 0; i < count; ++i) out[reported[i]] = Answer::maybe;
}

/// Cells of which positions and bits are found by fewer instructions than those of any.
enum class CellKind { bits, sliced_bits, any };

/// Lookups far behind the caches, of a part of the keys after the other. @tparam Keys also tells
/// which keys are left
template <bool Keys, CellKind Kind>
class AskingRounds {
 public:
  AskingRounds(const RemixedBits& bits, const std::uint64_t* filter)
      : filter_(filter), bits_(bits), cell_((std::uint64_t{1} << (1U << bits.cell_width)) - 1) {}

  /// How many of at most remix_round_keys keys have all their bits set.
  std::size_t run(std::span<const std::uint64_t> digests) {
    return use_step(bits_.step, [&](const auto& next) { return run_by(digests, next); });
  }
  /// The answers for them.
  void answer(std::span<const std::uint64_t> digests, Answer* out) {
    const std::size_t left = run(digests);
    write_answers(found_.data(), left, digests.size(), out);
  }

 private:
  static constexpr std::size_t most_keys = 2 * max_lookahead;
  /// Keys that are left: what their next positions follow from, and the positions that were asked
  /// for, with the number of the key in the bits above, which no position has.
  struct List {
    std::array<std::uint64_t, most_keys> words;
    std::array<std::uint64_t, most_keys> positions;
  };
  /// The cells of a probe, worked out once for all keys: slices take divisions.
  struct ProbeCells {
    ProbeCells(const RemixedBits& bits, int i)
        : cells(bits.cells_of(i)), first(bits.first_of(i)), width(bits.cell_width) {}

    /// The first bit of the word's cell.
    HWY_INLINE std::uint64_t position(std::uint64_t word) const {
      if constexpr (Kind == CellKind::bits) return multiply_high(word, cells);
      if constexpr (Kind == CellKind::sliced_bits) return first + multiply_high(word, cells);
      return (first + multiply_high(word, cells)) << width;
    }

    std::uint64_t cells;
    std::uint64_t first;
    unsigned width;
  };
  static constexpr int position_bits = Keys ? 48 : 64;
  static constexpr std::uint64_t position_mask = ~std::uint64_t{0} >> (64 - position_bits);

  // A key waits for half a part on the average, as the others become fewer.
  template <class Next>
  std::size_t run_by(std::span<const std::uint64_t> digests, const Next& next) {
    const std::size_t keys_of_part = 2 * std::min(bits_.lookahead, max_lookahead);
    std::size_t found = 0;
    for (std::size_t first = 0; first < digests.size(); first += keys_of_part) {
      found += keep(digests.subspan(first, std::min(keys_of_part, digests.size() - first)), first,
                    found, next);
    }
    return found;
  }

  // Keys of which number 0 is number `first` of the call, `found` of which are found already.
  template <class Next>
  HWY_INLINE std::size_t keep(std::span<const std::uint64_t> digests, std::size_t first,
                              std::size_t found, const Next& next) {
    List* from = lists_.data();
    List* to = from + 1;
    const ProbeCells cells(bits_, 0);
    for (std::size_t j = 0; j < digests.size(); ++j) {
      const std::uint64_t met = cells.position(digests[j]);
      ask_for_bit(filter_, met);
      from->positions[j] = met;
      if constexpr (Keys) from->positions[j] |= (first + j) << position_bits;
    }
    const std::uint64_t* words = digests.data();
    std::size_t left = digests.size();
    for (int i = 1; i < bits_.k && left != 0; ++i) {
      left = keep_and_ask(ProbeCells(bits_, i), words, from->positions.data(), left, *to, next);
      std::swap(from, to);
      words = from->words.data();
    }
    std::size_t kept = 0;
    for (std::size_t j = 0; j < left; ++j) {
      const std::uint64_t met = from->positions[j];
      if constexpr (Keys) found_[found + kept] = static_cast<std::uint16_t>(met >> position_bits);
      kept += is_set(met & position_mask);
    }
    return kept;
  }

  // Those whose bit is set, with the memory of their next positions asked for. Which they are
  // decides what is asked for and where it is stored, by no branch: it would be guessed wrong half
  // the time.
  template <class Next>
  HWY_INLINE std::size_t keep_and_ask(ProbeCells cells, const std::uint64_t* words,
                                      const std::uint64_t* positions, std::size_t count, List& to,
                                      const Next& next) const {
    std::size_t left = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint64_t number = positions[j] & ~position_mask;
      const std::uint64_t met = positions[j] & position_mask;
      const std::size_t taken = is_set(met);
      const std::uint64_t word = next(words[j]);
      const std::uint64_t later = cells.position(word);
      to.words[left] = word;
      to.positions[left] = later | number;
      ask_for_bit(filter_, met ^ ((met ^ later) & (0 - std::uint64_t{taken})));
      left += taken;
    }
    return left;
  }

  /// Whether one bit of the cell is set: 1 or 0.
  HWY_INLINE std::size_t is_set(std::uint64_t position) const {
    const std::uint64_t from_cell = filter_[position / 64] >> (position % 64);
    if constexpr (Kind != CellKind::any) return from_cell & 1;
    return (from_cell & cell_) != 0 ? 1 : 0;
  }

  const std::uint64_t* filter_;
  RemixedBits bits_;
  std::uint64_t cell_;
  std::array<List, 2> lists_;
  std::array<std::uint16_t, Keys ? remix_round_keys : 0> found_;
};

/// Lookups of other filters, of one chunk. @tparam Keys also tells which keys are
/// left   @tparam Plain cells are bits that are not sliced
template <bool Keys, bool Plain>
class RemixRounds {
 public:
  RemixRounds(const RemixedBits& bits, const std::uint64_t* filter)
      : filter_(filter), bits_(bits) {}

  /// How many of at most remix_round_keys keys have all their bits set.
  std::size_t run(std::span<const std::uint64_t> digests) {
    if (looks_present(digests)) {
      std::size_t left = 0;
      for_each_one(digests, [&](std::size_t /*key*/, std::uint64_t set) { left += set; });
      return left;
    }
    return run_by_vectors(digests);
  }
  /// The answers for them.
  void answer(std::span<const std::uint64_t> digests, Answer* out) {
    if (looks_present(digests)) {
      for_each_one(digests, [out](std::size_t key, std::uint64_t set) {
        out[key] = static_cast<Answer>(set);
      });
    } else {
      const std::size_t left = run_by_vectors(digests);
      write_answers(keys_[side_].data(), left, digests.size(), out);
    }
  }

 private:
  std::size_t run_by_vectors(std::span<const std::uint64_t> digests) {
    side_ = 0;
    const std::uint64_t* words = digests.data();
    if (digests.size() % remix_lanes != 0) {
      // The last vector reads beyond the end, here and in the lists.
      std::copy(digests.begin(), digests.end(), words_[0].data());
      words = words_[0].data();
    }
    if (bits_.k <= second_packing) return derive_and_keep<0, 0>(words, digests.size());
    std::size_t left = derive_and_keep<0, first_packing>(words, digests.size());
    left = derive_and_keep<first_packing, second_packing>(words_[side_].data(), left);
    return derive_and_keep<second_packing, 0>(words_[side_].data(), left);
  }

  // Those of `count` keys whose bits are set go to the other list, so that no load has to wait
  // until it is known where the keys before it were stored: of the probes from Begin up to End (0:
  // all), before those that are left are packed together.
  template <int Begin, int End>
  HWY_INLINE std::size_t derive_and_keep(const std::uint64_t* words, std::size_t count) {
    constexpr bool First = Begin == 0;
    if constexpr (Plain && takes_keys_alone) {
      if (bits_.m <= most_bits_near) return keep_alone<Begin, End>(words, count);
    }
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

  // The same of one key after the other.
  template <int Begin, int End>
  HWY_NOINLINE std::size_t keep_alone(const std::uint64_t* words, std::size_t count) {
    return use_step(bits_.step, [&](const auto& next) {
      const int end = End != 0 ? End : bits_.k;
      const std::uint16_t* const from_keys = Keys ? keys_[side_].data() : nullptr;
      const Lists to = lists(1 - side_);
      std::size_t left = 0;
      for (std::size_t j = 0; j < count; ++j) {
        std::uint64_t word = words[j];
        std::uint64_t set = 1;
        for (int i = Begin; i < end; ++i) {
          if (i != 0) word = next(word);
          set &= bit_of(word);
        }
        to.words[left] = word;
        if constexpr (Keys) {
          to.keys[left] = Begin == 0 ? static_cast<std::uint16_t>(j) : from_keys[j];
        }
        left += set;
      }
      side_ = 1 - side_;
      return left;
    });
  }

  HWY_INLINE bool looks_present(std::span<const std::uint64_t> digests) const {
    if constexpr (!Plain || !takes_present_keys_alone) return false;
    if (digests.size() < keys_looked_at || bits_.m > most_bits_alone) return false;
    for (std::uint64_t word : digests.first(keys_looked_at)) {
      for (int i = 0; i < std::min(first_packing, bits_.k); ++i) {
        if (i != 0) word = bits_.step.next(word);
        if ((bit_of(word) & 1U) == 0) return false;
      }
    }
    return true;
  }
  /// The bit of a word, as bit 0.
  HWY_INLINE std::uint64_t bit_of(std::uint64_t word) const {
    const std::uint64_t position = multiply_high(word, bits_.m);
    return filter_[position / 64] >> (position % 64);
  }

  // All probes of the keys, without a branch on what they meet: calls use(key, 1 or 0).
  template <class Use>
  HWY_INLINE void for_each_one(std::span<const std::uint64_t> digests, const Use& use) const {
    use_step(bits_.step, [&](const auto& next) {
      constexpr std::integral_constant<std::size_t, 4> together;  // share the loop over the probes
      std::size_t j = 0;
      for (; j + together <= digests.size(); j += together) {
        use_some(digests.data() + j, j, together, next, use);
      }
      for (; j < digests.size(); ++j) {
        use_some(digests.data() + j, j, std::integral_constant<std::size_t, 1>(), next, use);
      }
    });
  }
  // Those of so many keys from number `first` on.
  template <class Count, class Next, class Use>
  HWY_INLINE void use_some(const std::uint64_t* words, std::size_t first, Count count,
                           const Next& next, const Use& use) const {
    std::array<std::uint64_t, Count::value> word;
    std::array<std::uint64_t, Count::value> set;
    for_each_lane(
        count, [&](std::size_t lane) __attribute__((always_inline)) {
          word[lane] = words[lane];
          set[lane] = 1;
        });
    for (int i = 0, k = bits_.k; i < k; ++i) {
      for_each_lane(
          count, [&](std::size_t lane) __attribute__((always_inline)) {
            set[lane] &= bit_of(word[lane]);
            word[lane] = next(word[lane]);
          });
    }
    for_each_lane(
        count, [&](std::size_t lane)
                   __attribute__((always_inline)) { use(first + lane, set[lane]); });
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
};

/// Calls `use` with the rounds for such cells.
template <bool Keys, class Use>
void use_rounds(const RemixedBits& bits, const std::uint64_t* filter, const Use& use) {
  const auto with = [&]<class Rounds>(std::type_identity<Rounds>) {
    Rounds rounds(bits, filter);
    use(rounds);
  };
  const bool of_bits = bits.cell_width == 0;
  const bool plain = of_bits && !bits.sliced;
  const bool ask = HWY_MAX_BYTES < 64 ? bits.narrow_lookups_ask : bits.lookups_ask;
  if (ask && bits.lookahead != 0) {
    if (plain) return with(std::type_identity<AskingRounds<Keys, CellKind::bits>>());
    if (of_bits) return with(std::type_identity<AskingRounds<Keys, CellKind::sliced_bits>>());
    return with(std::type_identity<AskingRounds<Keys, CellKind::any>>());
  }
  if (plain) return with(std::type_identity<RemixRounds<Keys, true>>());
  return with(std::type_identity<RemixRounds<Keys, false>>());
}

/// Calls `use(first, digests)` for a chunk of the keys after the other.
template <class Use>
HWY_INLINE void for_each_chunk(std::span<const std::uint64_t> digests, const Use& use) {
  for (std::size_t first = 0; first < digests.size(); first += remix_round_keys) {
    use(first, digests.subspan(first, std::min(remix_round_keys, digests.size() - first)));
  }
}

std::uint64_t count_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                           std::span<const std::uint64_t> filter) {
  std::uint64_t count = 0;
  use_rounds<false>(bits, filter.data(), [&](auto& rounds) {
    for_each_chunk(digests, [&](std::size_t, auto chunk) { count += rounds.run(chunk); });
  });
  return count;
}

void find_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                 std::span<const std::uint64_t> filter, std::span<Answer> out) {
  use_rounds<true>(bits, filter.data(), [&](auto& rounds) {
    for_each_chunk(
        digests, [&](std::size_t first, auto chunk) { rounds.answer(chunk, out.data() + first); });
  });
}
#else
std::uint64_t count_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                           std::span<const std::uint64_t> /*filter*/) {
  return 0;
}
void find_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                 std::span<const std::uint64_t> /*filter*/, std::span<Answer> /*out*/) {}
#endif

bool has_rounds() { return BLOOMLAB_REMIX_VECTORS != 0; }

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(has_rounds);
HWY_EXPORT(count_rounds);
HWY_EXPORT(find_rounds);

bool has_remix_rounds(std::uint64_t m) {
  return m >> 32 == 0 && HWY_DYNAMIC_DISPATCH(has_rounds)();
}

std::uint64_t count_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                            std::span<const std::uint64_t> filter) {
  return HWY_DYNAMIC_DISPATCH(count_rounds)(bits, digests, filter);
}

void find_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                  std::span<const std::uint64_t> filter, std::span<Answer> out) {
  HWY_DYNAMIC_DISPATCH(find_rounds)(bits, digests, filter, out);
}

}  // namespace bloomlab::simd
#endif
