// k independent hash functions, the model of the textbooks.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors", CACM 13(7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"
#include "core/reduction/reduce_words.hpp"

namespace bloomlab {

/// The walk (core/probe/walk.hpp) from word to word of a key.
template <class Reduction>
class IndependentWalk : public HeldPosition {
 public:
  struct State {
    std::uint64_t position;
  };

  IndependentWalk(const DigestBatch& digests, std::uint64_t m) noexcept
      : words_(digests.words), stride_(digests.stride), reduce_(m) {}

  [[nodiscard]] State first(std::size_t key) const noexcept { return {reduce_(words_[key])}; }
  void advance(State& state, std::size_t key, int i) const noexcept {
    state.position = reduce_(words_[static_cast<std::size_t>(i) * stride_ + key]);
  }

 private:
  const std::uint64_t* words_;
  std::size_t stride_;
  Reduction reduce_;
};

/// Position i is the reduction of word i, one function of the hash family each: k evaluations a
/// key.
struct Independent : SchemeBase {
  static constexpr std::string_view name = "independent";
  static constexpr std::string_view summary = "k hash functions: one hash under k seeds";
  static constexpr std::string_view source =
      "Bloom 1970, Space/time trade-offs in hash coding with allowable errors";
  template <class Reduction>
  static constexpr bool allows = true;

  [[nodiscard]] static constexpr DigestNeed need(int k) noexcept {
    return {.words = k, .family = true};
  }
  [[nodiscard]] static int fingerprint_words(int /*k*/) noexcept { return 0; }

  template <class Reduction>
  [[nodiscard]] static IndependentWalk<Reduction> walk(const DigestBatch& digests,
                                                       std::uint64_t m) noexcept {
    return {digests, m};
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    const Reduction reduce(m);
    for (int i = 0; i < k; ++i) {
      reduce_words(reduce, digests.word(i), out + static_cast<std::size_t>(i) * digests.size);
    }
  }
};

}  // namespace bloomlab
