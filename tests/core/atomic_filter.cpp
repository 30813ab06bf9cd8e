// Filters that several threads fill at once.

#include "core/atomic_filter.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/catalogue.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

/// Four threads insert overlapping shares of the keys while a fifth asks for them all again and
/// again; the result must be what one thread makes.
template <class Filter, class Family>
void check_threads(const typename Filter::Parameters& parameters) {
  constexpr std::size_t share = 4000;
  constexpr std::size_t overlap = 1000;
  const auto all = keys(0, 4 * share + overlap);
  AtomicFilter<XxHash3_64, Filter, Family> shared(parameters, 6);
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t * share; i < (t + 1) * share + overlap; ++i) shared.insert(all[i]);
      shared.insert("a text");
    });
  }
  std::size_t most_found = 0;
  std::thread asking([&] {
    while (!done) {
      std::size_t found = 0;
      for (const std::uint64_t key : all) found += shared.contains(key) ? 1 : 0;
      CHECK(found >= most_found);  // a key that is there stays there
      most_found = found;
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  asking.join();
  for (const std::uint64_t key : all) REQUIRE(shared.contains(key));
  CHECK(shared.contains("a text"));

  KeyedFilter<XxHash3_64, Filter, Family> single(parameters, 6);
  for (std::size_t t = 0; t < 4; ++t) {
    for (std::size_t i = t * share; i < (t + 1) * share + overlap; ++i) single.insert(all[i]);
    single.insert("a text");
  }
  CHECK(shared.size() == single.size());
  CHECK(std::move(shared).take() == single);
}

}  // namespace

TEST_CASE("threads that fill one filter leave what one thread leaves", "[core][atomic]") {
  check_threads<Standard, Remix>({.m = 200003, .k = 7});
  check_threads<Standard, EnhancedDoubleHashing>({.m = 1 << 17, .k = 5});
  check_threads<SplitBlock, Remix>({.m = 1 << 17});
  check_threads<Blocked, Remix>({.m = 1 << 17, .k = 6, .block_bits = 512});
  check_threads<RegisterBlocked, Remix>({.m = 1 << 17, .k = 4, .word_bits = 32});
  check_threads<CacheSectorized, Remix>(CacheSectorized::examples().front());
  // More than caches hold: keys are inserted without a look whether they are there.
  check_threads<Standard, Remix>({.m = (1 << 26) + 3, .k = 7});
  check_threads<SplitBlock, Remix>({.m = 1 << 26});
}

TEMPLATE_TEST_CASE("of the threads that insert a new key one at least is told so", "[core][atomic]",
                   Standard, SplitBlock) {
  for (const std::uint64_t times_larger : {1U, 80U}) {  // within caches, and beyond
    auto parameters = parameters_for<TestType>(100'000, 0.001);
    parameters.m *= times_larger;
    INFO(parameters.m << " bits");
    AtomicFilter<MultiplyMix64, TestType> shared(parameters);
    const auto all = keys(0, 5000);
    std::vector<std::atomic<int>> told(all.size());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::size_t i = 0; i < all.size(); ++i) told[i] += shared.insert(all[i]) ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    // All but the keys that were reported before they came: hardly one.
    CHECK(std::ranges::count_if(told, [](const auto& times) { return times >= 1; }) >= 4990);
    for (const std::uint64_t key : all) CHECK_FALSE(shared.insert(key));
  }
}
