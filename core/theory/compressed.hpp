// The compressed filter: larger in memory, smaller on the wire.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// A filter that an ideal entropy coder sends in a given number of bits.
struct CompressedFilter {
  double m_over_n = 0.0;  ///< bits per key in memory
  double p_zero = 0.0;    ///< share of zero bits, e^(-kn/m)
  double rate = 0.0;      ///< (1 - p_zero)^k
};

/// The filter with k probes of which z/n bits per key are sent: m/n solves
/// (m/n) H2(e^(-kn/m)) = z/n, H2 the binary entropy; n large.
/// @param z_over_n bits sent per key, in (0, 512]   @param k probes, >= 1
/// Throws DomainError. Source: Mitzenmacher 2002, "Compressed Bloom filters".
[[nodiscard]] CompressedFilter compressed_filter(double z_over_n, std::uint64_t k);

}  // namespace bloomlab::theory
