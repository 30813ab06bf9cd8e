#include "statistics/fit.hpp"

#include <Eigen/QR>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

using Predictors = std::span<const std::vector<double>>;

void require_data(const char* where, Predictors predictors, std::span<const double> y,
                  double level) {
  const auto points = static_cast<double>(y.size());
  detail::require(y.size() >= predictors.size() + 2, where, "number of points", points,
                  "exceed the number of coefficients");
  for (const double value : y) {
    detail::require(std::isfinite(value), where, "a value", value, "be finite");
  }
  for (const std::vector<double>& predictor : predictors) {
    detail::require(predictor.size() == y.size(), where, "length of a predictor",
                    static_cast<double>(predictor.size()), "be that of the values");
    for (const double value : predictor) {
      detail::require(std::isfinite(value), where, "a predictor's value", value, "be finite");
    }
  }
  detail::require_open_unit(where, "level", level);
}

// Columns scaled to length 1: whether they are independent must not depend on units.
struct Design {
  Eigen::MatrixXd columns;
  Eigen::ArrayXd lengths;
};

Design design_of(Predictors predictors, Eigen::Index points) {
  const auto count = static_cast<Eigen::Index>(predictors.size()) + 1;
  Design design{Eigen::MatrixXd::Ones(points, count), Eigen::ArrayXd::Ones(count)};
  for (Eigen::Index i = 1; i < count; ++i) {
    design.columns.col(i) = Eigen::Map<const Eigen::VectorXd>(
        predictors[static_cast<std::size_t>(i - 1)].data(), points);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const double length = design.columns.col(i).norm();
    if (length > 0.0) design.lengths(i) = length;
    design.columns.col(i) /= design.lengths(i);
  }
  return design;
}

// Diagonal of (X'X)^-1 by the triangle: rows of P R^-1, squared and summed.
Eigen::ArrayXd unscaled_variances(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr) {
  const Eigen::Index count = qr.cols();
  const Eigen::MatrixXd triangle = qr.matrixR().topLeftCorner(count, count);
  const Eigen::MatrixXd inverse =
      triangle.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(count, count));
  return (qr.colsPermutation() * inverse).rowwise().squaredNorm().array();
}

double explained(double residual, const Eigen::VectorXd& y) {
  const double total = (y.array() - y.mean()).square().sum();
  return total > 0.0 ? 1.0 - residual / total : 1.0;
}

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) {
    detail::require(value > 0.0, "fit_power_law", "a value", value, "be above 0");
    result.push_back(std::log(value));
  }
  return result;
}

}  // namespace

LinearFit fit_linear(Predictors predictors, std::span<const double> y, double level) {
  require_data("fit_linear", predictors, y, level);
  const auto points = static_cast<Eigen::Index>(y.size());
  const Design design = design_of(predictors, points);
  const Eigen::Map<const Eigen::VectorXd> values(y.data(), points);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design.columns);
  const Eigen::Index count = design.columns.cols();
  detail::require(qr.rank() == count, "fit_linear", "rank of the design",
                  static_cast<double>(qr.rank()),
                  "be the number of coefficients: leave out predictors that are constant or follow "
                  "from others");

  const Eigen::VectorXd solution = qr.solve(values);
  const double residual = (values - design.columns * solution).squaredNorm();
  LinearFit fit;
  fit.degrees = static_cast<std::size_t>(points - count);
  fit.residual_sd = std::sqrt(residual / static_cast<double>(fit.degrees));
  fit.r_squared = explained(residual, values);
  const Eigen::ArrayXd errors = fit.residual_sd * unscaled_variances(qr).sqrt() / design.lengths;
  const double quantile =
      detail::student_quantile_above((1.0 - level) / 2.0, static_cast<double>(fit.degrees));
  for (Eigen::Index i = 0; i < count; ++i) {
    const double value = solution(i) / design.lengths(i);
    const double half_width = quantile * errors(i);
    fit.coefficients.push_back({value, errors(i), {value - half_width, value + half_width}});
  }
  return fit;
}

PowerLaw fit_power_law(Predictors variables, std::span<const double> y, double level) {
  std::vector<std::vector<double>> predictors;
  for (const std::vector<double>& variable : variables) predictors.push_back(logarithms(variable));
  const LinearFit fit = fit_linear(predictors, logarithms(y), level);

  PowerLaw law;
  const Coefficient& constant = fit.coefficients.front();
  law.factor = {std::exp(constant.value),
                constant.standard_error,
                {std::exp(constant.interval.low), std::exp(constant.interval.high)}};
  law.exponents.assign(fit.coefficients.begin() + 1, fit.coefficients.end());
  law.residual_sd = fit.residual_sd;
  law.r_squared = fit.r_squared;
  law.degrees = fit.degrees;
  return law;
}

}  // namespace bloomlab::statistics
