// Several threads build the filter that one thread builds, bit for bit, and ask it.

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/hash/hashed_keys.hpp"
#include "core/keyed_filter.hpp"
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

/// Spans of every length that matters, by so many threads: what insert() leaves.
template <class Filter, class Family = Products>
void check_parallel_insert(const typename Filter::Parameters& parameters) {
  INFO(Filter::name << " " << Family::name);
  using Keyed = KeyedFilter<MultiplyMix64, Filter, Family>;
  const auto all = bloomlab::test::keys(0, 8 * keys_per_thread + 77);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 3 * keys_per_thread + 5; ++i) {
    texts.push_back("a text, number " + std::to_string(i));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto check = [&](auto keys) {
    INFO(keys.size() << " keys");
    Keyed expected(parameters, 6);
    expected.insert("was there before");
    expected.insert(keys);
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      INFO(threads << " threads");
      Keyed filled(parameters, 6);
      filled.insert("was there before");
      filled.parallel_insert(keys, threads);
      CHECK(filled == expected);
      CHECK(filled.size() == keys.size() + 1);
    }
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000},
        std::size_t{100'003}, 2 * keys_per_thread, all.size()}) {
    check(std::span(all).first(size));
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{64}, views.size()}) {
    check(std::span(views).first(size));
  }
}

/// A hash that notes the threads that call it, waits until as many have come as are expected (or
/// ten seconds), and throws at one key where it is to.
struct Observed {
  static inline std::mutex mutex;
  static inline std::condition_variable one_more;
  static inline std::size_t expected = 1;
  static inline std::set<std::thread::id> threads;
  static inline std::atomic<int> at_work = 0;
  static inline std::atomic<std::uint64_t> refused = 0;

  static void hash(const KeyBatch& keys, std::uint64_t /*seed*/, const DigestPlanes& out) {
    ++at_work;
    {
      std::unique_lock lock(mutex);
      if (threads.insert(std::this_thread::get_id()).second) one_more.notify_all();
      one_more.wait_for(lock, std::chrono::seconds(10), [] { return threads.size() >= expected; });
    }
    bool refuses = false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      refuses = refuses || keys.values()[i] == refused;
      for (int word = 0; word < out.width; ++word) {
        out.words[static_cast<std::size_t>(word) * out.stride + i] =
            keys.values()[i] * 0x9E37'79B9'7F4A'7C15U;
      }
    }
    --at_work;
    if (refuses) throw std::runtime_error("this key cannot be hashed");
  }
  static constexpr HashOperations operations = {
      .name = "observed", .source = "a test", .digest_batch = hash};

  /// A stage of one word, with nothing noted and no key refused.
  static HashStage stage(std::size_t threads_expected) {
    threads.clear();
    expected = threads_expected;
    refused = ~std::uint64_t{0};
    return {Hasher(operations), {.words = 1}, 0};
  }
};

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

TEST_CASE("what a batch asks for ahead follows from the memory, unless it is always the same",
          "[core][parallel]") {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20, max_filter_bits}) {
    CHECK(BatchTuning::always(24).lookahead(bytes) == 24);
  }
  // Lookups of single cells ask for them from 16 MiB on, by narrow vectors from 8 MiB on, unless
  // they are told to ask always.
  constexpr std::uint64_t unasked = std::uint64_t{1} << 24;
  CHECK_FALSE(BatchTuning{}.far_in_memory(unasked));
  CHECK(BatchTuning{}.far_in_memory(unasked + 1));
  CHECK_FALSE(BatchTuning{.shared_bytes = 4 * unasked}.far_in_memory(4 * unasked));
  CHECK(BatchTuning::always(24).far_in_memory(1));
  CHECK_FALSE(BatchTuning{}.far_for_narrow(unasked / 2));
  CHECK(BatchTuning{}.far_for_narrow(unasked / 2 + 1));
  CHECK(BatchTuning::always(24).far_for_narrow(1));
}

TEST_CASE("what a thread throws comes out after all have ended", "[core][parallel]") {
  const Probe probe = make_probe("enhanced_double_hashing", "multiply_shift");
  const Batches narrow({.words = 1});  // the probe needs two words
  Standard filter({.m = 1000, .k = 3}, probe);
  CHECK_THROWS_AS(insert_parallel(filter, narrow.all(), 3), std::invalid_argument);
  CHECK(filter.state().bits_set == 0);
}

TEST_CASE("what several threads insert into a keyed filter is what one inserts",
          "[core][parallel][keyed]") {
  constexpr std::uint64_t m = 512 * 4001;
  check_parallel_insert<Standard>({.m = m - 5, .k = 7});
  check_parallel_insert<Standard, Independent>({.m = 1 << 17, .k = 3});
  check_parallel_insert<Partitioned>({.m = m - 5, .k = 7});
  check_parallel_insert<Blocked>({.m = m, .k = 6, .block_bits = 512});
  check_parallel_insert<RegisterBlocked>({.m = m, .k = 4, .word_bits = 32});
  check_parallel_insert<CacheSectorized>(CacheSectorized::examples().front());
  check_parallel_insert<SplitBlock>({.m = m});
  check_parallel_insert<Multiblock>({.m = 64 * 3 * 4001, .k = 3});
  // Of these counters many overflow.
  for (const OverflowPolicy overflow :
       {OverflowPolicy::saturate, OverflowPolicy::wrap, OverflowPolicy::report}) {
    check_parallel_insert<Counting>(
        {.m = 100'003, .k = 3, .counter_bits = 2, .overflow = overflow});
  }
}

TEST_CASE("filters that threads fill and then merge together are what one thread fills",
          "[core][parallel][keyed]") {
  constexpr std::uint64_t bits = 8 * bloomlab::detail::bytes_to_share;
  check_parallel_insert<Standard>({.m = bits + 77, .k = 7});
  check_parallel_insert<SplitBlock>({.m = bits + 256 * 5});
}

TEST_CASE("the shares of a merge, in any order, are the merge", "[core][parallel]") {
  const Batches batches({.words = 1});
  const auto check = [&](const auto& empty) {
    INFO(empty.name);
    auto one = bloomlab::detail::empty_like(empty);
    auto other = bloomlab::detail::empty_like(empty);
    for (std::size_t i = 0; i < batches.all().size(); ++i) {
      (i % 3 == 0 ? other : one).insert(batches.all()[i]);
    }
    auto whole = bloomlab::detail::empty_like(empty);
    whole.merge(one);
    whole.merge(other);
    for (const std::size_t count : {1U, 2U, 7U, 1000U}) {
      INFO(count << " shares");
      auto shared = bloomlab::detail::empty_like(empty);
      shared.merge(one);
      for (std::size_t index = count; index-- > 0;) shared.merge_share(other, index, count);
      CHECK(std::ranges::equal(shared.bits().words(), whole.bits().words()));
      CHECK(shared.inserted() == inserted_keys);
    }
  };
  const Probe probe = make_probe("remix", "multiply_shift");
  check(Standard({.m = 60'001, .k = 7}, probe));
  check(Partitioned({.m = 60'001, .k = 7}, probe));
  check(SplitBlock({.m = 256 * 201}));
}

TEST_CASE("filters larger than their keys are filled without another one of their size",
          "[core][parallel][keyed]") {
  // 2^25 bits, where 131072 keys are 2^23 bits.
  constexpr std::uint64_t m = std::uint64_t{1} << 25;
  check_parallel_insert<Standard>({.m = m, .k = 7});
  check_parallel_insert<SplitBlock>({.m = m});
}

TEST_CASE("only filters that threads can fill have an insert by threads",
          "[core][parallel][keyed]") {
  const auto has = []<class Filter>(std::type_identity<Filter>) {
    return requires(KeyedFilter<XxHash3_64, Filter> & filter) {
      filter.parallel_insert(std::span<const std::uint64_t>());
    };
  };
  std::vector<std::string_view> names;
  for_each_type<test::GrowingFilters>([&]<class Filter>(std::type_identity<Filter> type) {
    if (has(type)) names.push_back(Filter::name);
  });
  CHECK(names == std::vector<std::string_view>{"standard", "partitioned", "blocked",
                                               "register_blocked", "cache_sectorized",
                                               "split_block", "multiblock", "counting"});
}

TEST_CASE("threads are as many as are wanted, as keys are for and as memory allows",
          "[core][parallel][keyed]") {
  const auto check = [](auto filter, std::size_t keys, std::size_t wanted, std::size_t threads) {
    INFO(keys << " keys, " << wanted << " threads");
    const HashStage stage = Observed::stage(threads);
    insert_parallel(filter, stage, KeyBatch::integers(bloomlab::test::keys(0, keys), 8), wanted);
    CHECK(filter.state().layers[0].keys == keys);
    CHECK(Observed::threads.size() == threads);
  };
  const Probe probe = make_probe("remix", "multiply_shift");
  const SplitBlock::Parameters small{.m = 25'600};
  check(SplitBlock(small), 2 * keys_per_thread - 1, 2, 1);
  check(SplitBlock(small), 4 * keys_per_thread, 1, 1);
  check(SplitBlock(small), 4 * keys_per_thread, 2, 2);
  check(SplitBlock(small), 4 * keys_per_thread - 1, 9, 3);
  // 4 * 2^16 keys of 64 bits have the memory of one such filter, and of none that is larger.
  constexpr std::size_t some = 4 * keys_per_thread;
  check(Standard({.m = 64 * some, .k = 3}, probe), some, 3, 2);
  check(Standard({.m = 64 * some + 1, .k = 3}, probe), some, 3, 1);
  check(SplitBlock({.m = 64 * some + 256}), some, 3, 3);
  CHECK(detail::threads_for(100 * keys_per_thread, 0) ==
        std::min<std::size_t>(hardware_threads(), 100));
  CHECK(detail::threads_for(5 * keys_per_thread, 8) == 5);
}

TEST_CASE("what a hash throws in a thread comes out after all have ended, and earlier keys stay",
          "[core][parallel][keyed]") {
  const auto keys = bloomlab::test::keys(0, 4 * keys_per_thread);
  const auto before = bloomlab::test::keys(keys.size(), 100);
  const auto check = [&](auto filter) {
    const HashStage stage = Observed::stage(1);
    stage.insert(filter, KeyBatch::integers(before, 8));
    Observed::refused = keys[3 * keys_per_thread + 17];
    CHECK_THROWS_WITH(insert_parallel(filter, stage, KeyBatch::integers(keys, 8), 3),
                      "this key cannot be hashed");
    CHECK(Observed::at_work == 0);
    CHECK(stage.count_contained(filter, KeyBatch::integers(before, 8)) == before.size());
    filter.clear();
    Observed::refused = ~std::uint64_t{0};
    insert_parallel(filter, stage, KeyBatch::integers(keys, 8), 3);
    CHECK(stage.count_contained(filter, KeyBatch::integers(keys, 8)) == keys.size());
  };
  check(Standard({.m = 1 << 20, .k = 3}, make_probe("remix", "multiply_shift")));
  check(SplitBlock({.m = 1 << 20}));                 // merged
  check(SplitBlock({.m = std::uint64_t{1} << 25}));  // in shares
}
