// From the name of a kind of experiment to what a config of it measures.
#pragma once

#include <memory>
#include <string_view>

#include "experiments/cells/experiment.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// The kind of this name, with its own keys read. Throws record::InputError.
[[nodiscard]] std::unique_ptr<const Experiment> make_experiment(std::string_view kind,
                                                                const record::ObjectReader& reader);

}  // namespace bloomlab::experiments
