#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/exhibits/catalogue.hpp"
#include "core/theory/scalable.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t n = 1000;
constexpr std::uint64_t queries = 100000;

Json scalable_cell(const char* kind, double tightening) {
  Json cell = synthetic::standard_cell(n, 1, 1, "independent");
  cell["filter"] = Json{{"kind", kind}, {"target", 0.01},        {"tightening", tightening},
                        {"growth", 2},  {"first_capacity", 100}, {"insert_policy", "always"}};
  return cell;
}

std::uint64_t scalable_bits(double tightening) {
  std::uint64_t bits = 0;
  for (const auto& layer : bloomlab::theory::scalable_layers(0.01, tightening, 2, 100, n)) {
    bits += layer.m;
  }
  return bits;
}

/// Ten trials of a cell that report `hits` strangers each, give or take a few, in filters of
/// `bits`.
void add(bloomlab::record::ResultFile& file, const Json& cell, std::uint64_t bits,
         std::uint64_t hits) {
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const std::uint64_t seen = hits + trial % 3;
    Json standard = cell;
    standard["filter"]["m"] = bits;
    auto observation = synthetic::observation(standard, trial, seen, queries, bits / 2,
                                              static_cast<double>(hits) / queries);
    observation.cell = cell;
    observation.timing =
        Json{{"insert_ns", 50 * n + trial}, {"strangers_ns", 20 * queries + trial}};
    file.observations.push_back(observation);
  }
}

/// The right-sized filter; a scalable one that holds, one of slices that does not; one of as many
/// bits as the first.
bloomlab::record::ResultFile scalable_file() {
  auto file = synthetic::results({.trials = 1, .queries = queries});
  file.observations.clear();
  add(file, synthetic::standard_cell(n, 9600, 7, "independent"), 9600, 1000);
  add(file, scalable_cell("scalable", 0.5), scalable_bits(0.5), 800);
  Json slices = scalable_cell("scalable_partitioned", 0.8);
  slices["filter"]["capacity_policy"] = "grow";
  add(file, slices, scalable_bits(0.8), 1200);
  const std::uint64_t equal = scalable_bits(0.5);
  add(file, synthetic::standard_cell(n, equal, 14, "independent"), equal, 2);
  return file;
}

Content content_of(bloomlab::record::ResultFile file) {
  return scalable_sweep_exhibit(analyse({.stem = "scalable_sweep",
                                         .file_name = "scalable_sweep.json",
                                         .file = std::move(file),
                                         .confirmation = {}}),
                                Words("en"));
}

const Entry& entry(const Table& table, std::size_t row, const std::string& key) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& c) { return c.key == key; });
  REQUIRE(found != table.columns.end());
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

}  // namespace

TEST_CASE("a compound rate is held against its target by its interval", "[analysis][exhibits]") {
  const Content content = content_of(scalable_file());
  CHECK(content.values.at("cells") == "2");
  CHECK(content.values.at("holds") == "1");
  CHECK(content.values.at("exceeds") == "1");
  CHECK(content.values.at("open") == "0");
  CHECK(content.values.at("target") == "0.01");
  const Table& table = content.tables.front();
  REQUIRE(table.rows.size() == 3);
  CHECK(entry(table, 0, "target").text == "–");
  CHECK(entry(table, 1, "target").text == "holds");
  CHECK_FALSE(entry(table, 1, "target").marked);
  CHECK(entry(table, 2, "target").text == "exceeds");
  CHECK(entry(table, 2, "target").marked);
}

TEST_CASE("a rate whose interval holds the target leaves the promise open",
          "[analysis][exhibits]") {
  auto file = scalable_file();
  for (auto& observation : file.observations) {
    if (observation.cell.at("filter").at("kind") != "scalable") continue;
    const std::uint64_t hits = 999 + observation.trial % 3;
    observation.measured["false_positives"] = hits;
    observation.measured["true_negatives"] = queries - hits;
  }
  const Content content = content_of(std::move(file));
  CHECK(content.values.at("holds") == "0");
  CHECK(content.values.at("open") == "1");
  CHECK(entry(content.tables.front(), 1, "target").text == "open");
}

TEST_CASE("memory is told against the filter that was sized for n, and beside one of as many bits",
          "[analysis][exhibits]") {
  const Content content = content_of(scalable_file());
  const Table& table = content.tables.front();
  const auto ratio = static_cast<double>(scalable_bits(0.5)) / 9600;
  CHECK(std::get<double>(entry(table, 0, "memory_ratio").value) == 1.0);
  CHECK(std::get<double>(entry(table, 1, "memory_ratio").value) == Approx(ratio));
  CHECK(std::get<double>(entry(table, 1, "equal_memory_rate").value) == Approx(2.9e-5));
  CHECK(entry(table, 2, "equal_memory_rate").text == "–");  // none of its size was measured
  CHECK(std::get<double>(entry(table, 1, "insert_ns").value) == Approx(50).epsilon(0.001));
  CHECK(std::get<double>(entry(table, 1, "query_ns").value) == Approx(20).epsilon(0.001));
  CHECK_THAT(content.values.at("cheapest"), Catch::Contains("tightening 0.8"));
  CHECK_THAT(content.values.at("dearest"), Catch::Contains("tightening 0.5"));
}

TEST_CASE("the figure has a curve for each growth, with both kinds of layers, and the target",
          "[analysis][exhibits]") {
  const Content content = content_of(scalable_file());
  const auto& figure = content.figures.front();
  std::vector<std::string> names;
  for (const auto& series : figure.series) names.push_back(series.name);
  CHECK(names == std::vector<std::string>{"standard", "scalable, growth 2"});
  CHECK(figure.series.front().points.size() == 2);
  CHECK(figure.series.back().points.size() == 2);
  REQUIRE(figure.markers.size() == 1);
  CHECK(figure.markers.front().at == 0.01);
}
