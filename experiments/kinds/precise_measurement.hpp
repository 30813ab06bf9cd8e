// Asking until a rate is known well enough.
#pragma once

#include <memory>
#include <vector>

#include "experiments/cells/implementation.hpp"
#include "experiments/cells/key_set.hpp"
#include "experiments/cells/measurement.hpp"
#include "experiments/kinds/precision.hpp"

namespace bloomlab::experiments {

/// Inserts all keys, looks them up, then queries absent keys until this filter's rate is known as
/// `target` says, or the keys are used up. With a fixed number of hits the last absent key asked is
/// the one that brought it.
[[nodiscard]] Measurement fill_and_ask_until(const Precision::Parameters& target,
                                             Implementation& implementation, const KeySet& keys);

/// The same for the mean rate of several filters, each with its keys; all are asked equally often.
/// @param implementations, keys of the same size, at least thresholds::precision_trials
[[nodiscard]] std::vector<Measurement> fill_and_ask_together(
    const Precision::Parameters& target,
    const std::vector<std::unique_ptr<Implementation>>& implementations,
    const std::vector<std::unique_ptr<KeySet>>& keys);

}  // namespace bloomlab::experiments
