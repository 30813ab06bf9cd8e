#include "synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/data/with_theory.hpp"

namespace synthetic {

using bloomlab::record::Observation;
using bloomlab::record::ResultFile;

Json standard_cell(std::uint64_t n, std::uint64_t m, std::uint64_t k, const std::string& probe) {
  return Json{
      {"keys", Json{{"source", "uniform"}}},
      {"n", n},
      {"filter", Json{{"kind", "standard"}, {"m", m}, {"k", k}}},
      {"hash", Json{{"name", "xxhash3_64"}, {"probe", probe}, {"reduction", "multiply_shift"}}}};
}

Observation observation(const Json& cell, std::uint64_t trial, std::uint64_t hits,
                        std::uint64_t queries, std::uint64_t bits_set, double conditional_rate) {
  const std::uint64_t n = cell.at("n");
  const std::uint64_t m = cell.at("filter").at("m");
  Observation result;
  result.cell = cell;
  result.group = "0123456789abcdef";
  result.trial = trial;
  result.seed = trial + 1;
  result.redrawn = {"keys", "hash_seed"};
  result.measured = Json{{"true_positives", n},
                         {"false_positives", hits},
                         {"true_negatives", queries - hits},
                         {"false_negatives", 0},
                         {"inserted", n},
                         {"bits", m},
                         {"bits_set", bits_set},
                         {"memory_bits", (m + 63) / 64 * 64},
                         {"layers", 1},
                         {"conditional_rate", conditional_rate}};
  result.timing = Json{{"insert_ns", 1000}};
  return result;
}

ResultFile results(const Plan& plan) {
  ResultFile file;
  file.config = Json{{"$schema", "bloomlab-config-1"},
                     {"kind", "false_positive_rate"},
                     {"title", "A synthetic sweep"},
                     {"question", "Is theory right?"},
                     {"seed", plan.seed},
                     {"trials", plan.trials},
                     {"queries", plan.queries},
                     {"expected_flags", plan.expected_flags}};
  file.provenance = Json{{"commit", "0123456"}, {"machine", Json{{"cpu", "none"}}}};
  std::mt19937_64 engine(plan.seed);
  std::normal_distribution<double> normal;
  for (const std::uint64_t m : plan.m) {
    for (const std::uint64_t k : plan.k) {
      const Json cell = standard_cell(plan.n, m, k, plan.probe);
      const auto theory = bloomlab::analysis::predict(cell, plan.n, "synthetic");
      for (std::uint64_t trial = 0; trial < plan.trials; ++trial) {
        const double deviate = normal(engine) + plan.excess(cell);
        const double set =
            std::round(theory.mean_set_bits + std::sqrt(theory.var_set_bits) * deviate);
        const double rate = std::pow(set / static_cast<double>(m), static_cast<double>(k));
        std::binomial_distribution<std::uint64_t> hits(plan.queries, rate * plan.factor(cell));
        file.observations.push_back(observation(cell, trial, hits(engine), plan.queries,
                                                static_cast<std::uint64_t>(set), rate));
      }
    }
  }
  return file;
}

bloomlab::analysis::Experiment experiment(const Plan& plan) {
  return bloomlab::analysis::analyse({.stem = plan.stem,
                                      .file_name = plan.stem + ".json",
                                      .file = results(plan),
                                      .confirmation = {}});
}

}  // namespace synthetic
