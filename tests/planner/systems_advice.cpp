// What the systems' answers advise: the printed line read back, and a search that shares nothing
// with the product's but the rules.

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "planner/systems/system.hpp"
#include "record/input_error.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

namespace {

using Settings = std::map<std::string, std::string, std::less<>>;

/// What the line's own values give.
SystemAnswer read_back(const SystemRequest& asked, const SystemAnswer& answer) {
  Settings values = answer.advice_values;
  std::optional<double> p;
  if (const auto found = values.find("p"); found != values.end()) {
    p = std::stod(found->second);
    values.erase(found);
  }
  return answer_of({asked.system(), asked.n(), p, values});
}

void check_kept(const SystemRequest& asked, const SystemAnswer& answer) {
  const SystemFilter filter = [&] {
    Settings values = answer.advice_values;
    std::optional<double> p;
    if (const auto found = values.find("p"); found != values.end()) {
      p = std::stod(found->second);
      values.erase(found);
    }
    return asked.system().size({asked.system(), asked.n(), p, values});
  }();
  CHECK(filter.refused.empty());
  CHECK(filter.rate() == answer.advice_rate);
  CHECK((filter.memory_bits > 0 ? filter.memory_bits : filter.m) == answer.advice_bits);
  CHECK(filter.rate() <= *asked.requested());
  const auto ndv = answer.advice_values.find("ndv");
  if (ndv != answer.advice_values.end() && ndv->second == "none") return;  // a line of its own
  // Every value that the line shows is the one that was read back.
  for (const std::string_view shown :
       {"p", "num_entries", "capacity", "bits_per_key", "format_version", "length"}) {
    if (asked.system().line.find("{" + std::string(shown) + "}") == std::string_view::npos)
      continue;
    const auto value = answer.advice_values.find(shown);
    const std::string text =
        value == answer.advice_values.end() ? std::to_string(asked.n()) : value->second;
    CHECK(answer.advice.find(text) != std::string::npos);
  }
}

/// Values that an owner could set, of every setting that is theirs: coarse, and by hand.
std::vector<std::pair<std::string, std::vector<std::string>>> grid_of(const SystemRequest& asked) {
  const std::string_view name = asked.system().name;
  const std::string n = std::to_string(asked.n());
  std::vector<std::string> rates;
  for (double p = 0.5; p > 1e-12; p /= 8.0) rates.push_back(std::to_string(p));
  const auto bits = [] {
    std::vector<std::string> values;
    for (int c = 5; c <= 100; c += 19) values.push_back(std::to_string(c));
    return values;
  }();
  const std::vector<std::string> entries = {"1000", "60000", n};
  if (name == "parquet") {
    return {{"p", rates}, {"ndv", {"given", "none"}}, {"max_bytes", {"1048576", "134217728"}}};
  }
  if (name == "iceberg") return {{"max_bytes", {"32", "65536", "1048576", "134217728"}}};
  if (name == "hudi") {
    return {{"p", rates},
            {"num_entries", entries},
            {"max_entries", {"100000", n}},
            {"type", {"SIMPLE", "DYNAMIC_V0"}}};
  }
  if (name == "hbase") return {{"p", rates}, {"block_size", {"16384", "131072", "4194304"}}};
  if (name == "rocksdb" || name == "rocksdb_ribbon") {
    return {{"bits_per_key", bits}, {"format_version", {"4", "5"}}};
  }
  if (name == "leveldb") return {{"bits_per_key", bits}};
  if (name == "clickhouse_ngram" || name == "clickhouse_token") {
    const auto classic = static_cast<std::uint64_t>(static_cast<double>(asked.n()) *
                                                    -std::log(*asked.requested()) / 3.8);
    return {{"size_of_bloom_filter_in_bytes",
             {std::to_string(classic + 1), std::to_string(2 * classic + 1)}},
            {"number_of_hash_functions", {"2", "7", "14"}}};
  }
  if (name == "postgres_bloom") {
    return {{"length", {"80", "512", "4096"}}, {"col", {"1", "2", "4", "8", "16"}}};
  }
  if (name == "redis" || name == "redis_nonscaling") return {{"p", rates}, {"capacity", entries}};
  if (name == "valkey") {
    return {{"p", rates}, {"capacity", entries}, {"bloom-memory-usage-limit", {"17179869184"}}};
  }
  if (name == "lucene") return {{"targetMaxFpp", rates}};
  if (name == "arrow") return {};
  return {{"p", rates}};
}

/// Whether some point of the grid keeps the rate.
bool grid_keeps(const SystemRequest& asked, const SystemRequest& at, std::size_t next = 0) {
  const auto grid = grid_of(asked);
  if (next == grid.size()) {
    try {
      const SystemFilter filter = asked.system().size(at);
      return filter.refused.empty() && filter.rate() <= *asked.requested();
    } catch (const record::InputError&) {
      return false;
    }
  }
  const auto& [setting, values] = grid[next];
  if (grid_keeps(asked, at, next + 1)) return true;
  for (const std::string& value : values) {
    if (grid_keeps(asked, at.with(setting, value), next + 1)) return true;
  }
  return false;
}

SystemRequest asked(const char* name, std::uint64_t n, double p, Settings settings = {}) {
  return {system_called("test", name), n, p, std::move(settings)};
}

}  // namespace

TEST_CASE("a setting that keeps the rate is found where a single one does not do",
          "[planner][systems]") {
  const SystemRequest questions[] = {
      asked("parquet", 1'000'000, 0.01, {{"ndv", "none"}}),
      asked("parquet", 1'000'000, 0.01, {{"max_bytes", "1000000"}}),
      asked("rocksdb", 7'600'000, 1e-4, {{"bits_per_key", "20"}, {"format_version", "4"}}),
      asked("hudi", 1'000'000, 0.01, {{"num_entries", "1000"}, {"max_entries", "10000"}}),
      asked("hudi", 100'000, 1e-9, {{"num_entries", "1500000"}, {"type", "SIMPLE"}}),
      asked("redis_nonscaling", 1'000'000, 0.01, {{"capacity", "1000"}}),
      asked("valkey", 500'000'000, 0.01),
      asked("postgres_bloom", 1000, 1e-8)};
  for (const SystemRequest& question : questions) {
    const SystemAnswer answer = answer_of(question);
    CAPTURE(question.system().name, answer.advice);
    REQUIRE(answer.advice_keeps);
    check_kept(question, answer);
    CHECK(read_back(question, answer).rate == answer.advice_rate);
  }
}

TEST_CASE("a rate just above the lowest that a system builds is found", "[planner][systems]") {
  // 2^37 - 64 bits are Guava's and Spark's most: .13 % more than 1 % takes here.
  for (const char* name : {"guava", "spark_v2"}) {
    const SystemRequest question = asked(name, 14'320'000'000, 0.01);
    const SystemAnswer answer = answer_of(question);
    CAPTURE(name, answer.advice);
    CHECK(answer.rate > 0.01);
    REQUIRE(answer.advice_keeps);
    CHECK(read_back(question, answer).rate <= 0.01);
  }
}

TEST_CASE("an absurd setting is refused, never advised", "[planner][systems]") {
  CHECK_THROWS_WITH(answer_of(asked("leveldb", 1000, 0.01, {{"bits_per_key", "1073741824"}})),
                    "leveldb: bits_per_key: found \"1073741824\"; with at most 30 probes more than "
                    "100 bits per key are of no use; give 1 to 100");
  CHECK_THROWS_WITH(
      answer_of(asked("rocksdb", 1000, 0.01, {{"bits_per_key", "250"}})),
      "rocksdb: bits_per_key: found \"250\"; it takes anything above 100 as 100; give "
      "at most 100");
}

TEST_CASE("advice read back keeps the rate, and where there is none a grid finds none",
          "[planner][systems]") {
  std::mt19937_64 engine(39);
  const auto uniform = [&] { return std::uniform_real_distribution<double>()(engine); };
  int kept = 0;
  int none = 0;
  for (int question = 0; question < 200; ++question) {
    const System& system = systems()[engine() % systems().size()];
    const auto n = static_cast<std::uint64_t>(std::pow(10.0, 1.0 + 5.0 * uniform()));
    const double p = std::pow(10.0, -0.3 - 6.0 * uniform());
    SystemRequest request(system, n, p, {});
    for (const auto& [setting, values] : grid_of(request)) {
      if (setting != "p" && engine() % 3 == 0) {
        request = request.with(setting, values[engine() % values.size()]);
      }
    }
    CAPTURE(system.name, n, p);
    for (const auto& [setting, value] : request.values()) UNSCOPED_INFO(setting << "=" << value);
    std::optional<SystemAnswer> answer;
    try {
      answer = answer_of(request);
    } catch (const record::InputError&) {
      continue;  // a rate that its rule refuses
    }
    UNSCOPED_INFO(answer->advice);
    if (answer->advice_keeps) {
      check_kept(request, *answer);
      ++kept;
    } else {
      CHECK_FALSE(grid_keeps(request, request));
      ++none;
    }
  }
  CHECK(kept > 100);
  CHECK(none > 5);
}
