// What holds of every system in production: the list, its settings and what is advised and refused.

#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/systems/system.hpp"
#include "record/input_error.hpp"
#include "tests/planner/system_requests.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;
using namespace bloomlab::tests;

TEST_CASE("all systems of the list are there, with rule, source and comment",
          "[planner][systems]") {
  const std::vector<std::string_view> names = {"parquet",
                                               "arrow",
                                               "spark_v1",
                                               "spark_v2",
                                               "hudi",
                                               "hbase",
                                               "iceberg",
                                               "cassandra",
                                               "scylla",
                                               "rocksdb",
                                               "rocksdb_ribbon",
                                               "leveldb",
                                               "clickhouse_bloom",
                                               "clickhouse_ngram",
                                               "clickhouse_token",
                                               "postgres_bloom",
                                               "redis",
                                               "redis_nonscaling",
                                               "valkey",
                                               "guava",
                                               "redisson",
                                               "boost",
                                               "lucene"};
  REQUIRE(systems().size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const System& one = systems()[i];
    CAPTURE(one.name);
    CHECK(one.name == names[i]);
    CHECK(one.rule.size() > 20);
    CHECK(one.source.size() > 20);
    CHECK_FALSE(one.comment.empty());
    CHECK_FALSE(one.line.empty());
    CHECK(one.size != nullptr);
  }
}

TEST_CASE("every size that a system takes may be written with a unit of memory",
          "[planner][systems]") {
  const std::map<std::string_view, std::map<std::string, std::vector<std::string>>> same = {
      {"bytes",
       {{"131072", {"128KiB", "131072 bytes"}},
        {"64000", {"64kB", "64KB"}},
        {"1048576", {"1MiB", "8Mib"}}}},
      {"bits", {{"1024", {"1Kib", "128B", "1024 bits"}}, {"200", {"25 B", "0.2kb", "200b"}}}}};
  int sizes = 0;
  for (const System& system : systems()) {
    for (const SystemSetting& setting : system.settings) {
      const std::string name(setting.name);
      CAPTURE(system.name, name);
      const std::string said = name + " " + std::string(setting.meaning);
      const bool is_size =
          said.find("byte") != std::string::npos || said.find("bits of ") != std::string::npos;
      CHECK(is_size == !setting.unit.empty());
      if (setting.unit.empty()) continue;
      ++sizes;
      for (const auto& [number, texts] : same.at(setting.unit)) {
        const auto filter_of = [&](const std::string& size) {
          return sized(std::string(system.name).c_str(), 100'000, 0.01, {{name, size}});
        };
        const SystemFilter plain = filter_of(number);
        for (const std::string& size : texts) {
          CAPTURE(number, size);
          const SystemFilter unit = filter_of(size);
          CHECK(unit.m == plain.m);
          CHECK(unit.k == plain.k);
          CHECK(unit.refused == plain.refused);
        }
      }
    }
  }
  CHECK(sizes >= 7);
}

TEST_CASE("what to set keeps the requested rate", "[planner][systems]") {
  for (const System& one : systems()) {
    for (const double p : {0.2, 0.01, 1e-3}) {
      CAPTURE(one.name, p);
      const SystemAnswer answer = answered(std::string(one.name).c_str(), 100'000, p);
      if (answer.advice_keeps) {
        CHECK(answer.advice_rate <= p);
      } else {
        CHECK(answer.rate > p);
      }
      CHECK_FALSE(answer.advice.empty());
      CHECK(answer.advice.find('{') == std::string::npos);
      CHECK(*answer.keeps == (answer.rate <= p));
    }
  }
  CHECK(answered("guava", 1'000'000, 0.01).advice ==
        "BloomFilter.create(funnel, 1000000L, 0.00988)");
  CHECK(answered("iceberg", 1'000'000, 0.01).advice ==
        "write.parquet.bloom-filter-max-bytes=2097152");
  CHECK(answered("leveldb", 1000, 1e-4).advice ==
        "options.filter_policy = leveldb::NewBloomFilterPolicy(20);");
}

TEST_CASE("every system answers or refuses in one line at the ends of n and p",
          "[planner][systems]") {
  int answers = 0;
  for (const System& one : systems()) {
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{10'000'000'000},
                                  std::uint64_t{1} << 60}) {
      for (const double p : {1e-12, 0.5, 0.9999}) {
        CAPTURE(one.name, n, p);
        try {
          const SystemAnswer answer = answer_of(SystemRequest(one, n, p, {}));
          CHECK(answer.rate >= 0.0);
          CHECK(answer.rate <= 1.0);
          CHECK(answer.rate_unrounded >= 0.0);
          CHECK(answer.rate_unrounded <= 1.0);
          CHECK(answer.filter.m > 0);
          ++answers;
        } catch (const record::InputError& error) {
          const std::string message = error.what();
          CHECK(message.starts_with(std::string(one.name) + ": "));
          CHECK(message.find('\n') == std::string::npos);
        }
      }
    }
  }
  CHECK(answers > 150);
}

TEST_CASE("a wrong setting is one line that says what is allowed", "[planner][systems]") {
  CHECK_THROWS_WITH(system_called("system", "guva"),
                    "system: unknown system \"guva\"; did you mean \"guava\"?");
  CHECK(refusal("guava", std::nullopt, 0.01) ==
        "guava: n is missing; give the number of keys, such as n=1M");
  CHECK(refusal("boost", 10, std::nullopt) ==
        "boost: p is missing, and it has no default; give n and p, such as n=1M p=1%");
  CHECK(refusal("redis", 10, 0.1, {{"expnsion", "2"}}) ==
        "redis: unknown quantity \"expnsion\"; did you mean \"expansion\"?");
  CHECK(refusal("rocksdb", 10, 0.1, {{"bits_per_key", "many"}}) ==
        "rocksdb: bits_per_key: found \"many\"; a number above 0 is allowed, such as 10");
  CHECK(refusal("postgres_bloom", 10, 0.1, {{"queried", "7"}}) ==
        "postgres_bloom: queried is above columns; give at most all of them");
  CHECK(refusal("boost", 10, 0.1, {{"subfilter", "block<int,5>"}}) ==
        "boost: subfilter: found \"block<int,5>\"; block<T,K> or multiblock<T,K> with T = unsigned "
        "char, uint8_t to uint64_t, or such as uint64_t[8], is allowed");
  for (const char* none : {"block<uint64_t,0>", "multiblock<uint64_t[0],8>"}) {
    CHECK(refusal("boost", 10, 0.1, {{"subfilter", none}}).starts_with("boost: subfilter: found"));
  }
  CHECK(refusal("parquet", 10, 0.1, {{"max_bytes", "1Mi"}}) ==
        "parquet: max_bytes: found \"1Mi\"; a whole number of bytes from 1 to 9007199254740992 is "
        "allowed");
  CHECK(refusal("parquet", 10, 0.1, {{"max_bytes", "4bits"}}) ==
        "parquet: max_bytes: found \"4bits\"; a whole number of bytes is allowed, such as 1MiB");
  CHECK(refusal("postgres_bloom", 10, std::nullopt, {{"length", "0.1Kib"}}) ==
        "postgres_bloom: length: found \"0.1Kib\"; a whole number of bits is allowed, such as "
        "1Kib");
  CHECK(refusal("postgres_bloom", 10, std::nullopt, {{"length", "1KiB"}}) ==
        "postgres_bloom: length is above 4096, the most it allows");
  CHECK(refusal("parquet", 10, 0.1, {{"max_bytes", "31"}}) ==
        "parquet: max_bytes: found \"31\"; a multiple of 32 from 32 to 134217728 is allowed");
  CHECK(refusal("hbase", 10, 0.7) ==
        "hbase: for rates above 0.618 its rule gives 0 probes; give a lower rate");
}
