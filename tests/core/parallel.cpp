// Several threads build the filter that one thread builds, bit for bit, and ask it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/hash/hashed_keys.hpp"
#include "core/parallel/insert_parallel.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

constexpr std::size_t inserted_keys = 6000;

/// The digests of all keys under one seed, cut into batches of uneven sizes.
class Batches {
 public:
  explicit Batches(DigestNeed need) {
    const auto keys = bloomlab::test::keys(0, inserted_keys);
    const DigestBatch all =
        Hasher::of<XxHash3_64>().digest(KeyBatch::integers(keys, 8), 3, need, buffer_);
    for (std::size_t first = 0, size = 1; first < inserted_keys;
         first += size, size = size % 700 + 97) {
      batches_.push_back(all.slice(first, std::min(size, inserted_keys - first)));
    }
  }
  [[nodiscard]] std::span<const DigestBatch> all() const { return batches_; }

 private:
  DigestBuffer buffer_;
  std::vector<DigestBatch> batches_;
};

template <class Filter>
void check_equal_to_sequential(const Filter& empty, DigestNeed need) {
  const Batches batches(need);
  Filter sequential = bloomlab::detail::empty_like(empty);
  for (const DigestBatch& batch : batches.all()) sequential.insert(batch);
  const FilterState expected = sequential.state();
  for (const int threads : {-1, 1, 2, 3, 8}) {
    INFO(threads << " threads");
    Filter parallel = bloomlab::detail::empty_like(empty);
    insert_parallel(parallel, batches.all(), threads);
    const FilterState state = parallel.state();
    CHECK(state.bits_set == expected.bits_set);
    CHECK(state.conditional_rate == expected.conditional_rate);
    REQUIRE(state.layers.size() == expected.layers.size());
    CHECK(state.layers[0].keys == expected.layers[0].keys);
    // Nothing is left to change: the same bits or counters stand.
    if constexpr (requires { parallel.bits(); }) {
      CHECK(std::ranges::equal(parallel.bits().words(), sequential.bits().words()));
    } else {
      CHECK_FALSE(parallel.intersect(sequential));
    }
    CHECK(count_contained_parallel(parallel, batches.all(), threads) == inserted_keys);
  }
}

}  // namespace

TEST_CASE("threads build the filter that one thread builds", "[core][parallel]") {
  const Probe probe = make_probe("enhanced_double_hashing", "multiply_shift");
  const DigestNeed two{.words = 2};
  check_equal_to_sequential(Standard({.m = 60001, .k = 7}, probe), two);
  check_equal_to_sequential(Partitioned({.m = 60001, .k = 7}, probe), two);
  check_equal_to_sequential(Blocked({.m = 512 * 120, .k = 6, .block_bits = 512}), two);
  check_equal_to_sequential(SplitBlock({.m = 256 * 240}), two);
}

TEST_CASE("threads build filters of blocks of any size and number", "[core][parallel]") {
  static_assert(FilledInShares<Blocked> && FilledInShares<SplitBlock> &&
                FilledInShares<RegisterBlocked> && FilledInShares<CacheSectorized> &&
                FilledInShares<Multiblock> && FilledInShares<Counting>);
  const DigestNeed one{.words = 1};
  // Fewer blocks than threads, blocks of half a word, and of three words.
  for (const std::uint64_t blocks : {1U, 2U, 3U, 7U, 9U, 1001U}) {
    INFO(blocks << " blocks");
    check_equal_to_sequential(Blocked({.m = 512 * blocks, .k = 6, .block_bits = 512}), one);
    check_equal_to_sequential(SplitBlock({.m = 256 * blocks}), one);
    check_equal_to_sequential(RegisterBlocked({.m = 32 * blocks, .k = 3, .word_bits = 32}), one);
    check_equal_to_sequential(Multiblock({.m = 64 * 3 * blocks, .k = 3}), one);
  }
}

TEST_CASE("shares take streams longer than what they insert at once", "[core][parallel]") {
  constexpr std::size_t size = 50'001;
  const auto keys = bloomlab::test::keys(0, size);
  const HashedKeys hashed(Hasher::of<XxHash3_64>(), KeyBatch::integers(keys, 8), 3);
  std::vector<std::uint64_t> digests(size);
  hashed.stream().write(0, size, digests.data());
  const auto check = [&](auto sequential) {
    sequential.insert(DigestStream(digests));
    for (const DigestStream& stream : {hashed.stream(), DigestStream(digests)}) {
      for (const std::size_t shares : {1U, 2U, 3U}) {
        INFO(shares << " shares");
        auto filled = bloomlab::detail::empty_like(sequential);
        using Filter = decltype(filled);
        fill_shares(
            filled, static_cast<int>(shares),
            [&](typename Filter::Share& share, std::size_t) { filled.insert(stream, share); });
        CHECK(std::ranges::equal(filled.bits().words(), sequential.bits().words()));
        CHECK(filled.state().layers[0].keys == size);
      }
    }
  };
  check(Blocked({.m = 512 * 977, .k = 6, .block_bits = 512}));
  check(SplitBlock({.m = 256 * 1954}));
  check(RegisterBlocked({.m = 64 * 7816, .k = 5, .word_bits = 64}));
}

TEST_CASE("no two threads write to one word", "[core][parallel]") {
  const Batches batches({.words = 1});
  const Probe probe = make_probe("remix", "multiply_shift");
  const auto check_words = [&](const auto& filter, const auto& words_of) {
    constexpr std::size_t shares = 5;
    std::vector<std::size_t> writers;
    for (std::size_t index = 0; index < shares; ++index) {
      auto part = bloomlab::detail::empty_like(filter);
      auto share = part.share(index, shares);
      for (const DigestBatch& batch : batches.all()) part.insert(batch, share);
      const auto words = words_of(part);
      writers.resize(words.size());
      for (std::size_t i = 0; i < words.size(); ++i) writers[i] += words[i] != 0 ? 1 : 0;
    }
    CHECK(std::ranges::all_of(writers, [](std::size_t count) { return count <= 1; }));
    CHECK(std::ranges::count(writers, 1U) > static_cast<std::ptrdiff_t>(writers.size() / 2));
  };
  const auto bits = [](const auto& part) { return part.bits().words(); };
  const auto counters = [](const auto& part) { return part.counters().words(); };
  check_words(RegisterBlocked({.m = 32 * 1001, .k = 3, .word_bits = 32}), bits);
  check_words(SplitBlock({.m = 256 * 107}), bits);
  check_words(Multiblock({.m = 64 * 3 * 113, .k = 3}), bits);
  check_words(Counting({.m = 9973, .k = 3, .counter_bits = 3}, probe), counters);
}

TEST_CASE("threads raise the counters that one thread raises", "[core][parallel]") {
  const Probe probe = make_probe("remix", "multiply_shift");
  const Batches batches({.words = 1});
  for (const Counting::Parameters& p :
       {Counting::Parameters{.m = 5003, .k = 5, .counter_bits = 4},
        Counting::Parameters{.m = 5003, .k = 5, .counter_bits = 3},
        Counting::Parameters{
            .m = 5003, .k = 5, .counter_bits = 2, .overflow = OverflowPolicy::wrap},
        Counting::Parameters{.m = 40, .k = 5, .counter_bits = 16},
        Counting::Parameters{.m = 1001, .k = 256, .counter_bits = 8}}) {
    INFO(p.m << " counters of " << p.counter_bits << " bits");
    Counting sequential(p, probe);
    for (const DigestBatch& batch : batches.all()) sequential.insert(batch);
    for (const int threads : {1, 2, 7}) {
      Counting parallel(p, probe);
      insert_parallel(parallel, batches.all(), threads);
      CHECK(std::ranges::equal(parallel.counters().words(), sequential.counters().words()));
      CHECK(parallel.overflows() == sequential.overflows());
      CHECK(parallel.stored() == inserted_keys);
    }
  }
}

TEST_CASE("keys that a filter had before threads fill it stay", "[core][parallel]") {
  const Probe probe = make_probe("remix", "multiply_shift");
  const Batches batches({.words = 1});
  Standard filter({.m = 60001, .k = 7}, probe);
  filter.insert(batches.all()[5]);
  insert_parallel(filter, batches.all().first(5), 2);
  CHECK(filter.count_contained(batches.all()[5]) == batches.all()[5].size);
  CHECK(count_contained_parallel(filter, batches.all().first(6), 2) == filter.inserted());
}

TEST_CASE("parts that threads fill are tuned as the filter is", "[core][parallel]") {
  const BatchTuning tuning = BatchTuning::always(16);
  const auto tunings_of_parts = [&](auto filter) {
    filter.tune(tuning);
    std::vector<BatchTuning> tunings(3);
    fill_parallel(filter, 3,
                  [&](const auto& part, std::size_t index) { tunings[index] = part.tuning(); });
    return tunings;
  };
  const std::vector<BatchTuning> all(3, tuning);
  CHECK(tunings_of_parts(Standard({.m = 6000, .k = 7}, make_probe("remix", "multiply_shift"))) ==
        all);
  CHECK(tunings_of_parts(SplitBlock({.m = 256 * 24})) == all);
}

TEST_CASE("a lookahead that is always the same depends on no size", "[core][parallel]") {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20, max_filter_bits}) {
    CHECK(BatchTuning::always(24).lookahead(bytes) == 24);
  }
}

TEST_CASE("what a thread throws comes out after all have ended", "[core][parallel]") {
  const Probe probe = make_probe("enhanced_double_hashing", "multiply_shift");
  const Batches narrow({.words = 1});  // the probe needs two words
  Standard filter({.m = 1000, .k = 3}, probe);
  CHECK_THROWS_AS(insert_parallel(filter, narrow.all(), 3), std::invalid_argument);
  CHECK(filter.state().bits_set == 0);
}
