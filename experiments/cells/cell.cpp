#include "experiments/cells/cell.hpp"

#include <algorithm>

#include "record/cell_seed.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

std::string Cell::text() const { return json.dump(); }

std::uint64_t trial_seed(std::uint64_t config_seed, const Cell& cell, std::uint64_t trial) {
  return record::trial_seed(config_seed, cell.seed_text, trial);
}

std::string seed_text_of(const record::Json& cell, const std::vector<std::string>& shared_across) {
  return record::seed_text_of(cell, shared_across);
}

std::string group_of(const std::string& seed_text) { return record::group_of(seed_text); }

std::string label_among(const record::Json& cell, std::span<const Cell* const> cells) {
  std::string label;
  const record::Json flat = cell.flatten();
  for (const auto& [path, value] : flat.items()) {
    const auto begins = [&path = path](const char* start) { return path.starts_with(start); };
    if (begins("/filter/command") || begins("/hash/command") || begins("/filter/expected") ||
        path == "/filter/kind") {
      continue;
    }
    const record::Json::json_pointer place(path);
    const bool same = std::ranges::all_of(cells, [&, &value = value](const Cell* other) {
      return other->json.contains(place) && other->json.at(place) == value;
    });
    if (same) continue;
    label += (label.empty() ? "" : ", ") + place.back() + " = " +
             (value.is_string()         ? value.get<std::string>()
              : value.is_number_float() ? record::shortest(value.get<double>())
                                        : value.dump());
  }
  return label.empty() ? "its cell" : label;
}

}  // namespace bloomlab::experiments
