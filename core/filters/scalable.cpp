#include "core/filters/scalable.hpp"

namespace bloomlab {

std::vector<ScalableDescription::Parameters> ScalableDescription::examples() {
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

theory::Query ScalableDescription::prediction(const Parameters& p, std::uint64_t n) {
  return {
      "scalable",
      {{"P", p.target}, {"r", p.tightening}, {"s", p.growth}, {"n0", p.first_capacity}, {"n", n}}};
}

template class ScalableOver<Standard, ScalableDescription>;

}  // namespace bloomlab
