// Filters from outside that do what they should, by every protocol.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/foreign/examples.hpp"

namespace {

using bloomlab::Answer;
using bloomlab::KeyBatch;
using namespace bloomlab::tests;

}  // namespace

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
