// The stated rate of every system against a simulation of its own position arithmetic: the width of
// its hash, how its stride comes about, its reduction, its blocks, layers, chunks and columns.
//
// bloomlab's table of all points: test_planner "[systems_table]"; it takes some minutes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "planner/systems/system.hpp"
#include "tests/planner/system_machines.hpp"

using namespace bloomlab::planner;
using namespace bloomlab::tests;

namespace {

using Settings = std::map<std::string, std::string, std::less<>>;

/// A filter as sized for a request.
struct Sized {
  SystemRequest request;
  SystemFilter filter;
};

using Made = std::unique_ptr<Machine>;

template <Position position>
Made standard(const Sized& sized) {
  return std::make_unique<StandardMachine>(position, sized.filter.m, sized.filter.k);
}

template <Position position>
Made growing(const Sized& sized) {
  auto layers = std::make_unique<Layers>();
  for (const auto& one : sized.filter.layers) {
    layers->add(Array(position, one.m, one.k), one.n);
  }
  return layers;
}

Made hudi_layers(const Sized& sized) {
  const Word entries = sized.request.count("num_entries");
  const Word most = sized.request.count("max_entries");
  const Word needed = (sized.request.n() + entries - 1) / entries;
  const Word count = std::min(needed, (most + entries - 1) / entries);
  auto layers = std::make_unique<Layers>();
  for (Word i = 0; i < count; ++i) {
    layers->add(Array(chained, sized.filter.m / count, sized.filter.k), entries);
  }
  return layers;
}

Made chunks(const Sized& sized) {
  return std::make_unique<Chunks>(sized.request.p(), sized.request.n());
}

Made masked_words(const Sized& sized) { return std::make_unique<MaskedWords>(sized.filter.m); }

Made signature(const Sized& sized) { return std::make_unique<Signature>(sized.filter.m); }

/// The share of lower blocks from the Bloom filter's rate, their number from the bits.
Made ribbon(const Sized& sized) {
  const SystemFilter& filter = sized.filter;
  if (filter.layout == "blocked") return standard<rocksdb>(sized);  // of few keys
  const auto columns = static_cast<double>(filter.k);
  const double share = std::ldexp(*filter.stated_rate, static_cast<int>(filter.k)) - 1.0;
  const double rows = static_cast<double>(filter.m) / 128.0;
  const auto blocks = static_cast<Word>(std::round(rows / (columns - share)));
  return std::make_unique<RibbonMachine>(blocks, blocks * filter.k - filter.m / 128, filter.k);
}

/// A system with its machine, and what its owner sets for so many bits per key.
struct Arithmetic {
  const char* name;
  Made (*make)(const Sized& sized);
  /// Setting that takes the rate, the bits per key, or the size in bytes; or none.
  std::string_view knob = "p";
  Settings settings = {};  ///< "/3" stands for n/3
};

const std::vector<Arithmetic>& arithmetics() {
  static const std::vector<Arithmetic> all = {
      {"leveldb", standard<leveldb>, "bits_per_key"},
      {"spark_v1", standard<int32_complement>},
      {"spark_v2", standard<spark_v2>},
      {"guava", standard<guava>},
      {"guava", standard<int32_complement>, "p", {{"strategy", "MURMUR128_MITZ_32"}}},
      {"redisson", standard<redisson>},
      {"redis_nonscaling", standard<redis>},
      {"redis", growing<redis>},
      {"redis", growing<redis>, "p", {{"capacity", "/10"}}},
      {"valkey", growing<valkey>},
      {"valkey", growing<valkey>, "p", {{"capacity", "/10"}}},
      {"cassandra", standard<cassandra>},
      {"scylla", standard<cassandra>},
      {"clickhouse_ngram", standard<clickhouse_grams>},
      {"clickhouse_token", standard<clickhouse_grams>},
      {"lucene", standard<lucene>, "targetMaxFpp"},
      {"clickhouse_bloom", standard<of_seeds>},
      {"hudi", standard<chained>},
      {"hudi", hudi_layers, "p", {{"num_entries", "/3"}, {"max_entries", "/1"}}},
      {"hudi", hudi_layers, "p", {{"num_entries", "/3"}, {"max_entries", "/2"}}},
      {"hbase", chunks},
      {"rocksdb", standard<rocksdb>, "bits_per_key"},
      {"rocksdb", standard<rocksdb_legacy>, "bits_per_key", {{"format_version", "4"}}},
      {"rocksdb_ribbon", ribbon, "bits_per_key"},
      {"parquet", standard<parquet>},
      {"iceberg", standard<parquet>, "max_bytes"},
      {"arrow", masked_words, ""},
      {"boost", standard<boost_bytes>},
      {"boost", standard<boost_words>, "p", {{"k", "1"}, {"subfilter", "block<uint64_t,5>"}}},
      {"postgres_bloom", signature, "length"},
  };
  return all;
}

bool one_row(const Arithmetic& one) { return one.knob == "length"; }

std::string setting_for(std::string_view knob, Word n, double bits_per_key, double rate) {
  if (knob == "bits_per_key") return std::to_string(static_cast<int>(bits_per_key));
  if (knob == "length") return std::to_string(static_cast<int>(6.0 * bits_per_key));  // 6 columns
  if (knob == "max_bytes") {
    return std::to_string(
        std::bit_floor(static_cast<Word>(static_cast<double>(n) * bits_per_key / 8.0)));
  }
  return std::to_string(rate);
}

Sized sized(const Arithmetic& one, Word n, double bits_per_key) {
  // The rate of a standard filter at the best k; no table of whole bits reaches 20 of them.
  const double rate = std::exp(-bits_per_key * 0.4804530139);
  const System& system = system_called("test", one.name);
  Settings settings = one.settings;
  for (auto& [name, value] : settings) {
    if (value.starts_with('/')) value = std::to_string(n / std::stoull(value.substr(1)));
  }
  std::optional<double> p;
  if (one.knob == "p") {
    p = std::max(rate, system.name == "cassandra" || system.name == "scylla" ? 7e-5 : 0.0);
  } else if (!one.knob.empty()) {
    settings[std::string(one.knob)] = setting_for(one.knob, n, bits_per_key, rate);
  }
  const SystemRequest request(system, n, p, settings);
  return {request, system.size(request)};
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

Count simulated(const Arithmetic& one, const Sized& sized, Word n, Word lookups) {
  Count count;
  count.filters = std::max<Word>(lookups / (4 * n), 1);
  Word number = 1;
  for (Word each = 0; each < count.filters; ++each) {
    const Made machine = one.make(sized);
    for (Word inserted = 0; inserted < n; ++inserted) machine->insert(Key{number++});
    machine->finish();
    for (Word query = 0; query < lookups / count.filters; ++query) {
      count.hits += machine->contains(Key{number++}) ? 1 : 0;
      ++count.lookups;
    }
  }
  return count;
}

/// Relative standard error of a simulated rate: of the count, and of the filters' own fills, which
/// in blocks vary by the keys that each takes.
double error_of(const Count& count, const SystemFilter& filter, double stated, Word n) {
  const double load = static_cast<double>(filter.k * n) / static_cast<double>(filter.m);
  const double steep = static_cast<double>(filter.k) * load / std::expm1(load);
  const bool blocks = filter.layout == "blocked" || filter.layout == "split_block" ||
                      filter.layout == "masked_words";
  const double fills = (steep + (blocks ? steep * steep : 0.0)) / static_cast<double>(n);
  return std::sqrt(1.0 / (stated * static_cast<double>(count.lookups)) +
                   (filter.layout == "ribbon" ? 0.0 : fills / static_cast<double>(count.filters)));
}

/// What a stated rate may be off beside the error of the count. A mean over samples: five standard
/// errors, which end at 0.3 % (LevelDB's at 0.5 % more, Redisson's at 1 %). A closed form: what it
/// leaves out.
double tolerance(const Sized& sized) {
  if (sized.request.system().name == "redisson") return 0.05;
  return sized.filter.rate_within ? 0.02 : 0.005;
}

/// Enough lookups for so many hits where that is not too many.
Word enough_lookups(double rate, double hits, double most) {
  return static_cast<Word>(std::clamp(hits / rate, 5e4, most));
}

struct Point {
  double stated;
  double simulated;
  double error;
};

/// Five standard errors: less than one false alarm in a thousand runs of all points.
Point check_point(const Arithmetic& one, Word n, double bits_per_key, double hits, double most) {
  const Sized sized = ::sized(one, n, bits_per_key);
  const double stated = sized.filter.rate();
  const Word keys = one_row(one) ? 1 : n;
  const Count count = simulated(one, sized, keys, enough_lookups(stated, hits, most));
  const Point point = {stated, count.rate(), error_of(count, sized.filter, stated, keys)};
  CAPTURE(one.name, n, bits_per_key, sized.filter.m, sized.filter.k, stated, point.simulated);
  for (const auto& [setting, value] : one.settings) UNSCOPED_INFO(setting << "=" << value);
  CHECK(std::abs(point.simulated / stated - 1.0) < 5.0 * point.error + tolerance(sized));
  return point;
}

constexpr double sizes[] = {6.0, 10.0, 15.0, 20.0};

void check(const Arithmetic& one, Word n) {
  for (const double bits_per_key : sizes) {
    check_point(one, n, bits_per_key, 2000.0, 4e5);
    if (one.knob.empty()) break;
  }
}

}  // namespace

TEST_CASE("every system's own positions are simulated", "[planner][systems][simulation]") {
  std::set<std::string_view> simulated;
  for (const Arithmetic& one : arithmetics()) simulated.insert(one.name);
  for (const System& one : systems()) {
    CAPTURE(one.name);
    CHECK(simulated.contains(one.name));
  }
}

TEST_CASE("the stated rate of a system is that of its own positions, for few keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 300);
}

TEST_CASE("the stated rate of a system is that of its own positions, for 10^4 keys",
          "[planner][systems][simulation]") {
  for (const Arithmetic& one : arithmetics()) check(one, 10'000);
}

TEST_CASE("LevelDB's rate stays that of its own positions in large filters",
          "[planner][systems][simulation]") {
  const Arithmetic& leveldb = arithmetics().front();
  REQUIRE(leveldb.name == std::string_view("leveldb"));
  for (const double bits_per_key : {10.0, 15.0}) {
    check_point(leveldb, 100'000, bits_per_key, 2000.0, 1e6);
    check_point(leveldb, 1'000'000, bits_per_key, 2000.0, 1e6);
  }
}

TEST_CASE("RocksDB's older lines have the rate of their own positions beyond 16 probes",
          "[planner][systems][simulation]") {
  const Arithmetic older = {
      "rocksdb", standard<rocksdb_legacy>, "bits_per_key", {{"format_version", "4"}}};
  for (const double bits_per_key : {25.0, 30.0, 50.0, 100.0}) {
    check_point(older, 300, bits_per_key, 2000.0, 1e6);
    check_point(older, 100'000, bits_per_key, 2000.0, 1e6);
  }
}

TEST_CASE("table of stated and simulated rates of the systems", "[.][systems_table]") {
  std::printf("%-18s %9s %5s %12s %12s %8s %8s  %s\n", "system", "n", "bits", "stated", "simulated",
              "ratio", "error", "settings");
  for (const Arithmetic& one : arithmetics()) {
    std::string settings;
    for (const auto& [setting, value] : one.settings) settings += setting + "=" + value + " ";
    for (const Word n : {300U, 10'000U, 100'000U, 1'000'000U}) {
      for (const double bits_per_key : sizes) {
        const Point point = check_point(one, n, bits_per_key, 20'000.0, 4e6);
        std::printf("%-18s %9llu %5.0f %12.5g %12.5g %8.4f %8.4f  %s\n", one.name,
                    static_cast<unsigned long long>(n), bits_per_key, point.stated, point.simulated,
                    point.stated / point.simulated, point.error, settings.c_str());
        if (one.knob.empty()) break;
      }
    }
  }
}
