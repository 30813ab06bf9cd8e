// Speeds: what inserts and lookups cost beside the limits of the machine.
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/exhibits/speed_figures.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/exhibits/speed_tables.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

/// What every section of speeds has; tables as one text, since regimes differ between configs.
Content speed_content(const SpeedRun& run, const Words& words) {
  Content content;
  std::string text;
  for (Table& table : speed_tables(run, words)) {
    text.append(text.empty() ? "" : "\n\n").append(markdown(table));
    table.shown = Shown::csv_only;
    content.tables.push_back(std::move(table));
  }
  content.values = {{"speeds", text},
                    {"speed_fastest", speed_fastest_text(run, words)},
                    {"speed_rates", speed_rates_text(run, words)},
                    {"speed_quiet", speed_quiet_text(run, words)}};
  return content;
}

SpeedRun run_of(const Experiment& experiment) {
  if (!is_speed_kind(experiment.kind)) {
    throw record::InputError(experiment.file_name + ": holds results of the kind \"" +
                             experiment.kind +
                             "\", which are no speeds; measure again with `bloomlab run --force`");
  }
  return speed_run(experiment.config, experiment.observations, experiment.file_name);
}

}  // namespace

Content speed_exhibit(const Experiment& experiment, const Words& words) {
  const SpeedRun run = run_of(experiment);
  Content content = speed_content(run, words);
  content.figures = speed_figures(experiment, run, words);
  return content;
}

Content external_peers_exhibit(const Experiment& experiment, const Words& words) {
  Content content = speed_exhibit(experiment, words);
  std::vector<std::string> peers;
  for (const Json& peer : experiment.provenance.value("peers", Json::array())) {
    std::string text;
    for (const auto& [key, value] : peer.items()) {
      text.append(text.empty() ? "" : ", ").append(key).append(" ").append(value_text(value));
    }
    peers.push_back(markdown_escaped(text));
  }
  content.values["peers"] = peers.empty() ? words("speed.peers_unknown") : joined(peers);
  return content;
}

Content speed_table_exhibit(const Experiment& experiment, const Words& words) {
  return speed_content(run_of(experiment), words);
}

}  // namespace bloomlab::analysis
