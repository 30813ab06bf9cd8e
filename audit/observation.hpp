// What somebody has counted of a filter, and what the filter is said to be.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/causes.hpp"

namespace bloomlab::audit {

/// Absent keys that were looked up in one filter, and how many of them it reported.
struct Observation {
  std::uint64_t n = 0;        ///< keys that were inserted before
  std::uint64_t queries = 0;  ///< absent keys; 0: only the share is known
  double share = 0.0;         ///< of them reported
};

/// A filter as it is said to be, with what was seen of it.
struct Observed {
  Layout layout = {};
  std::uint64_t planned = 1;                              ///< keys that it is made for
  std::optional<double> requested_rate = std::nullopt;    ///< that it was sized for
  std::optional<std::uint64_t> hash_bits = std::nullopt;  ///< bits of the hash that is used
  std::vector<Observation> seen = {};
  std::string scheme = {};  ///< hashing scheme that it is said to have; empty: none is said
  /// Its rate after n keys where that is not the one of the layout: of the scheme, or of a system.
  /// Nothing: the layout's.
  std::function<Predicted(std::uint64_t n)> own_rate = {};
};

}  // namespace bloomlab::audit
