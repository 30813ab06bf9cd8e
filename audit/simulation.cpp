// Causes without a closed form: small filters with the defect, filled and queried by chance.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "audit/causes.hpp"
#include "audit/schemes.hpp"

namespace bloomlab::audit::detail {
namespace {

/// How many filters and queries of one size are simulated.
struct Effort {
  int filters = 1;
  int queries = 1;
  int full_queries = 1;  ///< at load 1
};

/// Enough to tell what does not fit at all, of filters of at most this size.
constexpr std::uint64_t most_rough = 100'000;
Effort rough_effort(std::uint64_t size) { return {size <= 1000 ? 40 : 2, 2000, 2000}; }

/// As exact as the measurement, nearly.
Effort fine_effort(std::uint64_t size) {
  if (size <= 100) return {400, 5000, 5000};
  if (size <= 3000) return {600, 10'000, 30'000};
  if (size <= 100'000) return {24, 100'000, 1'000'000};
  return {1, 200'000, 500'000};
}

/// Simulated rates by size and keys.
using Rates = std::map<std::pair<std::uint64_t, std::uint64_t>, Predicted>;

/// The mean over filters of one size and memory at each of its loads, and its standard error.
void simulate_filters(std::span<const Place* const> loads, const Scheme& scheme,
                      const Effort& effort, Rates& rates) {
  const std::uint64_t size = loads.front()->cell.size;
  const Layout& layout = loads.front()->layout;
  const Shape shape{static_cast<std::uint64_t>(layout.bits), std::min(layout.k, most_probes),
                    static_cast<std::uint64_t>(layout.block_bits)};
  std::vector<double> sums(loads.size());
  std::vector<double> squares(loads.size());
  std::vector<std::uint64_t> words(shape.m / 64 + 1);
  std::uint64_t at[most_probes];
  for (int filter = 0; filter < effort.filters; ++filter) {
    Random random((size << 32U) + static_cast<std::uint64_t>(filter) * 0x1000'0001U);
    std::ranges::fill(words, 0);
    std::uint64_t inserted = 0;
    for (std::size_t load = 0; load < loads.size(); ++load) {
      for (; inserted < loads[load]->cell.inserted; ++inserted) {
        scheme.positions(shape, random, scheme.parameter, at);
        for (int i = 0; i < shape.k; ++i) words[at[i] / 64] |= std::uint64_t{1} << at[i] % 64;
      }
      int hits = 0;
      const bool is_full = inserted == size;
      const int queries = is_full ? effort.full_queries : effort.queries;
      for (int query = 0; query < queries; ++query) {
        scheme.positions(shape, random, scheme.parameter, at);
        int i = 0;
        while (i < shape.k && (words[at[i] / 64] >> at[i] % 64 & 1U) != 0) ++i;
        hits += i == shape.k ? 1 : 0;
      }
      const double rate = static_cast<double>(hits) / queries;
      sums[load] += rate;
      squares[load] += rate * rate;
    }
  }
  for (std::size_t load = 0; load < loads.size(); ++load) {
    const bool is_full = loads[load]->cell.inserted == size;
    const double mean = sums[load] / effort.filters;
    const double hits = mean * effort.filters * (is_full ? effort.full_queries : effort.queries);
    if (hits < 20.0) continue;  // says nothing
    const double shown =
        effort.filters >= 20
            ? std::max(squares[load] / effort.filters - mean * mean, 0.0) / mean / mean
            : loads[load]->spread;
    rates[{size, loads[load]->cell.inserted}] = {
        mean, std::sqrt(shown / effort.filters + (1.0 - mean) / hits)};
  }
}

Cause simulated(std::span<const Place> places, const Scheme& scheme,
                Effort (*effort)(std::uint64_t)) {
  auto rates = std::make_shared<Rates>();
  // A filter that is built for what it holds has another memory at every load.
  std::map<std::pair<std::uint64_t, double>, std::vector<const Place*>> loads;
  for (const Place& at : places) loads[{at.cell.size, at.layout.bits}].push_back(&at);
  for (const auto& [of, at] : loads) simulate_filters(at, scheme, effort(of.first), *rates);
  return {scheme.kind, scheme.text, 1,
          [rates](const Place& at) -> std::optional<Predicted> {
            const auto found = rates->find({at.cell.size, at.cell.inserted});
            if (found == rates->end()) return std::nullopt;
            return found->second;
          },
          [](const Place&) { return std::optional(0.0); }};
}

}  // namespace

void for_each_simulated_cause(std::span<const Place> places,
                              const std::function<void(const Cause&)>& use) {
  constexpr double hopeless = 1e-12;
  std::vector<Place> small;
  std::ranges::copy_if(places, std::back_inserter(small),
                       [](const Place& at) { return at.cell.size <= most_rough; });
  for (const Scheme& scheme : schemes_of(places.front().layout)) {
    const Cause rough = simulated(small, scheme, rough_effort);
    const bool fits = fit(rough, places).p_value > hopeless;
    use(fits ? simulated(places, scheme, fine_effort) : rough);
  }
}

}  // namespace bloomlab::audit::detail
