#include "core/theory/loads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "core/theory/blocked.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/occupancy_contour.hpp"
#include "core/theory/folding.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

constexpr int word_bits = 64;

/// E[function(I)] for a Poisson count and a nondecreasing function from 0 to 1: by ratios outwards
/// from the mode. Beyond a mean of 10^6 every block is full.
template <class Function>
double poisson_mean(double mean, std::uint64_t saturated, Function&& function) {
  if (!(mean > 0.0)) return 0.0;
  if (mean - 12.0 * std::sqrt(mean) > static_cast<double>(saturated)) return 1.0;
  const auto mode = static_cast<std::uint64_t>(mean);
  double weights = 0.0;
  double sum = 0.0;
  double p = 1.0;
  for (std::uint64_t i = mode;; --i) {
    weights += p;
    sum += p * function(i);
    p *= static_cast<double>(i) / mean;
    if (i == 0 || p < 1e-25) break;
  }
  p = 1.0;
  for (std::uint64_t i = mode + 1;; ++i) {
    p *= mean / static_cast<double>(i);
    weights += p;
    const double part = p * (i >= saturated ? 1.0 : function(i));
    sum += part;
    if (p < 1e-25 * weights && part <= 1e-18 * sum) break;
    if (p < 1e-300) break;
  }
  return std::min(sum / weights, 1.0);
}

/// Load from which `bits` bits with that many probes are all set, in double.
std::uint64_t full_load(std::uint64_t bits, std::uint64_t probes) {
  return (bits + probes - 1) / probes * 48 + 64;
}

/// The smallest of the rotations of a word: words that are rotations of each other have one.
std::uint64_t canonical(std::uint64_t word) {
  std::uint64_t least = word;
  for (int turn = 1; turn < word_bits; ++turn) least = std::min(least, std::rotl(word, turn));
  return least;
}

/// Rotations by 0 to 63 that map a word to itself.
std::uint64_t symmetries(std::uint64_t word) {
  std::uint64_t count = 1;
  for (int turn = 1; turn < word_bits; ++turn) count += std::rotl(word, turn) == word ? 1U : 0U;
  return count;
}

/// Calls visit(T) for every subset T of the word's bits, the empty one and the whole included.
template <class Visit>
void for_each_subset(std::uint64_t word, Visit&& visit) {
  for (std::uint64_t subset = word;; subset = (subset - 1) & word) {
    visit(subset);
    if (subset == 0) return;
  }
}

}  // namespace

double poisson_blocked_fpr(double keys_per_block, std::uint64_t block_bits, std::uint64_t k) {
  detail::require_filter("blocked", block_bits, k);
  detail::require(block_bits <= most_block_bits && k <= max_exact_probes, "blocked",
                  "a block of more than 65536 bits or more than 256 probes");
  detail::require(keys_per_block >= 0.0, "blocked", "a negative load");
  return poisson_mean(keys_per_block, full_load(block_bits, k),
                      [&](std::uint64_t load) { return exact_fpr(block_bits, load, k); });
}

double poisson_split_block_fpr(double keys_per_block, std::uint64_t lanes,
                               std::uint64_t lane_bits) {
  detail::require_filter("split_block", lane_bits, lanes);
  detail::require(lane_bits <= most_block_bits && lanes <= max_exact_probes, "split_block",
                  "a lane of more than 65536 bits or more than 256 lanes");
  detail::require(keys_per_block >= 0.0, "split_block", "a negative load");
  const double log_miss = std::log1p(-1.0 / static_cast<double>(lane_bits));
  return poisson_mean(keys_per_block, full_load(lane_bits, 1), [&](std::uint64_t load) {
    if (load == 0) return 0.0;
    return std::pow(-std::expm1(static_cast<double>(load) * log_miss), static_cast<double>(lanes));
  });
}

double masked_words_fpr(std::span<const std::uint64_t> masks, double words, std::uint64_t n) {
  detail::require(!masks.empty() && words > 0.0, "masked words", "there is no mask or no word");
  // contained[T]: rotated masks that have all bits of T, which any rotation of T has as many of.
  std::unordered_map<std::uint64_t, std::uint64_t> contained;
  for (const std::uint64_t mask : masks) {
    detail::require(mask != 0 && std::popcount(mask) <= 8, "masked words",
                    "a mask of no bits or of more than 8");
    for_each_subset(mask, [&](std::uint64_t subset) {
      if (subset == 0) return;
      contained[canonical(subset)] += symmetries(subset);
    });
  }
  const double all = static_cast<double>(masks.size()) * word_bits;
  const auto keys = static_cast<double>(n);
  double sum = 0.0;
  for (const std::uint64_t mask : masks) {
    std::unordered_map<std::uint64_t, double> with;  // by subset of this mask
    for_each_subset(mask, [&](std::uint64_t subset) {
      if (subset != 0) with[subset] = static_cast<double>(contained.at(canonical(subset)));
    });
    for_each_subset(mask, [&](std::uint64_t subset) {
      double met = 0.0;  // rotated masks that meet the subset, by inclusion and exclusion
      for_each_subset(subset, [&](std::uint64_t part) {
        if (part != 0) met += std::popcount(part) % 2 == 1 ? with[part] : -with[part];
      });
      const double share = std::min(met / all / words, 1.0);
      const double missed = keys > 0.0 ? std::exp(keys * std::log1p(-share)) : 1.0;
      sum += std::popcount(subset) % 2 == 0 ? missed : -missed;
    });
  }
  return std::clamp(sum / static_cast<double>(masks.size()), 0.0, 1.0);
}

double reduced_range_fpr(std::uint64_t range, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("reduced range", m, k);
  detail::require(range >= 1, "reduced range", "there is no hash value");
  if (range <= m) return exact_fpr(range, n, k);
  constexpr std::uint64_t even = 4096;  // so many hash values a bit are as good as all
  if (range % m == 0 || range / m >= even) return exact_fpr(m, n, k);
  if (n == 0) return 0.0;
  return folded_fpr(range, m, n, k);
}

double short_hash_fpr(std::uint64_t hash_bits, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require(hash_bits >= 1 && hash_bits <= 63, "short hash", "hash_bits is outside 1 to 63");
  if (n == 0) return 0.0;
  const std::uint64_t range = std::uint64_t{1} << hash_bits;
  const double share = std::ldexp(1.0, -static_cast<int>(hash_bits));
  const double equal = -std::expm1(static_cast<double>(n) * std::log1p(-share));
  const double inner = reduced_range_fpr(range, m, different_hashes(hash_bits, n), k);
  return equal + (1.0 - equal) * inner;
}

double query_fpr(std::uint64_t m, std::uint64_t draws, std::uint64_t q) {
  detail::require_filter("query of other draws", m, q);
  detail::require(q <= max_exact_probes, "query of other draws", "more than 256 positions");
  if (draws == 0) return 0.0;
  if (m == 1) return 1.0;
  constexpr int digits = 17;
  const detail::OccupancyContour<double> contour(static_cast<double>(m), static_cast<double>(draws),
                                                 {static_cast<int>(q)}, digits);
  return std::min(contour.moments()[0].value(), 1.0);
}

double distinct_query_fpr(std::uint64_t m, std::uint64_t draws, std::uint64_t q) {
  detail::require_filter("query of different positions", m, q);
  detail::require(draws <= 1'000'000, "query of different positions", "more than 10^6 draws");
  if (q > m || q > draws) return 0.0;
  std::vector<double> covered(q + 1, 0.0);  // probability of so many of the q positions set
  covered[0] = 1.0;
  const auto bits = static_cast<double>(m);
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    for (std::uint64_t j = q; j > 0; --j) {
      const double left = static_cast<double>(q - j);
      covered[j] = covered[j] * (1.0 - left / bits) + covered[j - 1] * (left + 1.0) / bits;
    }
    covered[0] *= 1.0 - static_cast<double>(q) / bits;
  }
  return std::min(covered[q], 1.0);
}

}  // namespace bloomlab::theory
