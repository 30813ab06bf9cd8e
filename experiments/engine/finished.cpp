#include "experiments/engine/finished.hpp"

#include <algorithm>
#include <iterator>

namespace bloomlab::experiments {

void Finished::add(std::vector<record::Observation> observations) {
  std::map<Key, std::vector<record::Observation>> trials;
  for (record::Observation& observation : observations) {
    trials[{observation.cell.dump(), observation.trial}].push_back(std::move(observation));
  }
  for (auto& [key, trial] : trials) {
    if (trial.size() != observations_per_trial_) continue;
    std::ranges::sort(trial, {}, &record::Observation::step);
    trials_[key] = std::move(trial);
  }
}

void Finished::forget(const Cell& cell) {
  const std::string text = cell.text();
  std::erase_if(trials_, [&](const auto& entry) { return entry.first.first == text; });
}

bool Finished::has(const Cell& cell, std::uint64_t trial) const {
  return trials_.contains({cell.text(), trial});
}

bool Finished::has_all(const Config& config, const Cell& cell) const {
  const std::string text = cell.text();
  for (std::uint64_t trial = 0; trial < config.trials; ++trial) {
    if (!trials_.contains({text, trial})) return false;
  }
  return true;
}

std::uint64_t Finished::observations_of(const Cell& cell) const {
  const std::string text = cell.text();
  std::uint64_t observations = 0;
  for (auto at = trials_.lower_bound({text, 0}); at != trials_.end() && at->first.first == text;
       ++at) {
    observations += at->second.size();
  }
  return observations;
}

/// Calls `use` with the trials of the cells whose trials are all there.
template <class Self, class Use>
void Finished::each_in_order(Self& self, const Config& config,
                             const std::vector<const Cell*>& cells, const Use& use) {
  for (const Cell* cell : cells) {
    if (!self.has_all(config, *cell)) continue;
    const std::string text = cell->text();
    for (std::uint64_t trial = 0; trial < config.trials; ++trial) {
      use(self.trials_.find({text, trial}));
    }
  }
}

std::vector<record::Observation> Finished::in_order(const Config& config,
                                                    const std::vector<const Cell*>& cells) const {
  std::vector<record::Observation> observations;
  each_in_order(*this, config, cells, [&](auto trial) {
    observations.insert(observations.end(), trial->second.begin(), trial->second.end());
  });
  return observations;
}

std::vector<record::Observation> Finished::take_in_order(const Config& config,
                                                         const std::vector<const Cell*>& cells) {
  std::vector<record::Observation> observations;
  each_in_order(*this, config, cells, [&](auto trial) {
    std::ranges::move(trial->second, std::back_inserter(observations));
    trial->second = {};
  });
  trials_.clear();
  return observations;
}

}  // namespace bloomlab::experiments
