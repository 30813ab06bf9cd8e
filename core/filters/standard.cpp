#include "core/filters/standard.hpp"

#include <stdexcept>
#include <utility>

#include "core/filters/detail/cell_rounds.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {

std::vector<StandardRules::Parameters> StandardRules::examples() {
  return {{.m = 1, .k = 1},     {.m = 64, .k = 256},  {.m = 1000, .k = 1},  {.m = 16384, .k = 7},
          {.m = 19997, .k = 4}, {.m = 20000, .k = 5}, {.m = 65536, .k = 5}, {.m = 40009, .k = 20}};
}

Sizing<StandardRules::Parameters> StandardRules::sizing(const SizingGoal& goal) {
  const detail::StandardSize size = detail::standard_size(goal);
  if (size.m == 0) return detail::no_size<Parameters>(detail::too_many_bits);
  const auto make = [k = size.k](std::uint64_t m) { return Parameters{.m = m, .k = k}; };
  return {.shapes = {{goal.rate ? size.m : 1, size.m, make}}};
}

Standard::Standard(const Parameters& p, const Probe& probe, BitArray bits, std::uint64_t inserted)
    : BitFilter(p, probe, std::move(bits)) {
  keys_ = inserted;
  if (array_.size() == p.m) return;
  throw std::invalid_argument("standard: " + std::to_string(array_.size()) +
                              " bits were given for m = " + std::to_string(p.m));
}

template class CellFilter<StandardRules>;
template class BitFilter<StandardRules>;

}  // namespace bloomlab
