// Models of the filters that grow by layers.

#include "core/theory/scalable.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

/// Beyond it the deviation of the rate, milliseconds a layer, is left out.
constexpr std::size_t most_layers_with_deviation = 256;

Evaluation evaluate_layers(const std::vector<Layer>& layers) {
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
  return {compound_exact_fpr(layers),
          {{"layers", static_cast<std::uint64_t>(layers.size())},
           {"total_bits", total},
           {"layer_m_k_n", std::move(rows)},
           {"approx", compound_approx_fpr(layers)},
           {"sd_conditional_fpr",
            with_deviation ? ColumnValue(sd_compound_fpr(layers)) : ColumnValue()}}};
}

Evaluation evaluate_scalable(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  return evaluate_layers(scalable_layers(arguments.real(0), arguments.real(1), arguments.integer(2),
                                         arguments.integer(3), arguments.integer(4)));
}

Evaluation evaluate_untightened(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  return evaluate_layers(untightened_layers(arguments.integer(0), arguments.integer(1),
                                            arguments.real(2), arguments.integer(3)));
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
          {open_argument("P", "probability", "target of the compound rate"),
           open_argument("r", "", "tightening: ratio of the rates of neighbouring layers"),
           integer_argument("s", "", "growth: ratio of their capacities", 1, 65536),
           integer_argument("n0", "keys", "capacity of the first layer", 1), n_argument()},
          layer_columns(),
          evaluate_scalable};
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
          evaluate_untightened};
}

}  // namespace bloomlab::theory::catalogue
