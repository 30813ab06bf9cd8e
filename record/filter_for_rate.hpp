// Filters that a config names by the rate that they are to keep, instead of by their parameters.
#pragma once

#include <cstdint>
#include <string>

#include "record/json.hpp"

namespace bloomlab::record {

/// A filter of a cell, or why there is none.
struct FilterForRate {
  Json filter = {};        ///< {"kind": ..., parameters}
  std::string fault = {};  ///< one line; empty where there is a filter
};

/// The filter `kind` as the smallest one that keeps `rate` with n keys by its own closed form.
///
/// No machine decides otherwise: where a closed form that is off by one part in 10^9 would lead to
/// another size, there is no filter but a fault that says so. So a cell, and what is counted in
/// it, does not hang on a machine's `exp` and `log`.
/// @param kind a name of the catalogue   @param rate in (0, 1)   @param n distinct keys, >= 1
[[nodiscard]] FilterForRate filter_for_rate(const std::string& kind, double rate, std::uint64_t n);

/// Whether an element of the axis `filter` is {"kind": "others", ...}: every filter of the
/// catalogue that can be sized for a rate and that the axis does not name.
[[nodiscard]] bool stands_for_others(const Json& filter);

/// The grid with those filters written out, in the order of the catalogue.
[[nodiscard]] Json with_other_filters(Json grid);

/// Whether a cell's filter for n keys is what {"kind": kind or "others", "for_rate": rate} stands
/// for.
[[nodiscard]] bool is_filter_for_rate(const Json& offered, const Json& filter, std::uint64_t n);

}  // namespace bloomlab::record
