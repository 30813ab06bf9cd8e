// A hash function that a program brings: what it gives is what its type gives, under its name.
#include "experiments/own_hash.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hashing.hpp"
#include "core/keys/seed_family.hpp"
#include "experiments/cells/own_filters.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/provenance.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments {
namespace {

struct Sums {
  static constexpr std::string_view name = "sums";
  std::uint64_t operator()(std::string_view key, std::uint64_t seed) const {
    for (const char byte : key) seed = seed * 31 + static_cast<unsigned char>(byte);
    return seed;
  }
};
struct Short {
  static constexpr std::string_view name = "short_sums";
  std::uint32_t operator()(std::string_view key) const {
    return static_cast<std::uint32_t>(Sums{}(key, 7));
  }
};
struct Nameless : Short {};
struct Capital : Short {
  static constexpr std::string_view name = "Capital";
};
struct Taken : Short {
  static constexpr std::string_view name = "xxhash3_64";
};

static_assert(SeededHash<Sums> && !PlainHash<Sums>);
static_assert(PlainHash<Short> && PlainHash<std::hash<std::string_view>>);
static_assert(!OwnHash<int> && !OwnHash<std::string>);

/// Brings these in the place of those that were there, and none at the end.
struct Brought {
  explicit Brought(const std::vector<HashOperations>& hashes) { bring_own_hashes(hashes); }
  ~Brought() { record::bring_hashes({}); }
};

/// The first word that the hash of this name gives for keys.
std::uint64_t word(std::string_view name, const KeyBatch& keys, std::uint64_t seed) {
  DigestBuffer buffer;
  return record::make_hasher(name).digest(keys, seed, DigestNeed{}, buffer).word(0)[0];
}

KeyBatch one_text(const std::string_view& text) { return KeyBatch::texts({&text, 1}); }
KeyBatch one_integer(const std::uint64_t& value, int bytes) {
  return KeyBatch::integers({&value, 1}, bytes);
}

}  // namespace

TEST_CASE("an own hash gives what its function gives", "[experiments][own_hash]") {
  const Brought brought({own_hash_type<Sums>(), own_hash_type<Short>()});
  CHECK(word("sums", one_text("ab"), 3) == (3 * 31 + 'a') * 31 + 'b');
  // Integers are little-endian bytes, 8 or 4 of them.
  CHECK(word("sums", one_integer(0x0201, 8), 5) == Sums{}(std::string("\1\2\0\0\0\0\0\0", 8), 5));
  CHECK(word("sums", one_integer(0x0201, 4), 5) == Sums{}(std::string("\1\2\0\0", 4), 5));
  // 32 bits fill a word as those of the catalogue do; a seed stands in front of the key.
  CHECK(record::make_hasher("short_sums").digest_bits() == 32);
  CHECK_FALSE(record::make_hasher("short_sums").takes_seed());
  CHECK(word("short_sums", one_text("ab"), 0) == widened_32(Short{}("ab")));
  CHECK(word("short_sums", one_text("ab"), 0x0102) ==
        widened_32(Short{}(std::string("\2\1\0\0\0\0\0\0ab", 10))));
  CHECK(is_own_hash("sums"));
  CHECK_FALSE(is_own_hash("xxhash3_64"));
}

TEST_CASE("a batch of an own hash is its keys one by one", "[experiments][own_hash]") {
  const Brought brought({own_hash_type<Sums>()});
  std::vector<std::uint64_t> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * i;
  DigestBuffer buffer;
  const DigestNeed two{.words = 2, .family = true};
  const DigestBatch digests =
      record::make_hasher("sums").digest(KeyBatch::integers(values, 8), 9, two, buffer);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t first = word("sums", one_integer(values[i], 8), 9);
    CHECK(digests.word(0)[i] == first);
    CHECK(digests.word(1)[i] == word("sums", one_integer(values[i], 8), family_seed(9, 1)));
  }
}

TEST_CASE("an own hash stands in configs by its name, and only while it is there",
          "[experiments][own_hash]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.write("a.json", testing::good_config_with("xxhash3_64", "sums"));
  CHECK_THROWS_AS(read_config(path), record::InputError);
  const Brought brought({own_hash_type<Sums>()});
  const Config config = read_config(path);
  CHECK(config.cells.front().hash == "sums");
  CHECK(hash_named_in(config.cells.front().json()) == "sums");
  CHECK(foreign_digests(config).contains("hash sums of this program"));
}

TEST_CASE("a name that is taken or no word is refused", "[experiments][own_hash]") {
  CHECK(own_hash_type<Nameless>().name == "short_sums");
  CHECK(own_hash_type<std::hash<std::string_view>>().name == "own_hash");
  CHECK_THROWS_WITH(bring_own_hashes(std::vector{own_hash_type<Taken>()}),
                    "hash \"xxhash3_64\" of this program: there is one of that name already; "
                    "choose another one by `static constexpr std::string_view name`");
  CHECK_THROWS_AS(bring_own_hashes(std::vector{own_hash_type<Capital>()}), record::InputError);
  CHECK_THROWS_AS(bring_own_hashes(std::vector{own_hash_type<Sums>(), own_hash_type<Sums>()}),
                  record::InputError);
  CHECK(record::brought_hashes().empty());
}

}  // namespace bloomlab::experiments
