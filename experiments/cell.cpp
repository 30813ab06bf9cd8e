#include "experiments/cell.hpp"

#include "record/sha256.hpp"

namespace bloomlab::experiments {

std::string Cell::text() const { return json.dump(); }

std::uint64_t trial_seed(std::uint64_t config_seed, const Cell& cell, std::uint64_t trial) {
  return record::sha256_number("bloomlab-seed-1\n" + std::to_string(config_seed) + "\n" +
                               cell.seed_text + "\n" + std::to_string(trial));
}

std::string seed_text_of(const record::Json& cell, const std::vector<std::string>& shared_across) {
  record::Json kept = cell;
  for (const std::string& text : shared_across) {
    const record::Json::json_pointer pointer(text);
    if (kept.contains(pointer)) kept[pointer.parent_pointer()].erase(pointer.back());
  }
  return kept.dump();
}

std::string group_of(const std::string& seed_text) {
  return record::sha256_hex(seed_text).substr(0, 16);
}

}  // namespace bloomlab::experiments
