#include "experiments/cells/measurement.hpp"

#include <algorithm>
#include <chrono>

namespace bloomlab::experiments {
namespace {

/// `batch_at(first, count)` makes the keys; only `use` is timed.
template <class BatchAt>
std::uint64_t for_each_batch(std::uint64_t first, std::uint64_t last, const BatchAt& batch_at,
                             const std::function<void(const KeyBatch&)>& use) {
  std::uint64_t spent_ns = 0;
  for (std::uint64_t at = first; at < last; at += keys_per_batch) {
    const std::uint64_t count = std::min<std::uint64_t>(keys_per_batch, last - at);
    const KeyBatch batch = batch_at(at, static_cast<std::size_t>(count));
    spent_ns += cost_ns([&] { use(batch); });
  }
  return spent_ns;
}

void add_layers(record::Json& json, const FilterState& state) {
  for (const char* key : {"layer_bits", "layer_bits_set", "layer_keys"}) {
    json[key] = record::Json::array();
  }
  for (const LayerState& layer : state.layers) {
    json["layer_bits"].push_back(layer.bits);
    json["layer_bits_set"].push_back(layer.bits_set);
    json["layer_keys"].push_back(layer.keys);
  }
}

}  // namespace

std::uint64_t cost_ns(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(spent.count());
}

record::Json measured_json(const Counts& counts, const FilterState& state, bool grows) {
  record::Json json = {{"true_positives", counts.true_positives},
                       {"false_positives", counts.false_positives},
                       {"true_negatives", counts.absent_keys - counts.false_positives},
                       {"false_negatives", counts.inserted - counts.true_positives},
                       {"inserted", counts.inserted},
                       {"bits", state.bits},
                       {"bits_set", state.bits_set},
                       {"memory_bits", state.memory_bits},
                       {"layers", state.layers.size()}};
  if (state.refused > 0) json["refused"] = state.refused;
  if (state.transmitted_bits > 0) json["transmitted_bits"] = state.transmitted_bits;
  if (grows) add_layers(json, state);
  json["conditional_rate"] = state.conditional_rate;
  return json;
}

record::Json timing_json(const Durations& durations) {
  return {{"insert_ns", durations.insert_ns},
          {"inserted_keys_ns", durations.inserted_keys_ns},
          {"absent_keys_ns", durations.absent_keys_ns}};
}

record::Json group_timing_json(const Durations& durations) {
  return {{"group_insert_ns", durations.insert_ns},
          {"group_inserted_keys_ns", durations.inserted_keys_ns},
          {"group_absent_keys_ns", durations.absent_keys_ns}};
}

std::uint64_t for_each_inserted_key_batch(const KeySet& keys, std::uint64_t first,
                                          std::uint64_t last, KeyBuffer& buffer,
                                          const std::function<void(const KeyBatch&)>& use) {
  const auto batch_at = [&](std::uint64_t at, std::size_t count) {
    return keys.inserted_keys(at, count, buffer);
  };
  return for_each_batch(first, last, batch_at, use);
}

std::uint64_t for_each_absent_key_batch(const KeySet& keys, std::uint64_t first, std::uint64_t last,
                                        KeyBuffer& buffer,
                                        const std::function<void(const KeyBatch&)>& use) {
  const auto batch_at = [&](std::uint64_t at, std::size_t count) {
    return keys.absent_keys(at, count, buffer);
  };
  return for_each_batch(first, last, batch_at, use);
}

std::uint64_t for_each_absent_key_batch(const KeySet& keys, KeyBuffer& buffer,
                                        const std::function<void(const KeyBatch&)>& use) {
  return for_each_absent_key_batch(keys, 0, keys.absent_keys(), buffer, use);
}

Measurement fill_and_ask(Implementation& implementation, const KeySet& keys, std::uint64_t first,
                         std::uint64_t last) {
  KeyBuffer buffer;
  Counts counts{.inserted = last, .absent_keys = keys.absent_keys()};
  Durations durations;
  durations.insert_ns = for_each_inserted_key_batch(
      keys, first, last, buffer, [&](const KeyBatch& batch) { implementation.insert(batch); });
  durations.inserted_keys_ns =
      for_each_inserted_key_batch(keys, 0, last, buffer, [&](const KeyBatch& batch) {
        counts.true_positives += implementation.count_contained(batch);
      });
  durations.absent_keys_ns = for_each_absent_key_batch(keys, buffer, [&](const KeyBatch& batch) {
    counts.false_positives += implementation.count_contained(batch);
  });
  return {std::nullopt, measured_json(counts, implementation.state(), implementation.grows()),
          timing_json(durations)};
}

}  // namespace bloomlab::experiments
