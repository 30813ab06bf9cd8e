// Every system's closed form against an occupancy simulation that shares no code with it: filters
// are built bit by bit from random words, each is asked once, so that the hits are binomial, and
// the count must lie within the exact interval of the predicted rate at 10^-7.

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/theory/double_hashing.hpp"
#include "core/theory/loads.hpp"
#include "planner/systems/system.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

namespace {

/// Vigna's splitmix64: nothing of the library.
class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }
  std::uint64_t below(std::uint64_t end) { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

/// The positions of a fresh key.
using Positions = std::function<void(Words&, std::vector<std::uint64_t>&)>;

/// P(at most c of `draws`) and P(at least c) by sums of the binomial law.
double tail(std::uint64_t c, std::uint64_t draws, double rate, bool upper) {
  const auto n = static_cast<double>(draws);
  double sum = 0.0;
  for (std::uint64_t i = upper ? c : 0; i <= (upper ? draws : c); ++i) {
    const auto x = static_cast<double>(i);
    const double term = std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                                 x * std::log(rate) + (n - x) * std::log1p(-rate));
    sum += term;
    if (upper && x > n * rate && term < 1e-12 * sum) break;
  }
  return sum;
}

void check_count(std::uint64_t hits, std::uint64_t trials, double rate) {
  CAPTURE(hits, trials, rate);
  constexpr double level = 1e-7;
  CHECK(tail(hits, trials, rate, false) > level);
  CHECK(tail(hits, trials, rate, true) > level);
}

std::uint64_t hits_of(std::uint64_t m, std::uint64_t n, std::uint64_t trials,
                      const Positions& positions, std::uint64_t seed) {
  Words words(seed);
  std::vector<std::uint64_t> places;
  std::vector<std::uint32_t> set(m, 0);  // number of the trial that set it
  std::uint64_t hits = 0;
  for (std::uint32_t trial = 1; trial <= trials; ++trial) {
    for (std::uint64_t key = 0; key < n; ++key) {
      positions(words, places);
      for (const std::uint64_t place : places) set[place] = trial;
    }
    positions(words, places);
    bool all = true;
    for (const std::uint64_t place : places) all = all && set[place] == trial;
    hits += all ? 1 : 0;
  }
  return hits;
}

Positions independent(std::uint64_t m, std::uint64_t k) {
  return [=](Words& words, std::vector<std::uint64_t>& places) {
    places.resize(k);
    for (std::uint64_t& place : places) place = words.below(m);
  };
}

/// a + i b in words of 64 bits; the second one b alone, and those after it modulo 2^64 - 59 first,
/// where that is the system's.
Positions strided(std::uint64_t m, std::uint64_t k, bool stride_alone) {
  return [=](Words& words, std::vector<std::uint64_t>& places) {
    const std::uint64_t a = words();
    const std::uint64_t b = words();
    places.resize(k);
    for (std::uint64_t i = 0; i < k; ++i) {
      const std::uint64_t word = a + i * b;
      places[i] = (stride_alone && i > 1 ? word % 0xffffffffffffffc5U : word) % m;
    }
    if (stride_alone && k > 1) places[1] = b % m;
  };
}

/// One block of `lanes` lanes, k positions in all of it or one in each lane.
Positions in_blocks(std::uint64_t blocks, std::uint64_t bits, std::uint64_t k, bool one_a_lane) {
  return [=](Words& words, std::vector<std::uint64_t>& places) {
    places.resize(k);
    const std::uint64_t base = words.below(blocks) * bits;
    const std::uint64_t width = one_a_lane ? bits / k : bits;
    for (std::uint64_t i = 0; i < k; ++i) {
      places[i] = base + (one_a_lane ? i * width : 0) + words.below(width);
    }
  };
}

SystemFilter sized_for(const char* name, std::uint64_t n, std::optional<double> p,
                       std::map<std::string, std::string, std::less<>> settings = {}) {
  const System& system = system_called("test", name);
  return system.size(SystemRequest(system, n, p, std::move(settings)));
}

constexpr std::uint64_t filters = 24'000;

}  // namespace

TEST_CASE("standard filters of independent positions have their rate in a simulation",
          "[planner][systems][simulation]") {
  std::uint64_t seed = 1;
  for (const char* name : {"hudi", "hbase", "clickhouse_bloom", "boost"}) {
    for (const std::uint64_t n : {20U, 75U}) {
      for (const double p : {0.4, 0.1, 0.02}) {
        CAPTURE(name, n, p);
        const SystemFilter filter = sized_for(name, n, p);
        check_count(hits_of(filter.m, n, filters, independent(filter.m, filter.k), ++seed), filters,
                    filter.rate());
      }
    }
  }
}

TEST_CASE("filters of blocks have their rate in a simulation", "[planner][systems][simulation]") {
  std::uint64_t seed = 1000;
  for (const std::uint64_t n : {40U, 150U}) {
    for (const double p : {0.3, 0.05}) {
      CAPTURE(n, p);
      const SystemFilter parquet = sized_for("parquet", n, p);
      check_count(hits_of(parquet.m, n, filters, in_blocks(parquet.m / 256, 256, 8, true), ++seed),
                  filters, parquet.rate());
    }
    for (const char* bits : {"3", "6", "10"}) {
      CAPTURE(n, bits);
      const SystemFilter rocksdb = sized_for("rocksdb", n, std::nullopt, {{"bits_per_key", bits}});
      check_count(
          hits_of(rocksdb.m, n, filters, in_blocks(rocksdb.m / 512, 512, rocksdb.k, false), ++seed),
          filters, rocksdb.rate());
    }
    const SystemFilter boost =
        sized_for("boost", n, 0.05, {{"k", "1"}, {"subfilter", "block<uint64_t,4>"}});
    check_count(hits_of(boost.m, n, filters, in_blocks(boost.m / 64, 64, 4, false), ++seed),
                filters, boost.rate());
    const SystemFilter multi =
        sized_for("boost", n, 0.05, {{"k", "1"}, {"subfilter", "multiblock<uint32_t,6>"}});
    check_count(hits_of(multi.m, n, filters, in_blocks(multi.m / 192, 192, 6, true), ++seed),
                filters, multi.rate());
  }
}

TEST_CASE("RocksDB's older lines are double hashing by one hash",
          "[planner][systems][simulation]") {
  constexpr std::uint64_t n = 120;
  for (const char* bits : {"4", "8", "20"}) {
    const SystemFilter filter =
        sized_for("rocksdb", n, std::nullopt, {{"bits_per_key", bits}, {"format_version", "4"}});
    const Positions legacy = [&](Words& words, std::vector<std::uint64_t>& places) {
      auto h = static_cast<std::uint32_t>(words());
      const std::uint64_t line = h % (filter.m / 512);
      const std::uint32_t delta = h >> 17U | h << 15U;
      places.resize(filter.k);
      for (std::uint64_t& place : places) {
        place = 512 * line + h % 512;
        h += delta;
      }
    };
    check_count(hits_of(filter.m, n, filters, legacy, 77), filters, filter.rate());
  }
}

TEST_CASE("Lucene's small filters are double hashing modulo a power of two",
          "[planner][systems][simulation]") {
  constexpr std::uint64_t n = 60;
  const SystemFilter filter = sized_for("lucene", n, std::nullopt);
  const Positions masked = [&](Words& words, std::vector<std::uint64_t>& places) {
    const std::uint64_t hash = words();
    places.resize(filter.k);
    for (std::uint64_t i = 0; i < filter.k; ++i) {
      places[i] = (static_cast<std::uint32_t>(hash) + i * (hash >> 32U)) % filter.m;
    }
  };
  check_count(hits_of(filter.m, n, 2 * filters, masked, 5), 2 * filters, filter.rate());
}

TEST_CASE("grown filters have the rate of all their layers in a simulation",
          "[planner][systems][simulation]") {
  for (const char* name : {"redis", "valkey"}) {
    const SystemFilter filter = sized_for(name, 70, 0.2, {{"capacity", "10"}});
    REQUIRE(filter.layers.size() == 3);
    Words words(9);
    std::vector<std::uint64_t> places;
    std::uint64_t hits = 0;
    for (std::uint64_t trial = 0; trial < filters; ++trial) {
      bool any = false;
      for (const auto& layer : filter.layers) {
        std::vector<bool> bits(layer.m);
        const Positions positions = strided(layer.m, layer.k, name == std::string("valkey"));
        for (std::uint64_t key = 0; key < layer.n; ++key) {
          positions(words, places);
          for (const std::uint64_t place : places) bits[place] = true;
        }
        positions(words, places);
        bool all = true;
        for (const std::uint64_t place : places) all = all && bits[place];
        any = any || all;
      }
      hits += any ? 1 : 0;
    }
    check_count(hits, filters, filter.rate());
  }
}

TEST_CASE("masked words have their rate in a simulation", "[planner][systems][simulation]") {
  const std::vector<std::uint64_t> masks = {0x1000000081, 0x8080000101, 0x8080000101 << 1U, 0x7};
  constexpr std::uint64_t words = 8;
  constexpr std::uint64_t n = 90;
  const Positions masked = [&](Words& random, std::vector<std::uint64_t>& places) {
    const std::uint64_t word = random.below(words);
    const std::uint64_t turn = random.below(64);
    const std::uint64_t mask = masks[random.below(masks.size())];
    places.clear();
    for (std::uint64_t bit = 0; bit < 64; ++bit) {
      if (mask >> bit & 1U) places.push_back(64 * word + (bit + turn) % 64);
    }
  };
  check_count(hits_of(64 * words, n, filters, masked, 3), filters,
              theory::masked_words_fpr(masks, words, n));
}

TEST_CASE("signatures match by chance as often as in a simulation",
          "[planner][systems][simulation]") {
  for (const char* length : {"16", "40", "80"}) {
    CAPTURE(length);
    const SystemFilter filter =
        sized_for("postgres_bloom", 1, std::nullopt, {{"length", length}, {"columns", "9"}});
    Words words(4);
    std::uint64_t hits = 0;
    constexpr std::uint64_t rows = 2'000'000;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::vector<bool> bits(filter.m);
      for (int draw = 0; draw < 18; ++draw) bits[words.below(filter.m)] = true;
      bool all = true;
      for (int draw = 0; draw < 4; ++draw) all = bits[words.below(filter.m)] && all;
      hits += all ? 1 : 0;
    }
    check_count(hits, rows, filter.rate());
  }
}

TEST_CASE("a short range of hash values reaches some bits more often, or not at all",
          "[planner][systems][simulation]") {
  constexpr std::uint64_t n = 400;
  constexpr std::uint64_t k = 3;
  for (const std::uint64_t m : {1000U, 1500U, 2100U, 4000U}) {
    CAPTURE(m);
    constexpr std::uint64_t range = 2048;
    const Positions reduced = [&](Words& words, std::vector<std::uint64_t>& places) {
      places.resize(k);
      for (std::uint64_t& place : places) place = words.below(range) % m;
    };
    check_count(hits_of(m, n, filters, reduced, m), filters,
                theory::reduced_range_fpr(range, m, n, k));
  }
}

TEST_CASE("one short hash adds the rate of equal hashes", "[planner][systems][simulation]") {
  constexpr std::uint64_t m = 1024;
  constexpr std::uint64_t n = 100;
  constexpr std::uint64_t k = 6;
  // 2^10 hashes, each with positions of its own: drawn anew for every filter.
  Words words(8);
  std::uint64_t hits = 0;
  constexpr std::uint64_t hashes = 1024;
  for (std::uint64_t trial = 0; trial < filters / 3; ++trial) {
    std::vector<bool> taken(hashes);
    std::vector<bool> bits(m);
    for (std::uint64_t key = 0; key < n; ++key) {
      const std::uint64_t hash = words.below(hashes);
      if (taken[hash]) continue;
      taken[hash] = true;
      for (std::uint64_t i = 0; i < k; ++i) bits[words.below(m)] = true;
    }
    bool all = taken[words.below(hashes)];
    if (!all) {
      all = true;
      for (std::uint64_t i = 0; i < k; ++i) all = bits[words.below(m)] && all;
    }
    hits += all ? 1 : 0;
  }
  check_count(hits, filters / 3, theory::short_hash_fpr(10, m, n, k));
}
