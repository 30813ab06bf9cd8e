// The rule of each system in production: its m and k, the rounding, and the rate that follows.

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "core/theory/blocked.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/standard.hpp"
#include "planner/systems/system.hpp"
#include "tests/planner/system_requests.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;
using namespace bloomlab::tests;

namespace {

/// A value in per cent, to the digits of a printed one.
bool prints_as(double rate, double printed, double digit) {
  return std::abs(100.0 * rate - printed) <= 0.5 * digit * (1 + 1e-9);
}

}  // namespace

TEST_CASE("Parquet's rates before rounding are the published ones", "[planner][systems]") {
  const struct {
    double p, printed, digit;
  } rows[] = {{0.1, 11.34, 0.01},
              {0.01, 1.463, 0.001},
              {0.001, 0.2077, 0.0001},
              {0.0001, 0.0323, 0.0001},
              {0.00001, 0.00548, 0.00001}};
  for (const auto& row : rows) {
    CAPTURE(row.p);
    CHECK(prints_as(sized("parquet", 1'000'000, row.p).rate_unrounded(), row.printed, row.digit));
  }
}

TEST_CASE("Parquet rounds up to a power of two and is cut at max_bytes", "[planner][systems]") {
  const SystemFilter filter = sized("parquet", 1'000'000, 0.01);
  CHECK(filter.m == std::uint64_t{1} << 24);
  CHECK(filter.k == 8);
  CHECK(filter.rate() ==
        Approx(theory::split_block_fpr(filter.m / 256, 8, 32, 1'000'000)).epsilon(1e-5));
  // One key: an absent one of the same 32 bits of 64 is enough.
  CHECK(sized("parquet", 1, 0.01).rate() == Approx(0x1p-32 + 0x1p-40).epsilon(1e-6));
  CHECK(sized("parquet", 1, 0.5).m == 256);
  CHECK(sized("parquet", 1'000'000'000, 0.01).m == std::uint64_t{1} << 30);
  const SystemFilter cut = sized("parquet", 1'000'000, 0.01, {{"max_bytes", "1048576"}});
  CHECK(cut.m == std::uint64_t{1} << 23);
  CHECK(cut.remark == "cut at 1048576 bytes: too small for so many keys");
  // Without a number of distinct values p has no effect.
  CHECK(sized("parquet", 10, 0.01, {{"ndv", "none"}}).m == std::uint64_t{1} << 23);
  CHECK(sized("iceberg", 10, 1e-9).m == std::uint64_t{1} << 23);
  CHECK(sized("iceberg", 10'000'000, 0.5).m == std::uint64_t{1} << 23);
}

TEST_CASE("parquet-java clears a bit where it means to round", "[planner][systems]") {
  // 300 bits: 300 + 255 = 555, whose bit of 256 is not set: 69 bytes, then 128.
  const double p = std::pow(1.0 - std::exp(-8.0 * 31.0 / 300.5), 8.0);
  CHECK(sized("parquet", 31, p).m == 512);
  CHECK(sized("parquet", 31, p, {{"writer", "java"}}).m == 1024);
  for (const std::uint64_t n : {1000U, 12345U, 1'000'000U}) {
    CHECK(sized("parquet", n, 0.01).m == sized("parquet", n, 0.01, {{"writer", "java"}}).m);
  }
  // It takes a maximum only if it is above the minimum.
  const SystemFilter least =
      sized("parquet", 1000, 0.01, {{"writer", "java"}, {"max_bytes", "32"}});
  CHECK(least.m == sized("parquet", 1000, 0.01, {{"writer", "java"}}).m);
  CHECK(least.remark ==
        "parquet-java takes a maximum only if it is above 32 bytes: 32 has no effect");
  CHECK(sized("parquet", 1000, 0.01, {{"max_bytes", "32"}}).m == 256);
}

TEST_CASE("Spark's first version reaches 2^31 bits and no more", "[planner][systems]") {
  const struct {
    double p, printed;
    std::uint64_t k;
  } rows[] = {{0.05, 50.920, 4}, {0.03, 59.887, 5}, {0.01, 76.024, 7}, {0.001, 90.897, 10}};
  for (const auto& row : rows) {
    CAPTURE(row.p);
    const SystemFilter first = sized("spark_v1", 1'000'000'000, row.p);
    const SystemFilter second = sized("spark_v2", 1'000'000'000, row.p);
    CHECK(first.m == second.m);
    CHECK(first.k == row.k);
    CHECK(prints_as(first.rate(), row.printed, 0.001));
    CHECK(second.rate() == Approx(row.p).epsilon(0.02));
  }
  // At 125 million keys m is above half of 2^31: some bits are hit twice as often as others.
  const SystemFilter uneven = sized("spark_v1", 125'000'000, 0.01);
  CHECK(uneven.rate() > 1.15 * sized("spark_v2", 125'000'000, 0.01).rate());
}

TEST_CASE("Cassandra takes whole bits per key by the printed table and swaps two results",
          "[planner][systems]") {
  const SystemFilter tenth = sized("cassandra", 1'000'000, 0.1);
  CHECK(tenth.k == 3);
  CHECK(tenth.m == 5'000'064);
  const SystemFilter hundredth = sized("cassandra", 1'000'000, 0.01);
  CHECK(hundredth.k == 5);
  CHECK(hundredth.m == 10'000'064);
  // .0918 is printed as .092: a rate between the two needs six bits.
  CHECK(sized("cassandra", 1'000'000, 0.0919).m == 6'000'064);
  CHECK(sized("cassandra", 1'000'000, 0.092).m == 5'000'064);
  const SystemFilter swapped = sized("cassandra", 10'000'000, 0.393);
  CHECK(swapped.k == 2);
  CHECK(swapped.m == 10'000'064);
  CHECK(prints_as(swapped.rate(), 74.8, 0.1));
  CHECK(prints_as(sized("scylla", 10'000'000, 0.9).rate(), 74.8, 0.1));
  CHECK(sized("cassandra", 1'000'000, 0.39).m == 3'000'064);
  CHECK(sized("cassandra", 1000, 6.71e-5).k == 14);
  CHECK(refusal("cassandra", 1000, 6.7e-5) ==
        "cassandra: p is below 6.71e-05, the lowest rate that its table reaches, which it refuses; "
        "give a higher rate");
}

TEST_CASE("ClickHouse's table ends at both sides", "[planner][systems]") {
  const SystemFilter usual = sized("clickhouse_bloom", 100'000, 0.025);
  CHECK(usual.m == 800'000);
  CHECK(usual.k == 4);
  CHECK(prints_as(usual.rate(), 2.40, 0.01));
  for (const double p : {0.283, 0.5, 0.99}) {
    CHECK(prints_as(sized("clickhouse_bloom", 100'000, p).rate(), 40.0, 0.1));
  }
  CHECK(sized("clickhouse_bloom", 8, 0.28).m == 24);
  CHECK(sized("clickhouse_bloom", 1000, 0.28).k == 2);
  const SystemFilter last = sized("clickhouse_bloom", 100'000, 1e-9);
  CHECK(last.m == 1'900'000);
  CHECK(last.k == 13);
  CHECK(prints_as(last.rate(), 0.0109, 0.0001));
}

TEST_CASE("ClickHouse's documented helper divides bytes by keys", "[planner][systems]") {
  const SystemFilter filter = sized("clickhouse_ngram", 4300, 1e-4);
  CHECK(filter.m == 8 * 10304);
  CHECK(filter.k == 13);
  // Its documented helpers' bits and probes, in a filter that its strides cost nothing.
  const auto bytes = static_cast<std::uint64_t>(
      std::ceil(-430'000 * std::log(1e-4) / std::pow(std::log(2.0), 2.0) / 8.0));
  CHECK(sized("clickhouse_ngram", 430'000, 1e-4).rate() ==
        Approx(theory::exact_fpr(8 * bytes, 430'000, 13)).epsilon(0.001));
  CHECK(filter.rate() > theory::exact_fpr(filter.m, 4300, 13));
  CHECK(prints_as(*filter.stated_rate, 94.42, 0.01));
  const SystemFilter given =
      sized("clickhouse_token", 4300, 1e-4,
            {{"size_of_bloom_filter_in_bytes", "256"}, {"number_of_hash_functions", "2"}});
  CHECK(given.m == 2048);
  CHECK(given.k == 2);
}

TEST_CASE("PostgreSQL's mean over queries is not the manual's one query", "[planner][systems]") {
  const auto rows = [](const char* length) {
    return 1e7 * sized("postgres_bloom", 10'000'000, std::nullopt, {{"length", length}}).rate();
  };
  CHECK(std::round(rows("80")) == 3970);
  CHECK(rows("200") == Approx(100.9).margin(0.05));
  CHECK(sized("postgres_bloom", 1, std::nullopt, {{"length", "200"}}).m == 208);
  CHECK(1e7 * theory::distinct_query_fpr(80, 12, 4) == Approx(2372).margin(0.5));
  CHECK(1e7 * theory::distinct_query_fpr(208, 12, 4) == Approx(58.8).margin(0.05));
  CHECK(answer_of(request("postgres_bloom", std::nullopt, std::nullopt)).filter.k == 4);
}

TEST_CASE("RocksDB keeps a key in one line; its shortcut is a little low", "[planner][systems]") {
  const SystemFilter filter = sized("rocksdb", 10'000'000, std::nullopt);
  CHECK(filter.k == 6);
  CHECK(prints_as(filter.rate(), 0.9665, 0.0002));
  CHECK(prints_as(filter.rate_unrounded(), 0.9665, 0.0001));
  CHECK(prints_as(*filter.stated_rate, 0.953, 0.001));
  const struct {
    const char* bits;
    std::uint64_t k;
  } rows[] = {{"1", 1},       {"2.08", 1}, {"2.081", 2}, {"10.07", 6},   {"16", 9},  {"28", 12},
              {"28.001", 13}, {"30", 13},  {"50", 23},   {"50.001", 24}, {"100", 24}};
  for (const auto& row : rows) {
    CAPTURE(row.bits);
    CHECK(sized("rocksdb", 1000, std::nullopt, {{"bits_per_key", row.bits}}).k == row.k);
  }
  CHECK(sized("rocksdb", 1000, std::nullopt, {{"bits_per_key", "0.4"}}).rate() == 1.0);
  // The positions in a line come from 32 bits: 5.12 keys per line put a floor under the rate.
  const SystemFilter wide = sized("rocksdb", 1'000'000, std::nullopt, {{"bits_per_key", "100"}});
  CHECK(wide.rate() > 5.12 / 4294967296.0);
  CHECK(wide.rate() < 1.4e-9);
  CHECK(
      wide.remark.ends_with("; they come from 32 bits of the hash: the rate stays above keys "
                            "per line / 2^32"));
  const SystemFilter old =
      sized("rocksdb", 1000, std::nullopt, {{"bits_per_key", "14.6"}, {"format_version", "4"}});
  CHECK(old.k == 10);
  CHECK(old.m / 512 == 31);  // 15 bits a key are 30 lines: one more, to be odd
  // A hash of 32 bits: the rate grows with the keys.
  const Settings legacy = {{"bits_per_key", "15"}, {"format_version", "4"}};
  CHECK(sized("rocksdb", 15'000'000, std::nullopt, legacy).rate() -
            sized("rocksdb", 150'000, std::nullopt, legacy).rate() ==
        Approx((15'000'000 - 150'000) / 4294967296.0).epsilon(0.02));
}

TEST_CASE("a Ribbon filter is as precise as its Bloom filter, in fewer bits",
          "[planner][systems]") {
  const SystemFilter filter = sized("rocksdb_ribbon", 10'000'000, std::nullopt);
  CHECK(filter.layout == "ribbon");
  CHECK(prints_as(filter.rate(), 0.953, 0.001));
  // slots = n (0.97149 + .0038 log2 slots), times the mean number of columns.
  const double slots = 1e7 * (0.97149 + 0.0038 * std::log2(1.06e7));
  const double f = *filter.stated_rate;
  CHECK(static_cast<double>(filter.m) == Approx(slots * (7.0 - (f * 128.0 - 1.0))).epsilon(1e-3));
  CHECK(sized("rocksdb_ribbon", 50, std::nullopt).layout == "blocked");
  CHECK(sized("rocksdb_ribbon", 950'000'001, std::nullopt).layout == "blocked");
}

TEST_CASE("HBase fills chunks and folds the last one", "[planner][systems]") {
  const SystemFilter full = sized("hbase", 109'306, 0.01);
  CHECK(full.m == 1'048'576);
  CHECK(full.k == 7);
  CHECK(sized("hbase", 2 * 109'306, 0.01).m == 2'097'152);
  CHECK(sized("hbase", 54'653, 0.01).m == 1'048'576);  // exactly half full stays
  CHECK(sized("hbase", 54'652, 0.01).m == 524'288);
  CHECK(sized("hbase", 10, 0.01).m == 128);
  // As many keys as the classic rate allows; its own positions have a little more.
  CHECK(theory::approx_fpr(full.m, 109'306, 7) <= 0.01);
  CHECK(theory::approx_fpr(full.m, 109'307, 7) > 0.01);
  CHECK(full.rate() == Approx(theory::exact_fpr(full.m, 109'306, 7)).epsilon(2e-4));
  // A folded chunk of few keys has double hashing's excess.
  const SystemFilter few = sized("hbase", 300, 7e-5);
  CHECK(few.rate() > 2.0 * theory::exact_fpr(few.m, 300, few.k));
}

TEST_CASE("Redis stays near p in all layers, Valkey goes up to twice p", "[planner][systems]") {
  const Settings hundred = {{"capacity", "100"}};
  const SystemFilter redis = sized("redis", 6300, 0.01, hundred);
  const SystemFilter valkey = sized("valkey", 6300, 0.01, hundred);
  CHECK(redis.layers.size() == 6);
  CHECK(valkey.layers.size() == 6);
  CHECK(redis.rate() < 0.01);
  // Large layers have the rate of independent positions: 6 of them, sized here.
  double passed = 1.0;
  for (int i = 0; i < 6; ++i) {
    const auto keys = static_cast<std::uint64_t>(std::ldexp(1e5, i));
    const double bits_per_key = -std::log(std::ldexp(0.01, -i)) / std::pow(std::log(2.0), 2.0);
    const auto bits =
        8 * static_cast<std::uint64_t>(std::ceil(static_cast<double>(keys) * bits_per_key / 8.0));
    const auto k = static_cast<std::uint64_t>(std::round(bits_per_key * std::log(2.0)));
    passed *= 1.0 - theory::exact_fpr(bits, keys, k);
  }
  CHECK(sized("valkey", 6'300'000, 0.01, {{"capacity", "100000"}}).rate() ==
        Approx(1.0 - passed).epsilon(0.001));
  CHECK(valkey.rate() > 1.02 * (1.0 - passed));  // small layers have more
  const SystemFilter one = sized("redis", 1'000'000, 0.01);
  CHECK(one.k == 8);
  CHECK(static_cast<double>(one.m) / 1e6 == Approx(11.0278).margin(1e-3));
  CHECK(sized("redis_nonscaling", 1'000'000, 0.01).m == 9'585'088);
  CHECK_FALSE(sized("redis_nonscaling", 101, 0.01, hundred).refused.empty());
  // Just after the second layer opens, against -n ln p / ln^2 2 bits.
  const struct { double p, times; } rows[] = {{0.1, 4.5}, {0.01, 3.75}, {0.001, 3.5}};
  for (const auto& row : rows) {
    const SystemFilter grown = sized("redis", 1'000'001, row.p, {{"capacity", "1000000"}});
    const double exact = -1'000'001 * std::log(row.p) / (std::log(2.0) * std::log(2.0));
    CHECK(static_cast<double>(grown.m) / exact == Approx(row.times).margin(0.05));
  }
  const SystemFilter full = sized("redis", 3'000'000, 0.01, {{"capacity", "1000000"}});
  CHECK(static_cast<double>(full.m) / (3e6 * 9.5850584) == Approx(1.25).margin(0.005));
}

TEST_CASE("Guava takes k from p, older releases from the bits", "[planner][systems]") {
  const SystemFilter filter = sized("guava", 1'000'000, 0.01);
  CHECK(filter.m == 9'585'088);
  CHECK(filter.k == 7);
  CHECK(filter.rate() == Approx(theory::exact_fpr(filter.m, 1'000'000, 7)).epsilon(1e-4));
  CHECK(filter.rate() > 0.01);
  // floor of 1.3 bits for two keys: k from .72, or from the 1 bit that is left of them.
  CHECK(sized("guava", 2, 0.71).k == 1);
  CHECK(sized("guava", 1, 0.35).k == 2);
  CHECK(sized("guava", 1, 0.35, {{"k_from", "m"}}).k == 1);
  CHECK(answer_of(request("guava", 1000, std::nullopt)).filter.k == 5);  // 3 % is its default
  CHECK(refusal("guava", 1, 0.9) ==
        "guava: its formula gives 0 bits, which it refuses; give more keys or a lower rate");
}

TEST_CASE("Redisson's sum of both hashes costs in filters of any size", "[planner][systems]") {
  const SystemFilter filter = sized("redisson", 1'000'000, 0.01);
  CHECK(filter.m == 9'585'058);  // not in whole words
  CHECK(filter.k == 7);
  CHECK(filter.rate() > 1.15 * theory::exact_fpr(filter.m, 1'000'000, 7));
  // An even m, where 2(a + b) is even, has more than an odd one.
  const SystemFilter odd = sized("redisson", 100'000'000, 0.01);
  CHECK(odd.m % 2 == 1);
  CHECK(odd.rate() > 1.08 * theory::exact_fpr(odd.m, 100'000'000, 7));
  CHECK(odd.rate() < 0.95 * filter.rate());
  CHECK(sized("redisson", 300'000'000, 0.001).refused == "more than 2^32 - 2 bits, its most");
  CHECK(refusal("redisson", 1, 0.9) ==
        "redisson: its formula gives 0 bits, which it refuses; give more keys or a lower rate");
}

TEST_CASE("Boost.Bloom's formula is low for small blocks", "[planner][systems]") {
  const struct {
    double bits;
    std::uint64_t k;
    double exact, formula;
  } rows[] = {
      {8, 4, 3.354, 3.259}, {12, 5, 1.035, 0.987}, {16, 6, 0.405, 0.378}, {20, 7, 0.189, 0.172}};
  for (const auto& row : rows) {
    CAPTURE(row.bits);
    CHECK(prints_as(theory::poisson_blocked_fpr(64.0 / row.bits, 64, row.k), row.exact, 0.001));
    // A filter asked for the formula's rate gets those bits back.
    const SystemFilter filter =
        sized("boost", 1'000'000, row.formula / 100.0,
              {{"k", "1"}, {"subfilter", "block<uint64_t," + std::to_string(row.k) + ">"}});
    CHECK(static_cast<double>(filter.m) / 1e6 == Approx(row.bits).epsilon(0.002));
    CHECK(filter.k == row.k);
    CHECK(100.0 * filter.rate() == Approx(row.exact).epsilon(0.005));
    CHECK(100.0 * *filter.stated_rate == Approx(row.formula).epsilon(0.001));
  }
  for (const char* k : {"1", "5", "7", "12"}) {
    const SystemFilter filter = sized("boost", 100'000, 0.01, {{"k", k}});
    CHECK(filter.k == std::stoull(k));
    CHECK(filter.m % 8 == 0);
    CHECK(theory::approx_fpr(filter.m, 100'000, filter.k) <=
          0.01 * (1 + 1e-5));  // c n is truncated
    CHECK(theory::approx_fpr(filter.m - 8, 100'000, filter.k) > 0.01);
  }
}

TEST_CASE("Lucene rounds down to a power of two, and its doubled int wraps", "[planner][systems]") {
  const SystemFilter filter = sized("lucene", 1'000'000, std::nullopt);
  CHECK(filter.m == std::uint64_t{1} << 23);
  CHECK(filter.k == 6);
  CHECK(prints_as(filter.rate(), 1.8, 0.1));
  CHECK(sized("lucene", 226'000'000, std::nullopt).m == std::uint64_t{1} << 30);
  const SystemFilter wrapped = sized("lucene", 227'000'000, std::nullopt);
  CHECK(wrapped.m == 64);
  CHECK(wrapped.k == 0);
  CHECK(wrapped.rate() == 1.0);
}

TEST_CASE("LevelDB has at least 64 bits and one hash of 32 bits", "[planner][systems]") {
  CHECK(sized("leveldb", 1, std::nullopt).m == 64);
  CHECK(sized("leveldb", 7, std::nullopt).m == 72);
  CHECK(sized("leveldb", 1000, std::nullopt).k == 6);
  CHECK(sized("leveldb", 1000, std::nullopt, {{"bits_per_key", "100"}}).k == 30);
  // Simulated with its own positions; independent ones would give .00846 and .00077.
  CHECK(sized("leveldb", 100'000, std::nullopt).rate() == Approx(0.01444).epsilon(0.01));
  CHECK(sized("leveldb", 100'000, std::nullopt, {{"bits_per_key", "15"}}).rate() ==
        Approx(0.00254).epsilon(0.015));
  // Equal hashes alone are .0230 there.
  CHECK(sized("leveldb", 100'000'000, std::nullopt).rate() > 0.0230 + 0.977 * 0.0084);
}

TEST_CASE("Hudi's dynamic filter adds equal layers and then fills them on", "[planner][systems]") {
  const SystemFilter filter = sized("hudi", 60'000, 1e-9);
  CHECK(filter.m == 2'587'966);
  CHECK(filter.k == 30);
  const Settings entries = {{"num_entries", "60000"}};
  CHECK(sized("hudi", 100'000, 0.01, entries).m == 2 * sized("hudi", 60'000, 0.01).m);
  const SystemFilter overfull = sized("hudi", 1'000'000, 0.01, entries);
  CHECK(overfull.m == 2 * sized("hudi", 60'000, 0.01).m);
  CHECK(overfull.rate() > 0.9);
  // The number of bits is an int.
  CHECK(sized("hudi", 1'000'000'000, 0.01).m == 2'147'483'647);
}
