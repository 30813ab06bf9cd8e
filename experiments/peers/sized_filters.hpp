// Filters of the catalogue by bits per key: each with the parameters that it does best with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// How a filter is sized.
struct SizedFilter {
  std::string_view name;  ///< of the filter
  /// Its parameters for n keys and so many bits per key, as a config writes them. With counters the
  /// bits are positions, each of which takes several; structures that keep keys ignore them.
  record::Json (*parameters)(std::uint64_t n, double bits_per_key);
};

/// All filters that are timed, in the order of the catalogue.
[[nodiscard]] std::span<const SizedFilter> sized_filters();

}  // namespace bloomlab::experiments
