// The parameters of a filter for n keys and a rate, and the keys that parameters have room for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/filters/concepts.hpp"
#include "core/filters/sizing.hpp"
#include "core/parameters.hpp"
#include "core/refusal.hpp"

namespace bloomlab {

/// The parameters of least memory whose rate after n distinct keys is at most p, by the closed form
/// of the filter; nothing for n = 0, p outside of (0, 1) and rates that the filter cannot have.
template <Sized Filter>
[[nodiscard]] std::optional<typename Filter::Parameters> try_parameters_for(std::uint64_t n,
                                                                            double p) {
  if (n == 0 || !(p > 0.0 && p < 1.0)) return std::nullopt;
  return best_parameters<Filter>(SizingGoal{.n = n, .rate = p});
}

/// The same; throws std::invalid_argument where there are none.
template <Sized Filter>
[[nodiscard]] typename Filter::Parameters parameters_for(std::uint64_t n, double p) {
  if (const auto parameters = try_parameters_for<Filter>(n, p)) return *parameters;
  const std::string goal = std::to_string(n) + " keys and a rate of " + std::to_string(p);
  if (n == 0 || !(p > 0.0 && p < 1.0)) {
    detail::refuse(std::string(Filter::name) + ": " + goal +
                   " were asked for; give at least 1 key and a rate above 0, below 1");
  }
  detail::refuse(std::string(Filter::name) + ": no parameters give " + goal +
                 "; choose a higher rate, fewer keys or another filter");
}

namespace detail {

/// The most keys, at most `most`, after which a rate that rises with them is at most p; where
/// rate(n) throws theory::DomainError for more than one key, the keys end before.
[[nodiscard]] std::uint64_t most_keys_within(double p, std::uint64_t most,
                                             const std::function<double(std::uint64_t)>& rate);

}  // namespace detail

/// The largest number of distinct keys after which the rate is at most p, by the closed form of the
/// filter; 0 where one key is too many, and at most 2^48, what the filter says that it takes
/// (`most_keys(parameters)`), or what its closed form takes: layers that tighten end with one that
/// would need too many probes.
template <Described Filter>
[[nodiscard]] std::uint64_t capacity_for(const typename Filter::Parameters& parameters, double p) {
  std::uint64_t most = max_filter_bits;
  if constexpr (requires { Filter::most_keys(parameters); }) most = Filter::most_keys(parameters);
  const auto rate = [&] {
    if constexpr (HasBlockRates<Filter>) {
      return [blocks = Filter::blocks(parameters), rates = Filter::block_rates(parameters)](
                 std::uint64_t n) mutable { return rates.rate(blocks, n); };
    } else {
      return [&](std::uint64_t n) { return predicted_rate<Filter>(parameters, n); };
    }
  };
  return detail::most_keys_within(p, most, rate());
}

}  // namespace bloomlab
