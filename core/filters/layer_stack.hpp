// A stack of filters of which the last one takes the keys: what filters that grow share.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/filters/partitioned.hpp"
#include "core/filters/scalable_layers.hpp"
#include "core/filters/standard.hpp"

namespace bloomlab {

/// What becomes of a key that the filter already reports.
enum class InsertPolicy {
  always,         ///< it is stored all the same
  skip_reported,  ///< it is left out: takes no capacity and opens no layer
};

/// What becomes of a key that is to be stored when the last layer is full.
enum class CapacityPolicy {
  grow,      ///< a layer opens for it
  reject,    ///< it is turned away and counted: the filter keeps its rate and loses keys
  overfill,  ///< the last layer takes it all the same: the filter keeps its keys, not its rate
};

/// How a stack of layers treats keys.
struct LayerPolicies {
  InsertPolicy insert = InsertPolicy::always;
  CapacityPolicy capacity = CapacityPolicy::grow;
};

/// The plan of layer `index`, or nothing where the filter cannot grow that far.
using LayerPlanner = std::function<std::optional<LayerPlan>(std::size_t index)>;

/// Layers with their capacities. A layer opens when a key is to be stored and the last one is full;
/// capacity counts keys stored. All layers share the digests of a key.
/// @tparam Inner what a layer is: Standard or Partitioned
template <class Inner>
class LayerStackOf {
 public:
  /// Opens layer 0. Throws std::length_error where there is no plan for it, and AllocationError.
  LayerStackOf(LayerPlanner planner, const Probe& probe, LayerPolicies policies,
               std::string filter_name);

  /// As if the keys came one after the other. Throws std::length_error when a layer is due for
  /// which there is no plan, and AllocationError; the keys before that one are then in the filter.
  void insert(const DigestBatch& digests);
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;
  /// One key, inlined but for the opening of layers (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) {
    const bool is_new = !contains_one(key);
    if (!is_new && policies_.insert == InsertPolicy::skip_reported) return false;
    if (room() == 0 && make_room(1) != 0) return is_new;
    Layer& last = layers_.back();
    last.filter.insert_one(key);
    ++last.keys;
    return is_new;
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const {
    // The newest layer holds the most keys.
    for (std::size_t i = layers_.size(); i-- > 0;) {
      if (layers_[i].filter.contains_one(key)) return true;
    }
    return false;
  }

  /// Counts per layer and the compound rate.
  [[nodiscard]] FilterState state() const;
  /// Back to one empty layer.
  void clear() noexcept;

  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }
  /// Keys turned away since the stack was empty.
  [[nodiscard]] std::uint64_t turned_away() const noexcept { return refused_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    if (self.policies_.capacity == CapacityPolicy::reject) visit(self.refused_);
    std::uint64_t count = self.layers_.size();
    visit(count);
    visit.check(count >= 1, "there is no layer");
    visit.check(count == 1 || self.policies_.capacity == CapacityPolicy::grow,
                "there are several layers of a filter that does not grow");
    for (std::uint64_t i = 0; i < count; ++i) {
      if constexpr (Visitor::reading) {
        const std::optional<LayerPlan> plan = self.planner_(i);
        visit.check(plan.has_value(), "there are more layers than the filter can have");
        visit.require(plan->bits);
        if (i != 0) self.open_layer();
      }
      auto& layer = self.layers_[i];
      Inner::contents(layer.filter, visit);
      visit(layer.keys);
      visit.check(layer.keys <= layer.capacity || self.overfills(),
                  "a layer holds more keys than it takes");
    }
  }

 private:
  struct Layer {
    Inner filter;
    std::uint64_t capacity;
    std::uint64_t keys;
  };

  [[nodiscard]] bool overfills() const noexcept {
    return policies_.capacity == CapacityPolicy::overfill;
  }
  /// Keys that the last layer takes before the filter must decide again.
  [[nodiscard]] std::uint64_t room() const noexcept {
    if (overfills()) return std::numeric_limits<std::uint64_t>::max();
    return layers_.back().capacity - layers_.back().keys;
  }
  std::size_t make_room(std::size_t waiting);
  void open_layer();
  std::size_t store(const DigestBatch& digests);
  std::size_t store_unreported(const DigestBatch& digests);

  LayerPlanner planner_;
  Probe probe_;
  LayerPolicies policies_;
  std::string filter_name_;
  std::vector<Layer> layers_;
  std::uint64_t refused_ = 0;
};

extern template class LayerStackOf<Standard>;
extern template class LayerStackOf<Partitioned>;

/// What the layers for n stored keys come to, at least one layer.
struct LayerTotals {
  std::uint64_t memory_bits = 0;  ///< allocated; 2^64 - 1 where the filter cannot grow that far
  std::uint64_t probes = 1;       ///< largest k among them
};
[[nodiscard]] LayerTotals layer_totals(const LayerPlanner& planner, std::uint64_t n);

}  // namespace bloomlab
