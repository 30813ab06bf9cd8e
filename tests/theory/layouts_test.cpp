// The layouts other than the standard filter, by counting outcomes and by 200-digit sums.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/theory/blocked.hpp"
#include "core/theory/compressed.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/dynamic.hpp"
#include "core/theory/folding.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"
#include "tests/theory/brute_force.hpp"
#include "tests/theory/golden_file.hpp"
#include "tests/theory/reference.hpp"

using namespace bloomlab::theory;

namespace {

using Masks = std::vector<std::uint32_t>;

/// The masks of a block's choices, for each of `blocks` blocks of `bits` bits.
Masks in_every_block(const Masks& block, int blocks, int bits) {
  Masks all;
  for (int at = 0; at < blocks; ++at) {
    for (const std::uint32_t mask : block) all.push_back(mask << (at * bits));
  }
  return all;
}

}  // namespace

TEST_CASE("partitioned equals the count of all outcomes", "[theory][layouts]") {
  // Five bits in two slices are 3 + 2; seven in three are 3 + 2 + 2.
  const Masks two = merged(masks_with_replacement(3, 1), masks_with_replacement(2, 1, 3));
  CHECK(relative_error(partitioned_fpr(5, 2, 2), counted_rate(two, 2)) < 1e-14);
  const Masks three = merged(merged(masks_with_replacement(3, 1), masks_with_replacement(2, 1, 3)),
                             masks_with_replacement(2, 1, 5));
  CHECK(relative_error(partitioned_fpr(7, 3, 3), counted_rate(three, 3)) < 1e-14);
  CHECK(partitioned_fpr(1000, 0, 7) == 0.0);
  CHECK(partitioned_fpr(7, 3, 7) == 1.0);  // slices of one bit
  CHECK_THROWS_WITH(partitioned_fpr(6, 3, 7),
                    "partitioned: m is below k; every slice has at least 1 bit");
}

TEST_CASE("partitioned is above the standard filter, by one over m", "[theory][layouts]") {
  CHECK(partitioned_fpr(1000, 100, 7) == Approx(0.0083339).margin(5e-8));
  CHECK(exact_fpr(1000, 100, 7) == Approx(0.0082662).margin(5e-8));
  for (std::uint64_t m = 20; m < 4000; m += 53) {
    CAPTURE(m);
    CHECK(partitioned_fpr(m, m / 10, 5) > exact_fpr(m, m / 10, 5));
  }
}

TEST_CASE("blocked equals the count of all outcomes", "[theory][layouts]") {
  const Masks block = masks_with_replacement(3, 2);
  CHECK(relative_error(blocked_fpr(2, 3, 2, 2), counted_rate(in_every_block(block, 2, 3), 2)) <
        1e-14);
  CHECK(relative_error(blocked_fpr(3, 3, 2, 2), counted_rate(in_every_block(block, 3, 3), 2)) <
        1e-14);
  CHECK(blocked_fpr(3, 3, 0, 2) == 0.0);
}

TEST_CASE("blocked equals the mixture in 200 digits", "[theory][layouts]") {
  for (const std::uint64_t blocks : {1ULL, 2ULL, 7ULL, 1000ULL, 1ULL << 40}) {
    for (const std::uint64_t n : {1ULL, 3ULL, 40ULL}) {
      for (const int k : {1, 4, 9}) {
        CAPTURE(blocks, n, k);
        CHECK(relative_error(blocked_fpr(blocks, 64, n, static_cast<std::uint64_t>(k)),
                             reference::blocked(blocks, 64, n, k)) < 1e-12);
      }
    }
  }
}

TEST_CASE("one block is a standard filter, and huge loads are full", "[theory][layouts]") {
  CHECK(relative_error(blocked_fpr(1, 512, 40, 7), exact_fpr(512, 40, 7)) < 1e-14);
  CHECK(blocked_fpr(1000, 512, 1ULL << 62, 8) == 1.0);
  CHECK(blocked_fpr(2, 65536, 1ULL << 63, 1) == 1.0);
  CHECK(split_block_fpr(3, 8, 32, 1ULL << 63) == 1.0);
  CHECK(cache_sectorized_fpr({3, 8, 64, 4, 2}, 1ULL << 63) == 1.0);
  // Just below saturation.
  CHECK(relative_error(1 - blocked_fpr(4, 64, 800, 4), 1 - reference::blocked(4, 64, 800, 4)) <
        1e-9);
}

TEST_CASE("split_block equals the count of all outcomes", "[theory][layouts]") {
  const Masks block = merged(masks_with_replacement(2, 1), masks_with_replacement(2, 1, 2));
  CHECK(relative_error(split_block_fpr(2, 2, 2, 3), counted_rate(in_every_block(block, 2, 4), 3)) <
        1e-14);
  CHECK(relative_error(split_block_fpr(1, 8, 32, 24), std::pow(1 - std::pow(31.0 / 32.0, 24), 8)) <
        1e-13);
}

TEST_CASE("split_block from few bits of a hash equals the count of all hash functions",
          "[theory][layouts]") {
  // Every function from hashes of 2 bits to places in two lanes of 2 bits, every hash of the key
  // and of the query.
  constexpr unsigned hashes = 4;
  constexpr unsigned places = 4;
  unsigned hits = 0;
  unsigned all = 0;
  for (unsigned function = 0; function < 256; ++function) {
    const auto place = [&](unsigned hash) { return (function >> (2 * hash)) % places; };
    for (unsigned key = 0; key < hashes; ++key) {
      for (unsigned query = 0; query < hashes; ++query) {
        ++all;
        hits += place(key) == place(query) ? 1 : 0;
      }
    }
  }
  const double counted = hits / static_cast<double>(all);
  CHECK(counted == 0.4375);
  CHECK(relative_error(split_block_fpr(1, 2, 2, 1, 2), counted) < 1e-14);
  CHECK(relative_error(split_block_fpr(2, 2, 2, 1, 2), counted / 2.0) < 1e-14);
  CHECK(split_block_fpr(2, 2, 2, 0, 2) == 0.0);
}

TEST_CASE("split_block stays above what equal position bits give", "[theory][layouts]") {
  // A key in 1024 blocks: 2^-10 (2^-32 + (1 - 2^-32) 2^-40).
  const double one = std::ldexp(1.0, -10) * (std::ldexp(1.0, -32) + std::ldexp(1.0, -40));
  CHECK(relative_error(split_block_fpr(1024, 8, 32, 1, 32), one) < 1e-9);
  // A usual filter: 25.6 keys a block, 25.6 / 2^32 = 6e-9 more than 1.265 %.
  const double ideal = split_block_fpr(40000, 8, 32, 1024000);
  const double more = split_block_fpr(40000, 8, 32, 1024000, 32) - ideal;
  CHECK(more > 0.98 * 25.6 * std::ldexp(1.0, -32));
  CHECK(more < 25.6 * std::ldexp(1.0, -32));
  // The fewest blocks whose ideal positions keep 10^-9 for 10^6 keys: .8 keys a block.
  CHECK(split_block_fpr(1'243'694, 8, 32, 1'000'000) <= 1e-9);
  CHECK(split_block_fpr(1'243'693, 8, 32, 1'000'000) > 1e-9);
  CHECK(relative_error(split_block_fpr(1'243'694, 8, 32, 1'000'000, 32), 1.187206e-9) < 1e-6);
  CHECK_THROWS_AS(split_block_fpr(1, 8, 32, 1, 65), DomainError);
}

TEST_CASE("cache_sectorized equals the count of all outcomes", "[theory][layouts]") {
  const Masks low = in_every_block(masks_with_replacement(2, 2), 2, 2);  // either of two sectors
  const Masks one_group = in_every_block(low, 2, 4);
  CHECK(relative_error(cache_sectorized_fpr({2, 2, 2, 1, 2}, 2), counted_rate(one_group, 2)) <
        1e-14);
  // Two groups of one sector each: both sectors get a position.
  const Masks both = merged(masks_with_replacement(2, 1), masks_with_replacement(2, 1, 2));
  CHECK(relative_error(cache_sectorized_fpr({2, 2, 2, 2, 1}, 3),
                       counted_rate(in_every_block(both, 2, 4), 3)) < 1e-14);
  // Two groups of two sectors of two bits, one block of eight bits.
  Masks group = in_every_block(masks_with_replacement(2, 1), 2, 2);
  Masks upper = group;
  for (std::uint32_t& mask : upper) mask <<= 4;
  CHECK(relative_error(cache_sectorized_fpr({1, 4, 2, 2, 1}, 3),
                       counted_rate(merged(group, upper), 3)) < 1e-14);
}

TEST_CASE("the layouts have their known rates at ten bits per key", "[theory][layouts]") {
  // Best k at 10 bits per key: blocks of 512 bits, of 64, and the split block of 256.
  CHECK(blocked_fpr(20000, 512, 1024000, 6) == Approx(0.00966).margin(5e-6));
  CHECK(blocked_fpr(160000, 64, 1024000, 5) == Approx(0.0178).margin(5e-5));
  CHECK(split_block_fpr(40000, 8, 32, 1024000) == Approx(0.01265).margin(5e-6));
}

TEST_CASE("layouts refuse what they cannot be", "[theory][layouts]") {
  CHECK_THROWS_WITH(cache_sectorized_fpr({4, 6, 64, 4, 1}, 10),
                    "cache_sectorized: sectors is no multiple of groups; groups are of equal size");
  CHECK_THROWS_AS(cache_sectorized_fpr({4, 8, 64, 8, 64}, 10), DomainError);
  CHECK_THROWS_AS(blocked_fpr(0, 64, 1, 1), DomainError);
  CHECK_THROWS_AS(blocked_fpr(1, 65537, 1, 1), DomainError);
  CHECK_THROWS_AS(split_block_fpr(1, 8, 0, 1), DomainError);
}

namespace {

/// The masks of all keys (a, b) of double hashing.
Masks double_hashing_keys(int m, int k, Stride stride) {
  Masks keys;
  for (int b = 0; b < m; ++b) {
    if (stride == Stride::nonzero && b == 0) continue;
    if (stride == Stride::odd && b % 2 == 0) continue;
    for (int a = 0; a < m; ++a) {
      std::uint32_t mask = 0;
      for (int i = 0; i < k; ++i) mask |= 1U << ((a + i * b) % m);
      keys.push_back(mask);
    }
  }
  return keys;
}

}  // namespace

TEST_CASE("double hashing equals the count of all keys", "[theory][layouts]") {
  for (const int m : {1, 2, 5, 6, 8, 12, 16}) {
    for (const int k : {1, 3, 4, 6}) {
      for (const Stride stride : {Stride::any, Stride::nonzero, Stride::odd}) {
        if (stride != Stride::any && m == 1) continue;
        if (stride == Stride::odd && (m & (m - 1)) != 0) continue;
        const int n = m <= 8 ? 2 : 1;
        CAPTURE(m, k, static_cast<int>(stride));
        const auto found =
            double_hashing_fpr(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(n),
                               static_cast<std::uint64_t>(k), stride);
        CHECK(relative_error(found.rate, counted_rate(double_hashing_keys(m, k, stride), n)) <
              1e-13);
      }
    }
  }
}

TEST_CASE("double hashing pays a constant over m", "[theory][layouts]") {
  // m/n = 10, k = 7: +4.9 % for a prime m near 1000 without stride 0, +9.8 % for 1024 with odd
  // strides, +16 % for 1024 with any stride.
  const auto excess = [](std::uint64_t m, Stride stride) {
    const std::uint64_t n = m / 10;
    return double_hashing_fpr(m, n, 7, stride).rate / exact_fpr(m, n, 7) - 1.0;
  };
  CHECK(excess(1009, Stride::nonzero) == Approx(0.049).margin(0.002));
  CHECK(excess(1024, Stride::odd) == Approx(0.098).margin(0.003));
  CHECK(excess(1024, Stride::any) == Approx(0.16).margin(0.005));
  CHECK(double_hashing_fpr(64, 0, 3, Stride::any).rate == 0.0);
  CHECK(double_hashing_fpr(64, 10, 1, Stride::any).rate == Approx(exact_fpr(64, 10, 1)));
}

TEST_CASE("double hashing refuses what it cannot compute", "[theory][layouts]") {
  CHECK_THROWS_WITH(
      double_hashing_fpr(1000, 10, 3, Stride::odd),
      "double_hashing_exact: m is no power of two; odd strides are for powers of two");
  CHECK_THROWS_AS(double_hashing_fpr(1, 10, 3, Stride::nonzero), DomainError);
  CHECK_THROWS_AS(double_hashing_fpr(65536, 10, 3, Stride::any), DomainError);
  CHECK_THROWS_AS(double_hashing_fpr(1024, 10, 17, Stride::any), DomainError);
}

TEST_CASE("folding to a divisor is a filter of that size", "[theory][layouts]") {
  CHECK(folded_fpr(20480, 10240, 1000, 7) == exact_fpr(10240, 1000, 7));
  CHECK(folded_fpr(1000, 1000, 50, 7) == exact_fpr(1000, 50, 7));
  CHECK(folded_fpr(1000, 1, 50, 7) == Approx(1.0).epsilon(1e-15));
  CHECK(folded_fpr(1000, 300, 0, 7) == 0.0);
  // One probe leaves nothing to approximate: count the outcomes, 5 bits folded to 3 and to 2.
  for (const int m2 : {2, 3}) {
    Masks folded;
    for (int bit = 0; bit < 5; ++bit) folded.push_back(1U << (bit % m2));
    CHECK(relative_error(folded_fpr(5, static_cast<std::uint64_t>(m2), 3, 1),
                         counted_rate(folded, 3)) < 1e-14);
  }
  CHECK_THROWS_WITH(folded_fpr(10, 11, 1, 1),
                    "folding: m2 is outside 1 to m; folding makes smaller");
}

TEST_CASE("a dynamic filter compounds its parts", "[theory][layouts]") {
  const double full = exact_fpr(1024, 100, 7);
  const double part = exact_fpr(1024, 30, 7);
  CHECK(relative_error(dynamic_fpr(1024, 7, 100, 30), part) < 1e-13);
  CHECK(relative_error(dynamic_fpr(1024, 7, 100, 230), 1 - (1 - full) * (1 - full) * (1 - part)) <
        1e-12);
  CHECK(dynamic_fpr(1024, 7, 100, 0) == 0.0);
  CHECK(dynamic_fpr(1024, 7, 100, 1ULL << 62) == 1.0);
  CHECK_THROWS_WITH(dynamic_fpr(10, 1, 0, 5), "dynamic: c is 0; a filter takes at least 1 key");
}

TEST_CASE("compressed filters have Mitzenmacher's published rates", "[theory][layouts]") {
  // Mitzenmacher 2002, tables: m/n, k, z/n, rate.
  struct Published {
    double z_over_n;
    std::uint64_t k;
    double m_over_n, rate;
  };
  for (const auto& [z, k, m_over_n, rate] : {Published{7.98, 6, 8, 0.0216},
                                             {7.923, 2, 14, 0.0177},
                                             {7.923, 1, 92, 0.0108},
                                             {15.846, 4, 28, 0.000314},
                                             {15.829, 3, 48, 0.000222}}) {
    CAPTURE(z, k);
    const CompressedFilter found = compressed_filter(z, k);
    CHECK(relative_error(found.m_over_n, m_over_n) < 5e-3);
    CHECK(relative_error(found.rate, rate) < 5e-3);
  }
  // What is sent is what was asked for, over the whole domain.
  for (const double z : {0.01, 0.5, 1.0, 8.0, 40.0, 500.0}) {
    for (const std::uint64_t k : {1ULL, 2ULL, 9ULL, 256ULL}) {
      CAPTURE(z, k);
      const auto [m_over_n, zero, rate] = compressed_filter(z, k);
      CHECK(m_over_n >= z);
      CHECK(relative_error(std::pow(-std::expm1(-static_cast<double>(k) / m_over_n), k), rate) <
            1e-12);
      if (zero > 0.9999 || zero < 1e-12) continue;  // here the check itself loses its digits
      const double entropy =
          -(zero * std::log2(zero) + (1 - zero) * std::log2(-std::expm1(std::log(zero))));
      CHECK(relative_error(m_over_n * entropy, z) < 1e-9);
    }
  }
  CHECK_THROWS_AS(compressed_filter(0.0, 1), DomainError);
  CHECK_THROWS_AS(compressed_filter(8.0, 0), DomainError);
}
