// The sweep against the naive way: 100 cells of rates, measured by the suite's engine with one and
// two threads and by a filter a cell and trial, in turn, trial by trial.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::cli {

/// How large a sweep is.
struct SweepSize {
  std::uint64_t n = 100'000;          ///< keys inserted
  std::uint64_t queries = 1'000'000;  ///< absent keys queried, of each cell and trial
  std::uint64_t trials = 30;
  std::uint64_t rounds = 1;  ///< times that each way is timed
};

/// A cell, with what was counted over all rounds' trials of either way.
struct SweepCell {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  double theory = 0.0;            ///< exact rate
  std::uint64_t naive_hits = 0;   ///< of queries x trials x rounds
  std::uint64_t sliced_hits = 0;  ///< of queries x trials; every round counts the same
};

/// Durations of every round [s], and the cells.
struct SweepTimes {
  SweepSize size;
  std::vector<double> naive = {};        ///< one thread
  std::vector<double> one_thread = {};   ///< the engine
  std::vector<double> two_threads = {};  ///< the engine
  std::vector<SweepCell> cells = {};

  /// Of medians: how many times faster the engine is than the naive way.
  [[nodiscard]] double speedup(const std::vector<double>& engine) const;
};

/// Measures; the engine's results are written below `folder`. Throws as experiments::run().
[[nodiscard]] SweepTimes measure_sweep(const SweepSize& size, const std::filesystem::path& folder);

/// {"n", "queries", "trials", "naive_s", "one_thread_s", "two_threads_s", "speedup_one_thread",
/// "speedup_two_threads", "cells": [{"m", "k", "theory", "naive", "sliced"}]}.
[[nodiscard]] record::Json sweep_json(const SweepTimes& times);

/// Largest relative distance of a way's rate from theory over cells that expect at least 10 000
/// hits. @param hits of the way   @param queries asked by it of a cell
[[nodiscard]] double largest_deviation(const std::vector<SweepCell>& cells,
                                       std::uint64_t SweepCell::*hits, std::uint64_t queries);

}  // namespace bloomlab::cli
