#include "analysis/claims/loops.hpp"

namespace bloomlab::analysis::claims {
namespace {

void take_least(LoopState& state, double i, double x) {
  if (x < state.best) {
    state.best = x;
    state.value = i;
  }
}

constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();

constexpr Loop loop_list[] = {
    {"sum", "all values added", 0, [](LoopState& s, double, double x) { s.value += x; }},
    {"product", "all values multiplied", 1, [](LoopState& s, double, double x) { s.value *= x; }},
    {"all", "1 where every value is other than 0", 1,
     [](LoopState& s, double, double x) { s.value = s.value != 0 && x != 0 ? 1 : 0; }},
    {"any", "1 where some value is other than 0", 0,
     [](LoopState& s, double, double x) { s.value = s.value != 0 || x != 0 ? 1 : 0; }},
    {"count", "how many values are other than 0", 0,
     [](LoopState& s, double, double x) { s.value += x != 0 ? 1 : 0; }},
    {"least", "the smallest value", nothing_yet,
     [](LoopState& s, double i, double x) {
       take_least(s, i, x);
       s.value = s.best;
     }},
    {"argmin", "where the value is smallest; the first of equal ones", nothing_yet, take_least},
};

}  // namespace

std::span<const Loop> claim_loops() { return loop_list; }

}  // namespace bloomlab::analysis::claims
