#include "cli/bench/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/hash/speed_hash.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/theory/standard.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/speed/naive_sweep.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "statistics/durations.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using record::Json;

constexpr std::uint64_t sweep_first_ratio = 4;
constexpr std::uint64_t sweep_last_ratio = 22;
constexpr std::uint64_t sweep_ratio_step = 2;
constexpr std::uint64_t sweep_probes = 10;
constexpr std::uint64_t sweep_seed = 20'260;

std::vector<SweepCell> sweep_cells(const SweepSize& size) {
  std::vector<SweepCell> cells;
  for (std::uint64_t ratio = sweep_first_ratio; ratio <= sweep_last_ratio;
       ratio += sweep_ratio_step) {
    for (std::uint64_t k = 1; k <= sweep_probes; ++k) {
      const std::uint64_t m = ratio * size.n;
      cells.push_back({.m = m, .k = k, .theory = theory::exact_fpr(m, size.n, k)});
    }
  }
  return cells;
}

/// The config of the same cells, by a hash and a probe that suit speed. As in the naive way, a
/// trial has the same keys in all of them.
experiments::Config sweep_config(const SweepSize& size, const fs::path& folder) {
  const Json per_n = {
      {"per_n", {{"range", {sweep_first_ratio, sweep_last_ratio}}, {"step", sweep_ratio_step}}}};
  const Json filter = {{"kind", "standard"}, {"m", per_n}, {"k", {{"range", {1, sweep_probes}}}}};
  const Json config = {
      {"$schema", "bloomlab-config-1"},
      {"kind", "false_positive_rate"},
      {"title", "Sweep"},
      {"question", "How long does a sweep take?"},
      {"seed", sweep_seed},
      {"trials", size.trials},
      {"queries", size.queries},
      {"shared_across", {"/filter/m", "/filter/k"}},
      {"expected_flags", Json::array()},
      {"grid",
       {{"keys", {{"source", "uniform"}}},
        {"n", size.n},
        {"filter", filter},
        {"hash", {{"name", speed_hash}, {"probe", "remix"}, {"reduction", "multiply_shift"}}}}}};
  const fs::path path = folder / "sweep.json";
  record::write_atomically(path, config.dump(1) + "\n");
  return experiments::read_config(path.string());
}

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Making the keys is left out of the naive way's time, and in the engine's.
double time_naive(const SweepSize& size, std::uint64_t round, std::vector<SweepCell>& cells) {
  std::vector<std::uint64_t> inserted_keys(static_cast<std::size_t>(size.n));
  std::vector<std::uint64_t> absent_keys(static_cast<std::size_t>(size.queries));
  double seconds = 0.0;
  for (std::uint64_t trial = 0; trial < size.trials; ++trial) {
    const KeyedPermutation keys(sweep_seed + 1 + round * size.trials + trial);
    keys.apply_range(0, inserted_keys);
    keys.apply_range(size.n, absent_keys);
    seconds += seconds_of([&] {
      for (SweepCell& cell : cells) {
        cell.naive_hits +=
            experiments::naive_false_positives(cell.m, cell.k, inserted_keys, absent_keys);
      }
    });
  }
  return seconds;
}

double time_engine(const experiments::Config& config, unsigned threads, const fs::path& out) {
  return seconds_of([&] {
    static_cast<void>(experiments::run(config, {.out = out, .jobs = threads, .force = true}));
  });
}

void add_engine_hits(const fs::path& out, std::vector<SweepCell>& cells) {
  const record::ResultFile file = record::read_result_file(out / "sweep.json");
  for (const record::Observation& observation : file.observations) {
    const Json& filter = observation.cell.at("filter");
    for (SweepCell& cell : cells) {
      if (filter.at("m") == cell.m && filter.at("k") == cell.k) {
        cell.sliced_hits += observation.measured.at("false_positives").get<std::uint64_t>();
      }
    }
  }
}

}  // namespace

double SweepTimes::speedup(const std::vector<double>& engine) const {
  return statistics::median(naive) / statistics::median(engine);
}

SweepTimes measure_sweep(const SweepSize& size, const fs::path& folder) {
  fs::create_directories(folder);
  const experiments::Config config = sweep_config(size, folder);
  SweepTimes times{.size = size, .cells = sweep_cells(size)};
  // Not counted: the first run also loads what all of them share.
  static_cast<void>(time_engine(config, 2, folder / "results"));
  for (std::uint64_t round = 0; round < size.rounds; ++round) {
    times.one_thread.push_back(time_engine(config, 1, folder / "results"));
    times.naive.push_back(time_naive(size, round, times.cells));
    times.two_threads.push_back(time_engine(config, 2, folder / "results"));
  }
  add_engine_hits(folder / "results", times.cells);
  return times;
}

Json sweep_json(const SweepTimes& times) {
  const SweepSize& size = times.size;
  const auto asked = static_cast<double>(size.queries * size.trials);
  Json cells = Json::array();
  for (const SweepCell& cell : times.cells) {
    const double naive = asked * static_cast<double>(size.rounds);
    cells.push_back(record::object("m", cell.m, "k", cell.k, "theory", cell.theory, "naive",
                                   static_cast<double>(cell.naive_hits) / naive, "sliced",
                                   static_cast<double>(cell.sliced_hits) / asked));
  }
  return record::object("n", size.n, "queries", size.queries, "trials", size.trials, "naive_s",
                        times.naive, "one_thread_s", times.one_thread, "two_threads_s",
                        times.two_threads, "speedup_one_thread", times.speedup(times.one_thread),
                        "speedup_two_threads", times.speedup(times.two_threads), "cells", cells);
}

double largest_deviation(const std::vector<SweepCell>& cells, std::uint64_t SweepCell::*hits,
                         std::uint64_t queries) {
  constexpr double enough_hits = 10'000.0;
  double largest = 0.0;
  for (const SweepCell& cell : cells) {
    const double expected = cell.theory * static_cast<double>(queries);
    if (expected < enough_hits) continue;
    largest = std::max(largest, std::abs(static_cast<double>(cell.*hits) / expected - 1.0));
  }
  return largest;
}

}  // namespace bloomlab::cli
