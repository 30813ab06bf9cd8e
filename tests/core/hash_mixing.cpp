// The hashes of our own, as a hash is judged: does every bit of key and seed turn every bit of the
// word?

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/simd/multiply_swap.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

template <class Hash>
std::uint64_t mixed(std::span<const std::byte> key, std::uint64_t seed) {
  return Hash::digest(key, seed)[0];
}

/// Largest deviation, in standard deviations, of how often a flipped input bit turns an output bit.
/// @param base the `length` bytes of key number i
template <class Hash, class Base>
double worst_avalanche(std::size_t length, Base&& base) {
  constexpr int samples = 2000;
  double worst = 0.0;
  for (std::size_t bit = 0; bit < 8 * length; ++bit) {
    std::array<int, 64> turned{};
    for (int i = 0; i < samples; ++i) {
      std::vector<std::byte> key = base(i);
      const std::uint64_t before = mixed<Hash>(key, 1);
      key[bit / 8] ^= std::byte{1} << (bit % 8);
      const std::uint64_t change = before ^ mixed<Hash>(key, 1);
      for (std::size_t out = 0; out < 64; ++out) turned[out] += (change >> out) & 1 ? 1 : 0;
    }
    for (const int count : turned) {
      worst = std::max(worst, std::abs(count - samples / 2.0) / std::sqrt(samples / 4.0));
    }
  }
  return worst;
}

std::vector<std::byte> bytes_of(std::uint64_t number, std::size_t length) {
  std::vector<std::byte> key(length);
  for (std::size_t i = 0; i < 8 && i < length; ++i) {
    key[i] = static_cast<std::byte>(number >> (8 * i));
  }
  return key;
}

}  // namespace

// Binomial counts; at most 40 bytes = 20480 cells a check. Six standard deviations in any cell have
// a probability of 4e-5 a check.
TEMPLATE_TEST_CASE("half of the bits turn, whatever bit of the key turns", "[core][hash]",
                   MultiplyMix64, MultiplySwap64, SipHash13) {
  const KeyedPermutation random(1);
  for (const std::size_t length : {4U, 7U, 8U, 9U, 16U, 17U, 24U, 33U, 40U}) {
    INFO(length << " bytes");
    if (length >= 7) {
      CHECK(worst_avalanche<TestType>(length, [&](int i) {
              return bytes_of(static_cast<std::uint64_t>(i), length);
            }) < 6.0);
    }
    CHECK(worst_avalanche<TestType>(length, [&](int i) {
            std::vector<std::byte> key(length);
            for (std::size_t j = 0; j < length; ++j) {
              key[j] = static_cast<std::byte>(random(static_cast<std::uint64_t>(i) * 64 + j));
            }
            return key;
          }) < 6.0);
  }
}

TEMPLATE_TEST_CASE("half of the bits turn, whatever bit of the seed turns", "[core][hash]",
                   MultiplyMix64, MultiplySwap64, SipHash13) {
  constexpr int samples = 2000;
  for (int bit = 0; bit < 64; ++bit) {
    int turned = 0;
    for (std::uint64_t i = 0; i < samples; ++i) {
      const auto key = bytes_of(i, 8);
      turned +=
          std::popcount(mixed<TestType>(key, 0) ^ mixed<TestType>(key, std::uint64_t{1} << bit));
    }
    // 128000 coin tosses, of standard deviation 179.
    CHECK(std::abs(turned - 64 * samples / 2) < 6 * 179);
  }
}

TEMPLATE_TEST_CASE("zeros of different lengths, and bytes in any place, are distinguished",
                   "[core][hash]", MultiplyMix64, MultiplySwap64, SipHash13) {
  std::set<std::uint64_t> words;
  std::size_t keys = 0;
  for (std::size_t length = 0; length < 70; ++length) {
    std::vector<std::byte> key(length);
    words.insert(mixed<TestType>(key, 0));
    ++keys;
    for (std::size_t i = 0; i < length; ++i) {
      key[i] = std::byte{1};
      words.insert(mixed<TestType>(key, 0));
      key[i] = std::byte{0};
      ++keys;
    }
  }
  CHECK(words.size() == keys);
}

// Sums of squares over 1024 cells have 1023 degrees of freedom, standard deviation 45.2: seven of
// them above the mean have a probability of 1e-10.
TEMPLATE_TEST_CASE("sequential keys fill both ends of the word evenly", "[core][hash]",
                   MultiplyMix64, MultiplySwap64, SipHash13) {
  constexpr std::size_t n = 1024 * 200;
  std::vector<std::uint64_t> values(n);
  for (const int shift : {0, 20, 40}) {
    for (std::size_t i = 0; i < n; ++i) values[i] = std::uint64_t{i} << shift;
    std::vector<std::uint64_t> words(n);
    TestType::digest_batch(KeyBatch::integers(values, 8), 0, {words.data(), n, 1});
    std::vector<int> low(1024);
    std::vector<int> high(1024);
    for (const std::uint64_t word : words) {
      ++low[word % 1024];
      ++high[word >> 54];
    }
    for (const auto& counts : {low, high}) {
      double squares = 0.0;
      for (const int count : counts) squares += (count - 200.0) * (count - 200.0);
      CHECK(squares / 200.0 < 1023 + 7 * 45.2);
      CHECK(squares / 200.0 > 1023 - 7 * 45.2);
    }
  }
}

namespace {

/// The key that one round of MultiplySwap made `word` of.
std::uint64_t before_round(std::uint64_t word, std::uint64_t factor) {
  const std::uint64_t turned = std::rotl(word, 32);
  // The lower half, a bit at a time: its product with an even number tells the next one.
  std::uint64_t lower = 0;
  for (int bit = 0; bit < 32; ++bit) {
    lower |= (turned ^ lower * factor) & (std::uint64_t{1} << bit);
  }
  return turned ^ lower * factor;
}

}  // namespace

TEST_CASE(
    "every word is the digest of a key of 8 bytes, which multiply_swap_64 can be turned back to",
    "[core][hash]") {
  const KeyedPermutation random(3);
  std::size_t different = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const simd::MultiplySwap hash{.flip = random(2 * i)};
    const std::uint64_t key = random(2 * i + 1);
    std::uint64_t word = hash(key);
    for (std::size_t round = hash.factors.size(); round-- > 0;) {
      word = before_round(word, hash.factors[round]);
    }
    different += (word ^ hash.flip) != key ? 1 : 0;
  }
  CHECK(different == 0);
}

// From a program of a few lines in Python: a digest that changes would change results under the
// same name.
TEST_CASE("the digests of multiply_swap_64 and multiply_mix_64 stay what they are",
          "[core][hash]") {
  struct Pinned {
    std::size_t length;
    std::uint64_t seed_0;
    std::uint64_t seed_12345;
  };
  std::array<std::byte, 53> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>((i * 37 + 11) % 256);
  }
  for (const auto& [length, seed_0, seed_12345] :
       {Pinned{0, 0xbd35cc61831216ddU, 0x2099130bb4dd81b0U},
        Pinned{1, 0x671eb0ee93a80c7dU, 0xbd6047eb33538798U},
        Pinned{4, 0x325044f2335f05d6U, 0xb9353304c9320266U},
        Pinned{8, 0xed8f8e6975985397U, 0x1261ba42222c041eU},
        Pinned{9, 0x3317b2fcd03cc8e2U, 0x4de2815e1fea2f71U},
        Pinned{16, 0xaec1b7e4384ee874U, 0x47b68182f9fec2b0U},
        Pinned{17, 0x45ee5568956b8441U, 0xa481f2e192a70208U},
        Pinned{53, 0xf68b81bc00f2a842U, 0x827451b26a761acbU}}) {
    CAPTURE(length);
    const auto key = std::span<const std::byte>(bytes).first(length);
    CHECK(MultiplySwap64::digest(key, 0)[0] == seed_0);
    CHECK(MultiplySwap64::digest(key, 12345)[0] == seed_12345);
  }
}

TEST_CASE("multiply_swap_64 and multiply_mix_64 differ up to 8 bytes and agree beyond",
          "[core][hash]") {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::vector<std::byte> key = bytes_of(0x123456789abcdef0U, length);
    INFO(length << " bytes");
    CHECK((MultiplySwap64::digest(key, 9) == MultiplyMix64::digest(key, 9)) == (length > 8));
  }
}
