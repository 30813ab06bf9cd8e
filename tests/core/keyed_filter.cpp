#include "core/keyed_filter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/catalogue.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

TEST_CASE("a keyed filter takes texts and integers", "[core][keyed_filter]") {
  KeyedFilter<XxHash3_64, Standard> seen({.m = 1 << 20, .k = 7}, 1);
  CHECK(seen.contains("a text") == Answer::absent);
  seen.insert("a text");
  seen.insert(std::string("another"));
  seen.insert(42);
  seen.insert(-1);
  CHECK(seen.contains("a text") == Answer::maybe);
  CHECK(seen.contains("another") == Answer::maybe);
  CHECK(seen.contains(42U) == Answer::maybe);
  CHECK(seen.contains(std::uint64_t{42}) == Answer::maybe);
  CHECK(seen.contains(~std::uint64_t{0}) == Answer::maybe);
  CHECK(seen.contains(43) == Answer::absent);
  CHECK(seen.filter().state().bits_set <= 28);
  seen.clear();
  CHECK(seen.contains("a text") == Answer::absent);
}

TEMPLATE_LIST_TEST_CASE("a keyed filter gives the filter's answers, batch or single",
                        "[core][keyed_filter]", bloomlab::test::GrowingFilters) {
  const auto inserted_keys = keys(0, 1500);
  const auto asked = keys(500, 3000);
  for (const auto& parameters : TestType::examples()) {
    KeyedFilter<Murmur3_128, TestType> batch(parameters, 9);
    KeyedFilter<Murmur3_128, TestType> single(parameters, 9);
    static_cast<void>(batch.insert(inserted_keys));
    for (const std::uint64_t key : inserted_keys) static_cast<void>(single.insert(key));
    CHECK(batch.filter().state() == single.filter().state());
    std::vector<Answer> answers(asked.size());
    batch.contains(asked, answers);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (single.contains(asked[i]) != answers[i]) FAIL("key " << i);
    }
    CHECK(std::count(answers.begin(), answers.begin() + 1000, Answer::maybe) == 1000);
    const auto reported = std::ranges::count(answers, Answer::maybe);
    CHECK(batch.count_contained(asked) == static_cast<std::uint64_t>(reported));
  }
}

TEST_CASE("a keyed filter that hashes on the way is the hash and the filter put together",
          "[core][keyed_filter]") {
  const auto inserted_keys = keys(0, 700);
  const auto asked = keys(600, 700);
  KeyedFilter<MultiplySwap64, SplitBlock> keyed({.m = 1 << 13}, 77);
  keyed.insert(inserted_keys);

  const Hasher hasher = Hasher::of<MultiplySwap64>();
  DigestBuffer buffer;
  SplitBlock plain({.m = 1 << 13});
  plain.insert(hasher.digest(KeyBatch::integers(inserted_keys, 8), 77, {.words = 1}, buffer));
  CHECK(keyed.filter().state() == plain.state());
  std::vector<Answer> said(asked.size());
  std::vector<Answer> expected(asked.size());
  keyed.contains(asked, said);
  plain.contains(hasher.digest(KeyBatch::integers(asked, 8), 77, {.words = 1}, buffer), expected);
  CHECK(said == expected);
}

TEST_CASE("the hash stage gives every key once, in order, in parts that fit into the memory",
          "[core][hash_stage]") {
  const auto all = keys(0, 1000);
  const KeyBatch batch = KeyBatch::integers(all, 8);
  const HashStage stage(Hasher::of<XxHash3_64>(), {.words = 3, .family = true}, 5);
  DigestBuffer buffer;
  const DigestBatch expected = stage.hasher().digest(batch, 5, stage.need(), buffer);
  std::vector<std::uint64_t> memory(3 * 64 + 2);
  std::size_t next = 0;
  stage.for_each_part(batch, memory, [&](std::size_t first, const DigestBatch& digests) {
    REQUIRE(first == next);
    REQUIRE(digests.size == std::min<std::size_t>(64, all.size() - first));
    for (int word = 0; word < 3; ++word) {
      CHECK(std::ranges::equal(digests.word(word), expected.slice(first, digests.size).word(word)));
    }
    next += digests.size;
  });
  CHECK(next == all.size());
}

TEST_CASE("a keyed filter is the hash, the probe and the filter put together",
          "[core][keyed_filter]") {
  const auto inserted_keys = keys(0, 500);
  KeyedFilter<Sha256, Standard, DoubleHashing, Modulo> keyed({.m = 5003, .k = 6}, 77);
  keyed.insert(inserted_keys);

  const Probe probe = Probe::of<DoubleHashing, Modulo>();
  Standard plain({.m = 5003, .k = 6}, probe);
  DigestBuffer buffer;
  plain.insert(
      Hasher::of<Sha256>().digest(KeyBatch::integers(inserted_keys, 8), 77, probe.need(6), buffer));
  CHECK(std::ranges::equal(keyed.filter().bits().words(), plain.bits().words()));
}

TEMPLATE_LIST_TEST_CASE("a keyed filter refuses an output span without a place per key",
                        "[core][keyed_filter]", bloomlab::test::GrowingFilters) {
  KeyedFilter<XxHash3_64, TestType> filter(TestType::examples().front());
  const auto asked = keys(0, 5000);
  std::vector<Answer> answers(5000, Answer::maybe);
  const auto fault = Catch::Matchers::Message(
      "an output span of 4999 places was given for 5000 keys; give one place per key");
  CHECK_THROWS_MATCHES(filter.contains(asked, std::span(answers).first(4999)),
                       std::invalid_argument, fault);
  const std::vector<std::string_view> texts(5000, "a text");
  CHECK_THROWS_MATCHES(filter.contains(texts, std::span(answers).first(4999)),
                       std::invalid_argument, fault);
  CHECK(std::ranges::count(answers, Answer::maybe) == 5000);
}

TEST_CASE("a growing filter over independent hashes gets more of them as it grows",
          "[core][keyed_filter]") {
  using Filter = KeyedFilter<XxHash3_64, Scalable, Independent>;
  const Scalable::Parameters parameters{
      .target = 0.01, .tightening = 0.5, .growth = 2, .first_capacity = 10};
  Filter batch(parameters, 5);
  Filter single(parameters, 5);
  const auto inserted_keys = keys(0, 5000);
  batch.insert(inserted_keys);
  for (const std::uint64_t key : inserted_keys) single.insert(key);
  CHECK(batch.filter().state() == single.filter().state());
  CHECK(batch.filter().state().layers.back().probes > batch.filter().state().layers.front().probes);
  std::vector<Answer> answers(inserted_keys.size());
  batch.contains(inserted_keys, answers);
  CHECK(std::ranges::count(answers, Answer::maybe) == 5000);
}

TEST_CASE("several threads may ask one filter", "[core][keyed_filter]") {
  KeyedFilter<XxHash3_128, Standard> filter({.m = 100003, .k = 5});
  const auto inserted_keys = keys(0, 5000);
  filter.insert(inserted_keys);
  std::vector<std::size_t> found(4);
  std::vector<std::thread> threads;
  for (std::size_t& count : found) {
    threads.emplace_back([&] {
      std::vector<Answer> answers(inserted_keys.size());
      filter.contains(inserted_keys, answers);
      count = static_cast<std::size_t>(std::ranges::count(answers, Answer::maybe));
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(found == std::vector<std::size_t>(4, 5000));
}
