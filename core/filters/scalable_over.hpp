// What scalable filters share, whatever their layers are made of: sizes, policies, operations.
// Source: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/layer_stack.hpp"
#include "core/filters/scalable_layers.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// Largest ratio of the capacities of two layers.
inline constexpr std::uint64_t max_layer_growth = 1024;

/// Describes the fields that the parameters of every scalable filter have.
template <class Visitor, class Parameters>
void describe_layer_sizes(Visitor& visit, Parameters& p) {
  visit(RealField{.name = "target",
                  .unit = "probability",
                  .meaning = "bound of the compound false-positive rate",
                  .min_excluded = true,
                  .max_excluded = true},
        p.target);
  visit(RealField{.name = "tightening",
                  .unit = "",
                  .meaning = "ratio of the rates of a layer and the one before",
                  .min_excluded = true,
                  .max_excluded = true},
        p.tightening);
  visit(IntegerField{"growth", "", "ratio of the capacities of a layer and the one before", 1,
                     max_layer_growth},
        p.growth);
  visit(
      IntegerField{"first_capacity", "keys", "keys that the first layer takes", 1, max_filter_bits},
      p.first_capacity);
}

/// A scalable filter with the layers of ScalableLayers, each an `Inner`.
/// @tparam Inner Standard or Partitioned
/// @tparam Description names, parameters, examples(), policies(p) and prediction(p, n)
template <class Inner, class Description>
class ScalableOver : public Description {
 public:
  using Parameters = typename Description::Parameters;
  using Description::name;

  static constexpr bool chooses_positions = false;

  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault = detail::unit_interval_fault(name, "target", p.target)) return fault;
    if (auto fault = detail::unit_interval_fault(name, "tightening", p.tightening)) return fault;
    if (p.growth < 1 || p.growth > max_layer_growth) {
      return detail::out_of_range(name, "growth", p.growth, max_layer_growth);
    }
    if (p.first_capacity < 1 || p.first_capacity > max_filter_bits) {
      return detail::out_of_range(name, "first_capacity", p.first_capacity, max_filter_bits);
    }
    if (!planner(p)(0)) return detail::first_layer_fault(name);
    return std::nullopt;
  }
  /// The same, with this probe: it must take any m and any k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe) {
    if (auto fault = check(p)) return fault;
    return detail::any_shape_fault(name, probe);
  }
  /// Largest k of the layers that n stored keys need.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept {
    return static_cast<int>(layer_totals(planner(p), stored_by_layers(p, n)).probes);
  }
  /// Bits allocated for n stored keys; 2^64 - 1 where the filter cannot grow that far.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    return layer_totals(planner(p), stored_by_layers(p, n)).memory_bits;
  }

  /// A filter with its first layer. Throws std::invalid_argument with the text of check(), and
  /// AllocationError.
  ScalableOver(const Parameters& p, const Probe& probe)
      : parameters_(detail::require(p, check(p, probe))),
        layers_(planner(p), probe, Description::policies(p), std::string(name)) {}

  /// Inserts the keys, in order. Throws std::length_error when the filter cannot grow further.
  void insert(const DigestBatch& digests) { layers_.insert(digests); }
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    layers_.contains(digests, out);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return layers_.count_contained(digests);
  }
  /// One key, inlined but for the opening of layers (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) {
    return layers_.insert_one(key);
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const {
    return layers_.contains_one(key);
  }

  /// Counts per layer and the compound rate.
  [[nodiscard]] FilterState state() const { return layers_.state(); }
  /// Back to one empty layer.
  void clear() noexcept { layers_.clear(); }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  [[nodiscard]] const Probe& probe() const noexcept { return layers_.probe(); }
  /// Keys turned away since the filter was empty, under the policy `reject`.
  [[nodiscard]] std::uint64_t refused() const noexcept { return layers_.refused(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    LayerStackOf<Inner>::contents(self.layers_, visit);
  }

 private:
  static LayerPlanner planner(const Parameters& p) {
    return [layers = ScalableLayers(p.target, p.tightening, p.growth, p.first_capacity)](
               std::size_t index) { return layers.plan(index); };
  }
  // Of n keys as many as make layers open: none beyond the first where the filter does not grow.
  static std::uint64_t stored_by_layers(const Parameters& p, std::uint64_t n) {
    if (Description::policies(p).capacity == CapacityPolicy::grow) return n;
    return n < p.first_capacity ? n : p.first_capacity;
  }

  Parameters parameters_;
  LayerStackOf<Inner> layers_;
};

}  // namespace bloomlab
