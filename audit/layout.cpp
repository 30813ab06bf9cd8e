#include "audit/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::audit {
namespace {

constexpr double lane_bits = 32.0;
constexpr int lanes = 8;

/// E[F^k] for the fill F of `bits` bits after `positions` positions, second order in its variance.
double power_of_fill(double bits, double positions, double k, double first_fill = 0.0,
                     bool exact = false) {
  if (positions <= 0.0 && first_fill <= 0.0) return 0.0;
  constexpr double small_filter = 20'000.0;
  const double keys = positions / k;
  if (exact && bits < small_filter && first_fill <= 0.0 && keys == std::round(keys)) {
    return theory::exact_fpr(static_cast<std::uint64_t>(std::max(1.0, std::round(bits))),
                             static_cast<std::uint64_t>(keys), static_cast<std::uint64_t>(k));
  }
  const double load = positions / bits;
  const double clear = (1.0 - first_fill) * std::exp(positions * std::log1p(-1.0 / bits));
  const double fill = 1.0 - clear;
  const double variance = std::max(0.0, clear * (1.0 - (1.0 + load) * clear) / bits);
  return std::min(1.0, std::pow(fill, k) * (1.0 + 0.5 * k * (k - 1.0) * variance / fill / fill));
}

/// Two groups of places: those that a hash of some bits reaches once more often than the others.
struct Uneven {
  std::array<double, 2> places{};  ///< how many
  std::array<double, 2> chance{};  ///< of each
};

Uneven uneven(double places, int hash_bits) {
  const double hashes = std::ldexp(1.0, hash_bits);
  if (hash_bits == 0) return {{places, 0.0}, {1.0 / places, 0.0}};
  if (hashes <= places) return {{hashes, 0.0}, {1.0 / hashes, 0.0}};
  const double least = std::floor(hashes / places);
  const double more = hashes - least * places;
  return {{places - more, more}, {least / hashes, (least + 1.0) / hashes}};
}

/// Sum over i of Binomial(n, chance)(i) value(i).
template <class Value>
double mixed(double n, double chance, Value value) {
  if (chance >= 1.0) return value(n);
  const double mean = n * chance;
  const double width = 12.0 * std::sqrt(mean) + 20.0;
  const double low = std::max(0.0, std::floor(mean - width));
  const double high = std::min(n, std::ceil(mean + width));
  double log_weight = std::lgamma(n + 1.0) - std::lgamma(low + 1.0) - std::lgamma(n - low + 1.0) +
                      low * std::log(chance) + (n - low) * std::log1p(-chance);
  double weight = std::exp(log_weight);
  double sum = 0.0;
  for (double i = low; i <= high; i += 1.0) {
    sum += weight * value(i);
    if (weight < 1e-280) {
      log_weight += std::log((n - i) / (i + 1.0) * chance / (1.0 - chance));
      weight = std::exp(log_weight);
    } else {
      weight *= (n - i) / (i + 1.0) * chance / (1.0 - chance);
      log_weight = std::log(std::max(weight, 1e-300));
    }
  }
  return sum;
}

/// Chance that a probe finds its bit set where positions are fractions in single precision: 2^24
/// fractions, and positions from 2^24 on are rounded to multiples of 2, from 2^25 on of 4.
double single_precision_hit(double bits, double positions) {
  const double fractions = std::exp2(24);
  double hit = 0.0;
  for (double low = 0.0, high = fractions, step = 1.0; low < bits;
       low = high, high *= 2.0, step *= 2.0) {
    const double share = (std::min(bits, high) - low) / bits;
    const double places = (std::min(bits, high) - low) / step;
    const double words = share * fractions;
    const double least = std::floor(words / places);
    const double more = words - least * places;
    for (const auto& [count, weight] :
         {std::pair{std::min(words, places - more), least}, std::pair{more, least + 1.0}}) {
      if (count <= 0.0 || weight <= 0.0) continue;
      const double chance = weight / fractions;
      hit += count * chance * (1.0 - std::exp(positions * std::log1p(-chance)));
    }
  }
  return hit;
}

struct Probes {
  double inserted = 1.0;
  double queried = 1.0;
};

Probes probes_of(const Layout& layout, const Bend& bend) {
  return {static_cast<double>(bend.inserted_k > 0 ? bend.inserted_k : layout.k),
          static_cast<double>(bend.queried_k > 0 ? bend.queried_k : layout.k)};
}

double standard_rate(double bits, double n, const Probes& k, const Bend& bend) {
  if (bend.half_negative) {
    // Position 0 is set by the first keys; the other half of the probes are a filter's.
    const double first = 1.0 - std::exp2(-k.inserted * n);
    const double fill = 1.0 - std::exp(0.5 * k.inserted * n * std::log1p(-1.0 / bits));
    return std::pow(0.5 * first + 0.5 * fill, k.queried);
  }
  if (bend.single_precision) {
    return std::pow(single_precision_hit(bits, k.inserted * n), k.queried);
  }
  if (bend.position_bits > 0) {
    const Uneven groups = uneven(bits, bend.position_bits);
    if (groups.places[1] > 0.0) {
      double hit = 0.0;
      for (std::size_t g = 0; g < 2; ++g) {
        hit += groups.places[g] * groups.chance[g] *
               (1.0 - std::exp(k.inserted * n * std::log1p(-groups.chance[g])));
      }
      return std::pow(hit, k.queried);
    }
    bits = groups.places[0];
  }
  return power_of_fill(bits, k.inserted * n, k.queried, bend.first_fill, true);
}

double blocked_rate(const Layout& layout, double n, const Probes& k, const Bend& bend) {
  const double inner_bits = std::max(1.0, layout.block_bits * bend.bits_share);
  const Uneven blocks = uneven(std::max(1.0, layout.bits / layout.block_bits), bend.position_bits);
  double sum = 0.0;
  for (std::size_t g = 0; g < 2; ++g) {
    if (blocks.places[g] <= 0.0) continue;
    sum +=
        blocks.places[g] * blocks.chance[g] * mixed(std::round(n), blocks.chance[g], [&](double i) {
          return power_of_fill(inner_bits, k.inserted * i, k.queried, bend.first_fill);
        });
  }
  return sum;
}

double lane_rate(const Layout& layout, double n, const Probes& k, const Bend& bend) {
  const double bits = std::max(1.0, lane_bits * bend.bits_share);
  const Uneven blocks =
      uneven(std::max(1.0, layout.bits / (lanes * lane_bits)), bend.position_bits);
  double sum = 0.0;
  for (std::size_t g = 0; g < 2; ++g) {
    if (blocks.places[g] <= 0.0) continue;
    sum +=
        blocks.places[g] * blocks.chance[g] * mixed(std::round(n), blocks.chance[g], [&](double i) {
          return std::pow(1.0 - std::exp(i * std::log1p(-1.0 / bits)), k.queried);
        });
  }
  return sum;
}

theory::Query at(theory::Query form, std::uint64_t n) {
  for (theory::Argument& argument : form.arguments) {
    if (argument.name == "n") argument.value = n;
  }
  return form;
}

theory::Query form_of(const Layout& layout) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
  const auto k = static_cast<std::uint64_t>(layout.k);
  switch (layout.kind) {
    case Layout::Kind::partitioned:
      return {"partitioned", {{"m", whole(layout.bits)}, {"n", std::uint64_t{0}}, {"k", k}}};
    case Layout::Kind::blocked:
      return {"blocked",
              {{"nblocks", whole(layout.bits / layout.block_bits)},
               {"block_bits", whole(layout.block_bits)},
               {"n", std::uint64_t{0}},
               {"k", k}}};
    case Layout::Kind::split_block:
      return {"split_block",
              {{"nblocks", whole(layout.bits / (lanes * lane_bits))},
               {"lanes", std::uint64_t{lanes}},
               {"lane_bits", whole(lane_bits)},
               {"n", std::uint64_t{0}}}};
    default:
      return {"standard_exact", {{"m", whole(layout.bits)}, {"n", std::uint64_t{0}}, {"k", k}}};
  }
}

}  // namespace

double rate(const Layout& layout, std::uint64_t n) {
  if (n == 0) return 0.0;
  const theory::Query form = at(layout.form ? *layout.form : form_of(layout), n);
  return theory::Evaluation{theory::evaluate_value(form), {}}.number();
}

double bent_rate(const Layout& layout, double n, const Bend& bend) {
  const Probes k = probes_of(layout, bend);
  n *= bend.key_share;
  switch (layout.kind) {
    case Layout::Kind::blocked:
      return blocked_rate(layout, n, k, bend);
    case Layout::Kind::split_block:
      return lane_rate(layout, n, k, bend);
    case Layout::Kind::partitioned: {
      const double slice = std::max(1.0, layout.bits * bend.bits_share / layout.k);
      const double clear = (1.0 - bend.first_fill) * std::exp(n * std::log1p(-1.0 / slice));
      return std::pow(1.0 - clear, k.queried);
    }
    case Layout::Kind::standard:
      return standard_rate(std::max(1.0, layout.bits * bend.bits_share), n, k, bend);
    case Layout::Kind::other:
      break;
  }
  const auto whole = static_cast<std::uint64_t>(std::llround(n));
  return rate(layout, whole);
}

double bent_from(double exact, const Layout& layout, double n, const Bend& bend) {
  const double plain = bent_rate(layout, n, {});
  double changed = bent_rate(layout, n, bend);
  if (plain > 0.0 && exact > 0.0) changed *= std::min(2.0, exact / plain);
  return std::min(1.0, changed);
}

double equal_hash_share(double n, double hash_bits) {
  return -std::expm1(n * std::log1p(-std::exp2(-hash_bits)));
}

double mean_fill(const Layout& layout, double n, const Bend& bend) {
  Bend one = bend;
  one.inserted_k = bend.inserted_k > 0 ? bend.inserted_k : layout.k;
  one.queried_k = 1;
  return bent_rate(layout, n, one);
}

}  // namespace bloomlab::audit
