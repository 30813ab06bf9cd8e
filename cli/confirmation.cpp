#include "cli/confirmation.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

/// Another seed that follows from the config's: the first 8 bytes of a SHA-256.
std::uint64_t other_seed(std::uint64_t seed) {
  const std::string digest = record::sha256_hex("bloomlab-confirmation-1\n" + std::to_string(seed));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

bool is_flagged(const experiments::Cell& cell, const std::vector<analysis::FlaggedCell>& flagged) {
  return std::any_of(flagged.begin(), flagged.end(),
                     [&](const analysis::FlaggedCell& flag) { return flag.cell == cell.json; });
}

bool draws_anew(const experiments::Cell& cell) { return !cell.redrawn.empty(); }

bool is_complete(const record::ResultFile& file) {
  const auto complete = file.provenance.find("complete");
  return complete != file.provenance.end() && complete->is_boolean() && complete->get<bool>();
}

/// Whether a result of another config stands where this one's goes.
bool is_of_another(const experiments::Config& config, const fs::path& folder) {
  const fs::path path = folder / (config.stem() + ".json");
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return false;
  try {
    return record::read_result_file(path).config != config.json;
  } catch (const record::InputError&) {
    return false;  // the run says that it cannot be read
  }
}

}  // namespace

experiments::Config confirmation_of(const experiments::Config& config,
                                    const std::vector<analysis::FlaggedCell>& flagged) {
  experiments::Config second = config;
  second.path = config.directory() / (config.stem() + ".confirmation.json");
  second.seed = other_seed(config.seed);
  second.json["seed"] = second.seed;
  std::erase_if(second.cells,
                [&](const experiments::Cell& cell) { return !is_flagged(cell, flagged); });
  if (std::all_of(second.cells.begin(), second.cells.end(), draws_anew)) {
    second.trials = config.trials * confirmation_factor;
    second.json["trials"] = second.trials;
  } else if (config.json.contains("queries")) {
    second.json["queries"] = config.json.at("queries").get<std::uint64_t>() * confirmation_factor;
  }
  return second;
}

std::optional<experiments::RunOutcome> confirm(const experiments::Config& config,
                                               const experiments::RunOutcome& outcome,
                                               experiments::RunOptions options) {
  const record::ResultFile file = record::read_result_file(outcome.path);
  if (!is_complete(file)) return std::nullopt;
  auto flagged = analysis::flags(file, outcome.path.string());
  // Whether a filter from outside is right, its author tries again after each change.
  std::erase_if(flagged, [](const analysis::FlaggedCell& flag) {
    return analysis::is_from_outside(flag.cell);
  });
  if (flagged.empty()) {
    fs::remove(outcome.path.parent_path() / (config.stem() + ".confirmation.json"));
    return std::nullopt;
  }
  options.shard.reset();
  options.only.reset();
  const experiments::Config second = confirmation_of(config, flagged);
  // One that was made for an earlier config has nothing left that it confirms.
  options.force = options.force || is_of_another(second, options.out);
  return experiments::run(second, options);
}

}  // namespace bloomlab::cli
