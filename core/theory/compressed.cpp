#include "core/theory/compressed.hpp"

#include <cmath>
#include <numbers>

#include "core/theory/detail/domain.hpp"

namespace bloomlab::theory {
namespace {

/// Bits sent per key, (m/n) H2(e^(-kn/m)), rising with m/n; no term cancels.
double bits_sent(double m_over_n, double k) {
  const double load = k / m_over_n;
  const double zero = std::exp(-load);
  const double one = -std::expm1(-load);
  const double log_one = load > 1.0 ? std::log1p(-zero) : std::log(one);
  return (zero * k - m_over_n * one * log_one) / std::numbers::ln2;
}

}  // namespace

CompressedFilter compressed_filter(double z_over_n, std::uint64_t k) {
  detail::require(z_over_n > 0.0 && z_over_n <= 512.0, "compressed",
                  "z_over_n is outside (0, 512]");
  detail::require(k >= 1, "compressed", "k is 0; a key has at least 1 probe");
  const auto probes = static_cast<double>(k);
  // The entropy of a bit is at most 1, so the filter is at least as large as what is sent.
  double smaller = z_over_n;
  double larger = 2.0 * z_over_n;
  while (bits_sent(larger, probes) < z_over_n) larger *= 2.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = smaller + 0.5 * (larger - smaller);
    if (middle <= smaller || middle >= larger) break;
    (bits_sent(middle, probes) < z_over_n ? smaller : larger) = middle;
  }
  const double load = probes / larger;
  return {larger, std::exp(-load), std::pow(-std::expm1(-load), probes)};
}

}  // namespace bloomlab::theory
