#include "core/theory/cardinality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

constexpr double largest_size = 0x1p63;  // [bits]; a double that 64 bits hold

/// ln(1 - X/m), from whichever of X and m - X is the smaller.
double log_empty_share(std::uint64_t m, std::uint64_t set_bits) {
  const auto bits = static_cast<double>(m);
  if (set_bits <= m / 2) return std::log1p(-static_cast<double>(set_bits) / bits);
  return std::log(static_cast<double>(m - set_bits) / bits);
}

void require_popcount(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits) {
  detail::require_filter("cardinality", m, k);
  detail::require(set_bits <= m, "cardinality",
                  "popcount is above m; a filter has at most m set bits");
}

/// ln(1 - the share of a group's keys that set at least one of `bits` given bits of one sector).
double log_kept(const BlockShape& shape, double bits) {
  const auto choices = static_cast<double>(shape.choices);
  const auto sector_bits = static_cast<double>(shape.sector_bits);
  if (bits >= sector_bits) return std::log1p(-1.0 / choices);
  const double in_sector =
      -std::expm1(static_cast<double>(shape.bits_per_group) * std::log1p(-bits / sector_bits));
  return std::log1p(-in_sector / choices);
}

/// ln of the probability that a key leaves bits of one block, which its keys keep with a
/// probability of e^log_kept, as they are.
double log_untouched(const BlockShape& shape, double log_kept) {
  return std::log1p(std::expm1(log_kept) / static_cast<double>(shape.blocks));
}

void require_shape(const BlockShape& shape, std::uint64_t set_bits) {
  detail::require(shape.bits() != 0 && shape.bits_per_group != 0, "cardinality",
                  "a shape of blocks has a 0; there is at least 1 of everything");
  detail::require(set_bits <= shape.bits(), "cardinality",
                  "popcount is above m; a filter has at most m set bits");
}

/// P(n keys leave a bit as it is); kept is -infinity for a bit that every key sets.
double untouched(double n, double log_kept) { return n == 0.0 ? 1.0 : std::exp(n * log_kept); }

double mean_set(const UnevenBits& shape, double n) {
  return shape.bits[0] * (1.0 - untouched(n, shape.log_kept[0])) +
         shape.bits[1] * (1.0 - untouched(n, shape.log_kept[1]));
}

}  // namespace

std::optional<double> estimated_keys(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits) {
  require_popcount(m, k, set_bits);
  if (set_bits == 0) return 0.0;
  if (set_bits == m) return std::nullopt;
  return log_empty_share(m, set_bits) /
         (static_cast<double>(k) * std::log1p(-1.0 / static_cast<double>(m)));
}

std::optional<double> swamidass_baldi_keys(std::uint64_t m, std::uint64_t k,
                                           std::uint64_t set_bits) {
  require_popcount(m, k, set_bits);
  if (set_bits == 0) return 0.0;
  if (set_bits == m) return std::nullopt;
  return -static_cast<double>(m) / static_cast<double>(k) * log_empty_share(m, set_bits);
}

double sd_estimated_keys(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  detail::require_filter("cardinality", m, k);
  if (n == 0 || m == 1) return 0.0;
  const auto bits = static_cast<double>(m);
  const auto probes = static_cast<double>(k);
  const double log_step = std::log1p(-1.0 / bits);
  const double empty = std::exp(static_cast<double>(n) * probes * log_step);
  return std::sqrt(var_set_bits(m, n, k)) / (bits * empty * probes * -log_step);
}

SmallerFilter smaller_filter(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits, double fpr) {
  detail::require(fpr > 0.0 && fpr < 1.0, "smaller_filter", "the rate is between 0 and 1");
  const std::optional<double> keys = swamidass_baldi_keys(m, k, set_bits);
  detail::require(keys.has_value(), "smaller_filter",
                  "all bits are set, which any large number of keys does");
  const double bits = std::ceil(-*keys * std::log(fpr) / (std::numbers::ln2 * std::numbers::ln2));
  const double fill = static_cast<double>(set_bits) / static_cast<double>(m);
  return {*keys, static_cast<std::uint64_t>(std::clamp(bits, 1.0, largest_size)),
          std::pow(fill, static_cast<double>(k))};
}

std::optional<double> estimated_keys(const BlockShape& shape, std::uint64_t set_bits) {
  require_shape(shape, set_bits);
  if (set_bits == 0) return 0.0;
  if (set_bits == shape.bits()) return std::nullopt;
  return log_empty_share(shape.bits(), set_bits) / log_untouched(shape, log_kept(shape, 1));
}

double sd_estimated_keys(const BlockShape& shape, double n) {
  require_shape(shape, 0);
  if (n == 0.0) return 0.0;
  const auto blocks = static_cast<double>(shape.blocks);
  const auto groups = static_cast<double>(shape.groups);
  const auto choices = static_cast<double>(shape.choices);
  const auto sector_bits = static_cast<double>(shape.sector_bits);
  const double block_bits = groups * choices * sector_bits;
  const double m = blocks * block_bits;

  // How many bits stand to a given one as each kind of pair, and ln(both are kept) in a block.
  const double one = log_kept(shape, 1);
  const double other_sector = std::log1p(2.0 * std::expm1(one));
  const double log_empty = log_untouched(shape, one);
  // Probability that both stay empty, over that for two bits that know nothing of each other.
  const auto excess = [&](double pairs, double log_both) {
    if (pairs == 0.0) return 0.0;
    return pairs * std::expm1(n * (log_untouched(shape, log_both) - 2.0 * log_empty));
  };
  const double far =
      (m - block_bits) *
      (blocks == 1.0
           ? 0.0
           : std::expm1(n * (std::log1p(2.0 * std::expm1(one) / blocks) - 2 * log_empty)));
  const double relative_variance =
      (excess(1.0, one) + excess(sector_bits - 1.0, log_kept(shape, 2)) +
       excess((choices - 1.0) * sector_bits, other_sector) +
       excess((groups - 1.0) * choices * sector_bits, 2.0 * one) + far) /
      m;
  // Of a single key the spread is 0, but for what rounding leaves of it.
  return std::sqrt(std::max(0.0, relative_variance)) / -log_empty;
}

UnevenBits sliced_bits(std::uint64_t m, std::uint64_t k) {
  detail::require(k >= 1 && m >= k, "cardinality", "there are fewer bits than slices");
  const auto longer = static_cast<double>(m % k);
  const auto size = static_cast<double>(m / k);
  const std::array<double, 2> slices = {longer, static_cast<double>(k) - longer};
  const std::array<double, 2> sizes = {size + 1.0, size};
  UnevenBits shape;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    shape.bits[kind] = slices[kind] * sizes[kind];
    shape.log_kept[kind] = std::log1p(-1.0 / sizes[kind]);
    shape.pairs[kind] = shape.bits[kind] * (sizes[kind] - 1.0);
    shape.log_both_kept[kind] = std::log1p(-std::min(2.0 / sizes[kind], 1.0));
  }
  return shape;
}

UnevenBits folded_bits(std::uint64_t m, std::uint64_t m2, std::uint64_t k) {
  detail::require(m2 >= 1 && m >= m2, "cardinality", "a filter folds to 1 to m bits");
  const auto probes = static_cast<double>(k);
  const double positions = static_cast<double>(m);
  const double fewer = static_cast<double>(m / m2) / positions;
  const std::array<double, 2> share = {fewer + 1.0 / positions, fewer};
  const auto kept = [&](double lost) { return probes * std::log1p(-std::min(lost, 1.0)); };
  UnevenBits shape;
  shape.bits = {static_cast<double>(m % m2), static_cast<double>(m2 - m % m2)};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    shape.log_kept[kind] = kept(share[kind]);
    shape.pairs[kind] = shape.bits[kind] * std::max(shape.bits[kind] - 1.0, 0.0);
    shape.log_both_kept[kind] = kept(2.0 * share[kind]);
  }
  shape.pairs[2] = 2.0 * shape.bits[0] * shape.bits[1];
  shape.log_both_kept[2] = kept(share[0] + share[1]);
  return shape;
}

std::optional<double> estimated_keys(const UnevenBits& shape, std::uint64_t set_bits) {
  const auto set = static_cast<double>(set_bits);
  const double all = shape.bits[0] + shape.bits[1];
  detail::require(set <= all, "cardinality",
                  "popcount is above m; a filter has at most m set bits");
  if (set_bits == 0) return 0.0;
  if (set == all) return std::nullopt;
  double high = 1.0;
  while (mean_set(shape, high) < set) high *= 2.0;
  double low = 0.0;
  while (high - low > 1e-13 * high) {
    const double middle = low + (high - low) / 2.0;
    if (middle == low || middle == high) break;
    (mean_set(shape, middle) < set ? low : high) = middle;
  }
  return high;
}

double sd_estimated_keys(const UnevenBits& shape, double n) {
  if (n == 0.0) return 0.0;
  std::array<double, 2> empty = {};
  double variance = 0.0;
  double slope = 0.0;  // of the mean, per key
  for (std::size_t kind = 0; kind < 2; ++kind) {
    empty[kind] = untouched(n, shape.log_kept[kind]);
    variance += shape.bits[kind] * empty[kind] * (1.0 - empty[kind]);
    if (empty[kind] > 0.0) slope -= shape.bits[kind] * empty[kind] * shape.log_kept[kind];
  }
  constexpr std::array<std::array<std::size_t, 2>, 3> kinds = {{{0, 0}, {1, 1}, {0, 1}}};
  for (std::size_t pair = 0; pair < kinds.size(); ++pair) {
    const auto [one, other] = kinds[pair];
    const double independent = empty[one] * empty[other];
    if (shape.pairs[pair] == 0.0 || independent == 0.0) continue;
    const double excess =
        std::expm1(n * (shape.log_both_kept[pair] - shape.log_kept[one] - shape.log_kept[other]));
    variance += shape.pairs[pair] * independent * excess;
  }
  return slope > 0.0 ? std::sqrt(std::max(0.0, variance)) / slope : 0.0;
}

}  // namespace bloomlab::theory
