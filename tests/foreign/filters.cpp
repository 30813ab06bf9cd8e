// Filters from outside that do what they should, by every protocol.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/foreign/examples.hpp"

namespace {

using bloomlab::Answer;
using bloomlab::KeyBatch;
using bloomlab::foreign::ForeignFilter;
using bloomlab::foreign::Target;
using namespace bloomlab::tests;

/// Both examples are Bloom filters of 10 bits per key with 7 hash functions: 0.0082 at n keys.
void check_filter(const Target& target) {
  const auto filter = bloomlab::foreign::start(target);
  CHECK(filter->description().name == "my_filter");
  CHECK(filter->description().deterministic);
  filter->create({.n = 1000, .bits_per_key = 10.0, .seed = 7});
  CHECK(filter->memory_bits() >= 10'000);
  CHECK(filter->memory_bits() <= 10'008);
  const auto inserted = numbers(0, 1000);
  const auto absent = numbers(1000, 20'000);
  CHECK(filter->insert(KeyBatch::integers(inserted, 8)));
  CHECK(filter->count_contained(KeyBatch::integers(inserted, 8)) == 1000);
  const std::uint64_t reported = filter->count_contained(KeyBatch::integers(absent, 8));
  CHECK(reported > 70);  // 164 expected; beyond seven standard errors on either side
  CHECK(reported < 260);

  // Equal requests and keys give equal answers; another one empties the filter.
  filter->create({.n = 1000, .bits_per_key = 10.0, .seed = 7});
  CHECK(filter->count_contained(KeyBatch::integers(absent, 8)) == 0);
  filter->insert(KeyBatch::integers(inserted, 8));
  CHECK(filter->count_contained(KeyBatch::integers(absent, 8)) == reported);
}

/// Keys of any bytes, and integers that are the same as their bytes.
void check_keys(const Target& target) {
  const auto filter = bloomlab::foreign::start(target);
  filter->create({.n = 1000, .bits_per_key = 20.0});
  const std::string long_key(1 << 20, '\xC3');
  const std::vector<std::string_view> keys = {
      "", std::string_view("\0", 1), "\n", "\xFF\xFE", "a b", long_key, "twice", "twice"};
  filter->insert(KeyBatch::texts(keys));
  std::vector<Answer> answers(keys.size());
  filter->query(KeyBatch::texts(keys), answers);
  CHECK(answers == std::vector<Answer>(keys.size(), Answer::maybe));
  const std::vector<std::string_view> others = {"b", std::string_view("\0\0", 2), "Twice"};
  CHECK(filter->count_contained(KeyBatch::texts(others)) == 0);

  const std::vector<std::uint64_t> integer = {0x0102030405060708};
  filter->insert(KeyBatch::integers(integer, 8));
  const std::vector<std::string_view> same = {"\x08\x07\x06\x05\x04\x03\x02\x01"};
  CHECK(filter->count_contained(KeyBatch::texts(same)) == 1);
  const std::vector<std::string_view> low_half = {"\x08\x07\x06\x05"};
  CHECK(filter->count_contained(KeyBatch::texts(low_half)) == 0);
  filter->insert(KeyBatch::integers(integer, 4));
  CHECK(filter->count_contained(KeyBatch::texts(low_half)) == 1);
  CHECK(filter->count_contained(KeyBatch::texts({})) == 0);
}

}  // namespace

TEST_CASE("a Python program of less than 30 lines is a filter", "[foreign]") {
  check_filter(python_example());
  check_keys(python_example());
}

TEST_CASE("a shared library in C is a filter", "[foreign]") {
  check_filter(c_example());
  check_keys(c_example());
}

TEST_CASE("the C example counts as it did, whatever the size of the batches", "[foreign]") {
  const auto filter = bloomlab::foreign::start(c_example());
  const auto keys = numbers(0, 200'000);
  filter->create({.n = 100'000, .bits_per_key = 8.0, .seed = 1});
  const KeyBatch all = KeyBatch::integers(keys, 8);
  filter->insert(all.slice(0, 100'000));
  std::vector<Answer> at_once(keys.size());
  filter->query(all, at_once);
  std::uint64_t alone = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    alone += filter->count_contained(all.slice(150'000 + i, 1));
  }
  CHECK(std::count(at_once.begin(), at_once.begin() + 100'000, Answer::maybe) == 100'000);
  CHECK(std::count(at_once.begin() + 150'000, at_once.begin() + 151'000, Answer::maybe) ==
        static_cast<std::ptrdiff_t>(alone));
}

TEST_CASE("what a filter has no function for is said", "[foreign]") {
  const auto filter = bloomlab::foreign::start(c_example());
  CHECK_FALSE(filter->description().saves);
  CHECK(filter->description().version == "1.0");
  CHECK(filter->description().help == "no options; sized by bits_per_key");
  filter->create({.n = 10, .bits_per_key = 8.0});
  try {
    static_cast<void>(filter->save());
    FAIL("it saved");
  } catch (const bloomlab::foreign::Failure& failure) {
    CHECK(failure.kind() == bloomlab::foreign::FailureKind::unsupported);
    CHECK(failure.what() == std::string("libexample_c.so: save: save is not supported"));
  }
}

TEST_CASE("a size that a filter cannot have is refused with its own words", "[foreign]") {
  const auto filter = bloomlab::foreign::start(c_example());
  CHECK_THROWS_WITH(filter->create({.n = 10, .fpr = 0.01}),
                    "libexample_c.so: create: my_filter is sized by bits_per_key");
}
