#include "planner/plan.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/filters/detail/search.hpp"
#include "core/parameters.hpp"
#include "core/theory/domain_error.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

/// Most keys that are considered: with so many, n k stays exact enough in double.
constexpr std::uint64_t most_keys = (std::uint64_t{1} << 63) - 1;

/// kn/m at which the approximate rate is p.
double load_at(double p, std::uint64_t k) {
  const double log_fill = std::log(p) / static_cast<double>(k);
  // Each form loses its digits where the other keeps them; the second gives 0 for a small fill.
  return log_fill < -0.5 ? -std::log1p(-std::exp(log_fill)) : -std::log(-std::expm1(log_fill));
}

std::uint64_t as_guess(double value, std::uint64_t most) {
  if (!(value > 1.0)) return 1;
  return value < static_cast<double>(most) ? static_cast<std::uint64_t>(value) : most;
}

/// Above it no k is best: a filter fuller than half wants fewer probes, an emptier one holds more.
std::uint64_t most_probes(double p) {
  const double most = std::ceil(-std::log2(p)) + 3.0;
  return static_cast<std::uint64_t>(std::min(most, static_cast<double>(theory::max_exact_probes)));
}

/// ln(1 / 2^(ln 2)), as the calculators compute it.
double log_of_ideal() { return std::log(1.0 / std::exp2(std::numbers::ln2)); }

/// -k / ln(1 - p^(1/k)): bits per key at which k probes have the approximate rate p.
double bits_per_key_at(double p, std::uint64_t k) {
  const auto probes = static_cast<double>(k);
  return -probes / std::log(1.0 - std::exp(std::log(p) / probes));
}

std::uint64_t rounded_up(double value) {
  // Where the formula's logarithm rounds to that of one, its size is minus infinity.
  if (!std::isfinite(value) || value >= static_cast<double>(largest_filter)) {
    throw record::InputError(
        "plan: the calculators' formulas lead beyond 2^61; give smaller quantities");
  }
  return static_cast<std::uint64_t>(std::max(std::ceil(value), 1.0));
}

std::uint64_t rounded_probes(std::uint64_t m, std::uint64_t n) {
  const double k = std::round(theory::optimal_k_real(m, n));
  return static_cast<std::uint64_t>(
      std::clamp(k, 1.0, static_cast<double>(theory::max_exact_probes)));
}

/// Beyond it neighbouring sizes have rates that a double does not distinguish [bits].
constexpr std::uint64_t resolved_bits = 10'000'000'000'000;

/// Bits per key beyond which a table of 8-byte fingerprints, half full, is smaller.
constexpr double table_bits_per_key = 128.0;

/// The calculators' formulas:
///   m = ceil(n ln p / ln(1 / 2^(ln 2))), with k given ceil(-k n / ln(1 - p^(1/k)));
///   k = round((m/n) ln 2), at least 1;
///   n = ceil(m / (-k / ln(1 - p^(1/k)))), without k ceil(m ln(1 / 2^(ln 2)) / ln p);
///   p = (1 - e^(-kn/m))^k where it is not given.
void solve_compatible(const Request& request, std::optional<std::uint64_t> size, Plan& plan) {
  if (request.n) plan.n = *request.n;
  if (size) plan.m = *size;
  if (request.n && !size) {
    plan.m = request.k
                 ? rounded_up(static_cast<double>(plan.n) * bits_per_key_at(plan.p, *request.k))
                 : theory::popular_calculator(plan.n, plan.p).m;
  }
  if (!request.n) {
    const auto bits = static_cast<double>(plan.m);
    plan.n = rounded_up(request.k ? bits / bits_per_key_at(plan.p, *request.k)
                                  : bits * log_of_ideal() / std::log(plan.p));
  }
  plan.k = request.k ? *request.k : rounded_probes(plan.m, plan.n);
  plan.rate = theory::exact_fpr(plan.m, plan.n, plan.k);
  if (!request.p) plan.p = theory::approx_fpr(plan.m, plan.n, plan.k);
}

std::string missed(const Plan& plan) {
  std::string text = "misses the requested rate: exactly " + one_in_text(plan.rate);
  text += " (by its own formula " + one_in_text(plan.approximate_rate) + ") instead of ";
  text += one_in_text(plan.p) + ", " + signed_percent(plan.rate / plan.p - 1.0, 2);
  if (plan.n > 0) {
    const auto least = theory::smallest_filter_exact(plan.n, plan.p);
    text += "; " + counted_text(least.m, "bit") + " and k = " + std::to_string(least.k);
    text += " keep it";
  }
  return text;
}

std::vector<std::string> warnings_of(const Plan& plan) {
  std::vector<std::string> warnings;
  if (!plan.keeps_promise()) warnings.push_back(missed(plan));
  if (plan.rate > 0.5) {
    warnings.push_back("the filter lets through " + percent(plan.rate) +
                       " of absent keys: it hardly filters");
  }
  if (plan.bits_per_key() > table_bits_per_key) {
    warnings.push_back("at " + significant(plan.bits_per_key(), 4) +
                       " bits per key a table of 8-byte fingerprints is smaller");
  }
  if (auto warning = short_hash_warning(plan.n, plan.m, plan.k, plan.rate)) {
    warnings.push_back(std::move(*warning));
  }
  if (plan.m > max_filter_bits) {
    warnings.push_back("no filter of this program takes more than 2^48 bits");
  } else if (plan.m > resolved_bits) {
    warnings.push_back(
        "at this size neighbouring m differ by less than a double resolves: m is the smallest up "
        "to a few bits");
  }
  return warnings;
}

[[noreturn]] void refuse_plan(std::string_view fault) {
  throw record::InputError("plan: " + std::string(fault));
}

std::string filter_text(std::uint64_t m, std::uint64_t n) {
  return std::to_string(m) + (m == 1 ? " bit for " : " bits for ") + std::to_string(n) +
         (n == 1 ? " key" : " keys");
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

/// A rate that the further arithmetic keeps apart from 0.
constexpr double faint_rate = 1e-300;

/// The k with the lowest exact rate at m and n, or the given one; where that rate is 0 in double,
/// the most probes that a number has the rate of.
void choose_probes(const Request& request, Plan& plan) {
  plan.k = request.k ? *request.k : theory::optimal_k(plan.m, plan.n).k;
  plan.rate = theory::exact_fpr(plan.m, plan.n, plan.k);
  if (plan.rate == 0.0 && !(request.p && request.k)) {
    const std::string none = " below 10^-323, which no number here distinguishes from 0";
    if (request.k) {
      refuse_plan(filter_text(plan.m, plan.n) + " at k = " + std::to_string(plan.k) +
                  " have a rate" + none + "; leave out --probes, or give fewer");
    }
    const std::string best = std::to_string(plan.k);
    for (; plan.rate < faint_rate; plan.rate = theory::exact_fpr(plan.m, plan.n, plan.k)) --plan.k;
    plan.warnings.push_back("k = " + std::to_string(plan.k) + " is enough: at k = " + best +
                            " the rate is" + none);
  }
  if (!request.p) plan.p = plan.rate;
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

std::uint64_t capacity(std::uint64_t m, double p, std::uint64_t k) {
  const double guess = load_at(p, k) * static_cast<double>(m) / static_cast<double>(k);
  return detail::largest(1, most_keys, as_guess(guess, most_keys),
                         [&](std::uint64_t n) { return theory::exact_fpr(m, n, k) <= p; });
}

std::uint64_t capacity(std::uint64_t m, double p) {
  std::uint64_t best = 0;
  // The best k is near the top: most others are then ruled out by one evaluation.
  for (std::uint64_t k = most_probes(p); k >= 1; --k) {
    if (theory::exact_fpr(m, best + 1, k) <= p) best = capacity(m, p, k);
  }
  return best;
}

std::uint64_t fewest_bits(std::uint64_t n, double p, std::uint64_t k) {
  const double guess = static_cast<double>(k) * static_cast<double>(n) / load_at(p, k);
  if (!(guess < static_cast<double>(largest_filter))) {
    throw theory::DomainError("sizing: the filter would pass 2^61 bits");
  }
  return detail::smallest(1, largest_filter, as_guess(std::ceil(guess), largest_filter),
                          [&](std::uint64_t m) { return theory::exact_fpr(m, n, k) <= p; });
}

std::optional<std::string> short_hash_warning(std::uint64_t n, std::uint64_t m, std::uint64_t k,
                                              double rate) {
  constexpr std::uint64_t usual_bits = 64;
  constexpr double notable_share = 0.01;
  const double collision = theory::hash_width_rate(usual_bits, n, m, k).collision;
  if (!(collision > notable_share * rate)) return std::nullopt;
  return "a hash of 64 bits is too short here: equal hashes alone give a rate of " +
         significant(collision, 3) +
         "; take positions from more bits, as the scheme independent does";
}

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
  for (std::string& warning : warnings_of(result)) result.warnings.push_back(std::move(warning));
  return result;
}

}  // namespace bloomlab::planner
