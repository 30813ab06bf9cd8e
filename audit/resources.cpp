#include "audit/resources.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/theory/bounds.hpp"
#include "record/number_text.hpp"

namespace bloomlab::audit {
namespace {

/// The least memory that keeps what was promised [bits].
double least_bits(const Place& at, const Examined& examined) {
  const auto size = static_cast<double>(at.cell.size);
  double least = 0.0;
  // Other layouts may keep their rate with less than was allowed.
  if (at.layout.kind != Layout::Kind::other) {
    if (examined.expected) least = 0.97 * at.layout.bits;
    if (examined.bits_per_key) least = std::max(least, 0.95 * *examined.bits_per_key * size);
  }
  if (examined.fpr) least = std::max(least, size * std::log2(1.0 / *examined.fpr));
  return least;
}

/// Whether the declared layout cannot keep the requested rate in the memory that was taken.
bool misses_rate(const Place& at, const Examined& examined) {
  constexpr double rounding = 1.15;  // of k, and of the memory to bytes
  return examined.fpr && examined.expected && at.expected > rounding * *examined.fpr;
}

}  // namespace

std::optional<Finding> too_little_memory(std::span<const Place> places, const Examined& examined) {
  const bool are_powers = std::ranges::all_of(
      places, [](const Place& at) { return std::has_single_bit(at.cell.memory_bits); });
  for (const Place& at : places) {
    const double least = least_bits(at, examined);
    const bool is_little = static_cast<double>(at.cell.memory_bits) < least;
    if (!is_little && !misses_rate(at, examined)) continue;
    std::string text = "Takes " + std::to_string(at.cell.memory_bits) + " bits for " +
                       std::to_string(at.cell.size) + " keys, ";
    text +=
        is_little
            ? "where at least " + std::to_string(static_cast<std::uint64_t>(least)) + " are needed."
            : "which by the declared layout gives a rate of " + significant(at.expected, 3) +
                  " where " + significant(*examined.fpr, 3) + " was requested.";
    return Finding{.kind = Class::size_formula,
                   .text = std::move(text),
                   .cause = are_powers ? "every size is a power of two: rounded down" : ""};
  }
  return std::nullopt;
}

std::vector<Memory> memory_of(const Evidence& seen, const Examined& examined) {
  std::vector<Memory> all;
  for (const RateCell& cell : seen.rates) {
    if (cell.inserted != cell.size) continue;
    const auto size = static_cast<double>(cell.size);
    Memory one{.keys = cell.size, .bits = cell.memory_bits};
    if (examined.bits_per_key) one.promised_bits = *examined.bits_per_key * size;
    if (examined.fpr) {
      one.promised_bits =
          std::log2(std::exp(1.0)) * theory::lower_bound_bits(cell.size, *examined.fpr);
    }
    if (cell.hits > 0) one.lower_bound_bits = theory::lower_bound_bits(cell.size, cell.rate());
    all.push_back(one);
  }
  return all;
}

Attack attack_on(const Evidence& seen, const Examined& examined) {
  const SeedCheck& seeds = seen.seeds;
  Attack attack{.found = seeds.first, .hold = seeds.both};
  if (seeds.queries > 0) {
    attack.hold_by_chance = static_cast<double>(seeds.first) * static_cast<double>(seeds.second) /
                            static_cast<double>(seeds.queries);
  }
  for (const RateCell& cell : seen.rates) {
    if (cell.inserted != cell.size) continue;
    attack.keys = cell.size;
    attack.tries = cell.hits > 0 ? 1.0 / cell.rate() : 0.0;
    const Layout layout = examined.layout(cell.size, cell.memory_bits);
    if (layout.kind != Layout::Kind::standard && layout.kind != Layout::Kind::partitioned) {
      continue;
    }
    const double fill = static_cast<double>(cell.size) * layout.k / layout.bits;
    attack.chosen_rate = std::pow(std::min(1.0, fill), layout.k);
  }
  return attack;
}

}  // namespace bloomlab::audit
