#include "experiments/cells/implementation_factory.hpp"

#include <type_traits>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/foreign_implementation.hpp"

namespace bloomlab::experiments {

std::unique_ptr<Implementation> make_implementation(const Cell& cell, std::uint64_t seed) {
  std::unique_ptr<Implementation> implementation;
  visit_filter(
      cell, [&]<class Filter>(std::type_identity<Filter>, [[maybe_unused]] const auto& parameters) {
        if constexpr (std::is_same_v<Filter, ForeignCell>) {
          implementation = make_foreign_implementation(cell, seed);
        } else {
          implementation = ImplementationFactory<Filter>::make(parameters, cell, seed);
        }
      });
  return implementation;
}

}  // namespace bloomlab::experiments
