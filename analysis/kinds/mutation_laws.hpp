// What theory says of the right filter that a mutant is compared with: the laws that the tests of
// the mutation matrix need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/data/measurement.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/test.hpp"

namespace bloomlab::analysis {

/// The laws of a right filter.
struct RightLaw {
  double rate = unknown;                           ///< the closed form that it names
  std::optional<statistics::RateLaw> rates;        ///< with its variance, where theory has one
  std::optional<statistics::SetBitsLaw> set_bits;  ///< where theory has one
  /// Whether a filter's own rate follows from its bits: for independent probes, and in filters that
  /// choose positions themselves.
  bool own_rate = false;
};

/// The laws of the filter {"kind", ...} with n keys under this hashing scheme, empty where the
/// filter chooses positions itself. For double hashing the variance between filters is that of
/// independent probes, and so is the rate where the exact form does not reach. Throws
/// record::InputError naming `where` for an unknown filter or probe.
[[nodiscard]] RightLaw right_law(const Json& filter, const std::string& probe, std::uint64_t n,
                                 const std::string& where);

}  // namespace bloomlab::analysis
