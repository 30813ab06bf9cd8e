#include "analysis/data/origin.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/data/axes.hpp"
#include "record/cell_seed.hpp"
#include "record/grid_point.hpp"
#include "record/input_error.hpp"
#include "record/names.hpp"
#include "record/sha256.hpp"

namespace bloomlab::analysis {

namespace {

using record::Observation;

[[noreturn]] void refuse_origin(const std::string& where, const std::string& fault) {
  throw record::InputError(where + ": " + fault + "; run the config again");
}

/// The pointers of `shared_across`; none where the config has no such key.
std::vector<std::string> shared_pointers(const Json& config, const std::string& where) {
  std::vector<std::string> pointers;
  const auto shared = config.find("shared_across");
  if (shared == config.end()) return pointers;
  for (const Json& pointer : *shared) {
    if (!pointer.is_string() || !pointer.get<std::string>().starts_with('/') ||
        pointer.get<std::string>().find('~') != std::string::npos) {
      refuse_origin(where, "/config/shared_across: found " + pointer.dump() +
                               ", allowed: pointers into a cell such as \"/filter/k\"");
    }
    pointers.push_back(pointer.get<std::string>());
  }
  return pointers;
}

std::optional<std::uint64_t> seed_of_config(const Json& config, const std::string& where) {
  const auto seed = config.find("seed");
  if (seed == config.end()) return std::nullopt;
  if (const auto value = as_count(*seed)) return value;
  refuse_origin(where, "/config/seed: found " + seed->dump() + ", allowed: a whole number >= 0");
}

/// Checks observations one after the other; those of one cell stand together mostly.
class OriginCheck {
 public:
  OriginCheck(const record::ResultFile& file, const std::string& where)
      : where_(where),
        grid_(file.config.value("grid", Json())),
        shared_(shared_pointers(file.config, where)),
        seed_(seed_of_config(file.config, where)) {}

  void operator()(const Observation& observation) {
    if (cell_ == nullptr || *cell_ != observation.cell) enter(observation.cell);
    if (!seed_) return;
    if (observation.group != group_) {
      refuse_origin(where_, place(observation) + ": group \"" + observation.group +
                                "\" does not follow from the cell");
    }
    if (observation.seed != record::trial_seed(*seed_, seed_text_, observation.trial)) {
      refuse_origin(where_, place(observation) + ": seed " + std::to_string(observation.seed) +
                                " does not follow from the cell and the config's seed " +
                                std::to_string(*seed_));
    }
  }

 private:
  void enter(const Json& cell) {
    if (!record::is_point_of(grid_, cell)) {
      refuse_origin(where_, "cell " + cell.dump() + " is not in the grid of its config");
    }
    cell_ = &cell;
    seed_text_ = record::seed_text_of(cell, shared_);
    group_ = record::group_of(seed_text_);
  }

  static std::string place(const Observation& observation) {
    return "cell " + observation.cell.dump() + ", trial " + std::to_string(observation.trial);
  }

  const std::string& where_;
  Json grid_;
  std::vector<std::string> shared_;
  std::optional<std::uint64_t> seed_;
  const Json* cell_ = nullptr;
  std::string seed_text_;
  std::string group_;
};

/// Whether the keys come from files, whose bytes are part of the digest and not of the result.
bool reads_files(const Json& json) {
  if (json.is_object() && json.contains("path")) return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), reads_files);
}

/// The digest that the run wrote down beside the config that it read.
void check_digest(const record::ResultFile& file, const std::string& where) {
  const auto digest = file.provenance.find("config_digest");
  if (digest == file.provenance.end() || reads_files(file.config)) return;
  const std::string own =
      record::sha256_hex(record::config_in_format_1(record::without_page(file.config)).dump());
  if (*digest == own) return;
  refuse_origin(where, "/provenance/config_digest: found " + digest->dump() +
                           ", and the config in the file has " + own);
}

}  // namespace

void check_origin(const record::ResultFile& file, const std::string& where) {
  if (!file.config.contains("grid") || file.provenance.contains("peers")) return;
  check_digest(file, where);
  OriginCheck check(file, where);
  for (const Observation& observation : file.observations) check(observation);
}

}  // namespace bloomlab::analysis
