#include "planner/warnings.hpp"

#include "core/parameters.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "planner/quantity_text.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

/// Beyond it neighbouring sizes have rates that a double does not distinguish [bits].
constexpr std::uint64_t resolved_bits = 10'000'000'000'000;

/// Bits per key beyond which a table of 8-byte fingerprints, half full, is smaller.
constexpr double table_bits_per_key = 128.0;

std::string missed(const Plan& plan) {
  std::string text = "misses the requested rate: exactly " + one_in_text(plan.rate);
  text += " (by its own formula " + one_in_text(plan.approximate_rate) + ") instead of ";
  text += one_in_text(plan.p) + ", " + signed_percent(plan.rate / plan.p - 1.0, 2);
  if (plan.n > 0) {
    const auto least = theory::smallest_filter_exact(plan.n, plan.p);
    text += "; " + spaced(least.m) + " bits and k = " + std::to_string(least.k);
    text += " keep it";
  }
  return text;
}

}  // namespace

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
  if (plan.m > max_filter_bits) {
    warnings.push_back("no filter of this program takes more than 2^48 bits");
  } else if (plan.m > resolved_bits) {
    warnings.push_back(
        "at this size neighbouring m differ by less than a double resolves: m is the smallest up "
        "to a few bits");
  }
  return warnings;
}

}  // namespace bloomlab::planner
