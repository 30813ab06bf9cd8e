// Filters that fuse the probe with their memory: bits, counters and answers are those that the
// planes of positions give, position by position.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "core/filters/counting.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/standard.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

constexpr int most_probes = 32;

/// Random digests of `size` keys, from number `first` on, wide enough for any probe of k positions.
struct FusedDigests {
  std::vector<std::uint64_t> words;
  std::size_t size;

  FusedDigests(std::uint64_t first, std::size_t keys) : words(keys * most_probes), size(keys) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(most_probes); ++i) {
      KeyedPermutation(1000 + i).apply_range(first, std::span(words).subspan(i * size, size));
    }
  }
  [[nodiscard]] DigestBatch batch() const { return {words.data(), size, size, most_probes}; }
};

std::vector<Probe> fused_probes() {
  std::vector<Probe> probes;
  for (const char* family : {"double_hashing", "double_hashing_nz", "double_hashing_odd",
                             "enhanced_double_hashing", "remix", "products", "independent"}) {
    probes.push_back(make_probe(family, "multiply_shift"));
  }
  return probes;
}

/// The positions of every key as the filter's description says, key by key.
std::vector<std::uint64_t> planes(const Probe& probe, const DigestBatch& digests, std::uint64_t m,
                                  std::uint64_t k) {
  std::vector<std::uint64_t> positions(digests.size * k);
  if (digests.size != 0) probe.write(digests, m, static_cast<int>(k), positions.data());
  return positions;
}

std::vector<std::uint64_t> positions_of(const Standard& filter, const DigestBatch& digests) {
  return planes(filter.probe(), digests, filter.parameters().m, filter.parameters().k);
}
std::vector<std::uint64_t> positions_of(const Counting& filter, const DigestBatch& digests) {
  return planes(filter.probe(), digests, filter.parameters().m, filter.parameters().k);
}
std::vector<std::uint64_t> positions_of(const Partitioned& filter, const DigestBatch& digests) {
  const auto& p = filter.parameters();
  std::vector<std::uint64_t> all = planes(filter.probe(), digests, p.m / p.k, p.k);
  const std::vector<std::uint64_t> longer = planes(filter.probe(), digests, p.m / p.k + 1, p.k);
  for (std::size_t i = 0; i < p.k; ++i) {
    for (std::size_t j = i * digests.size; j < (i + 1) * digests.size; ++j) {
      all[j] = filter.slice_begin(i) + (i < p.m % p.k ? longer[j] : all[j]);
    }
  }
  return all;
}

bool taken(const Standard& filter, std::uint64_t at) { return filter.bits().test(at); }
bool taken(const Partitioned& filter, std::uint64_t at) { return filter.bits().test(at); }
bool taken(const Counting& filter, std::uint64_t at) { return filter.counters().get(at) != 0; }

/// What the filter has to say of each key.
template <class Filter>
std::vector<Answer> expected_answers(const Filter& filter, const DigestBatch& digests) {
  const std::vector<std::uint64_t> positions = positions_of(filter, digests);
  std::vector<Answer> answers(digests.size, Answer::maybe);
  for (std::size_t at = 0; at < positions.size(); ++at) {
    if (!taken(filter, positions[at])) answers[at % digests.size] = Answer::absent;
  }
  return answers;
}

template <class Filter>
void check_answers(const Filter& filter, const DigestBatch& digests) {
  const std::vector<Answer> expected = expected_answers(filter, digests);
  std::vector<Answer> answers(digests.size, Answer::maybe);
  filter.contains(digests, answers);
  CHECK(answers == expected);
  CHECK(filter.count_contained(digests) ==
        static_cast<std::uint64_t>(std::ranges::count(expected, Answer::maybe)));
}

/// How often each cell has to be taken after the inserts.
template <class Filter>
std::vector<std::uint64_t> expected_cells(const Filter& filter, const DigestBatch& digests) {
  std::vector<std::uint64_t> cells(filter.parameters().m);
  for (const std::uint64_t at : positions_of(filter, digests)) ++cells[at];
  return cells;
}

const std::vector<std::size_t> batch_sizes = {0,  1,   2,   31,   32,   33,   63,  64,
                                              65, 127, 300, 1023, 1024, 1025, 2500};

}  // namespace

TEST_CASE("inserting sets the bits of all positions and no other", "[core][filters]") {
  for (const Probe& probe : fused_probes()) {
    for (const std::size_t size : batch_sizes) {
      for (const std::uint64_t k : {1U, 2U, 7U, 32U}) {
        for (const std::uint64_t m : {std::uint64_t{33}, std::uint64_t{4096}, 5 * size * k + 101}) {
          INFO(probe.family() << ", " << size << " keys, m = " << m << ", k = " << k);
          const FusedDigests digests(0, size);
          const auto check = [&](auto filter) {
            filter.insert(digests.batch());
            const auto cells = expected_cells(filter, digests.batch());
            std::uint64_t wrong = 0;
            for (std::uint64_t at = 0; at < m; ++at) {
              wrong += filter.bits().test(at) != (cells[at] != 0) ? 1 : 0;
            }
            CHECK(wrong == 0);
            CHECK(filter.inserted() == size);
          };
          check(Standard({.m = m, .k = k}, probe));
          check(Partitioned({.m = m, .k = k}, probe));
        }
      }
    }
  }
}

TEST_CASE("inserting raises a counter once for every position", "[core][counting]") {
  constexpr std::uint64_t m = 997;
  for (const Probe& probe : fused_probes()) {
    for (const std::uint64_t width : {2U, 3U, 4U, 8U, 16U}) {
      for (const auto policy : {OverflowPolicy::saturate, OverflowPolicy::wrap}) {
        INFO(probe.family() << ", counters of " << width << " bits");
        const FusedDigests digests(0, 1500);
        Counting filter({.m = m, .k = 5, .counter_bits = width, .overflow = policy}, probe);
        filter.insert(digests.batch());
        const std::uint64_t values = std::uint64_t{1} << width;
        std::uint64_t overflows = 0;
        std::uint64_t wrong = 0;
        const auto cells = expected_cells(filter, digests.batch());
        for (std::uint64_t at = 0; at < m; ++at) {
          const bool wraps = policy == OverflowPolicy::wrap;
          overflows += wraps ? cells[at] / values : cells[at] - std::min(cells[at], values - 1);
          const std::uint64_t expected =
              wraps ? cells[at] % values : std::min(cells[at], values - 1);
          wrong += filter.counters().get(at) != expected ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK(filter.overflows() == overflows);
      }
    }
  }
}

TEST_CASE("lookups answer by all positions of a key, in batches of any size", "[core][filters]") {
  for (const Probe& probe : fused_probes()) {
    for (const std::uint64_t k : {1U, 2U, 3U, 7U, 16U, 32U}) {
      // About half of the bits are set, so that keys drop out at every probe.
      const FusedDigests inserted_keys(0, 1400);
      const std::uint64_t m = 1400 * k * 3 / 2 + 1;
      Standard standard({.m = m, .k = k}, probe);
      Partitioned partitioned({.m = m, .k = k}, probe);
      Counting counting({.m = m, .k = k, .counter_bits = k % 2 == 0 ? 4U : 3U}, probe);
      standard.insert(inserted_keys.batch());
      partitioned.insert(inserted_keys.batch());
      counting.insert(inserted_keys.batch());
      for (const std::size_t size : batch_sizes) {
        INFO(probe.family() << ", k = " << k << ", " << size << " keys");
        const FusedDigests mixed(1400 - size / 2, size);  // inserted keys first, then absent keys
        check_answers(standard, mixed.batch());
        check_answers(partitioned, mixed.batch());
        check_answers(counting, mixed.batch());
      }
    }
  }
}

TEST_CASE("a batch cut at any key gives the answers of the whole", "[core][filters]") {
  const FusedDigests inserted_keys(0, 700);
  const FusedDigests mixed(350, 700);
  for (const Probe& probe : fused_probes()) {
    Partitioned filter({.m = 7001, .k = 5}, probe);
    filter.insert(inserted_keys.batch());
    const std::vector<Answer> expected = expected_answers(filter, mixed.batch());
    for (std::size_t first = 0; first <= 300; ++first) {
      std::vector<Answer> answers(700 - first);
      filter.contains(mixed.batch().slice(first, 700 - first), answers);
      CHECK(std::ranges::equal(answers, std::span(expected).subspan(first)));
    }
  }
}

TEST_CASE("fused lookups reach beyond 2^32 bits", "[core][filters]") {
  constexpr std::uint64_t m = (std::uint64_t{1} << 33) + 3;
  const FusedDigests inserted_keys(0, 40);
  const FusedDigests mixed(20, 40);
  for (const Probe& probe : fused_probes()) {
    INFO(probe.family());
    Standard filter({.m = m, .k = 3}, probe);
    filter.insert(inserted_keys.batch());
    check_answers(filter, mixed.batch());
    CHECK(filter.count_contained(mixed.batch()) == 20);
    const auto positions = positions_of(filter, inserted_keys.batch());
    CHECK(std::ranges::count_if(positions, [](std::uint64_t at) { return at >> 32 != 0; }) > 20);
  }
}
