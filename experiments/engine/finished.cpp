#include "experiments/engine/finished.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "record/sha256.hpp"

namespace bloomlab::experiments {

Finished::Place Finished::place_of(const std::string& cell_text, std::uint64_t trial) {
  const record::Sha256 digest = record::sha256(cell_text);
  Place place{.trial = trial};
  std::memcpy(&place.cell, digest.data(), sizeof place.cell);
  std::memcpy(&place.more_of_cell, digest.data() + sizeof place.cell, sizeof place.more_of_cell);
  return place;
}

std::string Finished::packed(const std::vector<record::Observation>& trial) {
  std::string bytes;
  for (const record::Observation& observation : trial) {
    record::JsonPacker::pack(observation.step.value_or(0), bytes);
    record::JsonPacker::pack(observation.seed, bytes);
    packer_.pack(observation.measured, bytes);
    packer_.pack(observation.timing, bytes);
  }
  bytes.shrink_to_fit();
  return bytes;
}

void Finished::unpack(const std::string& trial, std::uint64_t number, const Cell& cell,
                      std::vector<record::Observation>& observations) const {
  for (std::string_view bytes = trial; !bytes.empty();) {
    record::Observation& observation = observations.emplace_back();
    observation.cell = cell.json();
    observation.group = cell.group();
    observation.redrawn = cell.redrawn;
    observation.trial = number;
    const std::uint64_t step = record::JsonPacker::unpack_number(bytes);
    if (step != 0) observation.step = step;
    observation.seed = record::JsonPacker::unpack_number(bytes);
    observation.measured = packer_.unpack(bytes);
    observation.timing = packer_.unpack(bytes);
  }
}

void Finished::add(std::vector<record::Observation> observations) {
  std::map<Place, std::vector<record::Observation>> trials;
  for (record::Observation& observation : observations) {
    trials[place_of(observation.cell.dump(), observation.trial)].push_back(std::move(observation));
  }
  for (auto& [place, trial] : trials) {
    if (trial.size() != observations_per_trial_) continue;
    std::ranges::sort(trial, {}, &record::Observation::step);
    trials_[place] = packed(trial);
  }
}

void Finished::forget(const Cell& cell) {
  const Place first = place_of(cell.text(), 0);
  for (auto at = trials_.lower_bound(first); at != trials_.end() && first.is_cell_of(at->first);) {
    at = trials_.erase(at);
  }
}

bool Finished::has(const Cell& cell, std::uint64_t trial) const {
  return trials_.contains(place_of(cell.text(), trial));
}

bool Finished::has_all(const Config& config, const Cell& cell) const {
  Place place = place_of(cell.text(), 0);
  for (; place.trial < config.trials; ++place.trial) {
    if (!trials_.contains(place)) return false;
  }
  return true;
}

std::uint64_t Finished::observations_of(const Cell& cell) const {
  const Place first = place_of(cell.text(), 0);
  std::uint64_t trials = 0;
  for (auto at = trials_.lower_bound(first); at != trials_.end() && first.is_cell_of(at->first);
       ++at) {
    ++trials;
  }
  return trials * observations_per_trial_;
}

void Finished::for_each_cell(const Config& config, const std::vector<const Cell*>& cells,
                             const record::UseRows& use) const {
  std::vector<record::Observation> observations;
  for (const Cell* cell : cells) {
    observations.clear();
    Place place = place_of(cell->text(), 0);
    for (; place.trial < config.trials; ++place.trial) {
      const auto trial = trials_.find(place);
      if (trial == trials_.end()) break;
      unpack(trial->second, place.trial, *cell, observations);
    }
    if (place.trial == config.trials) use(observations);
  }
}

std::vector<record::Observation> Finished::in_order(const Config& config,
                                                    const std::vector<const Cell*>& cells) const {
  std::vector<record::Observation> all;
  for_each_cell(config, cells, [&](const std::vector<record::Observation>& of_cell) {
    all.insert(all.end(), of_cell.begin(), of_cell.end());
  });
  return all;
}

}  // namespace bloomlab::experiments
