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

std::vector<Layer> layers_of(const ArgumentReader& arguments) {
  return scalable_layers(arguments.real(0), arguments.real(1), arguments.integer(2),
                         arguments.integer(3), arguments.integer(4));
}

Evaluation evaluate_scalable(std::span<const ArgumentValue> values) {
  return evaluate_layers(layers_of(ArgumentReader(values)), of_standard);
}

Evaluation evaluate_scalable_partitioned(std::span<const ArgumentValue> values) {
  return evaluate_layers(layers_of(ArgumentReader(values)), of_partitioned);
}

std::vector<Layer> untightened_layers_of(const ArgumentReader& arguments) {
  return untightened_layers(arguments.integer(0), arguments.integer(1), arguments.real(2),
                            arguments.integer(3));
}

Evaluation evaluate_untightened(std::span<const ArgumentValue> values) {
  return evaluate_layers(untightened_layers_of(ArgumentReader(values)), of_standard);
}

// The rates alone: their deviations cost a thousand times as much.
double scalable_alone(std::span<const ArgumentValue> values) {
  return compound_exact_fpr(layers_of(ArgumentReader(values)));
}
double scalable_partitioned_alone(std::span<const ArgumentValue> values) {
  return compound_partitioned_fpr(layers_of(ArgumentReader(values)));
}
double untightened_alone(std::span<const ArgumentValue> values) {
  return compound_exact_fpr(untightened_layers_of(ArgumentReader(values)));
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
          evaluate_scalable,
          scalable_alone};
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
      evaluate_scalable_partitioned,
      scalable_partitioned_alone};
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
          evaluate_untightened,
          untightened_alone};
}

}  // namespace bloomlab::theory::catalogue
