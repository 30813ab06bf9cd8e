// The article's hash: its values are those that its program computes, multiplier by multiplier.

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

/// The first seed, from 0 on, that stands for the multiplier.
std::uint64_t seed_of(std::uint32_t multiplier) {
  std::uint64_t seed = 0;
  while (JavascriptPolynomial::multiplier(seed) != multiplier) ++seed;
  return seed;
}

std::uint64_t word_of(std::string_view text, std::uint32_t multiplier) {
  return JavascriptPolynomial::digest(std::as_bytes(std::span(text.data(), text.size())),
                                      seed_of(multiplier))[0];
}

/// h as the program has it, (seed * h + c) & 0xFFFFFFFF: in doubles, which are exact here, then to
/// a signed number.
std::int64_t program(std::string_view text, std::uint32_t multiplier) {
  std::int64_t hash = 0;
  for (const char c : text) {
    const double sum = static_cast<double>(multiplier) * static_cast<double>(hash) +
                       static_cast<double>(static_cast<unsigned char>(c));
    const auto low = static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
    hash = static_cast<std::int32_t>(low);
  }
  return hash;
}

}  // namespace

TEST_CASE("javascript_polynomial has the values worked out by hand", "[core][hash]") {
  const auto hash = [](std::string_view text, std::uint32_t multiplier) {
    return static_cast<std::uint32_t>(word_of(text, multiplier));
  };
  CHECK(hash("", 33) == 0);
  CHECK(hash("a", 33) == 97);
  CHECK(hash("ab", 33) == 33 * 97 + 98);
  CHECK(hash("abc", 33) == 108966);
  CHECK(hash("abc", 63) == 63 * (63 * 97 + 98) + 99);
  // Of 32 = 2^5 the seventh power is 2^35: what stands before the last seven characters is lost.
  CHECK(hash("user1234567", 32) == hash("anyone1234567", 32));
  CHECK(hash("user1234567", 33) != hash("anyone1234567", 33));
}

TEST_CASE("the signed and the corrected positions are the program's", "[core][hash]") {
  constexpr std::int64_t size = 1000;  // the size meant; the filter has 1999 bits
  std::size_t negative = 0;
  for (const std::string_view text : {"apple", "orange", "cabbage", "someone@example.com",
                                      "The quick brown fox", "zzzzzzzzzzzz"}) {
    for (std::uint32_t multiplier = 32; multiplier < 64; ++multiplier) {
      INFO(text << ", multiplier " << multiplier);
      const std::int64_t hash = program(text, multiplier);
      const std::int64_t rest = hash % size;
      const std::int64_t position = rest >= 0 ? rest : size - 1 - rest;
      const std::uint64_t word = word_of(text, multiplier);
      CHECK(SignedModulo::reduce(word, 2 * size - 1) == static_cast<std::uint64_t>(position));
      const std::int64_t corrected = (hash + (std::int64_t{1} << 32)) % (std::int64_t{1} << 32);
      CHECK(Modulo32::reduce(word, size) == static_cast<std::uint64_t>(corrected % size));
      negative += rest < 0 ? 1 : 0;
    }
  }
  CHECK(negative > 50);  // long keys take either sign
}

// Sums of squares over 32 values have 31 degrees of freedom: above 76 with probability 1e-5.
TEST_CASE("multipliers are drawn from 32 to 63 with repetition", "[core][hash]") {
  constexpr int draws = 32000;
  const SeedFamily family(9);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[JavascriptPolynomial::multiplier(family(i))];
  REQUIRE(counts.size() == 32);
  CHECK(counts.begin()->first == 32);
  CHECK(counts.rbegin()->first == 63);
  double squares = 0.0;
  for (const auto& [multiplier, count] : counts) squares += (count - 1000.0) * (count - 1000.0);
  CHECK(squares / 1000.0 < 76.0);
}

TEST_CASE("the odd multipliers are odd, exact in doubles, and distinct in a family",
          "[core][hash]") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const SeedFamily family(seed);
    std::set<std::uint32_t> multipliers;
    for (int i = 0; i < 16; ++i) {
      multipliers.insert(JavascriptPolynomialOdd::multiplier(family(i)));
    }
    CHECK(multipliers.size() == 16);
    for (const std::uint32_t multiplier : multipliers) {
      CHECK(multiplier % 2 == 1);
      CHECK(multiplier < (1U << 21));
    }
  }
}

// The mean number of different multipliers among k = 10 is 32 (1 - (31/32)^10) = 8.70; over 4000
// families its standard error is 0.015, and five of them fail by chance with probability 6e-7.
TEST_CASE("ten functions of a family have 8.7 different multipliers", "[core][hash]") {
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const SeedFamily family(seed);
    std::set<std::uint32_t> multipliers;
    for (int i = 0; i < 10; ++i) multipliers.insert(JavascriptPolynomial::multiplier(family(i)));
    sum += static_cast<double>(multipliers.size());
  }
  CHECK(sum / 4000.0 == Approx(8.7045).margin(0.08));
}
