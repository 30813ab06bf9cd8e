#include "experiments/kinds/measurement.hpp"

#include <algorithm>
#include <chrono>

namespace bloomlab::experiments {
namespace {

using Clock = std::chrono::steady_clock;

/// `batch_at(first, count)` makes the keys; only `use` is timed.
template <class BatchAt>
std::uint64_t for_each_batch(std::uint64_t first, std::uint64_t last, const BatchAt& batch_at,
                             const std::function<void(const KeyBatch&)>& use) {
  Clock::duration spent{};
  for (std::uint64_t at = first; at < last; at += keys_per_batch) {
    const std::uint64_t count = std::min<std::uint64_t>(keys_per_batch, last - at);
    const KeyBatch batch = batch_at(at, static_cast<std::size_t>(count));
    const Clock::time_point start = Clock::now();
    use(batch);
    spent += Clock::now() - start;
  }
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
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

record::Json measured_json(const Counts& counts, const FilterState& state, bool grows) {
  record::Json json = {{"true_positives", counts.true_positives},
                       {"false_positives", counts.false_positives},
                       {"true_negatives", counts.strangers - counts.false_positives},
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
          {"members_ns", durations.members_ns},
          {"strangers_ns", durations.strangers_ns}};
}

record::Json group_timing_json(const Durations& durations) {
  return {{"group_insert_ns", durations.insert_ns},
          {"group_members_ns", durations.members_ns},
          {"group_strangers_ns", durations.strangers_ns}};
}

std::uint64_t for_each_member_batch(const KeySet& keys, std::uint64_t first, std::uint64_t last,
                                    KeyBuffer& buffer,
                                    const std::function<void(const KeyBatch&)>& use) {
  const auto batch_at = [&](std::uint64_t at, std::size_t count) {
    return keys.members(at, count, buffer);
  };
  return for_each_batch(first, last, batch_at, use);
}

std::uint64_t for_each_stranger_batch(const KeySet& keys, std::uint64_t first, std::uint64_t last,
                                      KeyBuffer& buffer,
                                      const std::function<void(const KeyBatch&)>& use) {
  const auto batch_at = [&](std::uint64_t at, std::size_t count) {
    return keys.strangers(at, count, buffer);
  };
  return for_each_batch(first, last, batch_at, use);
}

std::uint64_t for_each_stranger_batch(const KeySet& keys, KeyBuffer& buffer,
                                      const std::function<void(const KeyBatch&)>& use) {
  return for_each_stranger_batch(keys, 0, keys.strangers(), buffer, use);
}

Measurement fill_and_ask(Subject& subject, const KeySet& keys, std::uint64_t first,
                         std::uint64_t last) {
  KeyBuffer buffer;
  Counts counts{.inserted = last, .strangers = keys.strangers()};
  Durations durations;
  durations.insert_ns = for_each_member_batch(
      keys, first, last, buffer, [&](const KeyBatch& batch) { subject.insert(batch); });
  durations.members_ns = for_each_member_batch(keys, 0, last, buffer, [&](const KeyBatch& batch) {
    counts.true_positives += subject.count_contained(batch);
  });
  durations.strangers_ns = for_each_stranger_batch(keys, buffer, [&](const KeyBatch& batch) {
    counts.false_positives += subject.count_contained(batch);
  });
  return {std::nullopt, measured_json(counts, subject.state(), subject.grows()),
          timing_json(durations)};
}

}  // namespace bloomlab::experiments
