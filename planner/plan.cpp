#include "planner/plan.hpp"

#include <algorithm>

#include "core/parameters.hpp"
#include "core/theory/domain_error.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/compatible.hpp"
#include "planner/warnings.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

[[noreturn]] void refuse_plan(std::string_view fault) {
  throw record::InputError("plan: " + std::string(fault));
}

std::string filter_text(std::uint64_t m, std::uint64_t n) {
  return std::to_string(m) + " bits for " + std::to_string(n) + (n == 1 ? " key" : " keys");
}

/// m from --bits or --memory, where either is given.
std::optional<std::uint64_t> size_of(const Request& request) {
  if (!request.memory_bits) return request.m;
  const std::uint64_t memory = *request.memory_bits;
  if (request.m && *request.m != memory && whole_words(*request.m) != memory) {
    std::string fault = "--bits " + std::to_string(*request.m);
    fault += " and --memory of " + std::to_string(memory);
    fault += " bits contradict each other; leave one of them out";
    refuse_plan(fault);
  }
  return request.m ? request.m : request.memory_bits;
}

void require_domain(const Request& request) {
  if (request.n && *request.n == 0) refuse_plan("--items is 0; a filter is planned for at least 1");
  if (request.m && *request.m == 0) refuse_plan("--bits is 0; a filter has at least 1 bit");
  if (request.memory_bits && *request.memory_bits == 0) {
    refuse_plan("--memory is 0; a filter has at least 1 bit");
  }
  if (request.p && !(*request.p > 0.0 && *request.p < 1.0)) {
    refuse_plan("--fpr is outside 0 to 1; a rate lies strictly between");
  }
  const auto size = size_of(request);
  if (size && *size > largest_filter) {
    refuse_plan("--bits is " + std::to_string(*size) + "; at most 2^61 is planned with");
  }
  if (request.k && (*request.k == 0 || *request.k > theory::max_exact_probes)) {
    refuse_plan("--probes is " + std::to_string(*request.k) + "; from 1 to " +
                std::to_string(theory::max_exact_probes) + " is allowed");
  }
}

void require_enough(const Request& request) {
  const bool size = request.m || request.memory_bits;
  const int known = (request.n ? 1 : 0) + (request.p ? 1 : 0) + (size ? 1 : 0);
  if (known >= 2) return;
  std::string given;
  for (const auto& [here, name] :
       {std::pair{request.n.has_value(), "--items"}, std::pair{request.p.has_value(), "--fpr"},
        std::pair{size, "--bits or --memory"}, std::pair{request.k.has_value(), "--probes"}}) {
    if (here) given += (given.empty() ? "" : " and ") + std::string(name);
  }
  refuse_plan("found " + (given.empty() ? "no quantity" : "only " + given) +
              "; give two of --items, --fpr and --bits (or --memory), --probes beside them if you "
              "like");
}

/// Refuses n, p and m that no k, or not this k, brings together.
void require_possible(const Plan& plan, bool probes_given) {
  if (plan.keeps_promise()) return;
  std::string fault =
      filter_text(plan.m, plan.n) + " cannot keep the rate " + parameter_text(plan.p);
  fault += probes_given ? " with " + std::to_string(plan.k) + " probes: it is "
                        : ": the lowest, at k = " + std::to_string(plan.k) + ", is ";
  fault += significant(plan.rate, 6) + "; give at least ";
  fault += std::to_string(probes_given ? fewest_bits(plan.n, plan.p, plan.k)
                                       : theory::smallest_filter_exact(plan.n, plan.p).m);
  refuse_plan(fault + " bits, or leave one of the three out");
}

/// The k with the lowest exact rate at m and n, or the given one.
void choose_probes(const Request& request, Plan& plan) {
  plan.k = request.k ? *request.k : theory::optimal_k(plan.m, plan.n).k;
  plan.rate = theory::exact_fpr(plan.m, plan.n, plan.k);
  if (!request.p) plan.p = plan.rate;
  if (plan.p == 0.0) {
    refuse_plan(
        filter_text(plan.m, plan.n) + " at k = " + std::to_string(plan.k) +
        " have a rate below 10^-323, which no number here distinguishes from 0; give fewer bits or "
        "more keys");
  }
}

void solve_guaranteed(const Request& request, Plan& plan) {
  const auto size = size_of(request);
  if (request.n && size) {
    plan.n = *request.n;
    plan.m = *size;
  } else if (request.n) {
    plan.n = *request.n;
    plan.m = request.k ? fewest_bits(plan.n, plan.p, *request.k)
                       : theory::smallest_filter_exact(plan.n, plan.p).m;
  } else {
    plan.m = *size;
    plan.n = request.k ? capacity(plan.m, plan.p, *request.k) : capacity(plan.m, plan.p);
    if (plan.n == 0) {
      refuse_plan(filter_text(plan.m, 1) + " cannot keep the rate " + parameter_text(plan.p) +
                  "; give more bits or a higher rate");
    }
  }
  choose_probes(request, plan);
  require_possible(plan, request.k.has_value());
}

/// Sizes beyond 2^61 bits are the theory's limit; said in words of the options.
void solve_request(const Request& request, Plan& plan) {
  try {
    if (request.mode == Mode::guaranteed) {
      solve_guaranteed(request, plan);
    } else {
      solve_compatible(request, size_of(request), plan);
    }
  } catch (const theory::DomainError&) {
    if (size_of(request)) throw;
    refuse_plan("the --items at this --fpr need more than 2^61 bits; give fewer or a higher rate");
  }
}

/// The smallest k that meets p; 0 where none does.
std::uint64_t fewest_probes(const Plan& plan) {
  for (std::uint64_t k = 1; k <= plan.k; ++k) {
    if (theory::exact_fpr(plan.m, plan.n, k) <= plan.p) return k;
  }
  return 0;
}

}  // namespace

Plan plan(const Request& request) {
  require_domain(request);
  require_enough(request);
  Plan result;
  result.mode = request.mode;
  result.rate_requested = request.p.has_value();
  if (request.p) result.p = *request.p;
  solve_request(request, result);
  result.approximate_rate = theory::approx_fpr(result.m, result.n, result.k);
  result.memory_bits = whole_words(result.m);
  result.fewest_probes = fewest_probes(result);
  if (!request.n) result.solved_for.emplace_back("n");
  if (!request.p) result.solved_for.emplace_back("p");
  if (!size_of(request)) result.solved_for.emplace_back("m");
  if (!request.k) result.solved_for.emplace_back("k");
  result.warnings = warnings_of(result);
  return result;
}

}  // namespace bloomlab::planner
