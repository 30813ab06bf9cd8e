// The stated rate of every system against a simulation of its own position arithmetic: the width of
// its hash, how its stride comes about, its reduction, its blocks and layers. Nothing here is the
// library's but the stated numbers; keys are a counter under a keyed mixing.
//
// bloomlab's table of all points: test_planner "[systems_table]"; it takes some minutes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/systems/system.hpp"

using namespace bloomlab::planner;

namespace {

using Word = std::uint64_t;
using Settings = std::map<std::string, std::string, std::less<>>;

/// A keyed mixing of a counter: an ideal hash of 64 bits, and others by their number.
Word ideal_hash(Word key, Word number) {
  Word z = key * 0x9e3779b97f4a7c15U + (number + 1) * 0xd1b54a32d192ed03U;
  for (int round = 0; round < 2; ++round) {
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
  }
  return z;
}

std::uint32_t low(Word hash) { return static_cast<std::uint32_t>(hash); }
std::int32_t as_int(Word hash) { return static_cast<std::int32_t>(low(hash)); }

/// A key with two hashes; further ones by their number.
struct Key {
  Word number;
  Word a = ideal_hash(number, 0);
  Word b = ideal_hash(number, 1);
  [[nodiscard]] Word hash(Word i) const { return ideal_hash(number, i); }
};

/// Position i of a key in a filter of m bits.
using Position = Word (*)(const Key& key, Word i, Word m);

Word leveldb(const Key& key, Word i, Word m) {
  const std::uint32_t h = low(key.a);
  const std::uint32_t delta = h >> 17U | h << 15U;
  return (h + low(i) * delta) % low(m);
}

Word int32_complement(const Key& key, Word i, Word m) {
  const std::int32_t sum = as_int(key.a + (i + 1) * key.b);
  return static_cast<Word>(sum < 0 ? ~sum : sum) % m;
}

Word spark_v2(const Key& key, Word i, Word m) {
  const std::int64_t sum =
      std::int64_t{as_int(key.a)} * 2147483647 + static_cast<std::int64_t>(i + 1) * as_int(key.b);
  return static_cast<Word>(sum < 0 ? ~sum : sum) % m;
}

Word guava(const Key& key, Word i, Word m) { return ((key.a + i * key.b) & ~Word{0} >> 1U) % m; }

Word cassandra(const Key& key, Word i, Word m) {
  const auto sum = static_cast<std::int64_t>(key.a + i * key.b);
  const std::int64_t rest = sum % static_cast<std::int64_t>(m);
  return static_cast<Word>(rest < 0 ? -rest : rest);
}

Word redis(const Key& key, Word i, Word m) { return (key.a + i * key.b) % m; }

Word valkey(const Key& key, Word i, Word m) {
  if (i < 2) return key.hash(i) % m;
  return (key.a + i * key.b) % (Word{0} - 59) % m;
}

Word clickhouse_grams(const Key& key, Word i, Word m) { return (key.a + i * key.b + i * i) % m; }

Word lucene(const Key& key, Word i, Word m) {
  return (low(key.a) + low(i) * low(key.a >> 32U)) & (low(m) - 1);
}

/// ClickHouse's other index has seeds of 64 bits, Hudi chains hashes of 32.
Word of_seeds(const Key& key, Word i, Word m) { return key.hash(i) % m; }

Word chained(const Key& key, Word i, Word m) {
  const std::int64_t rest = as_int(key.hash(i)) % static_cast<std::int64_t>(m);
  return static_cast<Word>(rest < 0 ? -rest : rest);
}

Word rocksdb(const Key& key, Word i, Word m) {
  const Word line = low(key.a) * (m / 512) >> 32U;
  std::uint32_t h = low(key.a >> 32U);
  for (Word step = 0; step <= i; ++step) h *= 0x9e3779b9U;
  return 512 * line + (h >> 23U);
}

Word rocksdb_legacy(const Key& key, Word i, Word m) {
  const std::uint32_t h = low(key.a);
  const std::uint32_t delta = h >> 17U | h << 15U;
  return 512 * (h % (m / 512)) + (h + low(i) * delta) % 512;
}

Word parquet(const Key& key, Word i, Word m) {
  constexpr std::uint32_t salts[] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                     0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  const Word block = (key.a >> 32U) * (m / 256) >> 32U;
  return 256 * block + 32 * i + (low(key.a) * salts[i] >> 27U);
}

/// A system with its positions, and what its owner sets for so many bits per key.
struct Arithmetic {
  const char* name;
  Position position;
  const char* knob = "p";  ///< or the setting that takes the rate, or the bits per key
  Settings settings = {};
};

const std::vector<Arithmetic>& arithmetics() {
  static const std::vector<Arithmetic> all = {
      {"leveldb", leveldb, "bits_per_key"},
      {"spark_v1", int32_complement},
      {"spark_v2", spark_v2},
      {"guava", guava},
      {"guava", int32_complement, "p", {{"strategy", "MURMUR128_MITZ_32"}}},
      {"redis_nonscaling", redis},
      {"redis", redis},
      {"valkey", valkey},
      {"cassandra", cassandra},
      {"scylla", cassandra},
      {"clickhouse_ngram", clickhouse_grams},
      {"clickhouse_token", clickhouse_grams},
      {"lucene", lucene, "targetMaxFpp"},
      {"clickhouse_bloom", of_seeds},
      {"hudi", chained},
      {"rocksdb", rocksdb, "bits_per_key"},
      {"rocksdb", rocksdb_legacy, "bits_per_key", {{"format_version", "4"}}},
      {"parquet", parquet},
  };
  return all;
}

SystemFilter sized(const Arithmetic& one, Word n, double bits_per_key) {
  // The rate of a standard filter at the best k; no table of whole bits reaches 20 of them.
  const double rate = std::exp(-bits_per_key * 0.4804530139);
  const System& system = system_called("test", one.name);
  Settings settings = one.settings;
  std::optional<double> p;
  if (one.knob == std::string_view("p")) {
    p = std::max(rate, system.name == "cassandra" || system.name == "scylla" ? 7e-5 : 0.0);
  } else {
    const bool bits = one.knob == std::string_view("bits_per_key");
    settings[one.knob] =
        bits ? std::to_string(static_cast<int>(bits_per_key)) : std::to_string(rate);
  }
  return system.size(SystemRequest(system, n, p, settings));
}

/// Hits of absent keys, how many were looked up, in how many filters.
struct Count {
  Word hits = 0;
  Word lookups = 0;
  Word filters = 0;
  [[nodiscard]] double rate() const {
    return static_cast<double>(hits) / static_cast<double>(lookups);
  }
};

bool covers(const std::vector<bool>& bits, Position position, const Key& key, Word k) {
  for (Word i = 0; i < k; ++i) {
    if (!bits[position(key, i, bits.size())]) return false;
  }
  return true;
}

Count simulated(const Arithmetic& one, const SystemFilter& filter, Word n, Word lookups) {
  Count count;
  count.filters = std::max<Word>(lookups / (4 * n), 1);
  Word number = 1;
  for (Word each = 0; each < count.filters; ++each) {
    std::vector<bool> bits(filter.m);
    for (Word inserted = 0; inserted < n; ++inserted) {
      const Key key{number++};
      for (Word i = 0; i < filter.k; ++i) bits[one.position(key, i, filter.m)] = true;
    }
    for (Word query = 0; query < lookups / count.filters; ++query) {
      count.hits += covers(bits, one.position, Key{number++}, filter.k) ? 1 : 0;
      ++count.lookups;
    }
  }
  return count;
}

/// Relative standard error of a simulated rate: of the count, and of the filters' own fills.
double error_of(const Count& count, const SystemFilter& filter, double stated, Word n) {
  const auto k = static_cast<double>(filter.k);
  const double load = k * static_cast<double>(n) / static_cast<double>(filter.m);
  const double fills =
      k * k / std::expm1(load) / static_cast<double>(filter.m) / static_cast<double>(count.filters);
  return std::sqrt(1.0 / (stated * static_cast<double>(count.lookups)) + fills);
}

/// What a stated rate may be off beside the error of the count: five standard errors of its own
/// samples, which end at 0.3 % (LevelDB's at 0.5 % more).
constexpr double tolerance = 0.02;

/// Enough lookups for some thousand hits where that is not too many.
Word enough_lookups(double rate) { return static_cast<Word>(std::clamp(4000.0 / rate, 1e5, 1e6)); }

constexpr double sizes[] = {6.0, 10.0, 15.0, 20.0};

void check(const Arithmetic& one, Word n) {
  for (const double bits_per_key : sizes) {
    const SystemFilter filter = sized(one, n, bits_per_key);
    const double stated = filter.rate();
    const Count count = simulated(one, filter, n, enough_lookups(stated));
    CAPTURE(one.name, n, bits_per_key, filter.m, filter.k, stated, count.rate());
    // Five standard errors: less than one false alarm in a thousand runs of all points.
    const double bound = 5.0 * error_of(count, filter, stated, n) + tolerance;
    CHECK(std::abs(count.rate() / stated - 1.0) < bound);
  }
}

}  // namespace

TEST_CASE("the stated rate of a system is that of its own positions, for few keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 300);
}

TEST_CASE("the stated rate of a system is that of its own positions, for 10^4 keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 10'000);
}

TEST_CASE("table of stated and simulated rates of the systems", "[.][systems_table]") {
  std::printf("%-18s %9s %5s %12s %12s %8s %8s\n", "system", "n", "bits", "stated", "simulated",
              "ratio", "error");
  for (const Arithmetic& one : arithmetics()) {
    for (const Word n : {300, 10'000, 100'000, 1'000'000}) {
      for (const double bits_per_key : sizes) {
        const SystemFilter filter = sized(one, n, bits_per_key);
        const double stated = filter.rate();
        const Count count = simulated(one, filter, n, enough_lookups(stated));
        std::printf("%-18s %9llu %5.0f %12.5g %12.5g %8.4f %8.4f\n", one.name,
                    static_cast<unsigned long long>(n), bits_per_key, stated, count.rate(),
                    stated / count.rate(), error_of(count, filter, stated, n));
        CHECK(std::abs(count.rate() / stated - 1.0) <
              5.0 * error_of(count, filter, stated, n) + tolerance);
      }
    }
  }
}
