#include "experiments/kinds/census.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "experiments/cells/k_sliced.hpp"
#include "statistics/interval.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {
namespace {

using BlockCounts = std::vector<std::uint64_t>;

/// Gives every key of the universe to `use`, block by block, and calls `end_block` after each; the
/// set of the inserted keys is told. @return nanoseconds spent in `use`
std::uint64_t for_each_key(const KeySet& keys, const std::function<void(const KeyBatch&)>& use,
                           const std::function<void(std::uint64_t block)>& end_block) {
  std::vector<std::uint64_t> values(keys_per_batch);
  std::uint64_t spent_ns = 0;
  for (std::uint64_t block = 0; block < Census::blocks; ++block) {
    for (std::uint64_t at = 0; at < Census::block_keys; at += keys_per_batch) {
      const std::uint64_t count = std::min<std::uint64_t>(keys_per_batch, Census::block_keys - at);
      keys.note_other_keys(count);
      values.resize(count);
      std::iota(values.begin(), values.end(), block * Census::block_keys + at);
      spent_ns += cost_ns([&] { use(KeyBatch::integers(values, Census::key_bytes)); });
    }
    end_block(block);
  }
  return spent_ns;
}

/// Inserted keys in each block.
BlockCounts inserted_keys_by_block(const KeySet& keys) {
  BlockCounts counts(Census::blocks, 0);
  KeyBuffer buffer;
  for_each_inserted_key_batch(keys, 0, keys.inserted_keys(), buffer, [&](const KeyBatch& batch) {
    for (const std::uint64_t value : batch.values()) ++counts[value / Census::block_keys];
  });
  return counts;
}

/// What the intervals of the blocks say against the rate that is known.
struct BlockVerdict {
  std::uint64_t blocks = 0;
  std::uint64_t covered_clopper_pearson = 0;
  std::uint64_t covered_wilson = 0;
};

BlockVerdict judge_blocks(const BlockCounts& reported, const BlockCounts& inserted_keys) {
  const auto total = [](const BlockCounts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  const double truth = static_cast<double>(total(reported) - total(inserted_keys)) /
                       static_cast<double>(Census::universe_keys - total(inserted_keys));
  const double level = statistics::thresholds::interval_level;
  BlockVerdict verdict;
  for (std::size_t block = 0; block < reported.size(); ++block) {
    const std::uint64_t hits = reported[block] - inserted_keys[block];
    const std::uint64_t queries = Census::block_keys - inserted_keys[block];
    if (queries == 0) continue;
    ++verdict.blocks;
    verdict.covered_clopper_pearson +=
        statistics::clopper_pearson(hits, queries, level).contains(truth) ? 1 : 0;
    verdict.covered_wilson += statistics::wilson(hits, queries, level).contains(truth) ? 1 : 0;
  }
  return verdict;
}

/// @param reported inserted keys and absent keys reported, by block; all inserted keys are among
/// them, or the run fails by the false negatives
Measurement measurement_of(const Counts& counts, const FilterState& state, bool grows,
                           const Durations& durations, const BlockCounts& reported,
                           const BlockCounts& inserted_keys) {
  Measurement measurement{std::nullopt, measured_json(counts, state, grows),
                          timing_json(durations)};
  if (counts.true_positives != counts.inserted) return measurement;
  const BlockVerdict verdict = judge_blocks(reported, inserted_keys);
  measurement.measured["blocks"] = verdict.blocks;
  measurement.measured["covered_clopper_pearson"] = verdict.covered_clopper_pearson;
  measurement.measured["covered_wilson"] = verdict.covered_wilson;
  return measurement;
}

Counts counts_of(const KeySet& keys, std::uint64_t true_positives, const BlockCounts& reported) {
  const std::uint64_t all = std::accumulate(reported.begin(), reported.end(), std::uint64_t{0});
  return {.inserted = keys.inserted_keys(),
          .true_positives = true_positives,
          .absent_keys = Census::universe_keys - keys.inserted_keys(),
          .false_positives = all - true_positives};
}

}  // namespace

std::optional<std::string> Census::check(const Cell& cell) const {
  if (cell.n < universe_keys) return std::nullopt;
  return "n = " + std::to_string(cell.n) + " leaves no absent key among the " +
         std::to_string(universe_keys) + " keys of a census; choose a smaller n";
}

std::vector<Measurement> Census::measure(Implementation& implementation, const KeySet& keys) const {
  KeyBuffer buffer;
  Durations durations;
  durations.insert_ns =
      for_each_inserted_key_batch(keys, 0, keys.inserted_keys(), buffer,
                                  [&](const KeyBatch& batch) { implementation.insert(batch); });
  std::uint64_t true_positives = 0;
  durations.inserted_keys_ns = for_each_inserted_key_batch(
      keys, 0, keys.inserted_keys(), buffer,
      [&](const KeyBatch& batch) { true_positives += implementation.count_contained(batch); });
  BlockCounts reported(blocks, 0);
  std::uint64_t in_block = 0;
  durations.absent_keys_ns = for_each_key(
      keys, [&](const KeyBatch& batch) { in_block += implementation.count_contained(batch); },
      [&](std::uint64_t block) { reported[block] = std::exchange(in_block, 0); });
  return {measurement_of(counts_of(keys, true_positives, reported), implementation.state(),
                         implementation.grows(), durations, reported,
                         inserted_keys_by_block(keys))};
}

std::vector<Measurement> Census::measure_slice(KSliced& slice, const KeySet& keys) const {
  KeyBuffer buffer;
  Durations durations;
  durations.insert_ns = for_each_inserted_key_batch(
      keys, 0, keys.inserted_keys(), buffer, [&](const KeyBatch& batch) { slice.insert(batch); });
  durations.inserted_keys_ns = for_each_inserted_key_batch(
      keys, 0, keys.inserted_keys(), buffer, [&](const KeyBatch& batch) { slice.ask(batch); });
  const std::vector<std::uint64_t> true_positives = slice.take_counts();
  std::vector<BlockCounts> reported(true_positives.size(), BlockCounts(blocks, 0));
  durations.absent_keys_ns = for_each_key(
      keys, [&](const KeyBatch& batch) { slice.ask(batch); },
      [&](std::uint64_t block) {
        const auto counts = slice.take_counts();
        for (std::size_t i = 0; i < counts.size(); ++i) {
          reported[i][block] = counts[i];
        }
      });
  const BlockCounts inserted_keys = inserted_keys_by_block(keys);
  const std::vector<FilterState> states = slice.states();
  std::vector<Measurement> measurements;
  for (std::size_t i = 0; i < states.size(); ++i) {
    measurements.push_back(measurement_of(counts_of(keys, true_positives[i], reported[i]),
                                          states[i], false, durations, reported[i], inserted_keys));
    measurements.back().timing = group_timing_json(durations);
  }
  return measurements;
}

}  // namespace bloomlab::experiments
