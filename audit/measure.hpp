// Measures a filter from outside: makes it, fills it, queries it, and counts.
#pragma once

#include <functional>
#include <string_view>

#include "audit/evidence.hpp"
#include "audit/examined.hpp"

namespace bloomlab::audit {

/// Called with a few words when a part of the audit begins.
using Progress = std::function<void(std::string_view)>;

/// All that the plan says. A part that the filter fails in is one of Evidence::failed, and the
/// filter is started anew for the rest; Evidence::failure says how it failed where nothing can be
/// measured.
[[nodiscard]] Evidence measure(const Examined& examined, const Plan& plan,
                               const Progress& progress = {});

namespace detail {

using MeasuredPart = void(foreign::ForeignFilter& filter, const Examined& examined,
                          const Plan& plan, Evidence& evidence);
/// The parts, in this order.
MeasuredPart measure_repeats, measure_situations, measure_rates, measure_bits, measure_pattern,
    measure_keys, measure_speed;

}  // namespace detail

}  // namespace bloomlab::audit
