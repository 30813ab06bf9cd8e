#include "experiments/cells/experiment.hpp"

#include <stdexcept>

#include "experiments/cells/cell_resolve.hpp"

namespace bloomlab::experiments {

std::vector<std::string_view> FilterExperiment::grid_keys() const {
  return experiments::grid_keys();
}

Cell FilterExperiment::resolve(const record::JsonView& point,
                               const std::filesystem::path& folder) const {
  return resolve_cell(point, folder);
}

std::vector<Measurement> FilterExperiment::measure_together(
    const std::vector<std::unique_ptr<Implementation>>& /*implementations*/,
    const std::vector<std::unique_ptr<KeySet>>& /*keys*/) const {
  throw std::logic_error("the trials of this kind stop one by one");
}

std::vector<Measurement> FilterExperiment::measure_slice(KSliced& /*slice*/,
                                                         const KeySet& /*keys*/) const {
  throw std::logic_error("the filters of this kind are measured one by one");
}

}  // namespace bloomlab::experiments
