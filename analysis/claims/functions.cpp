// The functions that formulas of claims can use.

#include <algorithm>
#include <cmath>

#include "analysis/claims/expression.hpp"

namespace bloomlab::analysis::claims {
namespace {

/// log2 of the number of ways to choose n of u; both may be fractions.
double log2_choose(double u, double n) {
  return (std::lgamma(u + 1) - std::lgamma(n + 1) - std::lgamma(u - n + 1)) / std::log(2.0);
}

using Values = std::span<const double>;

constexpr ClaimFunction function_list[] = {
    {"ln", 1, "natural logarithm", [](Values x) { return std::log(x[0]); }},
    {"log2", 1, "logarithm to base 2", [](Values x) { return std::log2(x[0]); }},
    {"log10", 1, "logarithm to base 10", [](Values x) { return std::log10(x[0]); }},
    {"exp", 1, "e to a power", [](Values x) { return std::exp(x[0]); }},
    {"sqrt", 1, "square root", [](Values x) { return std::sqrt(x[0]); }},
    {"abs", 1, "distance from 0", [](Values x) { return std::abs(x[0]); }},
    {"ceil", 1, "the next whole number up", [](Values x) { return std::ceil(x[0]); }},
    {"floor", 1, "the next whole number down", [](Values x) { return std::floor(x[0]); }},
    {"round", 1, "the nearest whole number", [](Values x) { return std::round(x[0]); }},
    {"mod", 2, "remainder of a division", [](Values x) { return std::fmod(x[0], x[1]); }},
    {"min", 2, "the smaller of two", [](Values x) { return std::min(x[0], x[1]); }},
    {"max", 2, "the larger of two", [](Values x) { return std::max(x[0], x[1]); }},
    {"not", 1, "1 for 0, else 0", [](Values x) { return x[0] == 0 ? 1.0 : 0.0; }},
    {"near", 3, "whether a and b differ by at most the share c of b",
     [](Values x) { return std::abs(x[0] - x[1]) <= x[2] * std::abs(x[1]) ? 1.0 : 0.0; }},
    {"log2_choose", 2, "log2 of the ways to choose n of u",
     [](Values x) { return log2_choose(x[0], x[1]); }},
};

}  // namespace

std::span<const ClaimFunction> claim_functions() { return function_list; }

}  // namespace bloomlab::analysis::claims
