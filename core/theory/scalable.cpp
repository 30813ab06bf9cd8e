#include "core/theory/scalable.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/theory/detail/domain.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

constexpr double most_layer_bits = 0x1p62;

/// `value` as an integer number of bits or keys, refused where it is beyond all sizes.
std::uint64_t checked_size(double value, std::size_t layer) {
  if (!(value < most_layer_bits)) {
    throw DomainError("layers: layer " + std::to_string(layer) +
                      " would pass 2^62 bits or keys; fewer keys are allowed");
  }
  return static_cast<std::uint64_t>(value);
}

/// Appends layers, as make_layer(index) sizes them with n = its capacity, until n keys have a
/// place.
template <class MakeLayer>
std::vector<Layer> fill_layers(std::uint64_t n, MakeLayer&& make_layer) {
  std::vector<Layer> layers;
  std::uint64_t left = n;
  do {
    detail::require(layers.size() < most_layers, "layers",
                    "more than 65536 layers; let the filter grow faster");
    Layer layer = make_layer(layers.size());
    layer.n = std::min(layer.n, left);
    left -= layer.n;
    layers.push_back(layer);
  } while (left > 0);
  return layers;
}

template <class Rate>
double compound(const std::vector<Layer>& layers, Rate&& rate) {
  double log_rejected = 0.0;
  for (const Layer& layer : layers) log_rejected += std::log1p(-rate(layer.m, layer.n, layer.k));
  return -std::expm1(log_rejected);
}

/// From mean and deviation of each layer's rate.
template <class Rate, class Deviation>
double sd_compound(const std::vector<Layer>& layers, Rate&& rate, Deviation&& deviation) {
  double rejected = 1.0;  // mean of the product of the layers' 1 - rate
  double variance = 0.0;  // of that product
  for (const Layer& layer : layers) {
    const double mean = 1.0 - rate(layer.m, layer.n, layer.k);
    const double sd = deviation(layer.m, layer.n, layer.k);
    variance = variance * (mean * mean + sd * sd) + rejected * rejected * sd * sd;
    rejected *= mean;
  }
  return std::sqrt(variance);
}

}  // namespace

std::vector<Layer> scalable_layers(double P, double r, std::uint64_t s, std::uint64_t n0,
                                   std::uint64_t n) {
  detail::require(P > 0.0 && P < 1.0, "layers", "P is outside (0, 1)");
  detail::require(r > 0.0 && r < 1.0, "layers", "r is outside (0, 1)");
  detail::require(s >= 1 && n0 >= 1, "layers", "s or n0 is 0; both are at least 1");
  double rate = P * (1.0 - r);
  double capacity = static_cast<double>(n0);
  return fill_layers(n, [&](std::size_t index) {
    const double probes = std::max(std::ceil(-std::log2(rate) - 1e-12), 1.0);
    if (index == 0 && probes > static_cast<double>(max_exact_probes)) {
      throw DomainError(
          "layers: layer 0 would need more than 256 probes, its rate P (1 - r) being below 2^-256; "
          "a larger P or a smaller r is allowed");
    }
    if (probes > static_cast<double>(max_exact_probes)) {
      throw DomainError("layers: layer " + std::to_string(index) +
                        " would need more than 256 probes; fewer layers (larger s or n0) or a "
                        "larger r are allowed");
    }
    const double bits =
        std::ceil(-probes * capacity / std::log1p(-std::exp(std::log(rate) / probes)));
    const Layer layer{checked_size(bits, index), static_cast<std::uint64_t>(probes),
                      checked_size(capacity, index)};
    rate *= r;
    capacity *= static_cast<double>(s);
    return layer;
  });
}

std::vector<Layer> untightened_layers(std::uint64_t m, std::uint64_t k, double fp,
                                      std::uint64_t n) {
  detail::require_filter("layers", m, k);
  detail::require(fp > 0.0 && fp < 1.0, "layers", "fp is outside (0, 1)");
  const auto probes = static_cast<double>(k);
  const double keys_per_bit = -std::log1p(-std::exp(std::log(fp) / probes)) / probes;
  return fill_layers(n, [&](std::size_t index) {
    const double bits = std::ldexp(static_cast<double>(m), static_cast<int>(index));
    return Layer{checked_size(bits, index), k, checked_size(std::ceil(bits * keys_per_bit), index)};
  });
}

double compound_exact_fpr(const std::vector<Layer>& layers) { return compound(layers, exact_fpr); }

double compound_approx_fpr(const std::vector<Layer>& layers) {
  return compound(layers, approx_fpr);
}

double sd_compound_fpr(const std::vector<Layer>& layers) {
  return sd_compound(layers, exact_fpr, sd_conditional_fpr);
}

double compound_partitioned_fpr(const std::vector<Layer>& layers) {
  return compound(layers, partitioned_fpr);
}

double sd_compound_partitioned_fpr(const std::vector<Layer>& layers) {
  return sd_compound(layers, partitioned_fpr, sd_partitioned_fpr);
}

double scalable_fpr(double P, double r, std::uint64_t s, std::uint64_t n0, std::uint64_t n) {
  return compound_exact_fpr(scalable_layers(P, r, s, n0, n));
}

double scalable_partitioned_fpr(double P, double r, std::uint64_t s, std::uint64_t n0,
                                std::uint64_t n) {
  return compound_partitioned_fpr(scalable_layers(P, r, s, n0, n));
}

double untightened_fpr(std::uint64_t m, std::uint64_t k, double fp, std::uint64_t n) {
  return compound_exact_fpr(untightened_layers(m, k, fp, n));
}

}  // namespace bloomlab::theory
