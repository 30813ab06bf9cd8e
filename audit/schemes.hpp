// How a defect makes the positions of a key: schemes without a closed form, to be simulated.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/causes.hpp"
#include "core/reduction/modulo.hpp"

namespace bloomlab::audit::detail {

/// Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d0'49bb'1331'11ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

constexpr int most_probes = 64;

struct Shape {
  std::uint64_t m = 1;
  int k = 1;
  std::uint64_t block_bits = 512;
  Modulo remainder = Modulo(m);  ///< by m
};

/// Writes the k positions, at most `most_probes`, of a random key.
using Positions = void (*)(const Shape&, Random&, int parameter, std::uint64_t* out);

/// A scheme of positions that a defect may use.
struct Scheme {
  Class kind;
  const char* text;
  Positions positions;
  int parameter = 0;
};

/// Those that a filter of the layout may have.
[[nodiscard]] std::vector<Scheme> schemes_of(const Layout& layout);

}  // namespace bloomlab::audit::detail

namespace bloomlab::audit {

/// The rate of a standard filter with the positions of a hashing scheme.
struct SchemeRate {
  Predicted predicted = {};  ///< with its relative standard error
  /// How it is known: "exact", "sampled" (theory::strided_fpr; of up to 64 keys to 10 %),
  /// "simulated", "independent" where the scheme's positions are taken for that, and "unknown"
  /// where they are for want of a law: the rate is that of independent ones then.
  std::string_view law;
};

/// The rate of a scheme of the catalogue (core/probe): of the double hashings by closed form, of
/// enhanced and triple hashing, and where no form takes the filter, by simulated ones, if those are
/// small and the rate is no less than about 10^-6. About a second at most. Throws
/// theory::DomainError.
/// @param m bits, >= 1   @param n distinct keys   @param k probes, 1..256
[[nodiscard]] SchemeRate scheme_rate(std::string_view scheme, std::uint64_t m, std::uint64_t n,
                                     std::uint64_t k);

}  // namespace bloomlab::audit
