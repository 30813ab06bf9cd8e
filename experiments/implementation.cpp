#include "experiments/implementation.hpp"

#include <stdexcept>
#include <type_traits>

#include "experiments/cell_parts.hpp"
#include "experiments/foreign_implementation.hpp"
#include "experiments/implementation_factory.hpp"

namespace bloomlab::experiments {

void Implementation::insert_by_threads(std::span<const KeyBatch> /*batches*/,
                                       const ThreadStarted& /*started*/) {
  throw std::logic_error("this implementation can be filled by one thread only");
}

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
