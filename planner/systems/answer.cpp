// The answer for a request: rates, waste, and the setting that keeps the rate with the fewest bits.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/theory/bounds.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/sizing.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

std::uint64_t memory_of(const SystemFilter& filter) {
  return filter.memory_bits > 0 ? filter.memory_bits : filter.m;
}

/// A value as a configuration has it: whole numbers whole, rates with three digits.
std::string lever_text(double value) {
  if (value >= 1.0 && value == std::floor(value) && value < 1e15) {
    return std::to_string(static_cast<std::uint64_t>(value));
  }
  return detail::setting_text(value);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

/// The line with the request's and the filter's values in it.
std::string line_for(const SystemRequest& request, const SystemFilter& filter,
                     std::string_view shape) {
  std::string line(shape);
  replace_all(line, "{n}", std::to_string(request.n()));
  replace_all(line, "{p}", request.p() > 0.0 ? detail::setting_text(request.p()) : "");
  replace_all(line, "{m}", std::to_string(filter.m));
  replace_all(line, "{k}", std::to_string(filter.k));
  replace_all(line, "{bytes}", std::to_string(filter.m / 8));
  for (const SystemSetting& setting : request.system().settings) {
    std::string value = request.word(setting.name);
    if (value.empty() && setting.name == "capacity") value = std::to_string(request.n());
    replace_all(line, "{" + std::string(setting.name) + "}", value);
  }
  return line;
}

void take_advice(SystemAnswer& answer, const SystemRequest& request, const SystemFilter& filter,
                 double rate) {
  answer.advice = line_for(request, filter, request.system().line);
  answer.advice_rate = rate;
  answer.advice_bits = memory_of(filter);
}

/// The first value of the lever that keeps the rate; values come in the order of their memory.
void advise(SystemAnswer& answer, const SystemRequest& request) {
  const System& system = request.system();
  const std::optional<double> p = request.requested();
  take_advice(answer, request, answer.filter, answer.rate);
  answer.advice_keeps = !p || answer.rate <= *p;
  if (!p || system.lever.empty()) {
    if (!answer.advice_keeps) answer.advice = line_for(request, answer.filter, system.no_line);
    return;
  }
  std::uint64_t last_m = 0;
  std::uint64_t last_k = 0;
  for (const double value : system.lever_values(request)) {
    const SystemRequest changed = request.with(system.lever, lever_text(value));
    SystemFilter filter;
    try {
      filter = system.size(changed);
    } catch (const record::InputError&) {
      continue;  // a rate at which the system has no filter
    }
    if (!filter.refused.empty() || (filter.m == last_m && filter.k == last_k)) continue;
    last_m = filter.m;
    last_k = filter.k;
    const double rate = filter.rate();
    if (!(rate <= *p)) continue;
    // What is set today stays unless something smaller keeps the rate.
    if (answer.advice_keeps && answer.filter.refused.empty() &&
        memory_of(filter) >= answer.memory_bits) {
      return;
    }
    take_advice(answer, changed, filter, rate);
    answer.advice_keeps = true;
    return;
  }
  if (!answer.advice_keeps) answer.advice = line_for(request, answer.filter, system.no_line);
}

}  // namespace

std::uint64_t SystemAnswer::wasted_bits() const {
  return memory_bits > optimal_bits ? memory_bits - optimal_bits : 0;
}

SystemAnswer answer_of(const SystemRequest& request) {
  constexpr std::uint64_t small = 4096;
  constexpr std::uint64_t few_probes = 12;
  SystemAnswer answer;
  answer.filter = request.system().size(request);
  const SystemFilter& filter = answer.filter;
  answer.rate = filter.rate();
  answer.rate_unrounded = filter.rate_unrounded();
  answer.memory_bits = memory_of(filter);
  const std::uint64_t n = request.n();
  if (filter.double_hashing && filter.m <= small && filter.k >= 1 && filter.k <= few_probes) {
    answer.rate_equal_strides =
        theory::double_hashing_fpr(filter.m, n, filter.k, theory::Stride::any).rate;
  }
  if (request.requested()) answer.keeps = answer.rate <= *request.requested();
  if (answer.rate > 0.0 && answer.rate < 1.0 && filter.layout != "signature") {
    answer.optimal_bits = theory::smallest_filter_exact(n, answer.rate).m;
    answer.lower_bound_bits = theory::lower_bound_bits(n, answer.rate);
  }
  advise(answer, request);
  return answer;
}

}  // namespace bloomlab::planner
