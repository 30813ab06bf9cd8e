#include "cli/bench/calibration.hpp"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "analysis/exhibits/speed_rows.hpp"
#include "core/catalogue.hpp"
#include "core/type_list.hpp"
#include "experiments/speed/speed_subject.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using record::Json;

/// Subjects that are filters of the catalogue.
Json calibrated_filters() {
  Json names = Json::array();
  for (const std::string_view subject : experiments::speed_subject_names()) {
    for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
      if (Filter::name == subject) names.push_back(subject);
    });
  }
  return names;
}

}  // namespace

fs::path calibration_path() {
  constexpr const char* place = "bloomlab/calibration.json";
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / place;
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".cache" / place;
  }
  throw record::InputError(
      "bench --calibrate: neither XDG_CACHE_HOME nor HOME is set; say where to write with --out");
}

std::string write_calibration_config(const fs::path& folder, bool small) {
  const Json sizes = small ? Json{10'000, 100'000} : Json{10'000, 100'000, 1'000'000, 10'000'000};
  const Json config = {
      {"$schema", "bloomlab-config-1"},
      {"kind", "throughput"},
      {"title", "Calibration"},
      {"question", "What do filters cost on this machine?"},
      {"seed", 7'700'001},
      {"trials", small ? 1 : 3},
      {"queries", small ? 131'072 : 1'048'576},
      {"repetitions", 1},
      {"warm_up", 1},
      {"strangers", 1},
      {"grid", {{"subject", calibrated_filters()}, {"n", sizes}, {"bits_per_key", 10}}}};
  const fs::path path = folder / "calibration.json";
  record::write_atomically(path, config.dump(1) + "\n");
  return path.string();
}

Json calibration_json(const record::ResultFile& file) {
  const auto run = analysis::speed_run(file.config, file.observations, "calibration");
  Json json = {{"format", "bloomlab-calibration-1"},
               {"provenance", file.provenance},
               {"ladder", file.provenance.at("speed").at("ladder")},
               {"caches", file.provenance.at("speed").at("caches")},
               {"filters", Json::array()}};
  json["provenance"].erase("speed");
  for (const analysis::SpeedRow& row : run.rows) {
    const double n = row.cell.at("n").get<double>();
    json["filters"].push_back({{"filter", row.subject()},
                               {"n", row.cell.at("n")},
                               {"bits_per_key", row.cell.at("bits_per_key")},
                               {"memory_bytes", std::llround(row.bytes_per_key * n)},
                               {"insert_ns", row.time("insert")},
                               {"negative_ns", row.time("negative")},
                               {"positive_ns", row.time("positive")}});
  }
  return json;
}

}  // namespace bloomlab::cli
