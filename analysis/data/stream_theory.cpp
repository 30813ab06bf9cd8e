#include "analysis/data/stream_theory.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "analysis/data/with_theory.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::uint64_t summed_one_by_one = 256;

using Rule = boost::math::quadrature::gauss<double, 20>;

/// A rate and its deviation, weighted and added up.
struct RateSum {
  double rate = 0.0;
  double sd_rate = 0.0;

  void add(const Prediction& prediction, double weight) {
    rate += weight * prediction.rate;
    sd_rate += weight * prediction.sd_rate;
  }
};

}  // namespace

Prediction predict_stream(const Json& cell, std::uint64_t n, const std::string& where) {
  RateSum mean;
  // Numbers of keys are whole: between two of them the form is taken to be straight.
  const auto add_at = [&](double keys, double weight) {
    const double below = std::floor(keys);
    const auto whole = static_cast<std::uint64_t>(below);
    mean.add(predict(cell, whole, where), weight * (1.0 - (keys - below)));
    mean.add(predict(cell, whole + 1, where), weight * (keys - below));
  };
  const auto all = static_cast<double>(n);
  if (n <= summed_one_by_one) {
    for (std::uint64_t i = 0; i < n; ++i) mean.add(predict(cell, i, where), 1.0 / all);
  } else {
    // A sum over whole numbers is the integral from half a number before to half a number after.
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      const double half = all / 2.0 * Rule::abscissa()[i];
      const double weight = Rule::weights()[i] / 2.0;
      add_at((all - 1.0) / 2.0 - half, weight);
      add_at((all - 1.0) / 2.0 + half, weight);
    }
  }
  return {.model = predict(cell, n, where).model, .rate = mean.rate, .sd_rate = mean.sd_rate};
}

}  // namespace bloomlab::analysis
