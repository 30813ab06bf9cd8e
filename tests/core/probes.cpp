// Reductions and hashing schemes, against their definitions.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>

#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::label;
using bloomlab::test::probes;

namespace {

const std::vector<std::uint64_t> sizes = {
    1, 2, 3, 5, 64, 1000, 1024, 65537, (1ULL << 31) - 1, 1ULL << 31, (1ULL << 32) + 1, 1ULL << 48};

/// Digests of `count` keys with `width` random words, and words at the ends of the range.
class RandomDigests {
 public:
  RandomDigests(std::size_t count, int width)
      : words_(count * static_cast<std::size_t>(width)), count_(count), width_(width) {
    std::mt19937_64 random(5);
    for (std::uint64_t& word : words_) word = random();
    words_[0] = 0;
    words_[1] = ~std::uint64_t{0};
  }
  [[nodiscard]] DigestBatch batch() const { return {words_.data(), count_, count_, width_}; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t count_;
  int width_;
};

__extension__ using Wide = unsigned __int128;

std::uint64_t wide_modulo(Wide value, std::uint64_t m) {
  return static_cast<std::uint64_t>(value % m);
}

/// The word of probe i of the family `remix`.
std::uint64_t remixed(std::uint64_t word, int i) {
  for (; i > 0; --i) {
    word = (word ^ (word >> 32)) * 0xd1342543de82ef95ULL + 0x9e3779b97f4a7c15ULL;
  }
  return word;
}

/// x^i mod 2^64.
std::uint64_t power(std::uint64_t x, int i) { return i == 0 ? 1 : x * power(x, i - 1); }

/// Position i of the definition, with the arithmetic of 128 bits and no shortcut.
template <class Reduction>
std::uint64_t defined(const Probe& probe, const DigestBatch& digests, std::size_t j, int i,
                      std::uint64_t m) {
  const auto n = static_cast<Wide>(i);
  const auto word = [&](int w) { return Reduction::reduce(digests.word(w)[j], m); };
  if (probe.family() == Independent::name) return word(i);
  if (probe.family() == Remix::name) return Reduction::reduce(remixed(digests.word(0)[j], i), m);
  if (probe.family() == Products::name) {
    return Reduction::reduce(digests.word(0)[j] * power(0xd1342543de82ef95ULL, i), m);
  }
  if (probe.family() == DoubleHashing::name) return wide_modulo(word(0) + n * word(1), m);
  if (probe.family() == DoubleHashingNz::name) {
    const std::uint64_t b = m == 1 ? 0 : 1 + Reduction::reduce(digests.word(1)[j], m - 1);
    return wide_modulo(word(0) + n * b, m);
  }
  if (probe.family() == DoubleHashingOdd::name) {
    const std::uint64_t b = m == 1 ? 0 : 1 + 2 * Reduction::reduce(digests.word(1)[j], m / 2);
    return wide_modulo(word(0) + n * b, m);
  }
  if (probe.family() == TripleHashing::name) {
    return wide_modulo(word(0) + n * word(1) + (n * n - n) / 2 * word(2), m);
  }
  if (probe.family() == EnhancedDoubleHashing::name) {
    return wide_modulo(word(0) + n * word(1) + (n * n * n - n) / 6, m);
  }
  FAIL("no definition of " << probe.family());
  return 0;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a prepared reduction equals its definition", "[core][reduction]",
                        Reductions) {
  std::mt19937_64 random(3);
  for (const std::uint64_t m : sizes) {
    if (!TestType::accepts(m)) continue;
    const TestType prepared(m);
    std::vector<std::uint64_t> words = {0, 1, m - 1, m, m + 1, ~std::uint64_t{0}, ~m, 0 - m};
    for (int i = 0; i < 2000; ++i) words.push_back(random());
    for (const std::uint64_t word : words) {
      REQUIRE(prepared(word) == TestType::reduce(word, m));
      REQUIRE(prepared(word) < m);
    }
  }
}

TEST_CASE("reductions are what their names say", "[core][reduction]") {
  CHECK(Modulo::reduce(1000, 7) == 6);
  CHECK(Mask::reduce(0xabcd, 256) == 0xcd);
  CHECK(MultiplyShift::reduce(std::uint64_t{1} << 63, 10) == 5);
  CHECK(MultiplyShift::reduce(~std::uint64_t{0}, 10) == 9);
  CHECK(Mask::accepts(1024));
  CHECK_FALSE(Mask::accepts(1000));
  CHECK_FALSE(Mask::accepts(0));
  CHECK(Modulo32::reduce(0xffffffff00000009ULL, 7) == 2);
  CHECK(Modulo32::reduce(~std::uint64_t{0}, std::uint64_t{1} << 40) == 0xffffffffU);
  CHECK(SignedModulo::accepts(199));
  CHECK_FALSE(SignedModulo::accepts(200));
}

TEST_CASE("a signed remainder has the sign of the hash, negative ones on top",
          "[core][reduction]") {
  // Size meant 100, so 199 bits. In JavaScript 250 % 100 is 50 and -250 % 100 is -50.
  const auto position = [](std::int32_t hash) {
    return SignedModulo::reduce(static_cast<std::uint32_t>(hash), 199);
  };
  CHECK(position(250) == 50);
  CHECK(position(-250) == 99 + 50);
  CHECK(position(-1) == 100);
  CHECK(position(-99) == 198);
  CHECK(position(-300) == 0);
  CHECK(position(2147483647) == 47);
  CHECK(position(-2147483647 - 1) == 99 + 48);
  CHECK(SignedModulo::reduce(0x12345678ffffffffULL, 199) == 100);  // only the low half is read
}

TEMPLATE_LIST_TEST_CASE("positions equal the definition of their family", "[core][probe]",
                        Reductions) {
  for_each_type<HashingSchemes>([]<class Family>(std::type_identity<Family>) {
    if constexpr (!Family::needs_identity && Family::template allows<TestType>) {
      const Probe probe = Probe::of<Family, TestType>();
      for (const std::uint64_t m : sizes) {
        if (!probe.accepts(m)) continue;
        for (const int k : {1, 2, 3, 7, 256}) {
          INFO(label(probe) << " m = " << m << " k = " << k);
          const RandomDigests digests(37, probe.need(k).words);
          PositionBuffer buffer;
          const PositionBatch positions = probe.positions(digests.batch(), m, k, buffer);
          REQUIRE(positions.k == k);
          for (int i = 0; i < k; ++i) {
            for (std::size_t j = 0; j < positions.size; ++j) {
              const auto expected = defined<TestType>(probe, digests.batch(), j, i, m);
              if (positions.probe(i)[j] != expected) FAIL("probe " << i << " of key " << j);
            }
          }
        }
      }
    }
  });
}

TEST_CASE("positions stay below m", "[core][probe]") {
  for (const Probe& probe : probes()) {
    const int k = probe.only_k().value_or(9);
    const RandomDigests digests(500, probe.need(k).words);
    for (const std::uint64_t m : sizes) {
      if (!probe.accepts(m)) continue;
      PositionBuffer buffer;
      const PositionBatch positions = probe.positions(digests.batch(), m, k, buffer);
      for (int i = 0; i < k; ++i) REQUIRE(std::ranges::max(positions.probe(i)) < m);
    }
  }
}

TEST_CASE("positions of a prefix-stable family do not depend on k", "[core][probe]") {
  for (const Probe& probe : probes()) {
    if (!probe.prefix_stable() || probe.only_k()) continue;
    const RandomDigests digests(50, probe.need(12).words);
    PositionBuffer many;
    const PositionBatch all = probe.positions(digests.batch(), 1024, 12, many);
    for (int k = 1; k < 12; ++k) {
      PositionBuffer few;
      const PositionBatch some = probe.positions(digests.batch(), 1024, k, few);
      for (int i = 0; i < k; ++i) REQUIRE(std::ranges::equal(some.probe(i), all.probe(i)));
    }
  }
}

TEST_CASE("lab_shift_xor has the lab's values", "[core][probe]") {
  // By hand: v = 1024 = 2^10.
  CHECK(LabShiftXor::mix(1024, {3, 5}) == ((1U << 7) ^ (1U << 15)));
  CHECK(LabShiftXor::mix(1024, {7, 11}) == ((1U << 3) ^ (1U << 21)));
  CHECK(LabShiftXor::mix(1024, {13, 17}) == (1U << 27));
  CHECK(LabShiftXor::mix(1024, {19, 23}) == 0);  // 2^33 leaves the 32 bits
  CHECK(LabShiftXor::mix(1024, {29, 2}) == (1U << 12));
  // A negative key: >> fills with the sign, << drops it, the mask clears it.
  CHECK(LabShiftXor::mix(-1, {3, 5}) == 0x1fU);
  CHECK(LabShiftXor::mix(-8, {3, 5}) == 0xffU);
  CHECK(LabShiftXor::mix(-2147483647 - 1, {29, 2}) == 0x7ffffffcU);
}

TEST_CASE("lab_shift_xor reads the low 32 bits and reduces after the mask", "[core][probe]") {
  const std::vector<std::uint64_t> keys = {1024, 0xffffffffULL, 0xabcdef0000000400ULL, 123456789};
  const DigestBatch digests{keys.data(), keys.size(), keys.size(), 1};
  const Probe probe = make_probe("lab_shift_xor", "modulo");
  REQUIRE(probe.only_k() == 5);
  for (const std::uint64_t m : {1000ULL, 800000ULL, 1ULL << 31, 1ULL << 40}) {
    PositionBuffer buffer;
    const PositionBatch positions = probe.positions(digests, m, 5, buffer);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const auto v = static_cast<std::int32_t>(static_cast<std::uint32_t>(keys[j]));
      for (int i = 0; i < 5; ++i) {
        const std::uint64_t mixed =
            LabShiftXor::mix(v, LabShiftXor::shifts[static_cast<std::size_t>(i)]);
        CHECK(positions.probe(i)[j] == mixed % m);
      }
    }
    CHECK(positions.probe(0)[0] == positions.probe(0)[2]);
  }
}
