// Pairs of result folders as two runs would have left them, with differences that a test puts in.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"

namespace simulated {

using bloomlab::analysis::ResultSet;
using bloomlab::record::Json;
using bloomlab::record::Observation;
using bloomlab::record::ResultFile;

inline ResultSet as_set(const std::string& stem, ResultFile file) {
  return {.stem = stem, .file_name = stem + ".json", .file = std::move(file), .confirmation = {}};
}

/// Rates of twelve cells by 40 filters of 800 000 bits and 2e7 queries each, from seeds of their
/// own: filters differ by 0.4 %, so that a change of 1 % is more than ten standard errors.
inline ResultSet rates(std::uint64_t seed, double factor = 1.0) {
  ResultFile file = synthetic::results({.n = 100'000,
                                        .m = {700'000, 800'000, 900'000, 1'000'000},
                                        .k = {3, 5, 7},
                                        .trials = 40,
                                        .queries = 20'000'000,
                                        .seed = seed,
                                        .factor = [factor](const Json&) { return factor; }});
  bloomlab::tests::edit_each(file.observations,
                             [&](auto& observation) { observation.seed += 1000 * seed; });
  return as_set("rates", std::move(file));
}

/// What one process run of a made-up speed cell would have written.
inline Observation process_run(const Json& cell, std::uint64_t trial, std::uint64_t seed,
                               const std::vector<double>& ns, double line = 1.0) {
  const std::uint64_t queries = 1'000'000;
  Observation result;
  result.cell = cell;
  result.trial = trial;
  result.seed = 100 * seed + trial;
  result.redrawn = {"keys", "hash_seed"};
  result.measured =
      Json{{"true_positives", queries}, {"false_positives", 0}, {"true_negatives", queries},
           {"false_negatives", 0},      {"inserted", 1000},     {"memory_bits", 10'000}};
  Json durations = Json::array();
  for (const double one : ns) durations.push_back(std::round(one * static_cast<double>(queries)));
  result.timing = Json{{"negative_ns", durations},
                       {"alu_ns", Json::array({1'000'000, 1'000'000})},
                       {"line_ns", Json::array({std::round(2e6 * line), std::round(2e6 * line)})}};
  return result;
}

/// How made-up process runs go.
struct ProcessRuns {
  std::uint64_t seed = 1;
  std::uint64_t cells = 6;
  std::uint64_t process_runs = 15;
  double noise = 0.02;  ///< of a process run: standard deviation of the logarithm
  double factor = 1.0;  ///< on all durations
  /// Of the noise of all process runs of a round: standard deviation of its part in the logarithm.
  double round_noise = 0.0;
  double persistence = 0.0;  ///< of that: correlation of one round with the next
  double run_noise = 0.0;    ///< the same for all rounds: its part in the logarithm
  double loop_noise = 0.45;  ///< as `noise`, of the loop of random lines, where rounds differ
  bool positive = false;     ///< times lookups of inserted keys as well
};

/// What noise does to the loop of random lines, as a multiple of what it does to durations.
inline constexpr double loop_gain = 3.2;

/// Ten process runs of 48 cells with the noise of results/throughput.json: process runs differ by
/// 16 %, the loop's by 45 %, rounds by 5 % in common.
inline ProcessRuns like_this_machine(std::uint64_t seed, double factor = 1.0) {
  return {.seed = seed,
          .cells = 48,
          .process_runs = 10,
          .noise = 0.16,
          .factor = factor,
          .round_noise = 0.05};
}

/// The noise of each round: a normal process that remembers its last value.
inline std::vector<double> noise(const ProcessRuns& plan, std::mt19937_64& random) {
  std::vector<double> rounds;
  if (plan.round_noise > 0) {
    std::normal_distribution<double> normal;
    double state = normal(random);
    for (std::uint64_t trial = 0; trial < plan.process_runs; ++trial) {
      rounds.push_back(plan.run_noise + plan.round_noise * state);
      state = plan.persistence * state +
              std::sqrt(1.0 - plan.persistence * plan.persistence) * normal(random);
    }
  }
  rounds.resize(plan.process_runs, plan.run_noise);
  return rounds;
}

inline ResultSet speeds(const ProcessRuns& plan) {
  ResultFile file;
  file.config = Json{{"$schema", "bloomlab-config-1"},
                     {"kind", "throughput"},
                     {"seed", plan.seed},
                     {"trials", plan.process_runs},
                     {"queries", 1'000'000}};
  std::mt19937_64 random(plan.seed);
  std::normal_distribution<double> normal;
  const std::vector<double> rounds = noise(plan, random);
  for (std::uint64_t cell = 0; cell < plan.cells; ++cell) {
    const Json json{{"implementation", "limit"}, {"n", 1000 * (cell + 1)}, {"bits_per_key", 10.0}};
    for (std::uint64_t trial = 0; trial < plan.process_runs; ++trial) {
      const auto duration = [&] {
        return plan.factor * static_cast<double>(cell + 3) *
               std::exp(rounds[trial] + plan.noise * normal(random));
      };
      const double ns = duration();
      const double own = plan.round_noise > 0 ? plan.loop_noise * normal(random) : 0.0;
      Observation one = process_run(json, trial, plan.seed, {ns, ns * 1.01, ns * 1.5},
                                    std::exp(loop_gain * rounds[trial] + own));
      if (plan.positive) one.timing["positive_ns"] = Json::array({std::round(1e6 * duration())});
      file.observations.push_back(one);
    }
  }
  return as_set("speeds", std::move(file));
}

}  // namespace simulated
