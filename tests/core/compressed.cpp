// The compressed filter and its coder: what is decoded is what was encoded, sizes are near the
// entropy, and damaged codes are refused.

#include "core/filters/compressed.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "core/bits/entropy_coding.hpp"
#include "tests/core/measured_rate.hpp"
#include "tests/core/named_probes.hpp"

using namespace bloomlab;
using bloomlab::test::Implementation;
using bloomlab::test::independent;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

/// A filter of m bits with k probes and n keys.
Implementation<Compressed> filled(std::uint64_t m, std::uint64_t k, std::size_t n) {
  Implementation<Compressed> implementation({.m = m, .k = k}, independent, n);
  implementation.insert(keys(0, n));
  return implementation;
}

}  // namespace

TEST_CASE("a compressed filter decodes to itself", "[core][compressed]") {
  for (const std::uint64_t m : {1U, 7U, 8U, 63U, 64U, 65U, 1000U, 50000U}) {
    for (const std::size_t n : {0U, 1U, 10U, 500U, 20000U}) {
      const auto implementation = filled(m, 2, n);
      const Compressed& filter = implementation.filter();
      const auto code = filter.encode();
      const Compressed decoded = Compressed::decode({.m = m, .k = 2}, independent, code, n);
      CHECK(decoded.state() == filter.state());
      CHECK(std::ranges::equal(decoded.filter().bits().words(), filter.filter().bits().words()));
      CHECK(filter.state().transmitted_bits == 8 * code.size());
    }
  }
}

TEST_CASE("a compressed filter is sent in little more than its entropy", "[core][compressed]") {
  // Mitzenmacher's table: bits per key in memory and probes, at 10^5 keys. The sizes are those of
  // fixed keys, the same on every machine with the same zlib; 3 % is what the coder may lose.
  struct Row {
    std::uint64_t bits_per_key, probes;
    double sent_per_key;
  };
  for (const auto& [bits_per_key, k, sent] : {Row{8, 6, 7.98}, Row{14, 2, 7.92}, Row{92, 1, 7.92},
                                              Row{28, 4, 15.85}, Row{48, 3, 15.83}}) {
    constexpr std::size_t n = 100000;
    const auto implementation = filled(bits_per_key * n, k, n);
    const Compressed& filter = implementation.filter();
    INFO("m/n = " << bits_per_key << ", k = " << k);
    const double entropy = filter.entropy_bits();
    CHECK(entropy == Approx(sent * n).epsilon(0.002));
    const auto bits = static_cast<double>(8 * filter.encode().size());
    CHECK(bits >= 0.999 * entropy);
    CHECK(bits <= 1.03 * entropy);
  }
}

TEST_CASE("a compressed filter has the rate of the standard filter", "[core][compressed]") {
  bloomlab::test::check_rate<Compressed>({.m = 1400, .k = 2},
                                         {.n = 100, .trials = 100, .absent_keys = 5000});
}

TEST_CASE("damaged codes are refused", "[core][compressed]") {
  for (const std::size_t n : {30U, 400U, 2000U}) {  // gaps of ones, bytes, gaps of zeros
    const auto implementation = filled(1000, 2, n);
    const auto code = implementation.filter().encode();
    for (std::size_t length = 0; length < code.size(); ++length) {
      CHECK_THROWS_AS(decode_bits(std::span(code).first(length), 1000), std::invalid_argument);
    }
    auto longer = code;
    longer.push_back(std::byte{0});
    CHECK_THROWS_AS(decode_bits(longer, 1000), std::invalid_argument);
    if (code.front() == std::byte{0}) {
      CHECK_THROWS_AS(decode_bits(code, 900), std::invalid_argument);
      CHECK_THROWS_AS(decode_bits(code, 1100), std::invalid_argument);
    }
  }
  const std::vector<std::byte> unknown = {std::byte{9}, std::byte{3}, std::byte{0}};
  CHECK_THROWS_MATCHES(decode_bits(unknown, 10), std::invalid_argument,
                       Message("encoded bits: their form is unknown"));
  CHECK_THROWS_MATCHES(decode_bits({}, 10), std::invalid_argument,
                       Message("encoded bits: there are none"));
}

TEST_CASE("a code that claims more than the array has takes no memory for it",
          "[core][compressed]") {
  // One gap of 2^28 in some 2^17 bytes: refused as soon as it passes the array.
  BitArray sparse(std::uint64_t{1} << 28);
  sparse.set((std::uint64_t{1} << 28) - 1);
  const auto code = encode_bits(sparse);
  CHECK(code.size() < 140000);
  CHECK_THROWS_MATCHES(decode_bits(code, 1000), std::invalid_argument,
                       Message("encoded bits: they are more than the array has"));
}

TEST_CASE("gaps are sent where fewer than a sixth of the bits are rare", "[core][compressed]") {
  constexpr std::uint64_t size = 6000;
  const auto is_decoded = [](const BitArray& bits) {
    const BitArray decoded = decode_bits(encode_bits(bits), size);
    return std::ranges::equal(decoded.words(), bits.words());
  };
  for (const std::uint64_t ones : {0U, 1U, 999U, 1000U, 1001U, 4999U, 5000U, 5001U, 5999U, 6000U}) {
    BitArray bits(size);
    for (std::uint64_t i = 0; i < ones; ++i) bits.set(i * 7 % size);  // 7 and 6000 are coprime
    REQUIRE(bits.popcount() == ones);
    const auto code = encode_bits(bits);
    CHECK(code.front() == std::byte(ones < 1000 ? 1 : size - ones < 1000 ? 2 : 0));
    CHECK(is_decoded(bits));
  }
  // Gaps about those that take a byte more, up to the end.
  for (const std::uint64_t gap : {0U, 1U, 254U, 255U, 256U, 509U, 510U, 511U, 765U, 766U}) {
    BitArray bits(size);
    bits.set(gap);
    bits.set(size - 1);
    CHECK(is_decoded(bits));
    BitArray holes(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i != gap && i != size - 1) holes.set(i);
    }
    CHECK(is_decoded(holes));
  }
}
