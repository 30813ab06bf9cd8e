#include "core/filters/lines_read.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/theory/standard.hpp"

namespace bloomlab {

LinesRead probed_lines(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                       std::uint64_t bits_per_place) {
  const double lines =
      std::max(1.0, std::ceil(static_cast<double>(m) * static_cast<double>(bits_per_place) /
                              static_cast<double>(line_bits)));
  // Probe j + 1 is read where j met filled places; it is in none of their lines by (1 - 1/L)^j.
  const auto met = [&](double fill) {
    const double ratio = std::log(fill) + std::log1p(-1.0 / lines);
    return -std::expm1(static_cast<double>(k) * ratio) / (1.0 - fill + fill / lines);
  };
  const double fill = theory::mean_set_bits(m, n, k) / static_cast<double>(m);
  return {met(std::min(fill, 1.0)), met(1.0)};
}

double run_lines(std::uint64_t run_bits, std::uint64_t step_bits) {
  // Starts repeat after the least common multiple; each start beyond the line's end adds lines.
  const std::uint64_t period = std::lcm(step_bits, line_bits);
  std::uint64_t lines = 0;
  for (std::uint64_t start = 0; start < period; start += step_bits) {
    lines += (start + run_bits - 1) / line_bits - start / line_bits + 1;
  }
  return static_cast<double>(lines) / static_cast<double>(period / step_bits);
}

LinesRead halving_lines(std::uint64_t n, std::uint64_t keys_per_line) {
  const double steps = std::max(
      1.0, std::log2(static_cast<double>(n)) - std::log2(static_cast<double>(keys_per_line)));
  return {steps, steps};
}

}  // namespace bloomlab
