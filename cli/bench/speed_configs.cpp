#include "cli/bench/speed_configs.hpp"

#include "analysis/kinds/speed_rows.hpp"
#include "experiments/config_reading.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

/// A copy of the config with the overrides in it; its name is the config's.
fs::path overridden(const experiments::Config& config, const SpeedOverrides& overrides,
                    const fs::path& out) {
  record::Json json = config.json;
  if (overrides.process_runs) json["trials"] = *overrides.process_runs;
  if (overrides.n && json["grid"].contains("n")) json["grid"]["n"] = *overrides.n;
  const fs::path folder = out / ".configs";
  fs::create_directories(folder);
  const fs::path path = folder / (config.stem() + ".json");
  record::write_atomically(path, json.dump(1) + "\n");
  return path;
}

}  // namespace

std::vector<std::string> usual_speed_configs(bool small) {
  const std::string folder = small ? "configs/smoke/" : "configs/speed/";
  std::vector<std::string> paths;
  for (const char* stem :
       {"throughput", "throughput_scale", "peers", "speed_bits", "speed_latency", "speed_cold",
        "speed_keys", "speed_calls", "speed_threads", "hash_speed", "construction",
        "speed_build_threads", "speed_atomic", "speed_deduplication"}) {
    paths.push_back(folder + stem + ".json");
  }
  return paths;
}

std::vector<experiments::Config> speed_configs(const std::vector<std::string>& paths,
                                               const SpeedOverrides& overrides,
                                               const fs::path& out) {
  std::vector<experiments::Config> configs;
  for (const std::string& path : paths) {
    experiments::Config config = experiments::read_config(path);
    if (!analysis::is_speed_kind(config.kind)) {
      throw record::InputError(path + ": /kind: found \"" + config.kind +
                               "\"; bench takes throughput, hash_speed, construction and "
                               "deduplication; use `bloomlab run` for this one");
    }
    if (overrides.n || overrides.process_runs) {
      config = experiments::read_config(overridden(config, overrides, out));
    }
    configs.push_back(std::move(config));
  }
  return configs;
}

}  // namespace bloomlab::cli
