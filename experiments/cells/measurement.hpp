// What the kinds share: how a filter is filled and asked, and how counts become JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/filter_state.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/key_set.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// One observation's content: counts and durations, of one step where a kind has several.
struct Measurement {
  std::optional<std::uint64_t> step;  ///< 1 .. steps
  record::Json measured;              ///< counts, and the filter's conditional_rate
  record::Json timing;                ///< durations, keys ending in _ns
};

/// How many keys went in and were reported.
struct Counts {
  std::uint64_t inserted = 0;         ///< keys inserted so far, all of them looked up
  std::uint64_t true_positives = 0;   ///< inserted keys reported
  std::uint64_t absent_keys = 0;      ///< absent keys queried
  std::uint64_t false_positives = 0;  ///< absent keys reported
};

/// Wall-clock durations of the three parts of a measurement; making keys is not in them. They say
/// what counting cost: a filter is filled once, so that their repetitions are the trials, which run
/// several at once where there are several processors. Kinds whose question is a time take
/// run_timed() instead, each trial a process of its own.
struct Durations {
  std::uint64_t insert_ns = 0;
  std::uint64_t inserted_keys_ns = 0;
  std::uint64_t absent_keys_ns = 0;
};

/// Nanoseconds that `work` takes, for Durations.
[[nodiscard]] std::uint64_t cost_ns(const std::function<void()>& work);

/// The counts of one filter as JSON: the confusion matrix, what went in, and the filter's state;
/// lists by layer for filters that grow.
[[nodiscard]] record::Json measured_json(const Counts& counts, const FilterState& state,
                                         bool grows);

/// The durations of one filter.
[[nodiscard]] record::Json timing_json(const Durations& durations);

/// The durations of one pass that several filters share: each has them all.
[[nodiscard]] record::Json group_timing_json(const Durations& durations);

/// Gives the batches of keys `first` .. `last - 1` one after the other to `use`.
/// @return nanoseconds spent in `use`; those that making the keys takes are not in it.
std::uint64_t for_each_inserted_key_batch(const KeySet& keys, std::uint64_t first,
                                          std::uint64_t last, KeyBuffer& buffer,
                                          const std::function<void(const KeyBatch&)>& use);

/// The same for absent keys.
std::uint64_t for_each_absent_key_batch(const KeySet& keys, std::uint64_t first, std::uint64_t last,
                                        KeyBuffer& buffer,
                                        const std::function<void(const KeyBatch&)>& use);

/// The same for all absent keys.
std::uint64_t for_each_absent_key_batch(const KeySet& keys, KeyBuffer& buffer,
                                        const std::function<void(const KeyBatch&)>& use);

/// Inserts keys `first` .. `last - 1`, looks up all inserted keys below `last`, then all absent
/// keys.
[[nodiscard]] Measurement fill_and_ask(Implementation& implementation, const KeySet& keys,
                                       std::uint64_t first, std::uint64_t last);

}  // namespace bloomlab::experiments
