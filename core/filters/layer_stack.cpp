#include "core/filters/layer_stack.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/detail/digest_selection.hpp"
#include "core/require_places.hpp"

namespace bloomlab {
namespace {

using Answers = std::array<Answer, detail::DigestSelection::max_keys>;

/// Marks in `answers` (of a whole chunk) what `filter` reports of the selected keys; how many.
template <class Inner>
std::size_t mark_reported(const Inner& filter, const detail::DigestSelection& selection,
                          std::span<Answer> answers) {
  Answers reported;
  const std::span<const std::uint16_t> keys = selection.keys();
  filter.contains(selection.batch(), std::span(reported).first(keys.size()));
  std::size_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (reported[i] == Answer::absent) continue;
    answers[keys[i]] = Answer::maybe;
    ++count;
  }
  return count;
}

}  // namespace

template <class Inner>
LayerStackOf<Inner>::LayerStackOf(LayerPlanner planner, const Probe& probe, LayerPolicies policies,
                                  std::string filter_name)
    : planner_(std::move(planner)),
      probe_(probe),
      policies_(policies),
      filter_name_(std::move(filter_name)) {
  open_layer();
}

template <class Inner>
void LayerStackOf<Inner>::open_layer() {
  const std::optional<LayerPlan> plan = planner_(layers_.size());
  if (!plan) {
    throw std::length_error(filter_name_ + ": layer " + std::to_string(layers_.size()) +
                            " cannot be opened: it would pass the largest size, number of probes "
                            "or number of layers; start with a larger first layer");
  }
  layers_.push_back({Inner({.m = plan->bits, .k = plan->probes}, probe_), plan->capacity, 0});
}

template <class Inner>
void LayerStackOf<Inner>::insert(const DigestBatch& digests) {
  const std::size_t chunk = policies_.insert == InsertPolicy::always
                                ? digests.size
                                : detail::DigestSelection::chunk_keys(digests.width);
  for (std::size_t first = 0; first < digests.size;) {
    const DigestBatch rest = digests.slice(first, std::min(chunk, digests.size - first));
    first += policies_.insert == InsertPolicy::always ? store(rest) : store_unreported(rest);
  }
}

// Makes room for keys that wait to be stored while the last layer is full; how many of them are
// turned away instead.
template <class Inner>
std::size_t LayerStackOf<Inner>::make_room(std::size_t waiting) {
  if (policies_.capacity == CapacityPolicy::grow) {
    open_layer();
    return 0;
  }
  refused_ += waiting;
  return waiting;
}

// Handles as many keys from the front as one layer takes; how many.
template <class Inner>
std::size_t LayerStackOf<Inner>::store(const DigestBatch& digests) {
  if (room() == 0) {
    if (const std::size_t refused = make_room(digests.size); refused != 0) return refused;
  }
  Layer& last = layers_.back();
  const std::size_t count = std::min<std::uint64_t>(digests.size, room());
  last.filter.insert(digests.slice(0, count));
  last.keys += count;
  return count;
}

// Handles keys from the front of a chunk, as many as can be told before a layer opens; how many.
template <class Inner>
std::size_t LayerStackOf<Inner>::store_unreported(const DigestBatch& chunk) {
  const std::uint64_t room = this->room();
  Answers answers;
  if (room == 0) {
    const std::span<Answer> known = std::span(answers).first(chunk.size);
    contains(chunk, known);
    const auto absent_key = std::ranges::find(known, Answer::absent);
    const auto reported = static_cast<std::size_t>(absent_key - known.begin());
    return absent_key == known.end() ? reported : reported + make_room(1);
  }
  Layer& last = layers_.back();
  // Even if every key is new, no layer opens among them: the older layers stay as they are.
  const DigestBatch keys = chunk.slice(0, std::min<std::uint64_t>(chunk.size, room));
  const std::span<Answer> known = std::span(answers).first(keys.size);
  std::ranges::fill(known, Answer::absent);
  detail::DigestSelection fresh(keys);
  for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
    if (mark_reported(layers_[i].filter, fresh, known) != 0) fresh.keep_absent(known);
  }
  Answers before;
  const std::span<Answer> stored = std::span(before).first(fresh.keys().size());
  last.filter.insert(fresh.batch(), stored);
  last.keys += static_cast<std::uint64_t>(std::ranges::count(stored, Answer::absent));
  last.filter.count_as(last.keys);  // key by key it is not given those that are known
  return keys.size;
}

template <class Inner>
void LayerStackOf<Inner>::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  std::ranges::fill(out, Answer::absent);
  const std::size_t chunk = detail::DigestSelection::chunk_keys(digests.width);
  for (std::size_t first = 0; first < digests.size; first += chunk) {
    const std::size_t count = std::min(chunk, digests.size - first);
    const std::span<Answer> answers = out.subspan(first, count);
    detail::DigestSelection selection(digests.slice(first, count));
    // The newest layer holds the most keys: it settles most of those that are inserted keys.
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
      const std::size_t settled = mark_reported(layer->filter, selection, answers);
      // Copying is only worth it where it saves more lookups than it costs.
      if (settled * 4 >= selection.keys().size()) selection.keep_absent(answers);
      if (selection.keys().empty()) break;
    }
  }
}

template <class Inner>
std::uint64_t LayerStackOf<Inner>::count_contained(const DigestBatch& digests) const {
  std::uint64_t count = 0;
  Answers answers;
  for (std::size_t first = 0; first < digests.size; first += answers.size()) {
    const std::size_t size = std::min(answers.size(), digests.size - first);
    const std::span<Answer> part = std::span(answers).first(size);
    contains(digests.slice(first, size), part);
    count += static_cast<std::uint64_t>(std::ranges::count(part, Answer::maybe));
  }
  return count;
}

template <class Inner>
FilterState LayerStackOf<Inner>::state() const {
  FilterState total;
  total.refused = refused_;
  for (const Layer& layer : layers_) {
    const FilterState one = layer.filter.state();
    total.bits += one.bits;
    total.bits_set += one.bits_set;
    total.memory_bits += one.memory_bits;
    total.conditional_rate = either_rate(total.conditional_rate, one.conditional_rate);
    total.layers.push_back(one.layers.front());
    total.layers.back().keys = layer.keys;
  }
  return total;
}

template <class Inner>
void LayerStackOf<Inner>::clear() noexcept {
  layers_.erase(layers_.begin() + 1, layers_.end());
  layers_.front().filter.clear();
  layers_.front().keys = 0;
  refused_ = 0;
}

template class LayerStackOf<Standard>;
template class LayerStackOf<Partitioned>;

LayerTotals layer_totals(const LayerPlanner& planner, std::uint64_t n) {
  LayerTotals totals;
  std::uint64_t room = 0;
  for (std::size_t i = 0; i == 0 || room < n; ++i) {
    const std::optional<LayerPlan> plan = planner(i);
    if (!plan) {
      totals.memory_bits = std::numeric_limits<std::uint64_t>::max();
      break;
    }
    totals.memory_bits += BitArray::memory_bits_for(plan->bits);
    totals.probes = std::max(totals.probes, plan->probes);
    room += plan->capacity;
  }
  return totals;
}

}  // namespace bloomlab
