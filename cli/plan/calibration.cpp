#include "cli/plan/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/text/words.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"
#include "statistics/durations.hpp"

namespace bloomlab::cli {
namespace {

constexpr std::uintmax_t largest_calibration = std::uintmax_t{64} << 20;

/// A size may be this much larger than the largest one measured and still count as measured.
constexpr double reach_beyond = 1.5;

[[noreturn]] void refuse_calibration(const std::filesystem::path& path, const std::string& fault) {
  throw record::InputError(path.string() + ": " + fault +
                           "; write it anew with bloomlab bench --calibrate");
}

double positive(const std::filesystem::path& path, const record::Json& entry, const char* key) {
  const auto value = entry.find(key);
  if (value == entry.end() || !value->is_number() || !(value->get<double>() > 0.0)) {
    refuse_calibration(path, std::string("/filters: \"") + key + "\" is no number above 0");
  }
  return value->get<double>();
}

double between(double low, double high, double share) { return low + share * (high - low); }

/// Of each process run the median of its repetitions, and of these the median, per key.
double median_ns(const record::Json& process_runs, double keys) {
  std::vector<double> medians;
  for (const record::Json& repetitions : process_runs) {
    medians.push_back(statistics::median(repetitions.get<std::vector<double>>()) / keys);
  }
  return statistics::median(medians);
}

/// Latency of a cache line from memory, about, where nothing was measured.
constexpr double assumed_line_ns = 100.0;

}  // namespace

std::optional<planner::Timing> Calibration::timing_of(const planner::Candidate& candidate) const {
  const auto found = filters.find(candidate.filter);
  if (found == filters.end()) return std::nullopt;
  const auto& sizes = found->second;
  const double bytes = static_cast<double>(candidate.memory_bits) / 8.0;
  if (!processor.empty() &&
      (bytes < sizes.front().memory_bytes || bytes > sizes.back().memory_bytes)) {
    return std::nullopt;
  }
  if (bytes <= sizes.front().memory_bytes) return sizes.front().timing;
  if (bytes >= sizes.back().memory_bytes) {
    if (bytes > reach_beyond * sizes.back().memory_bytes) return std::nullopt;
    return sizes.back().timing;
  }
  const auto above = std::ranges::find_if(
      sizes, [&](const CalibratedTiming& size) { return size.memory_bytes > bytes; });
  const auto below = above - 1;
  const double share =
      std::log(bytes / below->memory_bytes) / std::log(above->memory_bytes / below->memory_bytes);
  return planner::Timing{between(below->timing.insert_ns, above->timing.insert_ns, share),
                         between(below->timing.absent_ns, above->timing.absent_ns, share),
                         between(below->timing.present_ns, above->timing.present_ns, share)};
}

Calibration read_calibration(const std::filesystem::path& path) {
  const record::Json json = record::read_json(path, largest_calibration);
  if (!json.is_object() || json.value("format", record::Json()) != "bloomlab-calibration-1") {
    refuse_calibration(path, "no calibration of the format bloomlab-calibration-1");
  }
  if (!json.contains("filters") || !json.at("filters").is_array()) {
    refuse_calibration(path, "/filters is missing");
  }
  Calibration calibration{.path = path};
  for (const record::Json& entry : json.at("filters")) {
    if (!entry.is_object() || !entry.contains("filter") || !entry.at("filter").is_string()) {
      refuse_calibration(path, "/filters: an entry has no \"filter\"");
    }
    calibration.filters[entry.at("filter").get<std::string>()].push_back(
        {positive(path, entry, "memory_bytes"),
         {positive(path, entry, "insert_ns"), positive(path, entry, "negative_ns"),
          positive(path, entry, "positive_ns")}});
  }
  for (auto& [name, sizes] : calibration.filters) {
    std::ranges::sort(sizes, {}, &CalibratedTiming::memory_bytes);
  }
  return calibration;
}

std::string short_processor(std::string name) {
  name = name.substr(0, name.find(" @"));
  for (const std::string_view mark : {"(R)", "(r)", "(TM)", "(tm)", " Processor", " CPU"}) {
    for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark)) {
      name.erase(at, mark.size());
    }
  }
  return name;
}

Calibration reference_calibration() {
  const record::Json json =
      record::Json::parse(*analysis::embedded_text("results/throughput.json"));
  const double queries = json.at("config").at("queries").get<double>();
  Calibration reference{.processor = json.at("provenance").at("machine").at("cpu")};
  for (const record::Json& entry : json.at("cells")) {
    const auto name = entry.at("cell").at("implementation").get<std::string>();
    const double n = entry.at("cell").at("n").get<double>();
    const record::Json& timing = entry.at("timing");
    const auto bits = entry.at("measured").at("memory_bits").at(0).get<double>();
    reference.filters[name].push_back(
        {bits / 8.0,
         {median_ns(timing.at("insert_ns"), n), median_ns(timing.at("negative_ns"), queries),
          median_ns(timing.at("positive_ns"), queries)}});
  }
  for (auto& [name, sizes] : reference.filters) {
    std::ranges::sort(sizes, {}, &CalibratedTiming::memory_bytes);
  }
  return reference;
}

FilterCost filter_cost_of(const std::string& text, const planner::Comparison& comparison,
                          double hit_ratio) {
  if (text != "auto") {
    return {planner::parse_duration_ns("--filter-cost", text), "as given"};
  }
  if (!comparison.recommended) return {assumed_line_ns, "assumed, no filter is recommended"};
  const auto& filter = comparison.candidates[*comparison.recommended];
  const auto mixed = [&](double absent, double present) {
    return (1.0 - hit_ratio) * absent + hit_ratio * present;
  };
  if (filter.timing) {
    return {mixed(filter.timing->absent_ns, filter.timing->present_ns),
            "measured for " + filter.filter};
  }
  return {assumed_line_ns * mixed(filter.lines.absent, filter.lines.present),
          "assumed for " + filter.filter + ": 100 ns a cache line, not measured"};
}

}  // namespace bloomlab::cli
