#include "experiments/kinds/key_value_store.hpp"

#include <string>

namespace bloomlab::experiments {

std::optional<std::string> KeyValueStore::check(const Parameters& p,
                                                const Point::Parameters& /*at*/) {
  if (p.repetitions % orders == 0) return std::nullopt;
  return "repetitions is " + std::to_string(p.repetitions) +
         "; the three guards take turns in all six orders: write a multiple of 6";
}

std::uint64_t KeyValueStore::memory_bytes(const Point::Parameters& at) {
  return (std::uint64_t{256} << 20) + 6 * at.n * (at.value_bytes + 64);
}

double KeyValueStore::seconds(const Parameters& p, const Point::Parameters& at) {
  const auto bytes = static_cast<double>(at.value_bytes);
  const double lookup = at.store == Point::Store::cached ? 1e-6 : 6e-6;
  return 0.5 + static_cast<double>(at.n) * (4e-6 + 2 * lookup + 1e-8 * bytes) +
         lookup * static_cast<double>(3 * p.lookups + 9000 * p.repetitions);
}

std::vector<Measurement> KeyValueStore::measure(const Parameters& p, const Point::Parameters& at,
                                                std::uint64_t seed) {
  return {measured_by_program<KeyValueStore>(p, at, seed, no_store(name))};
}

}  // namespace bloomlab::experiments
