// Speeds: what is made of process runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <variant>

#include "analysis/kinds/speed_rows.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/report/section.hpp"
#include "core/hash/speed_hash.hpp"
#include "counted.hpp"

using namespace bloomlab::analysis;
using bloomlab::speed_hash;

namespace {

constexpr std::uint64_t speed_n = 100000;
constexpr std::uint64_t speed_queries = 1000;

Json speed_cell(const char* implementation, std::uint64_t n = speed_n) {
  return {{"implementation", implementation},
          {"hash", speed_hash},
          {"n", n},
          {"bits_per_key", 10.0},
          {"key_length", "8"},
          {"threads", 1},
          {"regime", "batched"},
          {"rotation", 1},
          {"pages", "huge"}};
}

/// A process run of a standard filter with k = 7 whose absent keys cost `ns` each.
bloomlab::record::Observation process_run_of(const Json& cell, std::uint64_t trial, double ns,
                                             std::uint64_t hits, double line_ns = 100) {
  Json measured = {{"inserted", cell.at("n")}, {"memory_bits", 10 * speed_n}};
  if (cell.at("implementation") == "standard") {
    measured["false_positives"] = hits;
    measured["true_negatives"] = 1000000 - hits;
    measured["filter"] = {{"kind", "standard"}, {"m", 10 * speed_n}, {"k", 7}};
  }
  const double total = ns * speed_queries;
  bloomlab::record::Observation process_run;
  process_run.cell = cell;
  process_run.trial = trial;
  process_run.measured = std::move(measured);
  process_run.timing = {{"insert_ns", {3 * ns * speed_n}},
                        {"negative_ns", {total, 100 * total, total}},
                        {"alu_ns", {50, 50}},
                        {"line_ns", {100, line_ns}},
                        {"steal_ticks", 2},
                        {"present_bytes", 1000},
                        {"huge_bytes", 250}};
  return process_run;
}

/// A filter at about 4 ns beside a limit at about 2; the exact rate gives 8194 hits per process
/// run.
std::vector<bloomlab::record::Observation> process_runs(std::uint64_t hits) {
  std::vector<bloomlab::record::Observation> all;
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    all.push_back(process_run_of(speed_cell("standard"), trial, 4.0 + static_cast<double>(trial),
                                 hits, trial == 3 ? 104 : 101));
  }
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    all.push_back(
        process_run_of(speed_cell("limit"), trial, 2.0 + 0.5 * static_cast<double>(trial), 0));
  }
  return all;
}

/// Five process runs that build with so many threads; `ns` is the first one's time per key.
template <class List>
void add_builds(List& to, const char* implementation, int threads, double ns) {
  const Json cell = {{"implementation", implementation},
                     {"hash", speed_hash},
                     {"n", speed_n},
                     {"bits_per_key", 10.0},
                     {"threads", threads},
                     {"pages", "huge"}};
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    auto process_run = process_run_of(cell, trial, 1, 8194);
    const double each = ns * (1.0 + 0.1 * static_cast<double>(trial));
    process_run.timing = {{"build_ns", {each * static_cast<double>(speed_n)}}};
    to.push_back(process_run);
  }
}

Experiment built_by_threads() {
  Experiment experiment = counted::experiment("speed_build_threads");
  experiment.kind = "construction";
  for (const int threads : {1, 2}) {
    add_builds(experiment.observations, "limit", threads, 4.0 / threads);
    add_builds(experiment.observations, "standard", threads, 15.0 / (0.5 + 0.5 * threads));
  }
  return experiment;
}

/// What `bench` prints of these process runs.
std::string text_of(std::vector<bloomlab::record::Observation> observations) {
  Experiment experiment = counted::experiment("mine");
  experiment.kind = "throughput";
  experiment.config["queries"] = speed_queries;
  experiment.observations = std::move(observations);
  return speeds_text(experiment);
}

SpeedRun small_run(std::uint64_t hits) {
  return speed_run({{"queries", speed_queries}}, process_runs(hits), "test");
}

}  // namespace

TEST_CASE("a row's time is the median of the process runs' medians, per key", "[analysis][speed]") {
  const SpeedRun run = small_run(8194);
  REQUIRE(run.rows.size() == 2);
  const SpeedRow& row = run.rows.front();
  CHECK(row.implementation() == "standard");
  CHECK(row.process_runs == 5);
  // The slow repetition of every process run does not show.
  CHECK(row.times.at("negative").process_runs == std::vector<double>{4, 5, 6, 7, 8});
  CHECK(row.time("negative") == Approx(6));
  CHECK(row.times.at("negative").interval.low == Approx(4));
  CHECK(row.time("insert") == Approx(18));
  CHECK(std::isnan(row.time("positive")));
  CHECK(row.bytes_per_key == Approx(1.25));
  CHECK(row.huge_share == Approx(0.25));
}

TEST_CASE("the rate of structured keys is judged among its like, and is no fault of a run",
          "[analysis][speed]") {
  auto observations = process_runs(8194);
  for (auto& observation : observations) {
    if (observation.cell.at("implementation") == "limit") continue;
    observation.measured["structured_false_positives"] = 20'000;
    observation.measured["structured_true_negatives"] = 980'000;
  }
  const SpeedRun run = speed_run({{"queries", speed_queries}}, observations, "test");
  REQUIRE(run.rows.front().structured.has_value());
  CHECK(run.rows.front().structured->value == Approx(0.02));
  CHECK(run.rows.front().structured->queries == 5'000'000);
  CHECK(run.rows.front().structured->disagrees());
  CHECK(run.wrong_rates().empty());
  CHECK_FALSE(run.rows.back().structured.has_value());
  Experiment experiment = counted::experiment("mine");
  experiment.kind = "throughput";
  experiment.config["queries"] = speed_queries;
  experiment.observations = observations;
  const pages::Relation rows = pages::relation_of(pages::add_speeds, experiment);
  const auto number = [&](std::size_t row, const char* column) {
    return pages::number_of(rows.rows[row][rows.index_of(column, "test")]);
  };
  CHECK(number(0, "structured_fpr") == Approx(0.02));
  CHECK(number(0, "structured_wrong") == 1);
  CHECK(number(0, "wrong") == 0);
  CHECK(std::isnan(number(1, "structured_fpr")));
}

TEST_CASE("a ratio pairs process runs of one turn", "[analysis][speed]") {
  const SpeedRun run = small_run(8194);
  const SpeedRow* const limit = counterpart(run, run.rows.front(), "limit");
  REQUIRE(limit != nullptr);
  const SpeedTime ratio = time_ratio(run.rows.front(), *limit, "negative");
  for (const double value : ratio.process_runs) CHECK(value == Approx(2));
  CHECK(ratio.value == Approx(2));
  CHECK(counterpart(run, run.rows.front(), "student") == nullptr);
  CHECK(time_ratio(run.rows.front(), *limit, "mixed").process_runs.empty());
}

TEST_CASE("a rate that is off by a few per cent makes the row wrong", "[analysis][speed]") {
  const SpeedRun right = small_run(8194);
  REQUIRE(right.rows.front().rate);
  CHECK(right.rows.front().rate->hits == 5 * 8194);
  CHECK(right.rows.front().rate->expected == Approx(0.008194).epsilon(1e-3));
  CHECK(right.wrong_rates().empty());
  CHECK_FALSE(right.rows[1].rate);
  // 40 970 hits have a deviation of 0.5 per cent.
  const SpeedRun wrong = small_run(8194 + 246);
  REQUIRE(wrong.wrong_rates().size() == 1);
  CHECK_THAT(text_of(process_runs(8194 + 246)),
             Catch::Contains("\n**Wrong rates**: of 1 rates") && Catch::Contains(": standard. "));
  CHECK_THAT(text_of(process_runs(8194)), Catch::Contains("\nAll 1 rates agree"));
}

TEST_CASE("process runs beside which a fixed loop moved are marked", "[analysis][speed]") {
  const SpeedRun run = small_run(8194);
  CHECK(run.noise.process_runs == 10);
  CHECK(run.noise.marked == 1);
  CHECK(run.noise.steal_ticks == 20);
  CHECK_FALSE(run.noise.are_too_many());
  CHECK_FALSE(Noise{.process_runs = 10, .marked = 2}.are_too_many());
  CHECK(Noise{.process_runs = 10, .marked = 3}.are_too_many());
  auto noisy = process_runs(8194);
  CHECK_THAT(text_of(noisy), Catch::Contains("\nIn 1 of 10 process runs"));
  for (std::size_t i = 0; i < 2; ++i) noisy[i].timing["line_ns"] = {100, 110};
  CHECK_THAT(text_of(noisy), Catch::Contains("\n**Noisy**: in 3 of 10 process runs"));
}

TEST_CASE("regimes never share a table", "[analysis][speed]") {
  auto all = process_runs(8194);
  Json dependent = speed_cell("limit");
  dependent["regime"] = "dependent";
  all.push_back(process_run_of(dependent, 0, 60, 0));
  const std::string text = text_of(all);
  const std::size_t latency = text.find("*Latency: ");
  CHECK(text.find("*Throughput: ") < latency);
  CHECK(text.find("| standard |") < latency);
  CHECK(text.find("| limit |") < latency);
  CHECK(text.find("| limit |", latency) != std::string::npos);
  CHECK(text.find("| standard |", latency) == std::string::npos);
}

namespace {

/// Five process runs of a stream of 2000 keys, half of them distinct: 10 ns to make one, `net` ns
/// and more to deduplicate it.
std::vector<bloomlab::record::Observation> stream_process_runs(const char* implementation,
                                                               double net, std::uint64_t hits) {
  std::vector<bloomlab::record::Observation> all;
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    const double made = 10.0 + static_cast<double>(trial);
    bloomlab::record::Observation process_run;
    process_run.cell = {{"implementation", implementation},
                        {"hash", speed_hash},
                        {"n", 1000},
                        {"fpr", 0.01},
                        {"repeated", 0.5},
                        {"key_length", "53"},
                        {"pages", "huge"}};
    process_run.trial = trial;
    process_run.measured = {
        {"stream", 2000}, {"repeated", 1000}, {"inserted", 1000}, {"memory_bits", 16000}};
    if (hits != 0) {
      process_run.measured["filter"] = {{"kind", "standard"}, {"m", 1000}, {"k", 1}};
      process_run.measured["false_positives"] = hits;
      process_run.measured["true_negatives"] = 1000 - hits;
    }
    process_run.timing = {{"dry_ns", {2000 * made}},
                          {"hash_ns", {2000 * (made + 2)}},
                          {"deduplicate_ns", {2000 * (made + net)}},
                          {"alu_ns", {50, 50}},
                          {"line_ns", {100, 100}}};
    all.push_back(std::move(process_run));
  }
  return all;
}

/// A limit at 4 ns and a filter at 7; one bit per key and one probe lose 368 of 1000 keys on
/// average.
std::vector<bloomlab::record::Observation> stream_of_both(std::uint64_t hits) {
  auto all = stream_process_runs("limit", 4.0, 0);
  for (auto& process_run : stream_process_runs("standard", 7.0, hits))
    all.push_back(std::move(process_run));
  return all;
}

SpeedRun stream_run(std::uint64_t hits) {
  return speed_run(Json::object(), stream_of_both(hits), "test");
}

}  // namespace

TEST_CASE("deduplicating is told net of making the keys, process run by process run",
          "[analysis][speed]") {
  const SpeedRun run = stream_run(368);
  REQUIRE(run.rows.size() == 2);
  const SpeedRow& filter = run.rows[1];
  CHECK(filter.time("dry") == Approx(12));
  CHECK(filter.time("hash") == Approx(14));
  CHECK(filter.time("deduplicate") == Approx(19));
  for (const double net : filter.times.at("deduplicate_net").process_runs) CHECK(net == Approx(7));
  CHECK(time_ratio(filter, run.rows[0], "deduplicate_net").value == Approx(7.0 / 4.0));
  CHECK(filter.bytes_per_key == Approx(2));
  CHECK_THAT(text_of(stream_of_both(368)),
             Catch::Contains("net / limit") && Catch::Contains("1.75 [1.75, 1.75]"));
}

TEST_CASE("a stream is judged by the closed form of every fill, not of the last",
          "[analysis][speed]") {
  const SpeedRun right = stream_run(368);
  REQUIRE(right.rows[1].rate);
  // The mean of 1 - e^(-x) over 0 .. 1 is 1/e.
  CHECK(right.rows[1].rate->expected == Approx(0.36788).epsilon(2e-3));
  CHECK(right.wrong_rates().empty());
  // The rate of the full filter: 1 - 1/e.
  CHECK(stream_run(632).wrong_rates().size() == 1);
}

TEST_CASE("pages see what threads gain in building", "[analysis][speed][pages]") {
  const pages::Relation rows = pages::relation_of(pages::add_speeds, built_by_threads());
  const auto number = [&](std::size_t row, const char* column) {
    return pages::number_of(rows.rows[row][rows.index_of(column, "test")]);
  };
  REQUIRE(rows.rows.size() == 4);  // limit and standard by one, then by two
  CHECK(number(1, "threads") == 1);
  CHECK(number(3, "threads") == 2);
  CHECK(number(1, "build_ns") == Approx(18));  // the third of five process runs
  CHECK(number(3, "build_ns") == Approx(12));
  CHECK(number(1, "build_speedup") == Approx(1));
  CHECK(number(2, "build_speedup") == Approx(2));
  CHECK(number(3, "build_speedup") == Approx(1.5));
  CHECK(std::isnan(number(0, "build_to_limit")));
  CHECK(number(1, "build_to_limit") == Approx(3.75));
  CHECK(number(3, "build_to_limit") == Approx(5));
  CHECK(std::isnan(number(0, "negative_ns")));
}

TEST_CASE("pages know how a peer was called, and on which pages it lay",
          "[analysis][speed][pages]") {
  Experiment experiment = counted::experiment("throughput");
  experiment.config["queries"] = speed_queries;
  experiment.provenance["speed"]["peers"] = {
      {{"implementation", "bulk"}, {"batch", "bulk"}, {"pages", "huge"}}};
  experiment.provenance["peers"] = {
      {{"implementation", "single"}, {"batch", "none"}, {"pages", "small"}}};
  for (const char* implementation : {"limit", "standard", "bulk", "single", "student"}) {
    auto process_run = process_run_of(speed_cell("standard"), 0, 4, 8194);
    process_run.cell["implementation"] = implementation;
    if (implementation == std::string("limit")) process_run.measured.erase("filter");
    experiment.observations.push_back(std::move(process_run));
  }
  const pages::Relation rows = pages::relation_of(pages::add_speeds, experiment);
  const auto number = [&](std::size_t row, const char* column) {
    return pages::number_of(rows.rows[row][rows.index_of(column, "test")]);
  };
  CHECK(number(0, "is_filter") == 0);
  CHECK(std::isnan(number(0, "in_batches")));
  CHECK(number(1, "in_batches") == 1);
  CHECK(number(2, "on_huge_pages") == 1);
  CHECK(number(3, "in_batches") == 0);
  CHECK(number(3, "on_huge_pages") == 0);
  CHECK(number(4, "in_batches") == 0);
  CHECK(number(1, "negative_to_limit") == Approx(1));
  CHECK(number(1, "noisy") == 0);
}

TEST_CASE("building by one thread alone has no columns for others", "[analysis][speed]") {
  std::vector<bloomlab::record::Observation> alone;
  add_builds(alone, "standard", 1, 15);
  for (auto& process_run : alone) process_run.cell.erase("threads");
  CHECK_THAT(text_of(alone), !Catch::Contains("times as fast") && !Catch::Contains("limit"));
  // The row of one thread is found whether its cell says so or not.
  add_builds(alone, "standard", 2, 5);
  const SpeedRun run = speed_run(Json::object(), alone, "test");
  REQUIRE(run.rows.size() == 2);
  CHECK(one_thread_row(run, run.rows[1]) == &run.rows[0]);
}

TEST_CASE("a missing count is named", "[analysis][speed]") {
  auto all = process_runs(8194);
  all.front().measured.erase("true_negatives");
  CHECK_THROWS_WITH(speed_run({{"queries", speed_queries}}, all, "file.json"),
                    Catch::StartsWith("file.json: cell {") &&
                        Catch::Contains("measured has no count \"true_negatives\""));
}

TEST_CASE("a number of queries that is none is refused with its file", "[analysis][speed]") {
  CHECK_THROWS_WITH(speed_run({{"queries", "many"}}, process_runs(8194), "file.json"),
                    "file.json: /config/queries: found \"many\", allowed: a whole number above 0; "
                    "measure again with `bloomlab run --force`");
  CHECK_THROWS_WITH(speed_run(Json::object(), process_runs(8194), "file.json"),
                    Catch::StartsWith("file.json: /config/queries: found null"));
}
