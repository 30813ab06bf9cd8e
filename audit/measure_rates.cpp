#include <cmath>
#include <string>

#include "audit/attempt.hpp"
#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

/// One filter of the size, measured at every load.
void measure_filter(foreign::ForeignFilter& filter, const Examined& examined, const PlanSize& size,
                    std::uint64_t seed, std::span<RateCell> cells, Evidence& evidence) {
  filter.create(examined.request(size.size, seed));
  RandomKeys keys(~seed);
  std::uint64_t inserted = 0;
  std::uint64_t absent = first_absent;
  for (RateCell& cell : cells) {
    if (!keys.insert(filter, inserted, cell.inserted - inserted)) {
      if (evidence.full_size == 0 ||
          cell.inserted * evidence.full_size < evidence.full_at * size.size) {
        evidence.full_size = size.size;
        evidence.full_at = cell.inserted;
      }
      return;  // which keys have been turned away is not known
    }
    const bool is_full = cell.inserted == size.size && size.full_queries > 0;
    const std::uint64_t queries = is_full ? size.full_queries : size.queries;
    const std::uint64_t hits = keys.count(filter, absent, queries);
    inserted = cell.inserted;
    absent += queries;
    const std::uint64_t lost = inserted - keys.count(filter, 0, inserted);
    cell.memory_bits = filter.memory_bits();
    ++cell.filters;
    cell.queries += queries;
    cell.hits += hits;
    cell.squares += static_cast<double>(hits) * static_cast<double>(hits);
    cell.inserted_queries += inserted;
    cell.lost += lost;
  }
}

}  // namespace

void measure_rates(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                   Evidence& evidence) {
  for (const PlanSize& size : plan.sizes) {
    std::vector<RateCell> cells;
    for (const double load : size.loads) {
      const double keys = std::round(load * static_cast<double>(size.size));
      cells.push_back({.size = size.size,
                       .inserted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(keys))});
    }
    attempted(evidence, "rates of filters for " + std::to_string(size.size) + " keys", [&] {
      for (std::uint64_t i = 0; i < size.filters; ++i) {
        measure_filter(filter, examined, size, plan.seed + 1000 * size.size + i, cells, evidence);
      }
    });
    for (RateCell& cell : cells) {
      if (cell.filters > 0) evidence.rates.push_back(std::move(cell));
    }
  }
}

}  // namespace bloomlab::audit::detail
