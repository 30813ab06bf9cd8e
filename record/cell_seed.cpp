#include "record/cell_seed.hpp"

#include "record/names.hpp"
#include "record/sha256.hpp"

namespace bloomlab::record {

std::string seed_text_of(const Json& cell, const std::vector<std::string>& shared_across) {
  Json kept = digested_cell(cell);
  for (const std::string& text : shared_across) {
    const Json::json_pointer pointer(digested_pointer(text));
    if (kept.contains(pointer)) kept[pointer.parent_pointer()].erase(pointer.back());
  }
  return kept.dump();
}

std::string group_of(const std::string& seed_text) { return sha256_hex(seed_text).substr(0, 16); }

std::uint64_t trial_seed(std::uint64_t config_seed, const std::string& seed_text,
                         std::uint64_t trial) {
  return sha256_number("bloomlab-seed-1\n" + std::to_string(config_seed) + "\n" + seed_text + "\n" +
                       std::to_string(trial));
}

}  // namespace bloomlab::record
