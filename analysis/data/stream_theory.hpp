// The rate of a filter that is asked while it fills: the closed form at every fill, averaged.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// What a stream of `n` distinct keys, >= 1, loses of them to the filter that `cell` describes,
/// where each new key is asked for and then inserted: the closed form for i keys, averaged over
/// i = 0 .. n - 1. A key that is wrongly reported, and so left out, changes nothing in this: all
/// its bits are set, and the filter is that of all keys met. `sd_rate` is the mean of the standard
/// deviations, which that of the mean does not exceed; of the other columns there are none.
/// Up to 256 keys the sum is taken as it stands, beyond by Gauss and Legendre's rule with 20 nodes,
/// whose relative error is below (k / 2n)^2 for k probes per key. Throws as predict().
[[nodiscard]] Prediction predict_stream(const Json& cell, std::uint64_t n,
                                        const std::string& where);

}  // namespace bloomlab::analysis
