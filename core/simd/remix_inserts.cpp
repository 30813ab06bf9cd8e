// Keys are inserted a vector of them after the other: while the bits of one are set, the positions
// of a later one are derived, so that none is read just after it was written as part of a vector.
// Where no cache holds the filter, one key comes after the other, and the memory of its next bit is
// asked for when this one is set: a position that a vector has stored is read too late for that.

#include "core/simd/remix_rounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/remix_inserts.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "core/bits/wide_product.hpp"
#include "core/parameters.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/positions-inl.hpp"
#include "core/simd/remix_lanes-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if BLOOMLAB_REMIX_VECTORS
/// Sets one bit. @return 1 if it was not set before, else 0
HWY_INLINE std::uint64_t set_bit(std::uint64_t* filter, std::uint64_t position) {
  std::uint64_t& word = filter[position / 64];
  const std::uint64_t before = word;
  word = before | (std::uint64_t{1} << (position % 64));
  return (~before >> (position % 64)) & 1;
}

/// The cells among which each probe chooses, and the first of them.
class ProbeCells {
 public:
  explicit ProbeCells(const RemixedBits& bits) : k_(static_cast<std::size_t>(bits.k)) {
    for (std::size_t i = 0; i < k_; ++i) {
      cells_[i] = bits.cells_of(static_cast<int>(i));
      first_[i] = bits.first_of(static_cast<int>(i));
    }
  }

  [[nodiscard]] std::size_t size() const { return k_; }
  /// The positions of probe number `i` of the words.
  [[nodiscard]] HWY_INLINE hn::Vec<RemixLanes> of(std::size_t i, hn::Vec<RemixLanes> words) const {
    const RemixLanes d;
    return hn::Add(multiply_high_by_32(d, words, hn::Set(d, cells_[i])), hn::Set(d, first_[i]));
  }
  /// The same of one word.
  [[nodiscard]] std::uint64_t of(std::size_t i, std::uint64_t word) const {
    return first_[i] + multiply_high(word, cells_[i]);
  }

 private:
  std::size_t k_;
  std::array<std::uint64_t, max_probes> cells_;
  std::array<std::uint64_t, max_probes> first_;
};

/// Sets the bits of one key. @return what the filter said of it before
Answer insert_word(const ProbeCells& cells, const WordStep& step, std::uint64_t word,
                   std::uint64_t* filter) {
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < cells.size(); ++i, word = step.next(word)) {
    missing |= set_bit(filter, cells.of(i, word));
  }
  return missing != 0 ? Answer::absent : Answer::maybe;
}

/// Inserts keys behind the caches: as many as the lookahead says are on their way at once.
template <class Next>
void insert_asking(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::uint64_t* filter, const Next& next) {
  const ProbeCells cells(bits);
  const std::size_t at_once = std::min(bits.lookahead, max_lookahead);
  std::array<std::uint64_t, max_lookahead> words;
  std::array<std::uint64_t, max_lookahead> positions;
  const auto ask = [&](std::size_t i, std::size_t j, std::uint64_t word) HWY_ATTR
      __attribute__((always_inline)) {
    words[j] = word;
    positions[j] = cells.of(i, word);
    ask_for_bit(filter, positions[j]);
  };
  for (std::size_t j = 0; j < std::min(at_once, digests.size()); ++j) ask(0, j, digests[j]);
  for (std::size_t first = 0; first < digests.size(); first += at_once) {
    const std::size_t count = std::min(at_once, digests.size() - first);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        const std::uint64_t due = positions[j];
        ask(i, j, next(words[j]));
        static_cast<void>(set_bit(filter, due));
      }
    }
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint64_t due = positions[j];
      const std::size_t later = first + at_once + j;
      if (later < digests.size()) ask(0, j, digests[later]);
      static_cast<void>(set_bit(filter, due));
    }
  }
}

/// Where each key's answer has to be known before the next key is inserted, the memory of about so
/// many positions is asked for ahead.
inline constexpr std::size_t told_ahead = 64;

/// Inserts the keys, a vector of them after the other. @tparam Told writes what the filter said of
/// each key before, and asks for memory
template <bool Told>
void insert_vectors(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                    std::uint64_t* filter, Answer* before) {
  const RemixLanes d;
  const WordStep step = bits.step;
  const ProbeCells cells(bits);
  const std::size_t k = cells.size();
  const std::size_t size = k * remix_lanes;
  const std::size_t vectors = digests.size() / remix_lanes;
  const std::size_t ahead = Told ? (told_ahead + size - 1) / size : 1;
  const std::size_t end = (ahead + 1) * size;
  HWY_ALIGN std::array<std::uint64_t, told_ahead + 2 * remix_lanes * max_probes> positions;

  // Sets the bits of a vector of keys whose positions stand at `due`.
  const auto set_all = [&](const std::uint64_t* due, std::size_t vector) HWY_ATTR {
    if constexpr (Told) {
      for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
        std::uint64_t missing = 0;
        for (std::size_t i = 0; i < k; ++i) missing |= set_bit(filter, due[i * remix_lanes + lane]);
        before[vector * remix_lanes + lane] = missing != 0 ? Answer::absent : Answer::maybe;
      }
    } else {
      for (std::size_t i = 0; i < size; ++i) static_cast<void>(set_bit(filter, due[i]));
    }
  };
  std::size_t place = 0;
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    std::uint64_t* const next = positions.data() + place;
    place = place + size == end ? 0 : place + size;
    const std::uint64_t* const due = positions.data() + place;
    auto words = hn::LoadU(d, digests.data() + vector * remix_lanes);
    for (std::size_t i = 0; i < k; ++i) {
      hn::Store(cells.of(i, words), d, next + i * remix_lanes);
      words = next_words(d, step, words);
      if constexpr (Told) {
        for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
          ask_for_bit(filter, next[i * remix_lanes + lane]);
        }
      }
      if (Told || vector < ahead) continue;
      for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
        static_cast<void>(set_bit(filter, due[i * remix_lanes + lane]));
      }
    }
    if (Told && vector >= ahead) set_all(due, vector - ahead);
  }
  for (std::size_t vector = vectors - std::min(ahead, vectors); vector < vectors; ++vector) {
    set_all(positions.data() + vector % (ahead + 1) * size, vector);
  }
  for (std::size_t j = vectors * remix_lanes; j < digests.size(); ++j) {
    const Answer answer = insert_word(cells, step, digests[j], filter);
    if constexpr (Told) before[j] = answer;
  }
}

void insert_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::span<std::uint64_t> filter, std::span<Answer> before) {
  if (!before.empty()) {
    insert_vectors<true>(bits, digests, filter.data(), before.data());
  } else if (!bits.in_memory || bits.lookahead == 0) {
    insert_vectors<false>(bits, digests, filter.data(), nullptr);
  } else {
    use_step(bits.step,
             [&](const auto& next) { insert_asking(bits, digests, filter.data(), next); });
  }
}
#else
void insert_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                   std::span<std::uint64_t> /*filter*/, std::span<Answer> /*before*/) {}
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(insert_rounds);

void insert_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                    std::span<std::uint64_t> filter, std::span<Answer> before) {
  assert(bits.cell_width == 0);
  HWY_DYNAMIC_DISPATCH(insert_rounds)(bits, digests, filter, before);
}

}  // namespace bloomlab::simd
#endif
