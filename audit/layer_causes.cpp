#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "audit/causes.hpp"
#include "core/theory/scalable.hpp"
#include "record/number_text.hpp"

namespace bloomlab::audit::detail {
namespace {

using Layers = std::vector<theory::Layer>;
using Rate = double (*)(const Layers&);

constexpr double untightened = 1.0;
constexpr double least_rate = 1e-6;
constexpr double most_rate = 0.6;

/// How a filter grows.
struct Growth {
  double first_share = 0.0;         ///< keys of the first layer, of those it is made for; 0: ...
  std::uint64_t first_keys = 0;     ///< ... as many for every filter
  std::uint64_t factor = 2;         ///< from layer to layer
  double tightening = 0.5;          ///< of the rate from layer to layer
  double rate = 0.0;                ///< of all layers; of each where nothing is tightened
  bool layout_is_declared = false;  ///< with its number of probes

  [[nodiscard]] std::uint64_t first(const Place& at) const {
    if (first_share <= 0.0) return first_keys;
    const double keys = first_share * static_cast<double>(at.cell.size);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(keys));
  }
};

/// The layers of a filter that holds `n` keys.
Layers layers_of(const Growth& growth, const Place& at, std::uint64_t n) {
  if (growth.tightening < untightened) {
    return theory::scalable_layers(growth.rate, growth.tightening, growth.factor, growth.first(at),
                                   n);
  }
  const double best = std::max(1.0, std::round(-std::log2(growth.rate)));
  const double k = growth.layout_is_declared ? at.layout.k : best;
  const double keys_per_bit = -std::log1p(-std::pow(growth.rate, 1.0 / k)) / k;
  // Rounded down, so that the first layer takes those keys and not one more.
  const double bits =
      std::max(1.0, std::floor(static_cast<double>(growth.first(at)) / keys_per_bit));
  return theory::untightened_layers(static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(k),
                                    growth.rate, n);
}

bool grows(const Growth& growth, const Place& at) { return at.cell.inserted > growth.first(at); }

std::vector<Growth> growths(std::span<const Place> places, bool layout_is_declared) {
  std::vector<Growth> all;
  const auto add_first = [&](Growth growth) {
    growth.layout_is_declared = layout_is_declared;
    if (std::ranges::none_of(places, [&](const Place& at) { return grows(growth, at); })) return;
    for (const double tightening : {0.5, 0.8, 0.85, 0.9, untightened}) {
      for (const std::uint64_t factor : {2U, 4U}) {
        if (tightening >= untightened && factor != 2) continue;
        growth.tightening = tightening;
        growth.factor = factor;
        all.push_back(growth);
      }
    }
  };
  for (const double share : {1.0, 0.5, 0.25, 0.125, 0.1}) add_first({.first_share = share});
  for (const std::uint64_t keys : {16U, 64U, 100U, 128U, 256U, 500U, 512U, 1000U, 1024U, 10'000U}) {
    add_first({.first_keys = keys});
  }
  return all;
}

Cause cause_of(const Growth& growth, Rate rate, const char* form, double error) {
  const std::string first =
      growth.first_share > 0.0
          ? parameter_text(growth.first_share) + " of the keys that the filter is made for"
          : std::to_string(growth.first_keys) + " keys";
  const bool is_tightened = growth.tightening < untightened;
  return {
      Class::layers,
      "the first for " + first + ", each for " + std::to_string(growth.factor) + " times as many" +
          form + ", at a rate of " + significant(growth.rate, 2) +
          (is_tightened ? " in all, tightened by " + parameter_text(growth.tightening) : " each"),
      3,
      [=](const Place& at) {
        return std::optional(Predicted{rate(layers_of(growth, at, at.cell.inserted)), error});
      },
      no_loss};
}

/// Whether the filter says of itself that it takes more memory with more keys.
bool memory_grows(std::span<const Place> places) {
  return std::ranges::any_of(places, [&](const Place& few) {
    return std::ranges::any_of(places, [&](const Place& many) {
      return few.cell.size == many.cell.size && few.cell.inserted < many.cell.inserted &&
             few.cell.memory_bits < many.cell.memory_bits;
    });
  });
}

/// Whether the layers take what the filter took, everywhere; a full one may have the next already.
bool takes_as_counted(const Growth& growth, std::span<const Place> places) {
  constexpr double nearly = 0.1;
  const auto fits = [&](const Place& at, std::uint64_t n) {
    double bits = 0.0;
    for (const theory::Layer& layer : layers_of(growth, at, n)) {
      bits += static_cast<double>(layer.m);
    }
    const auto counted = static_cast<double>(at.cell.memory_bits);
    return std::abs(bits - counted) <= nearly * counted + 64.0;
  };
  return std::ranges::all_of(places, [&](const Place& at) {
    return fits(at, at.cell.inserted) || fits(at, at.cell.inserted + 1);
  });
}

/// The rate at which it fits best, between two, and how well.
std::pair<double, Growth> best_rate(Growth growth, std::span<const Place> places, Rate rate,
                                    double low, double high, double error) {
  const auto deviance_at = [&](double x) {
    growth.rate = std::exp(x);
    return fit(cause_of(growth, rate, "", error), places).deviance;
  };
  const double best = best_parameter(std::log(low), std::log(high), deviance_at);
  const double deviance = deviance_at(best);
  return {deviance, growth};
}

}  // namespace

void add_layers(Causes& causes, std::span<const Place> places, bool layout_is_declared) {
  constexpr std::size_t most = 4;
  constexpr std::pair<Rate, const char*> forms[] = {
      {theory::compound_exact_fpr, ""}, {theory::compound_partitioned_fpr, " in slices"}};
  const bool is_counted = memory_grows(places);
  std::vector<std::pair<double, Growth>> counted;
  std::vector<std::pair<double, Growth>> others;
  for (const Growth& growth : growths(places, layout_is_declared)) {
    const auto best =
        best_rate(growth, places, theory::compound_approx_fpr, least_rate, most_rate, 0.05);
    (is_counted && takes_as_counted(best.second, places) ? counted : others).push_back(best);
  }
  for (auto* const list : {&counted, &others}) {
    bool fits = false;
    std::ranges::sort(*list, {}, &std::pair<double, Growth>::first);
    for (std::size_t i = 0; i < std::min(most, list->size()); ++i) {
      for (const auto& [rate, form] : forms) {
        const Growth& rough = (*list)[i].second;
        const Growth best =
            best_rate(rough, places, rate, rough.rate / 1.1, rough.rate * 1.1, 0.01).second;
        Cause cause = cause_of(best, rate, form, 0.01);
        cause.counted = list == &counted;
        fits = fits || !fit(cause, places).fails();
        causes.add(cause);
      }
    }
    if (fits) return;
  }
}

}  // namespace bloomlab::audit::detail
