// Filters from outside that do what they should, by every protocol.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/hashing.hpp"
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

TEST_CASE("a hash from outside gives the digests of the same hash of ours, by both protocols",
          "[foreign]") {
  const bloomlab::Hasher ours = bloomlab::make_hasher("fnv1a_64");
  const auto integers = numbers((std::uint64_t{1} << 40) - 500, 40'000);  // more than a frame
  const std::string zeros(3, '\0');
  const std::string longest(1 << 16, 'x');
  const std::vector<std::string_view> texts = {"", "apple", zeros, longest, "\xFF\n", "apple"};
  const bloomlab::foreign::Target frames = {.command = {"python3", "hash_frames.py"},
                                            .folder = BLOOMLAB_SOURCE_DIR "/tests/foreign/filters"};
  for (const auto& target : {python_hash(), frames}) {
    const auto hash = bloomlab::foreign::start(target);
    CAPTURE(hash->description().name);
    CHECK(hash->description().hashes);
    for (const KeyBatch& keys :
         {KeyBatch::integers(integers, 8), KeyBatch::integers(std::span(integers).last(300), 4),
          KeyBatch::texts(texts), KeyBatch::texts({})}) {
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
        std::vector<std::uint64_t> digests(keys.size());
        hash->hash(keys, seed, digests);
        bloomlab::DigestBuffer buffer;
        const auto expected = ours.digest(keys, seed, {.words = 1}, buffer).word(0);
        CHECK(std::equal(digests.begin(), digests.end(), expected.begin(), expected.end()));
      }
    }
    CHECK_THROWS_WITH(hash->memory_bits(), Catch::Contains("memory"));
  }
  CHECK_FALSE(bloomlab::foreign::start(c_example())->description().hashes);
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
