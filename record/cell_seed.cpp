#include "record/cell_seed.hpp"

#include "record/names.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {

std::string seed_text_of(const Json& cell, const std::vector<std::string>& shared_across) {
  Json kept = digested_cell(cell);
  for (const std::string& text : shared_across) {
    const std::string pointer = digested_pointer(text);
    if (pointer.empty() || find_at(kept, pointer) == nullptr) continue;
    const Json::json_pointer place(pointer);
    Json& holder = kept[place.parent_pointer()];
    if (holder.is_object()) holder.erase(place.back());
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
