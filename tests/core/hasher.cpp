// The hash stage: batches against single keys, key bytes, seeds, and families.

#include "core/hash/hasher.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <string>

#include "core/hash/hashed_keys.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

template <class Hash>
constexpr int words_of = static_cast<int>(std::tuple_size_v<typename Hash::Digest>);

std::vector<std::byte> little_endian(std::uint64_t value, int bytes) {
  std::vector<std::byte> out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  return out;
}

template <class T>
using HasNoSeed = std::bool_constant<!T::takes_seed && !T::passes_through>;
using SeedlessHashes = bloomlab::test::Only<Hashes, HasNoSeed>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("a batch of integers has the digests of their little-endian bytes",
                        "[core][hash]", Hashes) {
  const auto values = keys(0, 77);
  const Hasher hasher = Hasher::of<TestType>();
  for (const int bytes : {4, 8}) {
    for (const std::uint64_t seed : {0ULL, 7ULL, 0xfedcba9876543210ULL}) {
      DigestBuffer buffer;
      const DigestBatch digests = hasher.digest(KeyBatch::integers(values, bytes), seed,
                                                {.words = words_of<TestType>}, buffer);
      REQUIRE(digests.size == values.size());
      REQUIRE(digests.width == words_of<TestType>);
      for (std::size_t j = 0; j < values.size(); ++j) {
        const auto expected = TestType::digest(little_endian(values[j], bytes), seed);
        for (int i = 0; i < digests.width; ++i) {
          REQUIRE(digests.word(i)[j] == expected[static_cast<std::size_t>(i)]);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a batch of texts has the digests of their bytes", "[core][hash]", Hashes) {
  std::vector<std::string> texts;
  for (std::size_t length = 0; length < 70; ++length) {
    texts.emplace_back(length, static_cast<char>('a' + length % 26));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  DigestBuffer buffer;
  const DigestBatch digests =
      Hasher::of<TestType>().digest(KeyBatch::texts(views), 3, {.words = 1}, buffer);
  for (std::size_t j = 0; j < views.size(); ++j) {
    const auto expected =
        TestType::digest(std::as_bytes(std::span(views[j].data(), views[j].size())), 3);
    REQUIRE(digests.word(0)[j] == expected[0]);
  }
}

TEMPLATE_LIST_TEST_CASE("a hash without a seed takes it as eight bytes in front of the key",
                        "[core][hash]", SeedlessHashes) {
  const std::uint64_t seed = 0x0102030405060708ULL;
  auto prefixed = little_endian(seed, 8);
  const auto key = little_endian(0x1122334455667788ULL, 8);
  prefixed.insert(prefixed.end(), key.begin(), key.end());
  CHECK(TestType::digest(key, seed) == TestType::digest(prefixed, 0));
  CHECK(TestType::digest(key, seed) != TestType::digest(key, 0));
}

TEMPLATE_LIST_TEST_CASE("word i of a family is the hash under seed i", "[core][hash]", Hashes) {
  const auto values = keys(5, 40);
  const Hasher hasher = Hasher::of<TestType>();
  const KeyBatch batch = KeyBatch::integers(values, 8);
  DigestBuffer buffer;
  const DigestBatch digests = hasher.digest(batch, 11, {.words = 6, .family = true}, buffer);
  std::vector<std::uint64_t> plane(values.size());
  for (int i = 0; i < 6; ++i) {
    hasher.family_word(batch, 11, i, plane);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const auto expected = TestType::digest(little_endian(values[j], 8), family_seed(11, i));
      REQUIRE(digests.word(i)[j] == expected[0]);
      REQUIRE(plane[j] == expected[0]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("further words come from the next seed once the digest is used up",
                        "[core][hash]", Hashes) {
  const auto values = keys(5, 40);
  const Hasher hasher = Hasher::of<TestType>();
  const int own = hasher.words();
  REQUIRE(own == words_of<TestType>);
  DigestBuffer buffer;
  const DigestBatch digests =
      hasher.digest(KeyBatch::integers(values, 8), 11, {.words = own + 1}, buffer);
  for (std::size_t j = 0; j < values.size(); ++j) {
    const auto key = little_endian(values[j], 8);
    REQUIRE(digests.word(own - 1)[j] ==
            TestType::digest(key, 11)[static_cast<std::size_t>(own - 1)]);
    REQUIRE(digests.word(own)[j] == TestType::digest(key, family_seed(11, 1))[0]);
  }
}

TEST_CASE("a buffer serves several seeds, sizes and hashes in turn", "[core][hash]") {
  const auto values = keys(0, 300);
  DigestBuffer shared;
  for (const std::uint64_t seed : {1U, 2U, 1U}) {
    for (const std::size_t size : {300U, 10U}) {
      for (const int words : {1, 7, 3}) {
        DigestBuffer fresh;
        const KeyBatch batch = KeyBatch::integers(std::span(values).first(size), 8);
        const DigestNeed need{.words = words, .family = true};
        const Hasher hasher = Hasher::of<XxHash3_64>();
        const DigestBatch one = hasher.digest(batch, seed, need, shared);
        const DigestBatch other = hasher.digest(batch, seed, need, fresh);
        for (int i = 0; i < words; ++i) {
          REQUIRE(std::ranges::equal(one.word(i), other.word(i)));
        }
      }
    }
  }
}

TEST_CASE("the seeds of a family are distinct and begin with the seed", "[core][hash]") {
  for (const std::uint64_t seed : {0ULL, 1ULL, 42ULL, ~0ULL}) {
    const SeedFamily family(seed);
    CHECK(family(0) == seed);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
      seen.insert(family(i));
      REQUIRE(family(i) == family_seed(seed, i));
    }
    CHECK(seen.size() == 1000);
  }
  CHECK(family_seed(1, 1) != family_seed(2, 1));
}

TEST_CASE("only identity passes keys through", "[core][hash]") {
  for_each_type<Hashes>([]<class Hash>(std::type_identity<Hash>) {
    CHECK(Hasher::of<Hash>().passes_through() == std::is_same_v<Hash, Identity>);
    CHECK(Hasher::of<Hash>().name() == Hash::name);
    CHECK(Hasher::of<Hash>().digest_bits() == Hash::digest_bits);
  });
}

TEMPLATE_LIST_TEST_CASE("a stream of hashed keys has the first words of their digests, in any part",
                        "[core][hash]", Hashes) {
  const Hasher hasher = Hasher::of<TestType>();
  const auto values = keys(0, 50);
  const std::vector<std::string_view> texts = {"", "a", "a longer text than one word", "a"};
  std::vector<KeyBatch> batches = {KeyBatch::integers(values, 8), KeyBatch::integers(values, 4)};
  if (!hasher.passes_through()) batches.push_back(KeyBatch::texts(texts));
  for (const KeyBatch& batch : batches) {
    DigestBuffer buffer;
    const DigestBatch digests = hasher.digest(batch, 9, {.words = 1}, buffer);
    const HashedKeys hashed(hasher, batch, 9);
    const DigestStream stream = hashed.stream();
    REQUIRE(stream.size() == batch.size());
    CHECK(stream.made() == nullptr);
    for (std::size_t first = 0; first < batch.size(); first += 3) {
      std::vector<std::uint64_t> part(std::min<std::size_t>(7, batch.size() - first));
      stream.write(first, part.size(), part.data());
      for (std::size_t j = 0; j < part.size(); ++j) CHECK(part[j] == digests.word(0)[first + j]);
    }
  }
}

TEST_CASE("a stream over digests in memory has them at hand", "[core][hash]") {
  const auto values = keys(0, 5);
  const DigestStream stream{std::span<const std::uint64_t>(values)};
  CHECK(stream.size() == 5);
  CHECK(stream.made() == values.data());
  std::vector<std::uint64_t> part(2);
  stream.write(3, 2, part.data());
  CHECK(part == std::vector<std::uint64_t>{values[3], values[4]});
}

TEST_CASE("a batch of keys says the memory of its integers, or of the views of its texts",
          "[core][hash]") {
  const std::vector<std::uint64_t> integers(7);
  const std::vector<std::string_view> texts(7);
  CHECK(KeyBatch::integers(integers, 4).memory_bytes() == 7 * sizeof(std::uint64_t));
  CHECK(KeyBatch::texts(texts).memory_bytes() == 7 * sizeof(std::string_view));
}
