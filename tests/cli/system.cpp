#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "record/strict_json.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

nlohmann::json system_json(const std::string& arguments) {
  const Said said = bloomlab_says("system " + arguments + " --json");
  INFO(arguments << "\n" << said.err);
  CHECK(said.status == 0);
  return nlohmann::json::parse(said.out);
}

void check_refused(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const Said said = bloomlab_says("system " + arguments);
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "bloomlab: " + message + "\n");
}

}  // namespace

TEST_CASE("system says what a system makes of n and p", "[cli][system]") {
  const auto spark = system_json("spark_v1 n=1G p=1%");
  CHECK(spark.at("requested") == 0.01);
  CHECK(spark.at("m") == 9585058432);
  CHECK(spark.at("k") == 7);
  CHECK(spark.at("rate").get<double>() == Approx(0.76024).margin(5e-6));
  CHECK(spark.at("rate_unrounded").get<double>() == Approx(0.76024).margin(5e-6));
  CHECK(spark.at("keeps_requested_rate") == false);
  CHECK(spark.at("advice").get<std::string>().find("Version.V2") != std::string::npos);
  const auto postgres = system_json("postgres_bloom length=200");
  CHECK(postgres.at("requested").is_null());
  CHECK(postgres.at("m") == 208);
  CHECK(postgres.at("settings").at("columns") == "6");
  const auto priced = system_json("parquet n=10k p=1% --memory-price 0.05/GiB");
  CHECK(priced.at("wasted_cost").get<double>() ==
        Approx(priced.at("wasted_bits").get<double>() * 0.05 / 8 / 1073741824));
  const Said text = bloomlab_says("system cassandra n=1M p=50%");
  CHECK(text.status == 0);
  CHECK(text.out.find("74.76 %") != std::string::npos);
  CHECK(text.out.find("set: ALTER TABLE t WITH bloom_filter_fp_chance = 0.378;") !=
        std::string::npos);
}

TEST_CASE("an answer of system, and its judgement, are lines of at most 100 columns",
          "[cli][system]") {
  for (const char* name : {"parquet", "redis", "hudi", "cassandra", "guava", "boost", "hbase"}) {
    for (const std::string command : {"system ", "judge system="}) {
      const Said said = bloomlab_says(command + name + " n=1M p=1%");
      CAPTURE(command, name, said.err);
      std::istringstream lines(said.out);
      int number = 0;
      for (std::string line; std::getline(lines, line); ++number) {
        CAPTURE(line);
        CHECK(line.size() <= 100);
      }
      CHECK(number >= 8);
      CHECK(number <= 20);
    }
  }
}

TEST_CASE("the table of all systems has lines of at most 100 columns", "[cli][system]") {
  for (const char* question : {"n=1M p=1%", "n=1k p=1e-9", "n=100G p=0.01%"}) {
    const Said said = bloomlab_says("system --all " + std::string(question));
    CAPTURE(question, said.err);
    CHECK(said.status == 0);
    std::istringstream lines(said.out);
    int number = 0;
    int systems = 0;
    for (std::string line; std::getline(lines, line); ++number) {
      CAPTURE(line);
      CHECK(line.size() <= 100);
      systems += line.starts_with(' ') ? 0 : 1;
    }
    CHECK(systems == 1 + 23);  // with the head
    CHECK(number >= 1 + 2 * 23);
  }
}

TEST_CASE("a filter of a few keys has no rate of 0, nor one above what strides cost",
          "[cli][system]") {
  for (const char* question :
       {"redis n=1 p=50%", "guava n=1 p=10%", "spark_v2 n=1 p=10%", "clickhouse_ngram n=1 p=10%",
        "cassandra n=2 p=10%", "redisson n=1 p=1e-5", "guava n=1 p=1%", "redis n=10 p=50%"}) {
    CAPTURE(question);
    const auto answer = system_json(question);
    const double rate = answer.at("rate");
    CHECK(rate > 1e-4);
    CHECK(answer.at("advice_rate").get<double>() > 0.0);
    const auto& bound = answer.at("rate_equal_strides");
    if (!bound.is_null()) CHECK(rate <= bound.get<double>());
  }
  CHECK(system_json("redis n=1 p=50%").at("rate").get<double>() == Approx(0.0012169).epsilon(1e-3));
  CHECK(system_json("guava n=5 p=10%").at("rate").get<double>() == Approx(0.01313).epsilon(1e-3));
}

TEST_CASE("system without a name is a table of all", "[cli][system]") {
  const auto all = system_json("n=1M p=1%");
  CHECK(all.size() == 23);
  for (const auto& one : all) {
    CHECK(one.at("rate").get<double>() > 0.0);
    CHECK_FALSE(one.at("advice").get<std::string>().empty());
  }
  CHECK(system_json("--all n=1M p=1%") == all);
  const Said table = bloomlab_says("system --all n=1k p=1e-9");
  CHECK(table.status == 0);
  CHECK(table.out.find("rocksdb_ribbon") != std::string::npos);
  // One that refuses the rate has its line.
  CHECK(table.out.find("cassandra: p is below 6.71e-05") != std::string::npos);
}

TEST_CASE("system refuses nonsense with one line", "[cli][system]") {
  check_refused("guva n=1M p=1%", "system: unknown system \"guva\"; did you mean \"guava\"?");
  check_refused("", "system: n is missing; give n and p, such as n=1M p=1%");
  check_refused("n=1M", "system: p is missing; give n and p, such as n=1M p=1%");
  check_refused("guava p=1%", "guava: n is missing; give the number of keys, such as n=1M");
  check_refused(
      "guava n=1M p=2",
      "p: found \"2\"; a rate above 0 and below 1 is allowed, such as 1e-4, 0.01% or \"1 in "
      "1000000\"");
  check_refused("guava redis n=1M",
                "system: found \"redis\"; quantities are written name=value, such as n=1M");
  check_refused("n=1M p=1% x=3", "system: unknown quantity \"x\"; known: \"n\", \"p\"");
  check_refused("guava --all n=1M p=1%", "system: found guava and --all; give one of them");
  check_refused("cassandra n=1M p=1e-9",
                "cassandra: p is below 6.71e-05, the lowest rate that its table reaches, which it "
                "refuses; give a higher rate");
}

TEST_CASE("the living software has the rate that is stated of it", "[cli][system]") {
  // What examples/wild measured of the packages of the distribution: the adapters of LevelDB take
  // whole bits per key, that of RocksDB any, that of Guava the rate.
  const std::map<std::string, std::string> systems = {{"leveldb.so", "leveldb"},
                                                      {"goleveldb", "leveldb"},
                                                      {"rocksdb.so", "rocksdb"},
                                                      {"guava", "guava"}};
  const auto result =
      bloomlab::record::read_json(BLOOMLAB_SOURCE_DIR "/results/in_the_wild.json", 64U << 20);
  int compared = 0;
  for (const auto& cell : result.at("cells")) {
    const auto& filter = cell.at("cell").at("filter");
    const auto path = filter.contains("path") ? filter.at("path").get<std::string>()
                                              : filter.at("command").at(0).get<std::string>();
    const auto found = systems.find(path.substr(path.rfind('/') + 1));
    const auto n = cell.at("cell").at("n").get<std::uint64_t>();
    if (found == systems.end() || n < 10000 || !filter.contains("fpr")) continue;
    const double p = filter.at("fpr");
    const double bits = -std::log(p) / (std::log(2.0) * std::log(2.0));
    std::string question = found->second + " n=" + std::to_string(n);
    if (found->second == "leveldb")
      question += " bits_per_key=" + std::to_string(std::lround(std::ceil(bits)));
    if (found->second == "rocksdb") question += " bits_per_key=" + std::to_string(bits);
    if (found->second == "guava") question += " p=" + filter.at("fpr").dump();
    double hits = 0.0;
    double queries = 0.0;
    for (const auto& count : cell.at("measured").at("false_positives")) hits += count.get<double>();
    for (const auto& count : cell.at("measured").at("true_negatives"))
      queries += count.get<double>();
    queries += hits;
    const double stated = system_json(question).at("rate");
    CAPTURE(path, question, hits / queries);
    // Four standard errors, and 1 % for the spread of three filters' own rates.
    CHECK(stated ==
          Approx(hits / queries).margin(4.0 * std::sqrt(stated / queries) + 0.01 * stated));
    ++compared;
  }
  CHECK(compared >= 32);
}
