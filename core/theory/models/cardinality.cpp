// Model of the number of keys that a filter holds.

#include "core/theory/cardinality.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_cardinality(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t k = arguments.integer(1);
  const std::uint64_t set_bits = arguments.integer(2);
  const std::optional<double> keys = estimated_keys(m, k, set_bits);
  if (!keys) {
    return {{}, {{"swamidass_baldi", {}}, {"sd", {}}, {"saturated", true}}};
  }
  const auto nearest = static_cast<std::uint64_t>(std::round(*keys));
  return {*keys,
          {{"swamidass_baldi", *swamidass_baldi_keys(m, k, set_bits)},
           {"sd", sd_estimated_keys(m, k, nearest)},
           {"saturated", false}}};
}

}  // namespace

Model cardinality() {
  return {"cardinality",
          "keys at which that many set bits are expected, ln(1 - X/m) / (k ln(1 - 1/m)); nothing "
          "where all bits are set",
          "keys",
          "inverse of the mean of set bits; swamidass_baldi: Swamidass, Baldi 2007, Mathematical "
          "correction for fingerprint similarity measures",
          {m_argument(), k_argument(),
           integer_argument("popcount", "bits", "set bits X, at most m", 0)},
          {"swamidass_baldi", "sd", "saturated"},
          evaluate_cardinality};
}

}  // namespace bloomlab::theory::catalogue
