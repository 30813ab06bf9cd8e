#include "core/theory/levels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace bloomlab::theory {
namespace {

constexpr double squared_ln2 = std::numbers::ln2 * std::numbers::ln2;

/// Bits of a level with rate min(1, c n).
double level_bits(std::uint64_t n, double log_c) {
  const auto count = static_cast<double>(n);
  return count * std::max(0.0, -(log_c + std::log(count))) / squared_ln2;
}

/// Bits of all levels.
double bits_at(const std::vector<std::uint64_t>& keys, double log_c) {
  double bits = 0.0;
  for (const std::uint64_t n : keys) bits += level_bits(n, log_c);
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

}  // namespace

std::vector<std::uint64_t> keys_of_levels(std::uint64_t n, std::uint64_t levels,
                                          std::uint64_t ratio) {
  // Powers by products, so that they are the same on every machine.
  std::vector<double> powers = {1.0};
  while (powers.size() < levels) powers.push_back(powers.back() * static_cast<double>(ratio));
  const double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
  powers.pop_back();
  std::vector<std::uint64_t> keys;
  std::uint64_t given = 0;
  for (const double power : powers) {
    keys.push_back(static_cast<std::uint64_t>(static_cast<double>(n) * power / sum));
    given += keys.back();
  }
  if (keys.front() == 0) {
    throw DomainError(std::to_string(n) + " keys are too few for " + std::to_string(levels) +
                      " levels, each " + std::to_string(ratio) +
                      " times the one above; give fewer levels");
  }
  keys.push_back(n - given);
  return keys;
}

std::vector<std::uint64_t> equal_bits(const std::vector<std::uint64_t>& keys, std::uint64_t bits) {
  const auto n = static_cast<double>(std::accumulate(keys.begin(), keys.end(), std::uint64_t{0}));
  std::vector<std::uint64_t> result;
  for (const std::uint64_t count : keys) {
    result.push_back(
        static_cast<std::uint64_t>(static_cast<double>(bits) * static_cast<double>(count) / n));
  }
  return result;
}

std::vector<std::uint64_t> best_bits(const std::vector<std::uint64_t>& keys, std::uint64_t bits) {
  const auto budget = static_cast<double>(bits);
  const double log_c = root_of(keys, [&](double at) { return bits_at(keys, at) - budget; });
  std::vector<std::uint64_t> result;
  for (const std::uint64_t n : keys) {
    result.push_back(static_cast<std::uint64_t>(level_bits(n, log_c)));
  }
  return result;
}

std::uint64_t bits_for_reads(const std::vector<std::uint64_t>& keys, double reads) {
  const double log_c = root_of(keys, [&](double at) {
    double sum = 0.0;
    for (const std::uint64_t n : keys) {
      sum += std::min(1.0, std::exp(at + std::log(static_cast<double>(n))));
    }
    return reads - sum;
  });
  return static_cast<std::uint64_t>(std::ceil(bits_at(keys, log_c)));
}

}  // namespace bloomlab::theory
