// The properties that every filter has that is built at once.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/filters/built.hpp"
#include "core/theory/models.hpp"
#include "tests/core/built_support.hpp"

using namespace bloomlab;
using bloomlab::test::built;
using bloomlab::test::BuiltFilters;
using bloomlab::test::Digests;
using bloomlab::test::keys;
using bloomlab::test::setting;

TEMPLATE_LIST_TEST_CASE("a built filter contains every key it was built from", "[core][built]",
                        BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    for (const std::size_t n : {1U, 2U, 3U, 10U, 100U, 1500U, 20000U}) {
      INFO("n = " << n);
      const auto inserted_keys = keys(0, n);
      const auto filter = built<TestType>(p, inserted_keys);
      const Digests<TestType> digests(p, inserted_keys);
      CHECK(filter.count_contained(digests) == n);
      std::vector<Answer> answers(n);
      filter.contains(digests, answers);
      CHECK(std::ranges::count(answers, Answer::maybe) == static_cast<std::ptrdiff_t>(n));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a filter built from nothing answers absent", "[core][built]",
                        BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    const auto filter = built<TestType>(p, {});
    CHECK(filter.count_contained(Digests<TestType>(p, keys(0, 700))) == 0);
    CHECK(filter.state().conditional_rate == 0.0);
    CHECK(filter.count_contained(DigestBatch{}) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("equal keys are no obstacle to building", "[core][built]", BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    auto inserted_keys = keys(0, 1000);
    inserted_keys.insert(inserted_keys.begin() + 300, inserted_keys.begin(),
                         inserted_keys.begin() + 700);
    inserted_keys.insert(inserted_keys.end(), 50, inserted_keys.front());
    const auto filter = built<TestType>(p, inserted_keys);
    CHECK(filter.count_contained(Digests<TestType>(p, inserted_keys)) == inserted_keys.size());
  }
}

// So few spare slots that often the first hash function does not serve: what it left must not stand
// in the way of the next one.
TEST_CASE("a ribbon filter that is tight is built by a later hash function", "[core][built]") {
  const auto inserted_keys = keys(0, 20000);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Ribbon::Parameters p{.width = 64, .result_bits = 4, .overhead = 0.03};
    const auto filter = Ribbon::build(p, Digests<Ribbon>(p, inserted_keys, seed));
    INFO("seed " << seed);
    REQUIRE(filter);
    CHECK(filter->count_contained(Digests<Ribbon>(p, inserted_keys, seed)) == 20000);
  }
}

TEMPLATE_LIST_TEST_CASE("a built filter answers batches as single keys", "[core][built]",
                        BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    const auto filter = built<TestType>(p, keys(0, 1500));
    const auto asked = keys(1100, 1000);
    const Digests<TestType> digests(p, asked);
    std::vector<Answer> answers(asked.size());
    filter.contains(digests, answers);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const DigestBatch one = static_cast<const DigestBatch&>(digests).slice(i, 1);
      const std::uint64_t expected = answers[i] == Answer::maybe ? 1 : 0;
      if (filter.count_contained(one) != expected) FAIL("key " << i);
    }
    CHECK(filter.count_contained(digests) ==
          static_cast<std::uint64_t>(std::ranges::count(answers, Answer::maybe)));
  }
}

TEMPLATE_LIST_TEST_CASE("a built filter refuses an output span without a place per key",
                        "[core][built]", BuiltFilters) {
  const auto inserted_keys = keys(0, 5);
  const auto p = TestType::examples().front();
  const TestType filter = built<TestType>(p, inserted_keys);
  std::vector<Answer> answers(4);
  CHECK_THROWS_WITH(filter.contains(Digests<TestType>(p, inserted_keys), answers),
                    "an output span of 4 places was given for 5 keys; give one place per key");
}

TEMPLATE_LIST_TEST_CASE("a built filter that was moved keeps its keys", "[core][built]",
                        BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    const auto inserted_keys = keys(0, 1500);
    auto first = built<TestType>(p, inserted_keys);
    const FilterState before = first.state();
    TestType moved(std::move(first));
    auto other = built<TestType>(p, keys(5000, 10));
    other = std::move(moved);
    CHECK(other.state() == before);
    CHECK(other.count_contained(Digests<TestType>(p, inserted_keys)) == inserted_keys.size());
  }
}

TEMPLATE_LIST_TEST_CASE("two seeds give two built filters", "[core][built]", BuiltFilters) {
  const auto p = TestType::examples().front();
  const auto absent_keys = keys(100000, 4000);
  const auto answers = [&](std::uint64_t seed) {
    std::vector<Answer> out(absent_keys.size());
    built<TestType>(p, keys(0, 1500), seed).contains(Digests<TestType>(p, absent_keys, seed), out);
    return out;
  };
  CHECK(answers(1) != answers(2));
  CHECK(answers(1) == answers(1));
}

TEMPLATE_LIST_TEST_CASE("a built filter allocates what it said it would", "[core][built]",
                        BuiltFilters) {
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    for (const std::size_t n : {1U, 1500U, 20000U}) {
      const FilterState state = built<TestType>(p, keys(0, n)).state();
      CHECK(state.memory_bits == TestType::memory_bits(p, n));
      CHECK(state.bits <= state.memory_bits);
      CHECK(state.bits_set <= state.bits);
      CHECK(state.layers.front().keys == n);
    }
  }
}

// Hits among absent keys are binomial with the rate 2^-f for ideal digests: five standard
// deviations, two-sided, fail by chance with probability 6e-7 a setting (the allowance of 5 covers
// the skewness where few hits are expected); the seed is fixed.
TEMPLATE_LIST_TEST_CASE("absent keys are reported at the rate of the closed form", "[core][built]",
                        BuiltFilters) {
  constexpr std::size_t q = 400000;
  const auto absent_keys = keys(1'000'000, q);
  for (const auto& p : TestType::examples()) {
    INFO(setting<TestType>(p));
    const auto filter = built<TestType>(p, keys(0, 10000));
    const double rate = theory::evaluate(TestType::prediction(p, 10000)).number();
    CHECK(filter.state().conditional_rate == rate);
    CHECK(predicted_rate<TestType>(p, 10000) == rate);
    const double expected = rate * static_cast<double>(q);
    const double hits =
        static_cast<double>(filter.count_contained(Digests<TestType>(p, absent_keys)));
    INFO("hits " << hits << ", expected " << expected);
    CHECK(std::abs(hits - expected) <= 5.0 * std::sqrt(expected) + 5.0);
  }
}

TEMPLATE_LIST_TEST_CASE("a built filter describes each of its parameters once", "[core][built]",
                        BuiltFilters) {
  std::set<std::string_view> names;
  std::size_t fields = 0;
  auto visit = [&](const auto& field, auto&) {
    names.insert(field.name);
    ++fields;
    CHECK_FALSE(field.meaning.empty());
  };
  typename TestType::Parameters parameters;
  TestType::describe(visit, parameters);
  CHECK(fields >= 1);
  CHECK(names.size() == fields);
  CHECK(TestType::check(typename TestType::Parameters{}).has_value());
}

TEST_CASE("a ribbon without spare slots says that it cannot be built", "[core][built]") {
  // 100000 rows in as many slots: some row depends on others with certainty for practical purposes.
  const Ribbon::Parameters p{.width = 64, .result_bits = 8, .overhead = 0.0};
  const auto inserted_keys = keys(0, 100000);
  CHECK_FALSE(Ribbon::build(p, Digests<Ribbon>(p, inserted_keys)).has_value());
}

TEST_CASE("xor and binary fuse filters have the published sizes", "[core][built]") {
  CHECK(XorLayout(0).slots() == 33);
  CHECK(XorLayout(1'000'000).slots() == 1'230'033);
  const FuseSegments three = FuseSegments::for_keys(1'000'000, 3);
  CHECK(three.length_log2 == 13);                          // ln 10^6 / ln 3.33 + 2.25 = 13.73
  CHECK((three.count << three.length_log2) == 1'130'496);  // 1.125 n in whole segments
  const FuseSegments four = FuseSegments::for_keys(1'000'000, 4);
  CHECK(four.length_log2 == 12);  // ln 10^6 / ln 2.91 - 0.5 = 12.43
  CHECK((four.count << four.length_log2) == 1'077'248);
}

TEST_CASE("built filters refuse parameters out of range", "[core][built]") {
  using Catch::Matchers::Message;
  const DigestBatch none{};
  CHECK_THROWS_MATCHES(XorFilter::build({.fingerprint_bits = 1}, none), std::invalid_argument,
                       Message("xor_filter: fingerprint_bits is 1; it must be from 2 to 32"));
  CHECK_THROWS_MATCHES(BinaryFuse::build({.arity = 5, .fingerprint_bits = 8}, none),
                       std::invalid_argument,
                       Message("binary_fuse: arity is 5; it must be from 3 to 4"));
  CHECK_THROWS_MATCHES(Ribbon::build({.width = 65, .result_bits = 8}, none), std::invalid_argument,
                       Message("ribbon: width is 65; it must be 64 or 128"));
  CHECK_THROWS_MATCHES(Ribbon::build({.width = 64, .result_bits = 8, .overhead = -1.0}, none),
                       std::invalid_argument,
                       Message("ribbon: overhead is -1.000000; it must be from 0 to 4"));
}
