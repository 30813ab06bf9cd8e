#include "experiments/cells/experiment.hpp"

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/cell_resolve.hpp"

namespace bloomlab::experiments {
namespace {

/// Collects the values of parameters that are paths.
struct PathCollector {
  std::set<std::string>& paths;

  template <class Field, class Value>
  void operator()(const Field& /*field*/, Value& /*value*/) {}
  void operator()(const TextField& field, std::string& value) {
    if (field.is_path) paths.insert(value);
  }
  void operator()(const TextField& field, std::optional<std::string>& value) {
    if (value) (*this)(field, *value);
  }
};

}  // namespace

std::vector<std::string_view> FilterExperiment::grid_keys() const {
  return experiments::grid_keys();
}

std::set<std::string> FilterExperiment::files(const Cell& cell) const {
  std::set<std::string> paths;
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, auto parameters) {
    PathCollector collect{paths};
    Source::describe(collect, parameters);
  });
  return paths;
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
