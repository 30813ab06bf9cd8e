#include "experiments/cells/implementation_factory.hpp"

#include <type_traits>
#include <utility>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/cells/foreign_implementation.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {

std::unique_ptr<Implementation> make_implementation(const Cell& cell, std::uint64_t seed) {
  if (is_foreign(cell.filter)) return make_foreign_implementation(cell, seed);
  std::unique_ptr<ForeignHash> program;
  if (const auto target = executed_by(cell)) program = std::make_unique<ForeignHash>(*target);
  const Hasher hasher = program ? program->hasher() : record::make_hasher(cell.hash);
  std::unique_ptr<Implementation> implementation;
  visit_filter(
      cell, [&]<class Filter>(std::type_identity<Filter>, [[maybe_unused]] const auto& parameters) {
        if constexpr (!std::is_same_v<Filter, ForeignCell>) {
          implementation = ImplementationFactory<Filter>::make(parameters, cell, hasher, seed);
        }
      });
  if (!program) return implementation;
  return hashed_by(std::move(program), std::move(implementation));
}

}  // namespace bloomlab::experiments
