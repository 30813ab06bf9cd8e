// Filters that grow by layers: their sizes, and the compound rate of all layers.
//
// A query is a false positive when any layer says so: rate = 1 - prod(1 - rate of layer i), exact
// for independent layers under ideal hashing, since each key lies in one layer.
// Sources: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters"; for the rule
// without tightening the lab report of 2021, "Bloom filter against scalable Bloom filter".
#pragma once

#include <cstdint>
#include <vector>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// A layer that holds n keys.
struct Layer {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// Most layers that are computed.
inline constexpr std::uint64_t most_layers = 65536;

/// The layers of a scalable filter with n keys: P0 = P (1 - r); layer i has p_i = P0 r^i,
/// k_i = ceil(log2 1/p_i), takes n0 s^i keys and has m_i = ceil(-k_i n0 s^i / ln(1 - p_i^(1/k_i)))
/// bits. A p_i within 1e-12 of a power of two counts as that power. One layer for n = 0.
/// @param P compound target rate, in (0, 1)   @param r tightening, in (0, 1)
/// @param s growth, >= 1   @param n0 keys of the first layer, >= 1
/// Throws DomainError where a layer would need k > 256 or the filter more than 2^62 bits or 65536
/// layers.
[[nodiscard]] std::vector<Layer> scalable_layers(double P, double r, std::uint64_t s,
                                                 std::uint64_t n0, std::uint64_t n);

/// The layers of the lab report's filter with n keys: layer i has m 2^i bits, always k probes, and
/// takes ceil(m 2^i ln(1 / (1 - fp^(1/k))) / k) keys: as many as hold the rate fp in it.
/// @param fp rate at which a layer is full, in (0, 1)
[[nodiscard]] std::vector<Layer> untightened_layers(std::uint64_t m, std::uint64_t k, double fp,
                                                    std::uint64_t n);

/// 1 - prod(1 - exact rate of the layer).
[[nodiscard]] double compound_exact_fpr(const std::vector<Layer>& layers);

/// 1 - prod(1 - approximate rate of the layer).
[[nodiscard]] double compound_approx_fpr(const std::vector<Layer>& layers);

/// Standard deviation, over filters, of the compound conditional rate 1 - prod(1 - (X_i/m_i)^k_i),
/// from the exact mean and variance of each layer, with positive terms only. Milliseconds a layer.
[[nodiscard]] double sd_compound_fpr(const std::vector<Layer>& layers);

/// The same two where every layer is a partitioned filter: 1 - prod(1 - partitioned_fpr of the
/// layer), and the standard deviation of 1 - prod(1 - prod_j X_ij / s_ij).
[[nodiscard]] double compound_partitioned_fpr(const std::vector<Layer>& layers);
[[nodiscard]] double sd_compound_partitioned_fpr(const std::vector<Layer>& layers);

/// The compound rates of scalable filters of standard and of partitioned layers, and of
/// untightened_layers(), after n keys.
[[nodiscard]] double scalable_fpr(double P, double r, std::uint64_t s, std::uint64_t n0,
                                  std::uint64_t n);
[[nodiscard]] double scalable_partitioned_fpr(double P, double r, std::uint64_t s, std::uint64_t n0,
                                              std::uint64_t n);
[[nodiscard]] double untightened_fpr(std::uint64_t m, std::uint64_t k, double fp, std::uint64_t n);

}  // namespace bloomlab::theory
