// What a program does with a keyed filter: size it, fill it, ask its state, copy, merge.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <list>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/health.hpp"
#include "core/keyed_filter.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace shop {
struct Article {
  std::uint64_t number = 0;
  std::string note;
};
std::uint64_t filter_key(const Article& article) { return article.number; }

struct Named {
  std::string name;
};
std::string_view filter_key(const Named& named) { return named.name; }
}  // namespace shop

namespace {

template <class Keyed>
std::size_t count_reported(const Keyed& filter, const std::vector<std::uint64_t>& asked) {
  return static_cast<std::size_t>(
      std::ranges::count_if(asked, [&](std::uint64_t key) { return filter.contains(key); }));
}

template <class Filter>
void check_sizing(double p) {
  INFO(Filter::name << " " << p);
  for (const std::uint64_t n : {1U, 100U, 10000U, 3000000U}) {
    const auto parameters = parameters_for<Filter>(n, p);
    CHECK_FALSE(Filter::check(parameters));
    CHECK(predicted_rate<Filter>(parameters, n) <= p);
    const std::uint64_t capacity = capacity_for<Filter>(parameters, p);
    CHECK(capacity >= n);
    if (capacity < max_filter_bits / 2) {
      const bool full = predicted_rate<Filter>(parameters, capacity + 1) > p;
      CHECK((full || requires { Filter::most_keys(parameters); }));
    }
  }
}

}  // namespace

TEST_CASE("the rate of a filter made for n keys is at most p", "[core][front]") {
  for (const double p : {0.2, 0.01, 1e-5}) {
    check_sizing<Standard>(p);
    check_sizing<Partitioned>(p);
    check_sizing<Counting>(p);
    check_sizing<SplitBlock>(p);
    check_sizing<Blocked>(p);
    check_sizing<RegisterBlocked>(std::max(p, 1e-3));
    check_sizing<Cuckoo>(p);
    check_sizing<XorFilter>(p);
    check_sizing<BinaryFuse>(p);
    check_sizing<Ribbon>(p);
  }
  // The layers of a filter that grows have the rate at their borders only.
  CHECK(predicted_rate<Scalable>(parameters_for<Scalable>(1000, 0.01), 5000) <= 0.01);
}

TEMPLATE_TEST_CASE("filters of blocks are as small as halving finds, of equal ones the likeliest",
                   "[core][front]", Blocked, RegisterBlocked, CacheSectorized, SplitBlock,
                   Multiblock) {
  for (const double p : {0.4, 0.05, 0.01, 1e-4}) {
    for (const std::uint64_t n : {1U, 2U, 40U, 77U, 3000U}) {
      std::optional<typename TestType::Parameters> smallest;
      for (const auto& shape : TestType::sizing({.n = n, .rate = p}).shapes) {
        const auto misses = [&](std::uint64_t units) {
          return predicted_rate<TestType>(shape.make(units), n) > p;
        };
        std::uint64_t low = shape.least;
        std::uint64_t high = std::uint64_t{1} << 12;
        while (low < high) {
          const std::uint64_t middle = (low + high) / 2;
          if (misses(middle)) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        if (low >= std::uint64_t{1} << 12) continue;
        if (!smallest || shape.make(low).m < smallest->m) smallest = shape.make(low);
      }
      INFO(TestType::name << " " << n << " keys, " << p);
      CHECK((best_parameters<TestType>({.n = n, .rate = p}) == smallest));
    }
  }
}

TEST_CASE("a filter made for n keys has been measured to keep its rate", "[core][front]") {
  const auto asked = keys(1U << 20, 400000);
  const auto measure = [&]<class Keyed>(std::type_identity<Keyed>) {
    Keyed filter = Keyed::for_items(50000, 0.01);
    filter.insert(keys(0, 50000));
    CHECK(count_reported(filter, keys(0, 50000)) == 50000);
    return static_cast<double>(count_reported(filter, asked)) / 400000.0;
  };
  // Three standard deviations of 400000 queries are 0.0005.
  CHECK(measure(std::type_identity<KeyedFilter<>>{}) < 0.0106);
  CHECK(measure(std::type_identity<KeyedFilter<>>{}) > 0.0094);
  CHECK(measure(std::type_identity<KeyedFilter<XxHash3_64, SplitBlock>>{}) < 0.0106);
  CHECK(measure(std::type_identity<KeyedFilter<XxHash3_64, Blocked>>{}) < 0.0106);
}

TEST_CASE("what cannot be is refused when a filter is sized", "[core][front]") {
  CHECK_THROWS_AS(KeyedFilter<>::for_items(0, 0.01), std::invalid_argument);
  CHECK_THROWS_AS(KeyedFilter<>::for_items(10, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(KeyedFilter<>::for_items(10, 1.0), std::invalid_argument);
  using Words = KeyedFilter<XxHash3_64, XorFilter>;
  CHECK_THROWS_WITH(Words::for_items(10, 1e-12), Catch::Contains("choose a higher rate"));
}

TEST_CASE("a filter tells its health", "[core][front]") {
  auto filter = KeyedFilter<>::for_items(10000, 0.01);
  CHECK(filter.predicted_fpr() == 0.0);
  CHECK(filter.capacity(0.01) >= 10000);
  filter.insert(keys(0, 4000));
  filter.insert(keys(0, 4000));  // again: no bit changes
  const FilterHealth health = filter.health(0.01);
  CHECK(filter.size() == 8000);
  CHECK(health.size == 8000);
  CHECK(health.capacity == filter.capacity(0.01));
  // Of 4000 keys, with a standard deviation of 33.
  CHECK(health.keys_left == Approx(static_cast<double>(health.capacity - 4000)).margin(165));
  CHECK(health.predicted_rate == filter.predicted_fpr());
  CHECK(health.fill == Approx(0.253).margin(0.02));
  REQUIRE(health.distinct_keys);
  CHECK(health.distinct_keys->low < 4000);
  CHECK(health.distinct_keys->high > 4000);
  CHECK(health.distinct_keys->high - health.distinct_keys->low < 200);
  CHECK(health.distinct_keys->keys == Approx(4000).epsilon(0.02));
}

TEST_CASE("filters are made without exceptions, or not at all", "[core][front]") {
  CHECK_FALSE(KeyedFilter<>::try_make({.m = 100, .k = 0}));
  CHECK(KeyedFilter<>::check({.m = 100, .k = 0}) == Standard::check({.m = 100, .k = 0}));
  CHECK_FALSE(KeyedFilter<>::check({.m = 100, .k = 3}));
  CHECK_FALSE((KeyedFilter<XxHash3_64, SplitBlock>::try_make({.m = 100})));
  CHECK_FALSE(KeyedFilter<>::try_for_items(0, 0.01));
  CHECK_FALSE(KeyedFilter<>::try_for_items(10, 1.0));
  CHECK_FALSE((KeyedFilter<XxHash3_64, XorFilter>::try_for_items(10, 1e-12)));
  const auto made = KeyedFilter<>::try_make({.m = 1000, .k = 3}, 8);
  REQUIRE(made);
  CHECK(*made == KeyedFilter<>({.m = 1000, .k = 3}, 8));
  const auto sized = KeyedFilter<>::try_for_items(1000, 0.01, 8);
  REQUIRE(sized);
  CHECK(*sized == KeyedFilter<>::for_items(1000, 0.01, 8));
  CHECK(KeyedFilter<>::try_make({.m = 1000, .k = 3})->seed() == 0);
  CHECK(KeyedFilter<>::try_for_items(1000, 0.01)->seed() == 0);
  CHECK(made->is_compatible(KeyedFilter<>({.m = 1000, .k = 3}, 8)));
  CHECK_FALSE(made->is_compatible(KeyedFilter<>({.m = 1000, .k = 3}, 9)));
  CHECK_FALSE(made->is_compatible(KeyedFilter<>({.m = 1000, .k = 4}, 8)));
}

TEST_CASE("filters are copied, moved, swapped and compared", "[core][front]") {
  KeyedFilter<> one({.m = 10000, .k = 5}, 3);
  one.insert(keys(0, 500));
  KeyedFilter<> copy = one;
  CHECK(copy == one);
  copy.insert(std::uint64_t{1});
  CHECK_FALSE(copy == one);
  CHECK_FALSE(one.contains(std::uint64_t{1}));
  CHECK_FALSE(KeyedFilter<>({.m = 10000, .k = 5}, 3) == KeyedFilter<>({.m = 10000, .k = 5}, 4));
  CHECK_FALSE(KeyedFilter<>({.m = 10000, .k = 5}) == KeyedFilter<>({.m = 10000, .k = 6}));
  swap(one, copy);
  CHECK(one.contains(std::uint64_t{1}));
  CHECK_FALSE(copy.contains(std::uint64_t{1}));
  copy = one;
  CHECK(copy == one);
  const KeyedFilter<> moved = std::move(copy);
  CHECK(moved == one);
}

TEST_CASE("filters of one seed are merged and intersected", "[core][front]") {
  KeyedFilter<> one({.m = 20000, .k = 5});
  KeyedFilter<> other({.m = 20000, .k = 5});
  one.insert(keys(0, 600));
  other.insert(keys(300, 600));
  KeyedFilter<> both = one;
  CHECK(both.merge(other));
  CHECK(count_reported(both, keys(0, 900)) == 900);
  CHECK_FALSE(both.merge(other));
  KeyedFilter<> common = one;
  CHECK(common.intersect(other));
  CHECK(count_reported(common, keys(300, 300)) == 300);
  CHECK(count_reported(common, keys(0, 300)) < 100);
  KeyedFilter<> elsewhere({.m = 20000, .k = 5}, 1);
  CHECK_THROWS_WITH(one.merge(elsewhere), Catch::Contains("seeds 0 and 1"));
  CHECK_THROWS_WITH(one.intersect(elsewhere), Catch::Contains("seeds 0 and 1"));
  CHECK_THROWS_AS(one.merge(KeyedFilter<>({.m = 20001, .k = 5})), std::invalid_argument);
}

TEST_CASE("keys of many types and ranges of them are taken", "[core][front]") {
  KeyedFilter<> filter({.m = 1 << 16, .k = 7});
  const std::list<std::string> names = {"one", "two", "three"};
  filter.insert_range(names);
  const std::set<int> numbers = {-5, 7, 9};
  filter.insert_range(numbers.begin(), numbers.end());
  filter.insert_range(keys(0, 300));
  const std::vector<std::string_view> views = {"four", "five"};
  filter.insert_range(views);
  for (const std::string& name : names) CHECK(filter.contains(name));
  CHECK(filter.contains(-5));
  CHECK(filter.contains(7U));
  CHECK(filter.contains("five"));
  CHECK(count_reported(filter, keys(0, 300)) == 300);

  const std::array<std::byte, 3> bytes = {std::byte{'o'}, std::byte{'n'}, std::byte{'e'}};
  CHECK(filter.contains(std::span<const std::byte>(bytes)));
  CHECK_FALSE(filter.insert(std::span<const std::byte>(bytes)));

  CHECK(filter.insert(shop::Article{77, "a note"}));
  CHECK(filter.contains(shop::Article{77, "another"}));
  CHECK(filter.contains(77));
  CHECK(filter.insert(shop::Named{"six"}));
  CHECK(filter.contains("six"));
  const std::vector<shop::Named> more = {{"seven"}, {"eight"}};
  filter.insert_range(more);
  CHECK(filter.contains(shop::Named{"eight"}));
}

TEST_CASE("an answer is a condition and an Answer", "[core][front]") {
  KeyedFilter<> filter({.m = 1000, .k = 3});
  CHECK(filter.insert(5));
  CHECK_FALSE(filter.insert(5));
  bool reported = false;
  if (filter.contains(5)) reported = true;
  CHECK(reported);
  CHECK(filter.contains(5) == Answer::maybe);
  CHECK(Answer::absent == filter.contains(6));
  CHECK(filter.contains(6) != Answer::maybe);
  const Answer answer = filter.contains(5);
  CHECK(answer == Answer::maybe);
  CHECK(!filter.contains(6));
}

TEST_CASE("keys are deleted from a filter that counts", "[core][front]") {
  auto filter = KeyedFilter<XxHash3_64, Counting>::for_items(1000, 0.001);
  filter.insert("a text");
  filter.insert("a text");
  filter.insert(42);
  CHECK(filter.erase("a text"));
  CHECK(filter.contains("a text"));
  CHECK(filter.erase("a text"));
  CHECK_FALSE(filter.contains("a text"));
  CHECK_FALSE(filter.erase("a text"));
  CHECK(filter.erase(42));
  CHECK(filter.size() == 0);
  CHECK(filter.filter().state().bits_set == 0);
}

TEMPLATE_TEST_CASE("filters that are built are asked through the same front", "[core][front]",
                   XorFilter, BinaryFuse, Ribbon) {
  using Keyed = KeyedFilter<XxHash3_64, TestType>;
  const auto inserted = keys(0, 3000);
  const auto parameters = parameters_for<TestType>(3000, 0.01);
  const Keyed filter = Keyed::build(parameters, inserted, 4);
  CHECK(count_reported(filter, inserted) == 3000);
  CHECK(count_reported(filter, keys(3000, 10000)) < 150);
  std::vector<Answer> answers(3000);
  filter.contains(inserted, answers);
  CHECK(std::ranges::count(answers, Answer::maybe) == 3000);
  const std::vector<std::string_view> texts = {"one", "two", "three"};
  const Keyed of_texts = Keyed::build(parameters, texts);
  CHECK(of_texts.contains("two"));
  CHECK(Keyed::for_items(10, 0.01).contains("two") == Answer::absent);
  CHECK(filter == Keyed::build(parameters, inserted, 4));
  CHECK_FALSE(filter == Keyed::build(parameters, inserted, 5));
}

TEST_CASE("a random seed is another every time", "[core][front]") {
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 20; ++i) seeds.insert(random_seed());
  CHECK(seeds.size() == 20);
}
