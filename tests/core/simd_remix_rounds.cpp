// The vector kernel of the remixed positions: on every target the bits and answers of the probe.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/remix_rounds.hpp"
#include "core/simd/targets.hpp"

namespace bloomlab::simd {
namespace {

constexpr std::size_t remix_guard = 4;

std::vector<std::uint64_t> remix_digests(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> digests(count);
  KeyedPermutation(11).apply_range(first, digests);
  return digests;
}

/// The cells of a key, probe by probe. Slices by their definition: k of them, one after the other,
/// the first m mod k longer by one.
std::vector<std::uint64_t> remix_positions(const RemixedBits& bits, std::uint64_t digest) {
  std::vector<std::uint64_t> positions(static_cast<std::size_t>(bits.k));
  if (!bits.sliced) {
    for (std::uint64_t& position : positions) {
      position = MultiplyShift::reduce(digest, bits.m);
      digest = bits.step.next(digest);
    }
    return positions;
  }
  const auto k = static_cast<std::uint64_t>(bits.k);
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < k; ++i, digest = bits.step.next(digest)) {
    const std::uint64_t size = bits.m / k + (i < bits.m % k ? 1 : 0);
    positions[i] = begin + MultiplyShift::reduce(digest, size);
    begin += size;
  }
  return positions;
}

bool reference_contains(const RemixedBits& bits, std::span<const std::uint64_t> filter,
                        std::uint64_t digest) {
  const auto positions = remix_positions(bits, digest);
  return std::all_of(positions.begin(), positions.end(), [&](std::uint64_t position) {
    const std::uint64_t bit = position << bits.cell_width;
    const std::uint64_t cell = (std::uint64_t{1} << (1U << bits.cell_width)) - 1;
    return ((filter[bit / 64] >> (bit % 64)) & cell) != 0;
  });
}

void reference_set(const RemixedBits& bits, std::span<std::uint64_t> filter, std::uint64_t digest) {
  for (const std::uint64_t position : remix_positions(bits, digest)) {
    filter[position / 64] |= std::uint64_t{1} << (position % 64);
  }
}

/// A half-full filter of counters: random values, every other cell of zero.
std::vector<std::uint64_t> half_full_counters(const RemixedBits& bits) {
  const std::size_t words = static_cast<std::size_t>(((bits.m << bits.cell_width) + 63) / 64);
  auto filter = remix_digests(1, words);
  const unsigned width = 1U << bits.cell_width;
  for (std::uint64_t cell = 0; cell < bits.m; ++cell) {
    const std::uint64_t bit = cell << bits.cell_width;
    const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
    // Of those above zero some have one bit, at any place.
    const std::uint64_t value = cell % 2 == 0 ? 0 : std::uint64_t{1} << (cell / 2 % width);
    filter[bit / 64] = (filter[bit / 64] & ~(ones << (bit % 64))) | value << (bit % 64);
  }
  filter.resize(words + remix_guard, 0x5555555555555555U);
  return filter;
}

/// The digests that fill half of a filter: 5000 and following.
std::vector<std::uint64_t> half_filling(const RemixedBits& bits) {
  return remix_digests(5000, bits.m * 7 / 10 / static_cast<std::size_t>(bits.k) + 1);
}

/// A filter of them, and guards behind it.
std::vector<std::uint64_t> half_full(const RemixedBits& bits) {
  std::vector<std::uint64_t> filter(static_cast<std::size_t>((bits.m + 63) / 64) + remix_guard);
  for (const std::uint64_t digest : half_filling(bits)) {
    reference_set(bits, filter, digest);
  }
  std::fill(filter.end() - remix_guard, filter.end(), 0x5555555555555555U);
  return filter;
}

void check_rounds(const RemixedBits& bits, std::span<const std::uint64_t> filter,
                  std::span<const std::uint64_t> digests) {
  std::vector<Answer> expected;
  for (const std::uint64_t digest : digests) {
    expected.push_back(reference_contains(bits, filter, digest) ? Answer::maybe : Answer::absent);
  }
  const auto reported = std::ranges::count(expected, Answer::maybe);
  CHECK(count_remixed(bits, digests, filter) == static_cast<std::uint64_t>(reported));
  std::vector<Answer> answers(digests.size(), Answer{7});
  find_remixed(bits, digests, filter, answers);
  CHECK(answers == expected);
}

void check_insert(const RemixedBits& bits, std::vector<std::uint64_t> filter,
                  std::span<const std::uint64_t> digests) {
  std::vector<std::uint64_t> expected = filter;
  std::vector<std::uint64_t> telling = filter;
  std::vector<Answer> before(digests.size(), Answer{7});
  insert_remixed(bits, digests, filter, {});
  if (bits.sliced) {
    for (const std::uint64_t digest : digests) reference_set(bits, expected, digest);
    CHECK(filter == expected);
    return;
  }
  insert_remixed(bits, digests, telling, before);
  for (std::size_t i = 0; i < digests.size(); ++i) {
    const bool known = reference_contains(bits, expected, digests[i]);
    if (before[i] != (known ? Answer::maybe : Answer::absent)) FAIL("key " << i);
    reference_set(bits, expected, digests[i]);
  }
  CHECK(filter == expected);
  CHECK(telling == expected);
}

}  // namespace

TEST_CASE("remixed bits are found and set as the probe says on every target", "[core][simd]") {
  auto digests = remix_digests(4900, 2600);  // some were inserted, most were not
  // Keys that a batch repeats, near and far from each other.
  for (std::size_t i = 100; i < 140; ++i) digests[i] = digests[i % 7];
  digests[1] = digests[0];
  digests[12] = digests[10];
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const RemixedBits& shape :
         {RemixedBits{1, 1}, RemixedBits{64, 3}, RemixedBits{997, 1}, RemixedBits{20'011, 7},
          RemixedBits{65'536, 20}, RemixedBits{4096, 256},
          RemixedBits{.m = 20'011, .k = 7, .sliced = true},
          RemixedBits{.m = 20'000, .k = 5, .sliced = true},
          RemixedBits{.m = 300, .k = 256, .sliced = true},
          RemixedBits{.m = 20'011, .k = 7, .step = product_step},
          RemixedBits{.m = 20'011, .k = 9, .sliced = true, .step = product_step},
          RemixedBits{.m = 1, .k = 1, .sliced = true}}) {
      if (!has_remix_rounds(shape.m)) {
        CHECK_FALSE(target.starts_with("AVX"));  // those have it
        continue;
      }
      const auto filter = half_full(shape);
      for (std::size_t size = 0; size <= 2600; size += size < 20 ? 1 : size < 300 ? 53 : 577) {
        RemixedBits bits = shape;
        // Up to more than some have keys, and more than are ever asked for ahead.
        bits.lookahead = size % 5 * 67;
        const auto batch = std::span(digests).subspan(size % 9 * (size < 2000 ? 1 : 0), size);
        for (const bool in_memory : {false, true}) {
          bits.in_memory = in_memory;
          bits.lookups_ask = in_memory;
          bits.narrow_lookups_ask = in_memory;
          INFO(target << ", m " << bits.m << ", k " << bits.k << ", " << size << " keys, lookahead "
                      << bits.lookahead << (in_memory ? ", in memory" : ""));
          check_rounds(bits, filter, batch);
          check_insert(bits, filter, batch);
        }
      }
    }
  }
}

TEST_CASE("keys that are all in remixed bits are found, and those among them that are not are not",
          "[core][simd]") {
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const int k : {1, 2, 7, 40}) {
      const RemixedBits bits{.m = 20'011, .k = k, .step = k == 7 ? product_step : remix_step};
      if (!has_remix_rounds(bits.m)) {
        CHECK_FALSE(target.starts_with("AVX"));  // those have it
        continue;
      }
      const auto filter = half_full(bits);
      const auto inserted = half_filling(bits);
      for (std::size_t size = 1; size <= inserted.size(); size += size < 70 ? 1 : 411) {
        INFO(target << ", k " << k << ", " << size << " keys");
        auto digests = std::vector(inserted.begin(), inserted.begin() + static_cast<long>(size));
        check_rounds(bits, filter, digests);
        digests.back() = remix_digests(77, 1).front();
        digests[size / 2] = remix_digests(78, 1).front();
        check_rounds(bits, filter, digests);
      }
    }
  }
}

TEST_CASE("remixed counters above zero are found on every target", "[core][simd]") {
  const auto digests = remix_digests(77, 1500);
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const unsigned cell_width : {1U, 2U, 3U, 4U}) {
      for (const std::uint64_t m : {1ULL, 2ULL, 50ULL, 20'011ULL}) {
        for (const int k : {1, 2, 7}) {
          RemixedBits bits{
              .m = m, .k = k, .cell_width = cell_width, .step = k == 1 ? remix_step : product_step};
          if (!has_remix_rounds(m)) {
            CHECK_FALSE(target.starts_with("AVX"));
            continue;
          }
          INFO(target << ", " << m << " counters of 2^" << cell_width << " bits, k " << k);
          const auto filter = half_full_counters(bits);
          for (const std::size_t lookahead : {0U, 1U, 128U}) {
            bits.lookahead = lookahead;
            bits.in_memory = lookahead != 0;
            bits.lookups_ask = bits.in_memory;
            bits.narrow_lookups_ask = bits.in_memory;
            for (const std::size_t size : {0U, 1U, 5U, 1000U, 1500U}) {
              check_rounds(bits, filter, std::span(digests).first(size));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("few keys of cells that are nearly all set are found or missed by the right ones",
          "[core][simd]") {
  // The first probes of a batch all meet set bits by chance, also where those are not its cells.
  const std::uint64_t m = 20'011;
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const RemixedBits& bits : {RemixedBits{m, 7}, RemixedBits{.m = m, .k = 7, .sliced = true},
                                    RemixedBits{.m = m, .k = 7, .cell_width = 1},
                                    RemixedBits{.m = m, .k = 7, .cell_width = 2}}) {
      if (!has_remix_rounds(m)) {
        CHECK_FALSE(target.starts_with("AVX"));  // those have it
        continue;
      }
      std::vector<std::uint64_t> filter((m << bits.cell_width) / 64 + 1 + remix_guard);
      for (std::uint64_t cell = 0; cell < m; ++cell) {
        const std::uint64_t bit = cell << bits.cell_width;
        if (cell % 16 != 0) filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      for (std::uint64_t batch = 0; batch < 40; ++batch) {
        INFO(target << ", sliced " << bits.sliced << ", cells of 2^" << bits.cell_width);
        check_rounds(bits, filter, remix_digests(100 * batch, 8 + batch));
      }
    }
  }
}

TEST_CASE("the kernel of remixed bits takes sizes below 2^32 only", "[core][simd]") {
  CHECK_FALSE(has_remix_rounds(std::uint64_t{1} << 32));
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    CHECK(has_remix_rounds((std::uint64_t{1} << 32) - 1) ==
          (target == "AVX2" || target == "AVX3" || target == "AVX3_DL"));
  }
}

}  // namespace bloomlab::simd
