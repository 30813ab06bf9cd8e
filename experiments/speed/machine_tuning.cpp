#include "experiments/speed/machine_tuning.hpp"

#include <limits>
#include <system_error>

#include "core/parameters.hpp"
#include "core/simd/batch_tuning.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using record::JsonView;

constexpr std::uintmax_t largest_calibration_bytes = std::uintmax_t{64} << 20;
constexpr std::string_view calibration_format = "bloomlab-calibration-1";

/// A tuning's fields.
struct TuningFields {
  using Parameters = BatchTuning;

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    constexpr std::uint64_t most_bytes = max_filter_bits / 8;
    visit(IntegerField{"cached_bytes", "bytes", "filters up to this size ask for nothing ahead", 0,
                       most_bytes},
          p.cached_bytes);
    visit(IntegerField{"shared_bytes", "bytes", "filters up to this size are in the shared cache",
                       0, most_bytes},
          p.shared_bytes);
    visit(IntegerField{"shared_lookahead", "keys", "from asking to use in the shared cache", 0,
                       max_lookahead},
          p.shared_lookahead);
    visit(
        IntegerField{"memory_lookahead", "keys", "from asking to use in memory", 0, max_lookahead},
        p.memory_lookahead);
  }
};

BatchTuning read_tuning(const JsonView& view) {
  const auto known = record::field_names<TuningFields>();
  const auto tuning =
      record::read_parameters<TuningFields>(record::ObjectReader(view, "the tuning", known));
  if (tuning.cached_bytes > tuning.shared_bytes) {
    view.refuse("found cached_bytes = " + std::to_string(tuning.cached_bytes) +
                " above shared_bytes = " + std::to_string(tuning.shared_bytes) +
                "; a core's own cache is the smaller one");
  }
  return tuning;
}

/// The text at a pointer, or "" where there is none.
std::string text_at(const Json& json, const char* pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) && json.at(place).is_string() ? json.at(place).get<std::string>()
                                                            : "";
}

MachineTuning read_machine_tuning(const Json& json, const std::string& file,
                                  std::string_view machine_id) {
  const record::Origin origin{file};
  const JsonView root(json, origin);
  if (text_at(json, "/format") != calibration_format) {
    root.refuse("no calibration of the format " + std::string(calibration_format));
  }
  if (text_at(json, "/provenance/machine_id") != machine_id) {
    root.refuse("measured on another machine");
  }
  if (!json.contains("tuning")) return {};
  return {.tuning = read_tuning(JsonView(json.at("tuning"), origin, "/tuning")), .measured = true};
}

}  // namespace

Json tuning_json(const BatchTuning& tuning) {
  Json json = Json::object();
  record::write_parameters<TuningFields>(tuning, json);
  return json;
}

BatchTuning tuning_of(const Json& json, const std::string& file) {
  const record::Origin origin{file};
  return read_tuning(JsonView(json, origin));
}

MachineTuning machine_tuning(const std::filesystem::path& file, std::string_view machine_id) {
  std::error_code missing;
  if (file.empty() || !std::filesystem::exists(file, missing)) return {};
  try {
    return read_machine_tuning(record::read_json(file, largest_calibration_bytes), file.string(),
                               machine_id);
  } catch (const record::InputError& fault) {
    return {.warnings = {std::string(fault.what()) +
                         ": ignored, the tuning is the built-in one; write it anew with bloomlab "
                         "bench --calibrate"}};
  }
}

Json provenance_of(const MachineTuning& tuning) {
  Json json = {{"source", tuning.measured ? "measured" : "built_in"}};
  json.update(tuning_json(tuning.tuning));
  return json;
}

}  // namespace bloomlab::experiments
