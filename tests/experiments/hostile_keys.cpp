// Hostile keys: what chosen keys do, against closed forms, and collisions under every seed.
#include "experiments/kinds/hostile_keys.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <span>
#include <string>

#include "core/hashing.hpp"
#include "core/theory/applications.hpp"
#include "core/theory/standard.hpp"
#include "experiments/kinds/murmur_twins.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<HostileKeys>);

constexpr std::uint64_t hostile_m = 10'000;
constexpr std::uint64_t hostile_n = 1000;
constexpr std::uint64_t hostile_k = 5;
constexpr HostileKeys::Parameters hostile{.queries = 20'000, .forged = 1000};

HostileKeys::Point::Parameters hostile_point(const char* hash, const char* keying,
                                             const char* attack) {
  return record::own_parameters_of<HostileKeys::Point>({{"m", hostile_m},
                                                        {"k", hostile_k},
                                                        {"n", hostile_n},
                                                        {"hash", hash},
                                                        {"keying", keying},
                                                        {"attack", attack}});
}

struct HostileCounts {
  explicit HostileCounts(const record::Json& json) : json_(json) {}
  std::uint64_t operator[](const char* name) const { return json_.at(name).get<std::uint64_t>(); }

 private:
  record::Json json_;
};

HostileCounts hostile_counts(const HostileKeys::Point::Parameters& at, std::uint64_t seed = 3) {
  REQUIRE_FALSE(HostileKeys::check(hostile, at));
  const auto measurements = HostileKeys::measure(hostile, at, seed);
  REQUIRE(measurements.size() == 1);
  return HostileCounts(measurements.front().measured);
}

/// Within five standard deviations of the binomial law: missed by chance with probability 6e-7.
void check_hostile_share(std::uint64_t hits, std::uint64_t of, double rate) {
  const auto total = static_cast<double>(of);
  CHECK(std::abs(static_cast<double>(hits) - total * rate) <
        5 * std::sqrt(total * rate * (1 - rate)));
}

/// The rate of a filter with so many set bits.
double rate_of_hostile(const HostileCounts& counts) {
  return std::pow(static_cast<double>(counts["bits_set"]) / hostile_m, hostile_k);
}

void check_unforced_fill(const HostileCounts& counts) {
  CHECK(counts["inserted"] == hostile_n);
  CHECK(std::abs(static_cast<double>(counts["bits_set"]) -
                 theory::mean_set_bits(hostile_m, hostile_n, hostile_k)) <
        5 * std::sqrt(theory::var_set_bits(hostile_m, hostile_n, hostile_k)));
}

template <class Hash>
std::set<typename Hash::Digest> digests_of_twins(const MurmurTwins& twins, std::uint64_t number,
                                                 std::uint64_t seed) {
  std::set<typename Hash::Digest> digests;
  for (std::uint64_t pattern = 0; pattern <= MurmurTwins::twins; ++pattern) {
    const std::string key = twins.key(number, pattern);
    digests.insert(Hash::digest(std::as_bytes(std::span(key)), seed));
  }
  return digests;
}

}  // namespace

TEMPLATE_TEST_CASE("keys of the Murmur family have twins under every seed", "[hostile_keys]",
                   Murmur2_32, Murmur2_64A, Murmur3_32, Murmur3_128, Murmur3_128Truncated32) {
  REQUIRE(MurmurTwins::known_for(TestType::name));
  const MurmurTwins twins(TestType::name, 5);
  std::set<std::string> keys;
  for (std::uint64_t number = 0; number < 8; ++number) {
    for (std::uint64_t pattern = 0; pattern <= MurmurTwins::twins; ++pattern) {
      keys.insert(twins.key(number, pattern));
    }
    const std::uint64_t seed = KeyedPermutation(9)(number);
    CHECK(digests_of_twins<TestType>(twins, number, seed).size() == 1);
    CHECK(digests_of_twins<TestType>(twins, number, ~seed).size() == 1);
  }
  CHECK(keys.size() == 8 * (1 + MurmurTwins::twins));
  CHECK(keys.begin()->size() == twins.key_bytes());
}

TEMPLATE_TEST_CASE("no twin of a Murmur hash collides under another hash", "[hostile_keys]",
                   SipHash13, XxHash3_64) {
  CHECK_FALSE(MurmurTwins::known_for(TestType::name));
  for (const char* hash : {"murmur2_64a", "murmur3_32", "murmur3_128"}) {
    CHECK(digests_of_twins<TestType>(MurmurTwins(hash, 5), 0, 7).size() == 1 + MurmurTwins::twins);
  }
}

TEST_CASE("where nobody chooses keys, fill and rate are the usual ones", "[hostile_keys]") {
  for (const char* hash : {"siphash13", "murmur3_32", "multiply_mix_64"}) {
    INFO(hash);
    const HostileCounts counts = hostile_counts(hostile_point(hash, "known", "none"));
    check_unforced_fill(counts);
    CHECK(counts["queries"] == hostile.queries);
    check_hostile_share(counts["false_positives"], hostile.queries, rate_of_hostile(counts));
    for (const char* none : {"chosen", "tries", "forged", "reported"}) CHECK(counts[none] == 0);
  }
}

TEST_CASE("keys chosen under the filter's seed set k new bits each", "[hostile_keys]") {
  for (const char* hash : {"siphash13", "xxhash3_64", "md5"}) {
    INFO(hash);
    const HostileCounts counts = hostile_counts(hostile_point(hash, "known", "fill"));
    CHECK(counts["inserted"] == hostile_n);
    CHECK(counts["chosen"] == hostile_n);
    CHECK(counts["forged"] == 0);
    CHECK(counts["bits_set"] == hostile_n * hostile_k);
    const theory::ChosenKeys law = theory::chosen_keys(hostile_m, hostile_n, hostile_k);
    CHECK(law.rate == Approx(rate_of_hostile(counts)));
    check_hostile_share(counts["false_positives"], hostile.queries, law.rate);
    // n geometric numbers, each of a variance below the square of the dearest one's mean, 2^5.
    CHECK(std::abs(static_cast<double>(counts["tries"]) - law.tries) <
          5 * 32 * std::sqrt(hostile_n));
  }
}

TEST_CASE("keys chosen to fill under another seed fill as all keys do", "[hostile_keys]") {
  for (const char* hash : {"siphash13", "xxhash3_64"}) {
    INFO(hash);
    const HostileCounts counts = hostile_counts(hostile_point(hash, "secret", "fill"));
    CHECK(counts["chosen"] == hostile_n);
    check_unforced_fill(counts);
    check_hostile_share(counts["false_positives"], hostile.queries, rate_of_hostile(counts));
  }
}

TEST_CASE("absent keys that a filter reports are found by search, under its seed alone",
          "[hostile_keys]") {
  for (const char* hash : {"siphash13", "multiply_mix_64"}) {
    INFO(hash);
    const HostileCounts known = hostile_counts(hostile_point(hash, "known", "positives"));
    CHECK(known["forged"] == hostile.forged);
    CHECK(known["reported"] == hostile.forged);
    check_unforced_fill(known);
    check_hostile_share(hostile.forged, known["tries"], rate_of_hostile(known));
    const HostileCounts secret = hostile_counts(hostile_point(hash, "secret", "positives"));
    CHECK(secret["forged"] == hostile.forged);
    CHECK(secret["bits_set"] == known["bits_set"]);
    check_hostile_share(secret["reported"], hostile.forged, rate_of_hostile(secret));
  }
}

TEST_CASE("a secret seed keeps no Murmur hash from reporting the twins of its keys",
          "[hostile_keys]") {
  for (const char* keying : {"known", "secret"}) {
    for (const char* hash :
         {"murmur2_32", "murmur2_64a", "murmur3_32", "murmur3_128", "murmur3_128_truncated_32"}) {
      INFO(hash);
      const HostileCounts counts = hostile_counts(hostile_point(hash, keying, "multicollision"));
      check_unforced_fill(counts);
      CHECK(counts["forged"] == hostile.forged);
      CHECK(counts["reported"] == hostile.forged);
      CHECK(counts["tries"] == 0);
      check_hostile_share(counts["false_positives"], hostile.queries, rate_of_hostile(counts));
    }
    const HostileCounts keyed =
        hostile_counts(hostile_point("siphash13", keying, "multicollision"));
    check_unforced_fill(keyed);
    check_hostile_share(keyed["reported"], hostile.forged, rate_of_hostile(keyed));
  }
}

TEST_CASE("a search for keys that a hash does not have ends", "[hostile_keys]") {
  // Under two seeds this polynomial differs by one constant for all keys of a length, so that all
  // keys have the positions of one pattern, moved: it covers the ring of eight bits, or never.
  auto at = hostile_point("javascript_polynomial", "known", "fill");
  at.m = 8;
  at.n = 1;
  at.k = 8;
  const HostileCounts counts = hostile_counts(at);
  const double most = 1e6 + HostileKeys::patience * theory::chosen_keys(at.m, at.n, at.k).tries;
  CHECK(counts["chosen"] == 0);
  CHECK(counts["inserted"] == 0);
  CHECK(counts["bits_set"] == 0);
  CHECK(static_cast<double>(counts["tries"]) == Approx(most).epsilon(0.001));
  at.hash = hostile_point("siphash13", "known", "fill").hash;
  CHECK(hostile_counts(at)["bits_set"] == 8);
}

TEST_CASE("a trial of hostile keys draws keys and seeds anew, and one seed gives one count",
          "[hostile_keys]") {
  const auto at = hostile_point("siphash13", "secret", "positives");
  CHECK(hostile_counts(at, 1)["tries"] == hostile_counts(at, 1)["tries"]);
  CHECK(hostile_counts(at, 1)["tries"] != hostile_counts(at, 2)["tries"]);
}

TEST_CASE("attacks that cannot be, or would not end, are refused", "[hostile_keys][errors]") {
  auto at = hostile_point("siphash13", "known", "fill");
  at.n = 2001;
  CHECK(HostileKeys::check(hostile, at) ==
        "n k = 10005 new bits are more than m = 10000; the attack fill needs a larger m, or fewer "
        "keys or probes");
  at.n = 2000;  // the last key has 5! of 10000^5 chances
  CHECK(
      HostileKeys::check(hostile, at) ==
      "the search would try 8.37×10¹⁷ keys in a trial, more than 10^9; fewer keys or probes, or a "
      "larger m");
  at = hostile_point("siphash13", "secret", "positives");
  at.m = std::uint64_t{1} << 30;
  CHECK(HostileKeys::check(hostile, at) ==
        "the search would try 4.57×10²⁹ keys in a trial, more than 10^9; fewer probes or forged "
        "keys, or a smaller m");
  at = hostile_point("siphash13", "known", "multicollision");
  at.n = 3;
  CHECK(HostileKeys::check(hostile, at) ==
        "forged is 1000; n = 3 keys have 765 twins: forge fewer, or insert more keys");
  CHECK_FALSE(HostileKeys::check(hostile, hostile_point("siphash13", "known", "positives")));
}

}  // namespace bloomlab::experiments
