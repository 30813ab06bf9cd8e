// The sizes of the layers of filters that grow.
// Sources: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101; for the
// rule without tightening the lab report of 2021, "Bloom filter against scalable Bloom filter".
#pragma once

#include <cstdint>
#include <optional>

namespace bloomlab {

/// Most layers that a filter may open; with growth 1 a filter grows by one layer per first_capacity
/// keys, and every lookup asks all of them.
inline constexpr std::uint64_t max_layers = 65536;

/// What a layer is made of.
struct LayerPlan {
  std::uint64_t bits = 0;      ///< m of the layer
  std::uint64_t probes = 0;    ///< k of the layer
  std::uint64_t capacity = 0;  ///< keys it stores before the next one opens
  friend bool operator==(const LayerPlan&, const LayerPlan&) = default;
};

/// The layers of a scalable filter: P0 = target (1 - tightening); layer i has p_i = P0
/// tightening^i, k_i = ceil(log2 1/p_i), takes first_capacity growth^i keys and has ceil(-k_i
/// capacity_i / ln(1 - p_i^(1/k_i))) bits. A p_i within 1e-12 of a power of two counts as that
/// power, so that rounding does not add a probe. The same on every machine: portable_math.hpp.
class ScalableLayers {
 public:
  ScalableLayers(double target, double tightening, std::uint64_t growth,
                 std::uint64_t first_capacity) noexcept;
  /// Layer `index`; nothing where it would pass max_filter_bits, max_probes, max_layers or 2^48
  /// keys.
  [[nodiscard]] std::optional<LayerPlan> plan(std::uint64_t index) const noexcept;

 private:
  double first_rate_;
  double tightening_;
  std::uint64_t growth_;
  std::uint64_t first_capacity_;
};

/// The layers of the lab report's filter: layer i has m 2^i bits, always k probes, and takes
/// ceil(m 2^i ln(1 / (1 - fp^(1/k))) / k) keys: as many as hold the rate fp in it. The same on
/// every machine.
class UntightenedLayers {
 public:
  UntightenedLayers(std::uint64_t m, std::uint64_t k, double fp) noexcept;
  /// Layer `index`; nothing where it would pass max_filter_bits.
  [[nodiscard]] std::optional<LayerPlan> plan(std::uint64_t index) const noexcept;

 private:
  std::uint64_t first_bits_;
  std::uint64_t probes_;
  double keys_per_bit_;
};

}  // namespace bloomlab
