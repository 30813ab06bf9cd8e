#include "cli/bench/calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analysis/kinds/speed_rows.hpp"
#include "core/catalogue.hpp"
#include "core/type_list.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/tuning_choice.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using record::Json;

/// Implementations that are filters of the catalogue. Not the list that is searched from its front:
/// a lookup among 10^7 keys takes milliseconds, and the calibration would not end within a day.
Json calibrated_filters() {
  Json names = Json::array();
  for (const std::string_view implementation : experiments::speed_implementation_names()) {
    for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
      if (Filter::name == implementation && !std::is_same_v<Filter, LinearList>) {
        names.push_back(implementation);
      }
    });
  }
  return names;
}

constexpr double tuning_bits_per_key = 10;

/// A size between those of the caches [bytes].
double in_shared_cache(const BatchTuning& sizes) {
  return std::sqrt(static_cast<double>(sizes.cached_bytes) *
                   static_cast<double>(sizes.shared_bytes));
}

/// Four times the shared cache, and no less than filters of some ten million keys have [bytes].
double beyond_caches(const BatchTuning& sizes) {
  constexpr double least = 32 << 20;
  return std::max(least, 4.0 * static_cast<double>(sizes.shared_bytes));
}

/// Keys of a filter of so many bytes.
std::uint64_t keys_in(double bytes) {
  return static_cast<std::uint64_t>(bytes * 8.0 / tuning_bits_per_key);
}

/// Process run by process run, the geometric mean over the rows of what absent keys, inserted keys
/// and inserts cost: filters weigh the same, however slow.
std::vector<double> mean_costs(const std::vector<const analysis::SpeedRow*>& rows) {
  static constexpr std::array<const char*, 3> names = {"insert", "negative", "positive"};
  std::vector<double> costs(rows.front()->process_runs, 0.0);
  for (const analysis::SpeedRow* row : rows) {
    for (const char* name : names) {
      const auto& process_runs = row->times.at(name).process_runs;
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += std::log(process_runs.at(i));
    }
  }
  const auto terms = static_cast<double>(rows.size() * names.size());
  for (double& cost : costs) cost = std::exp(cost / terms);
  return costs;
}

/// The lookahead for filters of so many bytes; what was measured of each is put into `listed`.
std::size_t chosen_lookahead(const analysis::SpeedRun& run, double bytes, std::size_t built_in,
                             Json& listed) {
  std::map<std::size_t, std::vector<const analysis::SpeedRow*>> rows;
  for (const analysis::SpeedRow& row : run.rows) {
    if (row.cell.at("n") != keys_in(bytes)) continue;
    rows[row.cell.at("lookahead").get<std::size_t>()].push_back(&row);
  }
  std::vector<experiments::LookaheadCost> costs;
  for (const auto& [lookahead, same] : rows) costs.push_back({lookahead, mean_costs(same)});
  for (const experiments::LookaheadCost& cost : costs) {
    const auto interval = cost.interval();
    listed.push_back(record::object(
        "memory_bytes", std::llround(bytes), "lookahead", cost.lookahead, "cost_ns", cost.median(),
        "low", interval.low, "high", interval.high, "process_runs", cost.process_runs.size()));
  }
  return experiments::choose_lookahead(costs, built_in);
}

/// A config of throughput; `rest` is its grid and what goes with it.
Json speed_config(const char* title, const char* question, int seed, int trials, bool small,
                  const Json& rest) {
  Json config =
      record::object("$schema", "bloomlab-config-1", "kind", "throughput", "title", title,
                     "question", question, "seed", seed, "trials", trials, "queries",
                     small ? 131'072 : 1'048'576, "repetitions", 1, "warm_up", 1, "absent_keys", 1);
  config.update(rest);
  return config;
}

/// Writes a config. @return its path
std::string written(const Json& config, const fs::path& path) {
  record::write_atomically(path, config.dump(1) + "\n");
  return path.string();
}

}  // namespace

std::string write_calibration_config(const fs::path& folder, bool small) {
  const Json sizes = small ? Json{10'000, 100'000} : Json{10'000, 100'000, 1'000'000, 10'000'000};
  return written(
      speed_config(
          "Calibration", "What do filters cost on this machine?", 7'700'001, small ? 1 : 3, small,
          {{"grid",
            {{"implementation", calibrated_filters()}, {"n", sizes}, {"bits_per_key", 10}}}}),
      folder / "calibration.json");
}

std::string write_tuning_config(const fs::path& folder, const BatchTuning& sizes, bool small) {
  const BatchTuning built_in;
  const Json implementations = small ? Json{"split_block"} : Json{"standard", "split_block"};
  // The built-in ones always: another is chosen only where it beats them.
  std::set<std::size_t> lookaheads = {0, built_in.shared_lookahead, built_in.memory_lookahead};
  if (!small) lookaheads.insert({8, 16, 32, 64, 128});
  return written(
      speed_config("Lookahead", "How far ahead should filters ask for memory on this machine?",
                   7'700'002, small ? 1 : 7, small,
                   {{"shared_across", {"/lookahead"}},
                    {"grid",
                     {{"implementation", implementations},
                      {"n", {keys_in(in_shared_cache(sizes)), keys_in(beyond_caches(sizes))}},
                      {"bits_per_key", tuning_bits_per_key},
                      {"lookahead", lookaheads}}}}),
      folder / "lookahead.json");
}

BatchTuning tuning_with_sizes(const record::ResultFile& file) {
  std::vector<experiments::LatencyRung> caches;
  for (const Json& cache : file.provenance.at("speed").at("caches")) {
    caches.push_back(
        {cache.at("bytes").get<std::uint64_t>(), cache.at("latency_ns").get<double>()});
  }
  return experiments::with_measured_sizes({}, caches);
}

Json calibration_json(const record::ResultFile& file, const record::ResultFile& lookaheads,
                      const BatchTuning& sizes) {
  const auto run = analysis::speed_run(file.config, file.observations, "calibration");
  Json json = {{"format", "bloomlab-calibration-1"},
               {"provenance", file.provenance},
               {"ladder", file.provenance.at("speed").at("ladder")},
               {"caches", file.provenance.at("speed").at("caches")},
               {"lookaheads", Json::array()},
               {"filters", Json::array()}};
  json["provenance"].erase("speed");
  const auto asked = analysis::speed_run(lookaheads.config, lookaheads.observations, "lookahead");
  BatchTuning tuning = sizes;
  tuning.shared_lookahead =
      chosen_lookahead(asked, in_shared_cache(sizes), sizes.shared_lookahead, json["lookaheads"]);
  tuning.memory_lookahead =
      chosen_lookahead(asked, beyond_caches(sizes), sizes.memory_lookahead, json["lookaheads"]);
  json["tuning"] = experiments::tuning_json(tuning);
  for (const analysis::SpeedRow& row : run.rows) {
    const double n = row.cell.at("n").get<double>();
    json["filters"].push_back(
        record::object("filter", row.implementation(), "n", row.cell.at("n"), "bits_per_key",
                       row.cell.at("bits_per_key"), "memory_bytes",
                       std::llround(row.bytes_per_key * n), "insert_ns", row.time("insert"),
                       "negative_ns", row.time("negative"), "positive_ns", row.time("positive")));
  }
  return json;
}

}  // namespace bloomlab::cli
