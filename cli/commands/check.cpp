// bloomlab check CONFIG...: reads configs as a run would, and says what they cost.

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/project_files.hpp"
#include "cli/terminal.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {
namespace {

struct ConfigCheckOptions {
  std::vector<std::string> configs;
  std::optional<std::string> max_memory;
  bool json = false;
};

int check(const ConfigCheckOptions& options) {
  record::Json all = record::Json::object();
  const auto machine = experiments::Machine::here(max_memory_bytes(options.max_memory));
  for (const std::string& path : options.configs) {
    const experiments::Config config = experiments::read_config(config_named(path), machine);
    const experiments::Estimate cost = experiments::estimate(config);
    all[path] = {{"cells", cost.cells},
                 {"memory_bytes", cost.memory_bytes},
                 {"estimated_seconds", cost.seconds},
                 {"confirmation_seconds", cost.confirmation_seconds},
                 {"notes", cost.notes}};
    if (options.json) continue;
    std::cout << path << ": " << cost.cells << (cost.cells == 1 ? " cell, " : " cells, ")
              << experiments::iec_bytes(cost.memory_bytes) << " a job, about "
              << duration_text(cost.seconds) << " on one thread";
    if (cost.confirmation_seconds > 0) {
      std::cout << ", and up to " << duration_text(cost.confirmation_seconds)
                << " to confirm the flags that it expects";
    }
    std::cout << '\n';
    for (const std::string& note : cost.notes) std::cout << "  note: " << note << '\n';
  }
  if (options.json) std::cout << all.dump(2) << '\n';
  return done;
}

}  // namespace

Action add_check(CLI::App& parser) {
  auto options = std::make_shared<ConfigCheckOptions>();
  parser
      .add_option("configs", options->configs,
                  "Configs to check: files, or names of `bloomlab list configs`")
      ->required();
  add_max_memory(parser, options->max_memory);
  parser.add_flag("--json", options->json,
                  "Print {config: {cells, memory_bytes, estimated_seconds, confirmation_seconds, "
                  "notes}}");
  parser.footer("Nothing is run. The first fault ends the command with exit status 2.");
  return [options] { return check(*options); };
}

}  // namespace bloomlab::cli
