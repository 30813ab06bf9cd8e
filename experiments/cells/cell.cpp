#include "experiments/cells/cell.hpp"

#include <set>

#include "record/cell_seed.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {

record::Json Cell::json() const { return record::Json::parse(text()); }

void Cell::set_json(const record::Json& json) {
  text_ = std::make_shared<const std::string>(json.dump());
  seed_text_ = text_;
}

std::string Cell::group() const { return record::group_of(seed_text()); }

std::uint64_t trial_seed(std::uint64_t config_seed, const Cell& cell, std::uint64_t trial) {
  return record::trial_seed(config_seed, cell.seed_text(), trial);
}

std::string label_among(const record::Json& cell, std::span<const Cell* const> cells) {
  const record::Json flat = cell.flatten();
  std::set<std::string> differing;
  for (const Cell* other : cells) {
    const record::Json json = other->json();
    for (const auto& [path, value] : flat.items()) {
      const record::Json* const found = record::find_at(json, path);
      if (found == nullptr || *found != value) differing.insert(path);
    }
  }
  std::string label;
  for (const auto& [path, value] : flat.items()) {
    const auto begins = [&path = path](const char* start) { return path.starts_with(start); };
    if (begins("/filter/command") || begins("/hash/command") || begins("/filter/expected") ||
        path == "/filter/kind") {
      continue;
    }
    if (!differing.contains(path)) continue;
    label += (label.empty() ? "" : ", ") + record::Json::json_pointer(path).back() + " = " +
             (value.is_string()         ? value.get<std::string>()
              : value.is_number_float() ? record::shortest(value.get<double>())
                                        : value.dump());
  }
  return label.empty() ? "its cell" : label;
}

}  // namespace bloomlab::experiments
