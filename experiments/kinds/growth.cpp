#include "experiments/kinds/growth.hpp"

namespace bloomlab::experiments {

std::uint64_t Growth::keys_at(std::uint64_t n, std::uint64_t step, std::uint64_t steps) {
  // ceil(n step / steps) without a product beyond 64 bits.
  return n / steps * step + (n % steps * step + steps - 1) / steps;
}

std::optional<std::string> Growth::check(const Cell& cell) const {
  if (parameters_.steps <= cell.n) return std::nullopt;
  return "steps = " + std::to_string(parameters_.steps) +
         " is more than n = " + std::to_string(cell.n) + "; every step needs a key";
}

std::vector<Measurement> Growth::measure(Implementation& implementation, const KeySet& keys) const {
  std::vector<Measurement> measurements;
  measurements.reserve(parameters_.steps);
  std::uint64_t inserted = 0;
  for (std::uint64_t step = 1; step <= parameters_.steps; ++step) {
    const std::uint64_t due = keys_at(keys.inserted_keys(), step, parameters_.steps);
    measurements.push_back(fill_and_ask(implementation, keys, inserted, due));
    measurements.back().step = step;
    inserted = due;
  }
  return measurements;
}

}  // namespace bloomlab::experiments
