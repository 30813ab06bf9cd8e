// One key at a time gives the bits and the answers of batches.

#include "core/hash/one_key.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/keyed_filter.hpp"
#include "core/simd/targets.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

/// Texts of 0 to 299 bytes, twice, no two alike but for the empty one.
std::vector<std::string> make_texts() {
  std::vector<std::string> texts;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < 600; ++i) {
    std::string text(i % 300, ' ');
    for (char& letter : text) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      letter = static_cast<char>(state >> 56);
    }
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

template <class Filter>
bool same_bits(const Filter& one, const Filter& other) {
  if constexpr (requires { one.bits(); }) {
    if (!std::ranges::equal(one.bits().words(), other.bits().words())) return false;
  }
  if constexpr (requires { one.counters(); }) {
    if (!std::ranges::equal(one.counters().words(), other.counters().words())) return false;
  }
  return one.state() == other.state();
}

/// A call of its own, so that the whole path of a key is compiled once for a kind of filter.
template <class Keyed, class Key>
[[gnu::noinline]] Answer asked(const Keyed& filter, const Key& key) {
  return filter.contains(key);
}

/// Inserts the first half of the keys and asks for all of them: in batches, and one by one.
template <class Keyed, class Key>
void check_one_by_one(const typename Keyed::Parameters& parameters, std::span<const Key> keys) {
  Keyed batch(parameters, 9);
  Keyed single(parameters, 9);
  const auto inserted = keys.first(keys.size() / 2);
  static_cast<void>(batch.insert(inserted));
  for (const Key& key : inserted) {
    const bool known = asked(single, key) == Answer::maybe;
    if constexpr (RefusesKeys<typename Keyed::filter_type>) {
      REQUIRE((single.insert(key) == Insertion::known) == known);
    } else {
      REQUIRE(single.insert(key) == !known);
    }
  }
  CHECK(same_bits(batch.filter(), single.filter()));
  std::vector<Answer> answers(keys.size());
  batch.contains(keys, answers);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (asked(single, keys[i]) != answers[i]) FAIL("key " << i);
  }
}

template <class Hash, class Filter, class Family>
void check_integers_and_texts(const typename Filter::Parameters& parameters) {
  using Keyed = KeyedFilter<Hash, Filter, Family, MultiplyShift>;
  const auto integers = keys(0, 600);
  check_one_by_one<Keyed>(parameters, std::span<const std::uint64_t>(integers));
  const auto texts = make_texts();
  const auto text_views = views(texts);
  check_one_by_one<Keyed>(parameters, std::span<const std::string_view>(text_views));
}

}  // namespace

TEST_CASE("every hash gives one key the digest that a batch has", "[core][one_key]") {
  const auto texts = make_texts();
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    if constexpr (!Hash::passes_through) {
      INFO(Hash::name);
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15}}) {
        const OneKeyHasher<Hash> hasher(seed);
        for (const std::string& text : texts) {
          const auto bytes = std::as_bytes(std::span(text));
          if (hasher.word(bytes) != Hash::digest(bytes, seed)[0]) FAIL("length " << text.size());
        }
        const std::vector<std::uint64_t> integers = keys(0, 100);
        std::vector<std::uint64_t> words(100);
        Hash::digest_batch(KeyBatch::integers(integers, 8), seed, {words.data(), 100, 1});
        for (std::size_t i = 0; i < 100; ++i) CHECK(hasher.word(integers[i]) == words[i]);
      }
    }
  });
}

namespace {

template <class T>
using IsMixing = std::bool_constant<!T::passes_through>;
using MixingHashes = bloomlab::test::Only<Hashes, IsMixing>;

template <class T>
using TakesAnyHash = std::bool_constant<!T::needs_identity>;
using SchemesOfAnyHash = bloomlab::test::Only<HashingSchemes, TakesAnyHash>;

}  // namespace

// Filters take the positions of any scheme through the same calls, so that every hash, every scheme
// and every filter meet one word of a key and several, and not each other.
TEMPLATE_LIST_TEST_CASE("one by one as in batches: every hash, with one word and with several",
                        "[core][one_key]", MixingHashes) {
  const Standard::Parameters parameters{.m = 4099, .k = 7};
  check_integers_and_texts<TestType, Standard, Remix>(parameters);
  check_integers_and_texts<TestType, Standard, TripleHashing>(parameters);
  check_integers_and_texts<TestType, Standard, Independent>(parameters);
}

TEMPLATE_LIST_TEST_CASE("one by one as in batches: every hashing scheme", "[core][one_key]",
                        SchemesOfAnyHash) {
  check_integers_and_texts<XxHash3_64, Standard, TestType>({.m = 4099, .k = 7});
  check_integers_and_texts<XxHash3_64, Counting, TestType>({.m = 4099, .k = 7, .counter_bits = 4});
}

TEMPLATE_LIST_TEST_CASE("one by one as in batches: every filter", "[core][one_key]",
                        bloomlab::test::GrowingFilters) {
  const auto with = [&]<class Scheme>(std::type_identity<Scheme>) {
    for (const auto& parameters : TestType::examples()) {
      if constexpr (TestType::chooses_positions) {
        check_integers_and_texts<XxHash3_64, TestType, Scheme>(parameters);
      } else if (!TestType::check(parameters, Probe::of<Scheme, MultiplyShift>())) {
        check_integers_and_texts<XxHash3_64, TestType, Scheme>(parameters);
      }
    }
  };
  with(std::type_identity<Remix>{});
  if constexpr (!TestType::chooses_positions) with(std::type_identity<TripleHashing>{});
}

TEST_CASE("one by one as in batches on every target", "[core][one_key]") {
  for (const std::string_view target : simd::available_targets()) {
    INFO(target);
    const simd::ForcedTarget forced(target);
    check_integers_and_texts<XxHash3_64, SplitBlock, Remix>({.m = 12800});
    check_integers_and_texts<MultiplySwap64, SplitBlock, Remix>({.m = 256});
    check_integers_and_texts<MultiplyMix64, Standard, Remix>({.m = 40099, .k = 7});
    check_integers_and_texts<XxHash3_64, Blocked, Remix>({.m = 12800, .k = 9, .block_bits = 128});
  }
}

TEST_CASE("runs of any length give what single keys give", "[core][one_key]") {
  const auto all = keys(0, 6000);
  KeyedFilter<> single({.m = 40099, .k = 7});
  KeyedFilter<> runs({.m = 40099, .k = 7});
  std::size_t first = 0;
  for (std::size_t length = 0; length <= 80; ++length) {
    const auto run = std::span(all).subspan(first, length);
    runs.insert(run);
    for (const std::uint64_t key : run) single.insert(key);
    CHECK(same_bits(runs.filter(), single.filter()));
    for (const Answer before : {Answer::absent, Answer::maybe}) {  // every place is written
      std::vector<Answer> answers(length, before);
      runs.contains(std::span(all).subspan(2000 + first, length), answers);
      for (std::size_t i = 0; i < length; ++i) {
        CHECK(single.contains(all[2000 + first + i]) == answers[i]);
      }
    }
    first += length;
  }
}

TEST_CASE("every filter of the catalogue that answers single keys has a direct path",
          "[core][one_key]") {
  // A digest set needs two words of a key.
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    INFO(Filter::name);
    using OneWord = ProbedKey<Remix, MultiplyShift, 1>;
    if constexpr (Probed<Filter>) {
      CHECK(AnswersOneKey<Filter, OneWord>);
      CHECK(TakesOneKey<Filter, OneWord>);
    } else if constexpr (Built<Filter>) {
      CHECK(AnswersOneKey<Filter, std::uint64_t>);
    } else if constexpr (SelfPositioned<Filter>) {
      CHECK((AnswersOneKey<Filter, std::uint64_t> || Filter::name == "digest_set"));
      CHECK((TakesOneKey<Filter, std::uint64_t> || Filter::name == "digest_set"));
    }
  });
}
