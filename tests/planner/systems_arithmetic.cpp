// The stated rate of every system against a simulation of its own position arithmetic: the width of
// its hash, how its stride comes about, its reduction, its blocks and layers. Nothing here is the
// library's but the stated numbers; keys are a counter under a keyed mixing.
//
// bloomlab's table of all points: test_planner "[systems_table]"; it takes some minutes.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
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

/// Position i of a key in a filter of m bits and k probes.
using Position = Word (*)(Word key, Word i, Word m, Word k);

Word leveldb(Word key, Word i, Word m, Word /*k*/) {
  const std::uint32_t h = low(ideal_hash(key, 0));
  const std::uint32_t delta = h >> 17U | h << 15U;
  return (h + low(i) * delta) % low(m);
}

/// A system with its positions, the bits per key, and what its owner sets for those.
struct Arithmetic {
  const char* name;
  Position position;
  double (*p_for)(double bits_per_key);  ///< null: the setting bits_per_key
  Settings settings = {};
};

const std::vector<Arithmetic>& arithmetics() {
  static const std::vector<Arithmetic> all = {
      {"leveldb", leveldb, nullptr},
  };
  return all;
}

SystemFilter sized(const Arithmetic& one, Word n, double bits_per_key) {
  const System& system = system_called("test", one.name);
  Settings settings = one.settings;
  std::optional<double> p;
  if (one.p_for == nullptr) {
    settings["bits_per_key"] = std::to_string(static_cast<int>(bits_per_key));
  } else {
    p = one.p_for(bits_per_key);
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

bool covers(const std::vector<bool>& bits, Position position, Word key, Word m, Word k) {
  for (Word i = 0; i < k; ++i) {
    if (!bits[position(key, i, m, k)]) return false;
  }
  return true;
}

Count simulated(const Arithmetic& one, const SystemFilter& filter, Word n, Word lookups) {
  const Word m = filter.m;
  const Word k = filter.k;
  Count count;
  count.filters = std::max<Word>(lookups / (4 * n), 1);
  Word key = 1;
  for (Word number = 0; number < count.filters; ++number) {
    std::vector<bool> bits(m);
    for (Word inserted = 0; inserted < n; ++inserted, ++key) {
      for (Word i = 0; i < k; ++i) bits[one.position(key, i, m, k)] = true;
    }
    for (Word query = 0; query < lookups / count.filters; ++query, ++key) {
      count.hits += covers(bits, one.position, key, m, k) ? 1 : 0;
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

/// What the closed forms may be off: 2 %, and 5 % for a rate of one in ten thousand keys of few.
double tolerance(Word n, double bits_per_key) {
  return n < 1000 && bits_per_key > 15.0 ? 0.05 : 0.02;
}

constexpr double sizes[] = {6.0, 10.0, 15.0, 20.0};

void check(const Arithmetic& one, Word n, Word lookups) {
  for (const double bits_per_key : sizes) {
    const SystemFilter filter = sized(one, n, bits_per_key);
    const double stated = filter.rate();
    const Count count = simulated(one, filter, n, lookups);
    CAPTURE(one.name, n, bits_per_key, filter.m, filter.k, stated, count.rate());
    // Five standard errors: less than one false alarm in a thousand runs of all points.
    const double bound = 5.0 * error_of(count, filter, stated, n) + tolerance(n, bits_per_key);
    CHECK(std::abs(count.rate() / stated - 1.0) < bound);
  }
}

}  // namespace

TEST_CASE("the stated rate of a system is that of its own positions, for few keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 300, 1'500'000);
}

TEST_CASE("the stated rate of a system is that of its own positions, for 10^4 keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 10'000, 1'000'000);
}

TEST_CASE("the stated rate of a system is that of its own positions, for 10^5 keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 100'000, 1'000'000);
}

TEST_CASE("the stated rate of a system is that of its own positions, for 10^6 keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 1'000'000, 1'000'000);
}

TEST_CASE("table of stated and simulated rates of the systems", "[.][systems_table]") {
  std::printf("%-18s %9s %5s %12s %12s %8s %8s\n", "system", "n", "bits", "stated", "simulated",
              "ratio", "error");
  double furthest = 1.0;
  for (const Arithmetic& one : arithmetics()) {
    for (const Word n : {300, 10'000, 100'000, 1'000'000}) {
      for (const double bits_per_key : sizes) {
        const SystemFilter filter = sized(one, n, bits_per_key);
        const double stated = filter.rate();
        const Count count = simulated(one, filter, n, 20'000'000);
        std::printf("%-18s %9llu %5.0f %12.5g %12.5g %8.4f %8.4f\n", one.name,
                    static_cast<unsigned long long>(n), bits_per_key, stated, count.rate(),
                    stated / count.rate(), error_of(count, filter, stated, n));
        const double off = stated / count.rate();
        if (std::abs(std::log(off)) > std::abs(std::log(furthest))) furthest = off;
      }
    }
  }
  CHECK(std::abs(std::log(furthest)) < 0.1);
}
