// Models of the filters that grow by layers.

#include "core/theory/scalable.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

/// Beyond it the deviation of the rate, milliseconds a layer, is left out.
constexpr std::size_t most_layers_with_deviation = 256;

/// The closed forms of the layers of one sort of filter.
struct Compound {
  double (*rate)(const std::vector<Layer>&);
  double (*deviation)(const std::vector<Layer>&);
};
constexpr Compound of_standard{compound_exact_fpr, sd_compound_fpr};
constexpr Compound of_partitioned{compound_partitioned_fpr, sd_compound_partitioned_fpr};

Evaluation evaluate_layers(const std::vector<Layer>& layers, const Compound& compound) {
  std::uint64_t total = 0;
  std::vector<std::vector<std::uint64_t>> rows;
  for (const Layer& layer : layers) {
    if (layer.m > std::numeric_limits<std::uint64_t>::max() - total) {
      throw DomainError("layers: all layers together would pass 2^64 bits; fewer keys are allowed");
    }
    total += layer.m;
    rows.push_back({layer.m, layer.k, layer.n});
  }
  const bool with_deviation = layers.size() <= most_layers_with_deviation;
  return {compound.rate(layers),
          {{"layers", static_cast<std::uint64_t>(layers.size())},
           {"total_bits", total},
           {"layer_m_k_n", std::move(rows)},
           {"approx", compound_approx_fpr(layers)},
           {"sd_conditional_fpr",
            with_deviation ? ColumnValue(compound.deviation(layers)) : ColumnValue()}}};
}

Evaluation evaluate_scalable(double target, double tightening, std::uint64_t growth,
                             std::uint64_t first, std::uint64_t n) {
  return evaluate_layers(scalable_layers(target, tightening, growth, first, n), of_standard);
}

Evaluation evaluate_scalable_partitioned(double target, double tightening, std::uint64_t growth,
                                         std::uint64_t first, std::uint64_t n) {
  return evaluate_layers(scalable_layers(target, tightening, growth, first, n), of_partitioned);
}

Evaluation evaluate_untightened(std::uint64_t m, std::uint64_t k, double fp, std::uint64_t n) {
  return evaluate_layers(untightened_layers(m, k, fp, n), of_standard);
}

std::vector<ArgumentInfo> scalable_arguments() {
  return {open_argument("P", "probability", "target of the compound rate"),
          open_argument("r", "", "tightening: ratio of the rates of neighbouring layers"),
          integer_argument("s", "", "growth: ratio of their capacities", 1, 65536),
          integer_argument("n0", "keys", "capacity of the first layer", 1), n_argument()};
}

std::vector<std::string_view> layer_columns() {
  return {"layers", "total_bits", "layer_m_k_n", "approx", "sd_conditional_fpr"};
}

}  // namespace

Model scalable() {
  return {"scalable",
          "compound rate of a scalable filter, 1 - prod(1 - exact rate of layer i), the last layer "
          "partly filled",
          "probability",
          "Almeida, Baquero, Preguica, Hutchison 2007, Scalable Bloom filters; exact for ideal "
          "hashing, positions with replacement, every key inserted",
          scalable_arguments(),
          layer_columns(),
          of_arguments<evaluate_scalable>,
          of_arguments<scalable_fpr>};
}

Model scalable_partitioned() {
  return {
      "scalable_partitioned",
      "compound rate of a scalable filter of partitioned layers, 1 - prod(1 - rate of layer i), "
      "the last layer partly filled",
      "probability",
      "Almeida, Baquero, Preguica, Hutchison 2007, Scalable Bloom filters; exact for ideal "
      "hashing, every key inserted; the first m mod k slices of a layer have one bit more",
      scalable_arguments(),
      layer_columns(),
      of_arguments<evaluate_scalable_partitioned>,
      of_arguments<scalable_partitioned_fpr>};
}

Model scalable_untightened() {
  return {"scalable_untightened",
          "compound rate of the lab report's filter: layers double in size, all with k probes and "
          "the rate fp when full",
          "probability",
          "lab report 2021, Bloom filter against scalable Bloom filter; exact for ideal hashing, "
          "positions with replacement, every key inserted",
          {integer_argument("m", "bits", "size of the first layer", 1), k_argument(),
           open_argument("fp", "probability", "rate at which a layer is full"), n_argument()},
          layer_columns(),
          of_arguments<evaluate_untightened>,
          of_arguments<untightened_fpr>};
}

}  // namespace bloomlab::theory::catalogue
