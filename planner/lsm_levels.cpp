#include "planner/lsm_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/theory/sizing.hpp"
#include "record/input_error.hpp"

namespace bloomlab::planner {
namespace {

constexpr double squared_ln2 = std::numbers::ln2 * std::numbers::ln2;

std::vector<std::uint64_t> keys_of_levels(std::uint64_t n, std::uint64_t levels,
                                          std::uint64_t ratio) {
  double sum = 0.0;
  for (std::uint64_t i = 0; i < levels; ++i) sum += std::pow(ratio, i);
  std::vector<std::uint64_t> keys;
  std::uint64_t given = 0;
  for (std::uint64_t i = 0; i + 1 < levels; ++i) {
    keys.push_back(static_cast<std::uint64_t>(static_cast<double>(n) * std::pow(ratio, i) / sum));
    given += keys.back();
  }
  if (keys.front() == 0) {
    throw record::InputError("--levels: " + std::to_string(n) + " keys are too few for " +
                             std::to_string(levels) + " levels, each " + std::to_string(ratio) +
                             " times the one above; give fewer levels");
  }
  keys.push_back(n - given);
  return keys;
}

/// Bits that the split with rates min(1, c n_i) takes.
double bits_at(const std::vector<std::uint64_t>& keys, double log_c) {
  double bits = 0.0;
  for (const std::uint64_t n : keys) {
    const auto count = static_cast<double>(n);
    bits += count * std::max(0.0, -(log_c + std::log(count))) / squared_ln2;
  }
  return bits;
}

/// ln c for which falling(ln c) is 0.
template <class Falling>
double root_of(const std::vector<std::uint64_t>& keys, Falling&& falling) {
  double low = -2000.0;
  double high = -std::log(static_cast<double>(keys.front()));
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2.0;
    (falling(middle) > 0.0 ? low : high) = middle;
  }
  return (low + high) / 2.0;
}

double rate_of_level(std::uint64_t bits, std::uint64_t n) {
  return bits == 0 ? 1.0 : theory::optimal_k(bits, n).rate;
}

}  // namespace

LsmSplit lsm_split(std::uint64_t n, std::uint64_t bits, std::uint64_t levels, std::uint64_t ratio) {
  const std::vector<std::uint64_t> keys = keys_of_levels(n, levels, ratio);
  const auto budget = static_cast<double>(bits);
  const double log_c = root_of(keys, [&](double at) { return bits_at(keys, at) - budget; });
  LsmSplit split;
  double none_equal = 1.0;
  double none_best = 1.0;
  for (const std::uint64_t count : keys) {
    const auto share = static_cast<double>(count);
    LsmLevel level{.n = count};
    level.equal_bits = static_cast<std::uint64_t>(budget * share / static_cast<double>(n));
    level.equal_rate = rate_of_level(level.equal_bits, count);
    level.best_bits =
        static_cast<std::uint64_t>(share * std::max(0.0, -(log_c + std::log(share))) / squared_ln2);
    level.best_rate = rate_of_level(level.best_bits, count);
    split.equal_reads += level.equal_rate;
    split.best_reads += level.best_rate;
    none_equal *= 1.0 - level.equal_rate;
    none_best *= 1.0 - level.best_rate;
    split.levels.push_back(level);
  }
  split.equal_any = 1.0 - none_equal;
  split.best_any = 1.0 - none_best;
  const double equal_reads =
      static_cast<double>(levels) * std::exp(-budget / static_cast<double>(n) * squared_ln2);
  const double log_same = root_of(keys, [&](double at) {
    double reads = 0.0;
    for (const std::uint64_t count : keys) {
      reads += std::min(1.0, std::exp(at + std::log(static_cast<double>(count))));
    }
    return equal_reads - reads;
  });
  split.bits_for_equal_reads = static_cast<std::uint64_t>(std::ceil(bits_at(keys, log_same)));
  return split;
}

}  // namespace bloomlab::planner
