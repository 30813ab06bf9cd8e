// What a trial measured, in tests.
#pragma once

#include <cmath>

#include "record/json.hpp"

namespace bloomlab::experiments::testing {

inline double count_of(const record::Json& measured, const char* name) {
  return measured.at(name).get<double>();
}

/// Within a part of what is expected.
inline bool near_to(double value, double expected, double part) {
  return std::abs(value - expected) <= part * expected;
}

}  // namespace bloomlab::experiments::testing
