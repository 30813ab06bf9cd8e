#include "core/filters/scalable.hpp"

#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab {

std::vector<ScalableRules::Parameters> ScalableRules::examples() {
  return {{.target = 0.01, .tightening = 0.5, .growth = 2, .first_capacity = 500},
          {.target = 0.05, .tightening = 0.85, .growth = 4, .first_capacity = 100},
          {.target = 0.1, .tightening = 0.9, .growth = 1, .first_capacity = 300},
          {.target = 0.2, .tightening = 0.5, .growth = 3, .first_capacity = 1},
          {.target = 0.01,
           .tightening = 0.5,
           .growth = 2,
           .first_capacity = 100,
           .insert_policy = InsertPolicy::skip_reported}};
}

theory::Query ScalableRules::prediction(const Parameters& p, std::uint64_t n) {
  return {
      "scalable",
      {{"P", p.target}, {"r", p.tightening}, {"s", p.growth}, {"n0", p.first_capacity}, {"n", n}}};
}

double ScalableRules::rate(const Parameters& p, std::uint64_t n) {
  return theory::scalable_fpr(p.target, p.tightening, p.growth, p.first_capacity, n);
}

Sizing<ScalableRules::Parameters> ScalableRules::sizing(const SizingGoal& goal) {
  return detail::tightened_sizing<Scalable>(goal);
}

LinesRead ScalableRules::lines(const Parameters& p, std::uint64_t n) {
  return detail::layered_lines(
      theory::scalable_layers(p.target, p.tightening, p.growth, p.first_capacity, n));
}

}  // namespace bloomlab
