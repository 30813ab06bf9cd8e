#include "experiments/kinds/table_levels.hpp"

#include "core/theory/levels.hpp"

namespace bloomlab::experiments {

std::optional<std::string> TableLevels::check(const Parameters& /*p*/,
                                              const Point::Parameters& at) {
  try {
    (void)theory::keys_of_levels(at.n, at.levels, at.ratio);
    return std::nullopt;
  } catch (const theory::DomainError& fault) {
    return fault.what();
  }
}

std::uint64_t TableLevels::memory_bytes(const Point::Parameters& at) {
  return (std::uint64_t{64} << 20) + at.levels * (std::uint64_t{8} << 20) +
         at.n * (4 * (value_bytes + 64) + at.bits_per_key / 4);
}

double TableLevels::seconds(const Parameters& p, const Point::Parameters& at) {
  const auto levels = static_cast<double>(at.levels);
  return 0.3 + 0.05 * levels + 4e-6 * static_cast<double>(at.n) +
         4e-6 * levels * static_cast<double>(p.lookups);
}

std::vector<Measurement> TableLevels::measure(const Parameters& p, const Point::Parameters& at,
                                              std::uint64_t seed) {
  return {measured_by_program<TableLevels>(p, at, seed, no_store(name))};
}

}  // namespace bloomlab::experiments
