// Which cells can be measured in one pass, and the pass for them.
#include <algorithm>
#include <any>
#include <map>
#include <string>
#include <utility>

#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/k_sliced.hpp"
#include "record/cell_seed.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

const Standard::Parameters& parameters_of(const Cell& cell) {
  return std::any_cast<const Standard::Parameters&>(cell.filter_parameters);
}

/// Equal for cells that differ in k alone.
std::string text_without_k(const Cell& cell) {
  return record::seed_text_of(cell.json(), {"/filter/k"});
}

}  // namespace

bool can_be_sliced(const Cell& cell) {
  if (cell.filter != Standard::name || cell.hash == record::command_hash) return false;
  const Standard::Parameters& parameters = parameters_of(cell);
  return parameters.m <= KSliced::max_m && parameters.k <= KSliced::max_k &&
         make_probe(cell.probe, cell.reduction).prefix_stable();
}

std::vector<std::vector<const Cell*>> cut_into_slices(const std::vector<const Cell*>& cells) {
  std::vector<std::vector<const Cell*>> slices;
  std::map<std::string, std::size_t> place_of;
  for (const Cell* cell : cells) {
    if (!can_be_sliced(*cell)) {
      slices.push_back({cell});
      continue;
    }
    const auto [place, is_new] = place_of.try_emplace(text_without_k(*cell), slices.size());
    if (is_new) slices.emplace_back();
    slices[place->second].push_back(cell);
  }
  for (auto& slice : slices) {
    if (slice.size() > 1) {
      std::ranges::sort(slice, {}, [](const Cell* cell) { return parameters_of(*cell).k; });
    }
  }
  return slices;
}

bool share_digests(const std::vector<std::vector<const Cell*>>& slices) {
  const Cell& first = *slices.front().front();
  return std::ranges::all_of(slices, [&](const std::vector<const Cell*>& slice) {
    const Cell& cell = *slice.back();  // the one with most probes
    return can_be_sliced(cell) && cell.hash == first.hash && cell.n == first.n &&
           cell.json().at("keys") == first.json().at("keys") &&
           ProbeByProbe::takes_digests(make_probe(cell.probe, cell.reduction),
                                       static_cast<int>(parameters_of(cell).k));
  });
}

KSliced k_sliced_filters(const std::vector<const Cell*>& slice, std::uint64_t trial_seed,
                         ProbeByProbe::Takes takes) {
  std::vector<std::uint64_t> probes;
  for (const Cell* cell : slice) probes.push_back(parameters_of(*cell).k);
  const Cell& cell = *slice.front();
  return {parameters_of(cell).m,          std::move(probes),
          record::make_hasher(cell.hash), make_probe(cell.probe, cell.reduction),
          hash_seed(trial_seed),          takes};
}

}  // namespace bloomlab::experiments
