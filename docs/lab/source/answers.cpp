#include "docs/lab/source/answers.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "analysis/data/with_statistics.hpp"
#include "docs/lab/source/scaled.hpp"
#include "experiments/engine/estimate.hpp"
#include "record/input_error.hpp"
#include "record/names.hpp"
#include "record/number_text.hpp"
#include "record/sha256.hpp"

namespace bloomlab::page {
namespace {

using analysis::Axis;
using analysis::Measurement;
using record::Json;

/// JSON has no NaN: what is not known is null.
Json known(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json axes_json(const std::vector<Axis>& axes) {
  Json list = Json::array();
  for (const Axis& axis : axes) {
    list.push_back({{"path", axis.path},
                    {"name", analysis::short_name(axis.path)},
                    {"unit", analysis::unit_of(axis.path)},
                    {"numeric", axis.numeric},
                    {"values", axis.values}});
  }
  return list;
}

/// What distinguishes cells, and always the name of the filter.
std::vector<Axis> shown_axes(const std::vector<Measurement>& measurements,
                             const std::vector<Axis>& all) {
  std::vector<Axis> shown;
  const std::vector<Axis> needed = analysis::distinguishing_axes(measurements);
  for (const Axis& axis : all) {
    const bool is_needed = std::any_of(needed.begin(), needed.end(),
                                       [&](const Axis& one) { return one.path == axis.path; });
    if (is_needed || axis.path == "/filter/kind") shown.push_back(axis);
  }
  return shown;
}

/// What is the same in every cell, by name.
Json fixed_json(const std::vector<Measurement>& measurements, const std::vector<Axis>& axes) {
  Json fixed = Json::object();
  const Json flat = analysis::flat_cell(measurements.front().cell());
  for (const auto& [path, value] : flat.items()) {
    bool varies = value.is_null();
    for (const Axis& axis : axes) varies = varies || axis.path == path;
    if (!varies) fixed[analysis::short_name(path)] = analysis::value_text(value);
  }
  return fixed;
}

/// A row with its place on the axes, as values and as people read them.
Json row_at(const Json& cell, const std::vector<Axis>& axes) {
  Json row = {{"at", Json::array()}, {"said_at", Json::array()}};
  for (const Axis& axis : axes) {
    const Json value = analysis::value_at(cell, axis.path);
    row["at"].push_back(value);
    row["said_at"].push_back(analysis::value_text(value));
  }
  return row;
}

void add_prediction(const Measurement& measurement, Json& row) {
  if (!measurement.prediction) return;
  row["model"] = measurement.prediction->model;
  row["expected"] = known(measurement.prediction->rate);
  row["said_expected"] = significant(measurement.prediction->rate, 4);
}

void add_estimate(const Measurement& measurement, Json& row) {
  if (!measurement.estimate) return;
  const analysis::Estimate& estimate = *measurement.estimate;
  row["hits"] = grouped(estimate.hits);
  row["queries"] = grouped(estimate.queries);
  row["rate"] = known(estimate.rate.value);
  row["low"] = known(estimate.rate.interval.low);
  row["high"] = known(estimate.rate.interval.high);
  row["said"] =
      with_interval(estimate.rate.value, estimate.rate.interval.low, estimate.rate.interval.high);
  if (!estimate.rate_test) return;
  row["z"] = fixed(estimate.rate_test->z, 2);
  row["p"] = p_value_text(estimate.rate_test->p_value);
  row["flagged"] = estimate.rate_test->flagged;
}

Json row_of(const Measurement& measurement, const std::vector<Axis>& axes) {
  Json row = row_at(measurement.cell(), axes);
  row["trials"] = measurement.trials.size();
  row["inserted"] = measurement.inserted();
  if (measurement.step) row["step"] = *measurement.step;
  add_estimate(measurement, row);
  add_prediction(measurement, row);
  return row;
}

/// Sums over trials, of counts that are plain numbers.
struct Sums {
  Json cell;
  std::uint64_t rows = 0;
  std::map<std::string, double> of;
};

/// A mean of counts: whole where it is whole.
std::string mean_text(double mean) {
  constexpr double most = 1e15;
  const bool whole = mean >= 0.0 && mean < most && mean == std::floor(mean);
  return whole ? grouped(static_cast<std::uint64_t>(mean)) : significant(mean, 5);
}

/// What a kind counted that measures no filters: means over trials, by cell.
Json counted_json(const analysis::Experiment& experiment) {
  std::vector<Sums> cells;
  std::vector<std::string> names;
  for (const record::Observation& observation : experiment.observations) {
    if (cells.empty() || cells.back().cell != observation.cell)
      cells.push_back({observation.cell, 0, {}});
    Sums& sums = cells.back();
    ++sums.rows;
    for (const auto& [name, value] : observation.measured.items()) {
      if (!value.is_number()) continue;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      sums.of[name] += value.get<double>();
    }
  }
  std::vector<Measurement> places(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) places[i].cell = cells[i].cell;
  const std::vector<Axis> axes = analysis::axes_of(places);
  Json rows = Json::array();
  for (const Sums& sums : cells) {
    Json means = Json::array();
    for (const std::string& name : names) {
      const auto found = sums.of.find(name);
      means.push_back(
          found == sums.of.end() ? "–" : mean_text(found->second / static_cast<double>(sums.rows)));
    }
    Json row = row_at(sums.cell, axes);
    row["trials"] = sums.rows;
    row["means"] = std::move(means);
    rows.push_back(std::move(row));
  }
  return {{"fixed", fixed_json(places, axes)},
          {"axes", axes_json(axes)},
          {"counted", names},
          {"rows", rows}};
}

Json verdict_json(const analysis::Experiment& experiment) {
  const analysis::Tally tally = analysis::tally_of({&experiment, 1});
  return {{"sentence", tally.sentence()},
          {"tags",
           {{"tests", grouped(tally.tests)},
            {"flags", grouped(tally.flags())},
            {"predicted", grouped(tally.predicted)},
            {"possible", grouped(tally.possible)},
            {"unexpected", grouped(tally.unexpected)}}}};
}

}  // namespace

void refuse_absent(const experiments::Config& config) {
  for (const experiments::Cell& cell : config.cells) {
    const bool encodes = cell.filter == "compressed" || config.kind == "proxy_caches" ||
                         cell.json().value("way", "") == "encoded";
    if (!encodes) continue;
    throw record::InputError(config.path.string() + ": cell " + cell.text() +
                             ": its filter is encoded by zlib, which is not in this page; run the "
                             "config with `bloomlab run`");
  }
}

Json facts_of(const experiments::Config& config) {
  const experiments::Estimate estimate = experiments::estimate(config);
  if (estimate.memory_bytes > browser.memory_bytes) {
    throw record::InputError(config.path.string() + ": a pass over its cells needs " +
                             experiments::iec_bytes(estimate.memory_bytes) + " of memory, and " +
                             std::string(browser.bound_by) + " " +
                             experiments::iec_bytes(browser.memory_bytes) +
                             "; choose smaller filters, or run it with `bloomlab run`");
  }
  return {{"kind", config.kind},         {"title", config.title},
          {"question", config.question}, {"cells", config.cells.size()},
          {"trials", config.trials},     {"queries", config.json.value("queries", Json())},
          {"seconds", estimate.seconds}, {"memory_bytes", estimate.memory_bytes},
          {"notes", estimate.notes}};
}

Json report_of(analysis::ResultSet results) {
  const analysis::Experiment experiment = analysis::analyse(std::move(results));
  Json report = {{"kind", experiment.kind},
                 {"title", experiment.title},
                 {"question", experiment.question},
                 {"verdict", verdict_json(experiment)}};
  if (experiment.measurements.empty()) {
    report.update(counted_json(experiment));
    return report;
  }
  const std::vector<Axis> all = analysis::axes_of(experiment.measurements);
  const std::vector<Axis> axes = shown_axes(experiment.measurements, all);
  report["fixed"] = fixed_json(experiment.measurements, all);
  report["axes"] = axes_json(axes);
  report["rows"] = Json::array();
  for (const Measurement& measurement : experiment.measurements) {
    report["rows"].push_back(row_of(measurement, axes));
  }
  return report;
}

Json provenance_of(const Json& config, const Json& here) {
  const Build how = build();
  const Json machine = {{"cpu", here.value("cpu", "")},
                        {"architecture", "wasm32"},
                        {"cores", here.value("cores", 1)},
                        {"kernel", "a page in a browser"}};
  return {{"commit", "unknown"},
          {"dirty", false},
          {"version", how.version},
          {"compiler", how.compiler},
          {"flags", how.flags},
          {"build_type", "WebAssembly"},
          {"build_id",
           how.version + "-" + record::sha256_hex(how.compiler + "|" + how.flags).substr(0, 8)},
          {"config_digest", record::sha256_hex(record::digested_config(config).dump())},
          {"machine", machine},
          {"machine_id", record::sha256_hex(machine.dump()).substr(0, 16)},
          {"date", here.value("date", "")},
          {"jobs", 1},
          {"complete", true}};
}

std::string digest_of(const record::ResultFile& file) {
  return record::sha256_hex(record::canonical_text(file));
}

void write_text(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace bloomlab::page
