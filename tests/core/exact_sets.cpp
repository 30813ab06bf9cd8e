// The properties of the structures that keep the keys themselves, for integers and for texts.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/filters/built.hpp"
#include "core/filters/digest_set.hpp"
#include "core/filters/fingerprint_table.hpp"
#include "core/theory/models.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

using ExactSets = TypeList<UnorderedSet, StdSet, SortedVector, LinearList, DirectBitmap>;

/// Sets of any keys.
using KeySets = TypeList<UnorderedSet, StdSet, SortedVector, LinearList>;

/// Keys that every set takes: integers of 4 bytes, below the range.
std::vector<std::uint64_t> small_keys(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = (first + i) * 7 % 4097;
  return out;
}

/// Texts, every other one too long to lie inside a std::string.
std::vector<std::string> texts(std::size_t first, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = first; i < first + count; ++i) {
    std::string text = std::to_string(i);
    if (i % 2 == 0) text.insert(0, 50, 'x');
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("an exact set has the integers it was given and no others", "[core][exact]",
                        ExactSets) {
  STATIC_REQUIRE(ExactSet<TestType>);
  STATIC_REQUIRE_FALSE(Growing<TestType>);
  for (const auto& p : TestType::examples()) {
    TestType set(p);
    const auto inserted_keys = small_keys(0, 2000);
    const auto absent_keys = small_keys(2000, 2097);
    CHECK(set.count_contained(KeyBatch::integers(inserted_keys, 8)) == 0);
    std::vector<Answer> none(absent_keys.size(), Answer::maybe);
    set.contains(KeyBatch::integers(absent_keys, 8), none);
    CHECK(std::ranges::count(none, Answer::maybe) == 0);
    set.insert(KeyBatch::integers(std::span(inserted_keys).first(700), 8));
    set.insert(KeyBatch::integers(std::span(inserted_keys).subspan(700), 8));
    CHECK(set.count_contained(KeyBatch::integers(inserted_keys, 8)) == 2000);
    CHECK(set.count_contained(KeyBatch::integers(absent_keys, 8)) == 0);
    std::vector<Answer> answers(inserted_keys.size());
    set.contains(KeyBatch::integers(inserted_keys, 8), answers);
    CHECK(std::ranges::count(answers, Answer::maybe) == 2000);
    const FilterState state = set.state();
    CHECK(state.layers.front().keys == 2000);
    CHECK(state.conditional_rate == 0.0);
    CHECK(state.memory_bits <= TestType::memory_bits(p, 2000));
    CHECK(theory::evaluate(TestType::prediction(p, 2000)).number() == 0.0);
  }
}

TEMPLATE_LIST_TEST_CASE("an exact set that was moved or cleared is as it should be",
                        "[core][exact]", ExactSets) {
  const auto p = TestType::examples().front();
  const auto inserted_keys = small_keys(0, 1000);
  TestType first(p);
  first.insert(KeyBatch::integers(inserted_keys, 8));
  const FilterState before = first.state();
  TestType moved(std::move(first));
  TestType other(p);
  other.insert(KeyBatch::integers(small_keys(1000, 5), 8));
  other = std::move(moved);
  CHECK(other.state() == before);
  CHECK(other.count_contained(KeyBatch::integers(inserted_keys, 8)) == 1000);
  other.clear();
  CHECK(other.state() == TestType(p).state());
  CHECK(other.count_contained(KeyBatch::integers(inserted_keys, 8)) == 0);
  other.insert(KeyBatch::integers(inserted_keys, 8));
  CHECK(other.state().layers.front().keys == 1000);
}

TEMPLATE_LIST_TEST_CASE("an exact set has the texts it was given and no others", "[core][exact]",
                        KeySets) {
  const auto words = texts(0, 1500);
  const std::vector<std::string_view> all(words.begin(), words.end());
  TestType set{typename TestType::Parameters{}};
  set.insert(KeyBatch::texts(std::span(all).first(400)));
  set.insert(KeyBatch::texts(std::span(all).subspan(400, 600)));
  CHECK(set.count_contained(KeyBatch::texts(all)) == 1000);
  // Each long text takes at least its letters on the heap, beside the objects.
  CHECK(set.state().memory_bits >= 8 * (1000 * sizeof(std::string) + 500 * 51));
  TestType other{typename TestType::Parameters{}};
  other = std::move(set);
  CHECK(other.count_contained(KeyBatch::texts(all)) == 1000);
  other.clear();
  CHECK(other.state().memory_bits == 0);
}

TEMPLATE_LIST_TEST_CASE("an exact set takes keys of one sort", "[core][exact]", KeySets) {
  const auto inserted_keys = small_keys(0, 10);
  const std::vector<std::string_view> words = {"a", "b"};
  TestType set{typename TestType::Parameters{}};
  set.insert(KeyBatch::integers(inserted_keys, 8));
  CHECK_THROWS_MATCHES(
      set.insert(KeyBatch::texts(words)), std::invalid_argument,
      Message("a set of keys takes keys of one sort: texts, or integers of one width"));
  CHECK_THROWS_AS(set.insert(KeyBatch::integers(inserted_keys, 4)), std::invalid_argument);
  CHECK_THROWS_AS(set.count_contained(KeyBatch::texts(words)), std::invalid_argument);
}

TEST_CASE("equal keys count once, but in a list", "[core][exact]") {
  const std::vector<std::uint64_t> twice = {5, 5, 7, 5};
  const KeyBatch batch = KeyBatch::integers(twice, 8);
  UnorderedSet unordered;
  StdSet ordered;
  SortedVector sorted;
  LinearList list;
  unordered.insert(batch), ordered.insert(batch), sorted.insert(batch), list.insert(batch);
  CHECK(unordered.size() == 2);
  CHECK(ordered.size() == 2);
  CHECK(sorted.size() == 2);
  CHECK(list.size() == 4);
}

TEST_CASE("the memory of exact sets is that of their nodes", "[core][exact]") {
  const auto inserted_keys = keys(0, 1000);
  StdSet ordered;
  ordered.insert(KeyBatch::integers(inserted_keys, 8));
  CHECK(ordered.state().memory_bits == 1000 * 40 * 8);
  LinearList list;
  list.insert(KeyBatch::integers(inserted_keys, 8));
  CHECK(list.state().memory_bits == 1000 * 24 * 8);
  UnorderedSet unordered;
  unordered.insert(KeyBatch::integers(inserted_keys, 8));
  CHECK(unordered.state().memory_bits >= 1000 * (16 + 8) * 8);
}

TEST_CASE("a direct bitmap refuses what has no bit", "[core][exact]") {
  DirectBitmap bitmap({.range = 100});
  const std::vector<std::uint64_t> beyond = {3, 100};
  CHECK_THROWS_MATCHES(
      bitmap.insert(KeyBatch::integers(beyond, 8)), std::invalid_argument,
      Message("direct_bitmap: the key 100 is out of range; keys must be below 100"));
  CHECK(bitmap.count_contained(KeyBatch::integers(beyond, 8)) == 1);
  const std::vector<std::string_view> words = {"a"};
  CHECK_THROWS_MATCHES(bitmap.insert(KeyBatch::texts(words)), std::invalid_argument,
                       Message("direct_bitmap: the keys are texts; it takes integers only"));
  CHECK(bitmap.count_contained(KeyBatch::texts(words)) == 0);
  CHECK_THROWS_MATCHES(DirectBitmap({.range = 0}), std::invalid_argument,
                       Message("direct_bitmap: range is 0; it must be from 1 to 281474976710656"));
}

TEST_CASE("tables of digests keep the digest zero apart and grow at half load", "[core][exact]") {
  FingerprintTable table({.capacity = 2});
  const std::vector<std::uint64_t> digests = {0, ~std::uint64_t{0}, 1, 0, 2};
  table.insert({digests.data(), 5, 1, 1});
  CHECK(table.state().layers.front().keys == 1);
  CHECK(table.state().bits_set == 0);
  table.insert({digests.data() + 1, 4, 4, 1});
  const FilterState state = table.state();
  CHECK(state.layers.front().keys == 4);
  CHECK(state.memory_bits == 8 * 64);  // 4 slots, doubled for the third digest that is not zero
  CHECK(state.conditional_rate == 4 * 0x1p-64);
  CHECK(table.count_contained({digests.data(), 5, 5, 1}) == 5);
  const std::uint64_t absent_key = 3;
  CHECK(table.count_contained({&absent_key, 1, 1, 1}) == 0);
}

TEST_CASE("a digest set compares both words", "[core][exact]") {
  DigestSet set({.capacity = 4});
  const std::vector<std::uint64_t> inserted_keys = {1, 1, 0, /*second words*/ 5, 6, 9};
  set.insert({inserted_keys.data(), 3, 3, 2});
  CHECK(set.state().layers.front().keys == 3);
  CHECK(set.count_contained({inserted_keys.data(), 3, 3, 2}) == 3);
  const std::vector<std::uint64_t> absent_keys = {1, 0, /*second words*/ 9, 0};
  CHECK(set.count_contained({absent_keys.data(), 2, 2, 2}) == 0);
}

TEST_CASE("the rate of tables of digests is n / 2^64 and n / 2^128", "[core][exact]") {
  CHECK(theory::evaluate(FingerprintTable::prediction({.capacity = 1}, 1000000)).number() ==
        Approx(1e6 * 0x1p-64).epsilon(1e-9));
  CHECK(theory::evaluate(DigestSet::prediction({.capacity = 1}, 1000000)).number() ==
        Approx(1e6 * 0x1p-128).epsilon(1e-9));
  CHECK_THROWS_MATCHES(
      FingerprintTable({.capacity = 0}), std::invalid_argument,
      Message("fingerprint_table: capacity is 0; it must be from 1 to 1099511627776"));
}
