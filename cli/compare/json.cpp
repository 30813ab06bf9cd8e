// The comparison of two result folders as JSON.

#include <cmath>

#include "analysis/compare/comparison.hpp"
#include "cli/compare/report.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::cli {
namespace {

using analysis::compare::FailOn;
using analysis::compare::FileFindings;
using analysis::compare::RateDifference;
using analysis::compare::TimeDifference;
using record::Json;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json interval_or_nulls(const statistics::Interval& interval) {
  return {finite_or_null(interval.low), finite_or_null(interval.high)};
}

Json rate_difference_json(const RateDifference& difference, const FailOn& limits) {
  Json json = {{"file", difference.stem}, {"cell", difference.pair->cell}};
  if (difference.pair->step) json["step"] = *difference.pair->step;
  json["first"] = {{"hits", difference.first_hits}, {"queries", difference.first_queries}};
  json["second"] = {{"hits", difference.second_hits}, {"queries", difference.second_queries}};
  json["ratio"] = finite_or_null(difference.change.ratio);
  json["interval"] = interval_or_nulls(difference.change.interval);
  json["method"] = statistics::name(difference.change.method);
  json["p_value"] = difference.change.p_value;
  json["adjusted_p"] = difference.adjusted_p;
  json["changed"] = difference.changed;
  json["fails"] = analysis::compare::fails(difference, limits);
  return json;
}

Json time_difference_json(const TimeDifference& difference, const FailOn& limits) {
  return {
      {"file", difference.stem},
      {"cell", difference.cell},
      {"name", difference.name},
      {"first", {{"process_runs", difference.first_process_runs}, {"ns", difference.first_ns}}},
      {"second", {{"process_runs", difference.second_process_runs}, {"ns", difference.second_ns}}},
      {"ratio", difference.ratio},
      {"interval", interval_or_nulls(difference.interval)},
      {"explained_by_loop", difference.explained},
      {"noise_floor", difference.noise_floor},
      {"p_value", difference.p_value},
      {"adjusted_p", difference.adjusted_p},
      {"changed", difference.changed},
      {"fails", analysis::compare::fails(difference, limits)}};
}

Json cells_of_pairs(const std::vector<const analysis::compare::CellPair*>& pairs) {
  Json cells = Json::array();
  for (const auto* pair : pairs) {
    Json cell = pair->cell;
    if (pair->step) cell["step"] = *pair->step;
    cells.push_back(std::move(cell));
  }
  return cells;
}

Json file_json(const FileFindings& findings) {
  Json indicative = Json::object();
  for (const auto& [name, ratios] : findings.times.indicative) {
    indicative[name] = {{"cells", ratios.size()}, {"median_ratio", statistics::median(ratios)}};
  }
  return {{"file", findings.files->stem},
          {"kind", findings.files->kind},
          {"same_config", findings.files->same_config},
          {"cells", findings.files->cells.size()},
          {"equal_counts", findings.equal_counts},
          {"untested", findings.untested},
          {"other_counts_differ", cells_of_pairs(findings.other_counts)},
          {"only_first", findings.files->only_first},
          {"only_second", findings.files->only_second},
          {"noise_floor", findings.times.noise_floor},
          {"machine_ratio", findings.times.machine},
          {"indicative_times", indicative}};
}

}  // namespace

Json comparison_json(const ComparisonAnswer& answer) {
  const auto& comparison = answer.comparison;
  Json limits = Json::object();
  if (answer.limits.rate) limits["rate"] = *answer.limits.rate;
  if (answer.limits.time) limits["time"] = *answer.limits.time;
  Json json = {{"first", answer.first},
               {"second", answer.second},
               {"alpha", comparison.alpha},
               {"fail_on", limits},
               {"failed", answer.failed()},
               {"cells", answer.pairing.cells()},
               {"changed_rates", comparison.changed_rates()},
               {"changed_times", comparison.changed_times()},
               {"detectable_rate", finite_or_null(comparison.detectable_rate)},
               {"cells_are_mute", comparison.cells_are_mute},
               {"together_are_mute", comparison.together_are_mute},
               {"only_first", answer.pairing.stems_only_first},
               {"only_second", answer.pairing.stems_only_second}};
  for (const char* list : {"rates", "times", "files"}) json[list] = Json::array();
  for (const RateDifference& rate : comparison.rates) {
    json["rates"].push_back(rate_difference_json(rate, answer.limits));
  }
  for (const TimeDifference& time : comparison.times) {
    json["times"].push_back(time_difference_json(time, answer.limits));
  }
  for (const FileFindings& findings : comparison.files) {
    json["files"].push_back(file_json(findings));
  }
  return json;
}

}  // namespace bloomlab::cli
