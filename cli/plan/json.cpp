// The answer of `bloomlab plan` as JSON.

#include <string>

#include "cli/plan/answer.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::cli {
namespace {

using analysis::planner::Mode;
using analysis::planner::Plan;
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

}  // namespace

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
  return json;
}

}  // namespace bloomlab::cli
