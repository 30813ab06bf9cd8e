#include "experiments/config/experiment_factory.hpp"

#include <type_traits>
#include <utility>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

std::unique_ptr<const Experiment> make_experiment(std::string_view kind,
                                                  const record::ObjectReader& reader) {
  std::unique_ptr<const Experiment> experiment;
  visit_name<Kinds>(kind, [&]<class Kind>(std::type_identity<Kind>) {
    auto parameters = record::read_parameters<Kind>(reader);
    if constexpr (OwnGrid<Kind>) {
      experiment = std::make_unique<OwnGridExperimentOf<Kind>>(std::move(parameters));
    } else {
      experiment = std::make_unique<Kind>(std::move(parameters));
    }
  });
  return experiment;
}

}  // namespace bloomlab::experiments
