// The answer of `bloomlab plan` as JSON.

#include <optional>
#include <string>
#include <variant>

#include "cli/plan/answer.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::cli {
namespace {

using planner::Candidate;
using planner::Mode;
using planner::Plan;
using record::Json;

Json plan_head(const Plan& plan) {
  return {{"n", plan.n},
          {"p", plan.p},
          {"rate", plan.rate},
          {"m", plan.m},
          {"k", plan.k},
          {"memory_bits", plan.memory_bits},
          {"mode", plan.mode == Mode::guaranteed ? "guaranteed" : "compatible"}};
}

Json candidate_json(const Candidate& candidate) {
  const auto& traits = candidate.traits;
  Json json{{"filter", candidate.filter},
            {"available", candidate.available()},
            {"takes_keys_later", traits.takes_keys_later},
            {"deletes", traits.deletes},
            {"grows", traits.grows},
            {"exact", traits.exact},
            {"false_negatives", candidate.false_negatives},
            {"note", candidate.note}};
  if (!candidate.available()) {
    json["unavailable"] = candidate.unavailable;
    return json;
  }
  json["parameters"] = filter_json(candidate);
  json["rate"] = candidate.rate;
  json["memory_bits"] = candidate.memory_bits;
  json["bits_per_key"] = candidate.bits_per_key;
  json["lines_absent"] = candidate.lines.absent;
  json["lines_present"] = candidate.lines.present;
  json["fewest_hash_bits"] = candidate.fewest_hash_bits;
  json["measured"] = candidate.timing.has_value();
  if (candidate.timing) {
    json["insert_ns"] = candidate.timing->insert_ns;
    json["absent_ns"] = candidate.timing->absent_ns;
    json["present_ns"] = candidate.timing->present_ns;
  }
  json["pareto"] = candidate.pareto;
  return json;
}

Json comparison_json(const PlanAnswer& answer) {
  Json list = Json::array();
  for (const Candidate& candidate : answer.comparison.candidates) {
    list.push_back(candidate_json(candidate));
  }
  return list;
}

Json recommendation_json(const PlanAnswer& answer) {
  Json json{{"filter", nullptr}, {"sentence", answer.comparison.recommendation}};
  if (const Candidate* taken = answer.recommended()) {
    json["filter"] = taken->filter;
    json["parameters"] = filter_json(*taken);
    json["rate"] = taken->rate;
    json["memory_bits"] = taken->memory_bits;
    json["bits_per_key"] = taken->bits_per_key;
  }
  return json;
}

Json sensitivity_json(const planner::Sensitivity& sensitivity) {
  Json shifts = Json::array();
  for (const auto& shift : sensitivity.shifts) {
    shifts.push_back({{"change", shift.change},
                      {"n", shift.n},
                      {"m", shift.m},
                      {"k", shift.k},
                      {"rate", shift.rate},
                      {"ratio", shift.ratio}});
  }
  Json growth = Json::array();
  for (const auto& row : sensitivity.growth) {
    growth.push_back({{"factor", row.factor},
                      {"n", row.n},
                      {"plain_bits", row.plain_bits},
                      {"scalable_bits", row.scalable_bits},
                      {"layers", row.layers},
                      {"scalable_less_up_to", row.scalable_less_up_to}});
  }
  return {{"elasticity", sensitivity.elasticity},
          {"most_keys", sensitivity.most_keys},
          {"most_keys_at_twice_the_rate", sensitivity.most_keys_twice},
          {"most_keys_at_ten_times_the_rate", sensitivity.most_keys_tenfold},
          {"growth", growth},
          {"shifts", shifts}};
}

template <class Value>
void add_known(Json& json, const char* name, const std::optional<Value>& value) {
  if (value) json[name] = *value;
}

Json break_even_json(const PlanAnswer& answer) {
  const auto& result = *answer.break_even;
  const Candidate* filter = answer.recommended();
  Json json{{"filter", filter ? Json(filter->filter) : Json(nullptr)},
            {"rate", filter ? filter->rate : answer.plan.rate},
            {"pays", result.pays},
            {"with_filter_ns", result.with_filter_ns},
            {"without_filter_ns", result.without_filter_ns},
            {"filter_cost_ns", answer.costs->filter_cost_ns},
            {"filter_cost_source", answer.filter_cost},
            {"break_even_hit_ratio", result.break_even_hit_ratio}};
  add_known(json, "store_lookups_saved_per_second", result.store_lookups_saved_per_second);
  add_known(json, "store_seconds_saved_per_second", result.store_seconds_saved_per_second);
  add_known(json, "best_bits_per_key", result.best_bits_per_key);
  add_known(json, "best_rate", result.best_rate);
  add_known(json, "best_bits_per_key_whole_k", result.best_bits_per_key_whole_k);
  add_known(json, "best_k", result.best_k);
  return json;
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
  Json json = plan_head(plan);
  json["solved_for"] = plan.solved_for;
  json["keeps_promise"] = plan.keeps_promise();
  json["warnings"] = plan.warnings;
  json["bits_per_key"] = plan.bits_per_key();
  json["approximate_rate"] = plan.approximate_rate;
  json["fewest_probes"] = plan.fewest_probes;
  json["optimal_k_real"] = theory::optimal_k_real(plan.m, plan.n);
  json["expected_fill"] =
      theory::mean_set_bits(plan.m, plan.n, plan.k) / static_cast<double>(plan.m);
  json["lower_bound_bits"] = theory::lower_bound_bits(plan.n, plan.p);
  json["recommendation"] = recommendation_json(answer);
  json["comparison"] = comparison_json(answer);
  json["calibration"] = answer.calibration.empty() ? Json(nullptr) : Json(answer.calibration);
  json["sensitivity"] = sensitivity_json(answer.sensitivity);
  if (answer.break_even) json["break_even"] = break_even_json(answer);
  return json;
}

}  // namespace bloomlab::cli
