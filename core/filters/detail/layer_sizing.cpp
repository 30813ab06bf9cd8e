#include "core/filters/detail/layer_sizing.hpp"

#include <cmath>

#include "core/filters/lines_read.hpp"

namespace bloomlab::detail {

std::uint64_t first_keys(std::uint64_t n) { return (n + 9) / 10; }

double target_of(std::uint64_t units) { return std::exp2(-static_cast<double>(units) / 64.0); }

LinesRead layered_lines(const std::vector<theory::Layer>& layers) {
  LinesRead sum;
  for (const theory::Layer& layer : layers) {
    const LinesRead one = probed_lines(layer.m, layer.n, layer.k);
    sum.absent += one.absent;
    sum.present += one.present;
  }
  const auto count = static_cast<double>(layers.size());
  sum.present = sum.present / count + sum.absent * (count - 1.0) / (2.0 * count);
  return sum;
}

}  // namespace bloomlab::detail
