#include "core/filters/lines_read.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/theory/standard.hpp"

namespace bloomlab {

double distinct_lines(double reads, std::uint64_t memory_bits) {
  const double lines =
      std::max(1.0, std::ceil(static_cast<double>(memory_bits) / static_cast<double>(line_bits)));
  if (lines == 1.0) return std::min(reads, 1.0);
  return -lines * std::expm1(reads * std::log1p(-1.0 / lines));
}

LinesRead probed_lines(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                       std::uint64_t bits_per_place) {
  const double fill = theory::mean_set_bits(m, n, k) / static_cast<double>(m);
  const auto probes = static_cast<double>(k);
  const double reads = fill < 1.0 ? (1.0 - std::pow(fill, probes)) / (1.0 - fill) : probes;
  const std::uint64_t memory = m * bits_per_place;
  return {distinct_lines(std::min(reads, probes), memory), distinct_lines(probes, memory)};
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
