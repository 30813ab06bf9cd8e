#include "analysis/kinds/mutation_laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/data/closed_forms.hpp"
#include "analysis/data/with_theory.hpp"
#include "core/catalogue.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

using statistics::RateLaw;
using statistics::SetBitsLaw;

std::uint64_t count_at(const Json& filter, const char* key) {
  return filter.at(key).get<std::uint64_t>();
}

void add_variance(RightLaw& law, double variance) {
  if (std::isnan(variance)) return;
  law.rates = RateLaw{law.rate, std::clamp(variance, 0.0, law.rate * (1 - law.rate))};
}

/// Slices are independent filters of one probe: means and variances of set bits add up, and the
/// rate is a product of independent fills.
void add_slices(RightLaw& law, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  SetBitsLaw bits{.mean = 0, .variance = 0, .limit = static_cast<double>(std::min(m, n * k))};
  double mean_square = 1;  // E of the squared rate
  double squared_mean = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    const std::uint64_t size = m / k + (i < m % k ? 1 : 0);
    const auto slice =
        evaluated({"standard_exact", {{"m", size}, {"n", n}, {"k", std::uint64_t{1}}}});
    const double mean = slice.number("mean_set_bits");
    const double variance = std::max(slice.number("var_set_bits"), 0.0);
    const double square = static_cast<double>(size) * static_cast<double>(size);
    bits.mean += mean;
    bits.variance += variance;
    mean_square *= (variance + mean * mean) / square;
    squared_mean *= mean * mean / square;
  }
  law.set_bits = bits;
  add_variance(law, mean_square - squared_mean);
}

/// The rate of a standard filter whose positions are those of the family, where it has a form.
std::optional<double> family_rate(const Json& filter, const std::string& probe, std::uint64_t n,
                                  const std::string& where) {
  try {
    const auto query = make_probe(probe, MultiplyShift::name)
                           .prediction(count_at(filter, "m"), n, count_at(filter, "k"));
    if (!query) return std::nullopt;
    return evaluated(*query).number();
  } catch (const std::invalid_argument& error) {
    throw record::InputError(where + ": " + error.what());
  }
}

}  // namespace

RightLaw right_law(const Json& filter, const std::string& probe, std::uint64_t n,
                   const std::string& where) {
  const Prediction prediction = predict(Json{{"filter", filter}}, n, where);
  const bool independent = probe == Independent::name;
  RightLaw law;
  law.rate = prediction.rate;
  law.own_rate = independent || probe.empty();
  if (filter.at("kind") == Partitioned::name) {
    add_slices(law, count_at(filter, "m"), n, count_at(filter, "k"));
    return law;
  }
  if (!law.own_rate) law.rate = family_rate(filter, probe, n, where).value_or(law.rate);
  add_variance(law, prediction.sd_rate * prediction.sd_rate);
  if (!std::isnan(prediction.mean_set_bits) && independent) {
    const std::uint64_t limit = std::min(count_at(filter, "m"), n * count_at(filter, "k"));
    law.set_bits = SetBitsLaw{prediction.mean_set_bits, std::max(prediction.var_set_bits, 0.0),
                              static_cast<double>(limit)};
  }
  return law;
}

}  // namespace bloomlab::analysis
