// Rates of strided positions against counting: filters that are filled and queried with words as
// programs make them, from few bits and keys to many probes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/theory/alternating_strides.hpp"
#include "core/theory/strides.hpp"

using namespace bloomlab::theory;

namespace {

struct Words {
  std::uint64_t a;
  std::uint64_t b;
};

struct Scheme {
  const char* name;
  StrideArithmetic strides;
  bool alternates = false;  ///< a, a + b, 2a + b, 2a + 2b, ...
};

Words drawn(const Scheme& scheme, std::mt19937_64& source) {
  if (scheme.strides.word_bits != 32) return {source(), source()};
  const auto a = static_cast<std::uint32_t>(source());
  const unsigned turn = scheme.strides.rotation;
  if (turn == 0) return {a, static_cast<std::uint32_t>(source())};
  return {a, static_cast<std::uint32_t>(a << turn | a >> (32 - turn))};
}

std::uint64_t folded(std::int64_t word, SignFold fold, std::uint64_t m) {
  if (fold == SignFold::complement) return static_cast<std::uint64_t>(word < 0 ? ~word : word) % m;
  return static_cast<std::uint64_t>(std::abs(word % static_cast<std::int64_t>(m)));
}

/// The i-th position of a key.
std::uint64_t position(const Scheme& scheme, const Words& words, std::uint64_t i, std::uint64_t m) {
  const StrideArithmetic& strides = scheme.strides;
  const std::uint64_t step = i + strides.first;
  if (scheme.alternates) {
    return ((words.a * ((i + 2) / 2) + words.b * ((i + 1) / 2)) & ~std::uint64_t{0} >> 1U) % m;
  }
  if (strides.word_bits == 0) return (words.a % m + step * (words.b % m)) % m;
  std::uint64_t sum = words.a + step * words.b;
  if (strides.squares) sum += step * step;
  if (strides.word_bits == 32) {
    const auto narrow = static_cast<std::uint32_t>(sum);
    if (strides.fold == SignFold::unsigned_word) return narrow % m;
    return folded(static_cast<std::int32_t>(narrow), strides.fold, m);
  }
  if (strides.fold != SignFold::unsigned_word) {
    return folded(static_cast<std::int64_t>(sum), strides.fold, m);
  }
  return (strides.word_bits == 63 ? sum & ~std::uint64_t{0} >> 1U : sum) % m;
}

struct Counted {
  double rate = 0.0;
  double error = 0.0;  ///< its standard error; that of one hit where there are none
};

Counted counted(const Scheme& scheme, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  constexpr int most_filters = 50;
  constexpr int queries = 60'000;
  std::mt19937_64 source(m + 31 * k + 1009 * n);
  std::vector<bool> bits(m);
  double sum = 0.0;
  double squares = 0.0;
  for (int filter = 1;; ++filter) {
    std::fill(bits.begin(), bits.end(), false);
    for (std::uint64_t key = 0; key < n; ++key) {
      const Words words = drawn(scheme, source);
      for (std::uint64_t i = 0; i < k; ++i) bits[position(scheme, words, i, m)] = true;
    }
    double hits = 0.0;
    for (int query = 0; query < queries; ++query) {
      const Words words = drawn(scheme, source);
      std::uint64_t i = 0;
      while (i < k && bits[position(scheme, words, i, m)]) ++i;
      hits += i == k ? 1.0 : 0.0;
    }
    sum += hits;
    squares += hits * hits;
    const double spread = std::sqrt(std::max(squares - sum * sum / filter, sum + 1.0));
    if (filter == most_filters || (filter >= 10 && spread < 0.02 * sum)) {
      return {sum / filter / queries, spread / filter / queries};
    }
  }
}

}  // namespace

TEST_CASE("rates of strides are those of filters that are filled and counted",
          "[theory][strides]") {
  const Scheme scheme = GENERATE(
      Scheme{"textbook", {.word_bits = 0}}, Scheme{"64 bits", {.word_bits = 64}},
      Scheme{"63 bits", {.word_bits = 63}},
      Scheme{"absolute", {.word_bits = 64, .fold = SignFold::absolute}},
      Scheme{"complement", {.word_bits = 32, .fold = SignFold::complement, .first = 1}},
      Scheme{"squares", {.word_bits = 64, .squares = true}},
      Scheme{"rotated", {.word_bits = 32, .rotation = 15}}, Scheme{"alternating", {}, true});
  for (const std::uint64_t m : {1000U, 7001U, 20'011U}) {
    for (const std::uint64_t k : {7U, 22U, 30U, 40U}) {
      for (const double load : {0.3, 0.9}) {
        const auto n = static_cast<std::uint64_t>(load * static_cast<double>(m / k));
        CAPTURE(scheme.name, m, n, k);
        const double rate = scheme.alternates ? alternating_fpr(m, n, k, 0.02)
                                              : strided_fpr(scheme.strides, m, n, k);
        const Counted found = counted(scheme, m, n, k);
        // Rates below 10^-5 by heavy tails: a factor of two, and five standard errors.
        CHECK(rate < 2.0 * (found.rate + 5.0 * found.error));
        CHECK(rate > 0.5 * (found.rate - 5.0 * found.error));
        if (found.error >= 0.02 * found.rate) continue;
        CHECK(rate == Approx(found.rate).epsilon(0.05).margin(5.0 * found.error));
      }
    }
  }
}
