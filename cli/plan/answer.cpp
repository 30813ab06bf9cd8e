#include "cli/plan/answer.hpp"

#include <cmath>
#include <variant>

#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "record/fields_json.hpp"

namespace bloomlab::cli {
namespace {

using planner::Candidate;
using planner::Plan;
using record::Json;
using record::json_of;
using record::object;

Json candidate_json(const Candidate& candidate) {
  const auto& traits = candidate.traits;
  Json json =
      object("filter", candidate.filter, "available", candidate.available(), "takes_keys_later",
             traits.takes_keys_later, "deletes", traits.deletes, "grows", traits.grows, "exact",
             traits.exact, "false_negatives", candidate.false_negatives, "note", candidate.note);
  if (!candidate.available()) {
    json["unavailable"] = candidate.unavailable;
    return json;
  }
  json.update(object("parameters", filter_json(candidate), "rate", candidate.rate, "memory_bits",
                     candidate.memory_bits, "bits_per_key", candidate.bits_per_key, "lines_absent",
                     candidate.lines.absent, "lines_present", candidate.lines.present,
                     "fewest_hash_bits", candidate.fewest_hash_bits, "measured",
                     candidate.timing.has_value()));
  if (candidate.timing) json.update(json_of(*candidate.timing));
  json["pareto"] = candidate.pareto;
  return json;
}

Json recommendation_json(const PlanAnswer& answer) {
  const Candidate* taken = answer.recommended();
  Json json = object("filter", nullptr, "sentence", answer.comparison.recommendation);
  if (taken == nullptr) return json;
  json["filter"] = taken->filter;
  json.update(object("parameters", filter_json(*taken), "rate", taken->rate, "memory_bits",
                     taken->memory_bits, "bits_per_key", taken->bits_per_key));
  return json;
}

Json break_even_json(const PlanAnswer& answer) {
  const auto& result = *answer.break_even;
  const Candidate* filter = answer.recommended();
  Json json =
      object("filter", filter ? Json(filter->filter) : Json(nullptr), "rate",
             filter ? filter->rate : answer.plan.rate, "pays", result.pays, "with_filter_ns",
             result.with_filter_ns, "without_filter_ns", result.without_filter_ns, "filter_cost_ns",
             answer.costs->filter_cost_ns, "filter_cost_source", answer.filter_cost,
             "break_even_hit_ratio", result.break_even_hit_ratio);
  const Json known = json_of(result);
  for (const auto& [name, value] : known.items()) {
    if (!value.is_null()) json[name] = value;
  }
  return json;
}

/// A range of n, a window, and what comes of many lookups: where they were asked for.
void add_lookups(const PlanAnswer& answer, Json& json) {
  const double rate = answer.rate();
  if (answer.rotation) json["rotation"] = json_of(*answer.rotation);
  if (answer.fewest_items) {
    json["fewest_items"] = *answer.fewest_items;
    json["rate_at_fewest_items"] = answer.rate_at(*answer.fewest_items);
  }
  if (answer.lookups_per_second) {
    json["false_positives_per_second"] = rate * *answer.lookups_per_second;
  }
  if (answer.batch) json["any_in_batch"] = planner::any_of(rate, *answer.batch);
  if (answer.shards) {
    json["any_of_shards"] = planner::any_of(rate, *answer.shards);
    json["fpr_of_a_shard"] = planner::each_of(answer.plan.p, *answer.shards);
  }
}

}  // namespace

Json filter_json(const Candidate& candidate) {
  Json json{{"kind", candidate.filter}};
  for (const auto& [name, value] : candidate.parameters) {
    std::visit([&json, &key = name](const auto& held) { json[key] = held; }, value);
  }
  return json;
}

Json plan_json(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  Json comparison = Json::array();
  for (const Candidate& one : answer.comparison.candidates) {
    comparison.push_back(candidate_json(one));
    const auto reference = answer.reference.find(one.filter);
    if (reference == answer.reference.end()) continue;
    comparison.back()["reference"] = json_of(reference->second);
  }
  Json json = json_of(plan);
  json.update(object("optimal_k_real", theory::optimal_k_real(plan.m, plan.n), "expected_fill",
                     theory::mean_set_bits(plan.m, plan.n, plan.k) / static_cast<double>(plan.m),
                     "lower_bound_bits", theory::lower_bound_bits(plan.n, plan.p), "recommendation",
                     recommendation_json(answer), "comparison", comparison, "calibration",
                     answer.calibration.empty() ? Json(nullptr) : Json(answer.calibration),
                     "reference_processor",
                     answer.reference.empty() ? Json(nullptr) : Json(answer.reference_processor),
                     "sensitivity", answer.sensitivity));
  add_lookups(answer, json);
  if (answer.break_even) json["break_even"] = break_even_json(answer);
  if (answer.growth) json["growth_plan"] = json_of(*answer.growth);
  if (answer.levels) json["lsm"] = json_of(*answer.levels);
  return json;
}

}  // namespace bloomlab::cli
