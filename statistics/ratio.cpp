#include "statistics/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace bloomlab::statistics {

namespace {

void require_estimate(double value, const Interval& interval) {
  if (!(interval.low >= 0 && interval.low <= value && value <= interval.high &&
        std::isfinite(interval.high))) {
    throw std::invalid_argument("an estimate from 0 within its interval is wanted");
  }
}

}  // namespace

Interval ratio_interval(double numerator, const Interval& of_numerator, double denominator,
                        const Interval& of_denominator) {
  require_estimate(numerator, of_numerator);
  require_estimate(denominator, of_denominator);
  if (!(denominator > 0)) throw std::invalid_argument("a denominator above 0 is wanted");
  const double x = numerator / denominator;
  const double up = of_denominator.high / denominator - 1;
  const double down = 1 - of_denominator.low / denominator;
  // An end of the quotient, from one end of each estimate: `part` is the numerator's error over the
  // denominator, `other` the denominator's error over itself.
  const auto end = [&](double part, double other, double sign) {
    const double room = 1 - other * other;
    return (x + sign * std::sqrt(part * part * room + x * x * other * other)) / room;
  };
  const double below = (numerator - of_numerator.low) / denominator;
  const double above = (of_numerator.high - numerator) / denominator;
  Interval interval;
  interval.low = up < 1 ? std::clamp(end(below, up, -1), 0.0, x) : 0.0;
  interval.high =
      down < 1 ? std::max(end(above, down, +1), x) : std::numeric_limits<double>::infinity();
  return interval;
}

}  // namespace bloomlab::statistics
