#include "experiments/cell.hpp"

#include "record/cell_seed.hpp"

namespace bloomlab::experiments {

std::string Cell::text() const { return json.dump(); }

std::uint64_t trial_seed(std::uint64_t config_seed, const Cell& cell, std::uint64_t trial) {
  return record::trial_seed(config_seed, cell.seed_text, trial);
}

std::string seed_text_of(const record::Json& cell, const std::vector<std::string>& shared_across) {
  return record::seed_text_of(cell, shared_across);
}

std::string group_of(const std::string& seed_text) { return record::group_of(seed_text); }

}  // namespace bloomlab::experiments
