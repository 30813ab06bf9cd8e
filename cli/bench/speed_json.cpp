#include "cli/bench/speed_json.hpp"

#include <cmath>

namespace bloomlab::cli {
namespace {

using record::Json;

Json rate_json(const analysis::SpeedRate& rate) {
  Json json = {{"hits", rate.hits},
               {"queries", rate.queries},
               {"measured", rate.value},
               {"low", rate.interval.low},
               {"high", rate.interval.high},
               {"theory", rate.expected},
               {"adjusted_p", rate.adjusted_p},
               {"agrees", !rate.disagrees()}};
  if (std::isfinite(rate.detectable)) json["detectable"] = rate.detectable;
  return json;
}

Json row_json(const analysis::SpeedRow& row) {
  Json json = row.cell;
  json["process_runs"] = row.process_runs;
  json["available"] = row.available;
  json["times"] = Json::object();
  for (const auto& [name, time] : row.times) {
    json["times"][name] = {{"ns_per_key", time.value},
                           {"low", time.interval.low},
                           {"high", time.interval.high},
                           {"process_runs", time.process_runs}};
  }
  if (std::isfinite(row.bytes_per_key)) json["bytes_per_key"] = row.bytes_per_key;
  if (row.rate) json["rate"] = rate_json(*row.rate);
  return json;
}

}  // namespace

Json speed_json(const analysis::SpeedRun& run, const Json& provenance) {
  Json json = {{"rows", Json::array()}};
  for (const analysis::SpeedRow& row : run.rows) json["rows"].push_back(row_json(row));
  json["noise"] = {{"process_runs", run.noise.process_runs},
                   {"marked", run.noise.marked},
                   {"steal_ticks", run.noise.steal_ticks},
                   {"too_many", run.noise.are_too_many()}};
  if (provenance.contains("speed")) json["conditions"] = provenance.at("speed");
  return json;
}

}  // namespace bloomlab::cli
