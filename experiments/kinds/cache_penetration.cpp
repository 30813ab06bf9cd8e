#include "experiments/kinds/cache_penetration.hpp"

#include <string>

#include "experiments/kinds/trial_program.hpp"

namespace bloomlab::experiments {

std::optional<std::string> CachePenetration::check(const Parameters& p,
                                                   const Point::Parameters& /*at*/) {
  if (p.repetitions % orders == 0) return std::nullopt;
  return "repetitions is " + std::to_string(p.repetitions) +
         "; the three guards take turns in all six orders: write a multiple of 6";
}

std::uint64_t CachePenetration::memory_bytes(const Point::Parameters& at) {
  return (std::uint64_t{128} << 20) + 3 * at.n * (at.value_bytes + 256);
}

double CachePenetration::seconds(const Parameters& p, const Point::Parameters& at) {
  const auto n = static_cast<double>(at.n);
  const auto clients = static_cast<double>(at.clients);
  const double service = 1e-6 * static_cast<double>(at.service_us) + 1e-4;
  const auto repetitions = static_cast<double>(p.repetitions);
  const auto start = 0.5 + 1e-6 * n;
  switch (at.scene) {
    case Point::Scene::penetration:
      return start + 1.5e-4 * static_cast<double>(p.queries) + 2 * service * repetitions;
    case Point::Scene::breakdown:
      return start + static_cast<double>(p.expiries) * (0.01 + 4e-4 * clients) +
             repetitions * (0.01 + 2 * clients * service);
    case Point::Scene::later_keys:
      break;
  }
  return start + 3e-5 * n;
}

std::vector<Measurement> CachePenetration::measure(const Parameters& p, const Point::Parameters& at,
                                                   std::uint64_t seed) {
  return {measured_by_program<CachePenetration>(p, at, seed,
                                                std::string("cache_penetration: ") + program +
                                                    " is not beside this program; build it, or "
                                                    "leave this config out")};
}

}  // namespace bloomlab::experiments
