// The statistics of estimates as functions of SQL.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "analysis/pages/functions.hpp"
#include "record/json.hpp"
#include "statistics/coverage.hpp"
#include "statistics/distributions.hpp"
#include "statistics/durations.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/fit.hpp"
#include "statistics/interval.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/ratio.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

using Arguments = std::span<const Value>;
using Rows = std::span<const std::vector<double>>;

constexpr double usual_level = statistics::thresholds::interval_level;

/// An interval, where there is one.
using Ends = std::optional<statistics::Interval>;

Value end_of(const Ends& interval, double statistics::Interval::*end) {
  return interval ? Value((*interval).*end) : Value(std::monostate{});
}

/// The functions NAME_low and NAME_high.
template <auto interval>
void add_interval(const Database& database, const std::string& name, int count) {
  add_function(database, (name + "_low").c_str(), count,
               [](Arguments a) { return end_of(interval(a), &statistics::Interval::low); });
  add_function(database, (name + "_high").c_str(), count,
               [](Arguments a) { return end_of(interval(a), &statistics::Interval::high); });
}

/// The same over the rows of a group.
template <auto interval>
void add_interval_of_rows(const Database& database, const std::string& name, int count) {
  add_aggregate(database, (name + "_low").c_str(), count,
                [](Rows rows) { return end_of(interval(rows), &statistics::Interval::low); });
  add_aggregate(database, (name + "_high").c_str(), count,
                [](Rows rows) { return end_of(interval(rows), &statistics::Interval::high); });
}

statistics::Interval binomial(Arguments arguments) {
  const double level = arguments.size() > 2 ? number_in(arguments[2], "level") : usual_level;
  return statistics::estimate_these_filters(count_in(arguments[0], "hits"),
                                            count_in(arguments[1], "queries"), level)
      .interval;
}

Value binomial_p(Arguments arguments) {
  const std::array<double, 1> rate = {number_in(arguments[2], "rate")};
  return statistics::test_own_rates(count_in(arguments[0], "hits"),
                                    count_in(arguments[1], "queries"), rate)
      .p_value;
}

statistics::Interval quotient(Arguments arguments) {
  const auto end = [&](std::size_t i) { return number_in(arguments[i], "ratio"); };
  return statistics::ratio_interval(end(0), {end(1), end(2)}, end(3), {end(4), end(5)});
}

Value holm(Arguments arguments) {
  const double own = number_in(arguments[0], "holm");
  const record::Json list = record::Json::parse(text_in(arguments[1], "holm"), nullptr, false);
  std::vector<double> all;
  std::optional<std::size_t> place;
  double nearest = std::numeric_limits<double>::infinity();
  for (const record::Json& p : list) {
    if (!p.is_number()) continue;  // a row without a test
    // JSON of SQLite has 15 digits.
    const double difference = std::abs(p.get<double>() - own);
    if (difference <= nearest && difference <= 1e-13 * std::abs(own)) {
      nearest = difference;
      place = all.size();
    }
    all.push_back(p.get<double>());
  }
  if (!place) throw std::invalid_argument("holm: the p-value is not among those of the list");
  return statistics::holm(all)[*place];
}

std::vector<double> firsts(Rows rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row[0]);
  return values;
}

double quantile_of(Rows rows, double share) {
  if (!(share >= 0 && share <= 1)) throw std::invalid_argument("quantile: a share from 0 to 1");
  std::vector<double> values = firsts(rows);
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

/// Unknown for a single value.
Ends mean_interval(Rows rows) {
  if (rows.size() < 2) return std::nullopt;
  const double level = rows.front().size() > 1 ? rows.front()[1] : usual_level;
  return statistics::estimate_mean(firsts(rows), level).interval;
}

/// Of rows "events, exposure".
statistics::Interval interval_of_counts(Rows rows) {
  std::vector<double> counts;
  std::vector<double> exposures;
  for (const auto& row : rows) {
    counts.push_back(row[0]);
    exposures.push_back(row[1]);
  }
  return statistics::count_interval(counts, exposures, usual_level);
}

Value mean_p(Rows rows) {
  if (rows.size() < 2) return std::monostate{};
  return statistics::test_mean_rate(firsts(rows), rows.front()[1]).p_value;
}

/// Equal values give equal intervals everywhere: the seed is their number.
statistics::Interval median_interval(Rows rows) {
  constexpr std::size_t most_rows = 20'000;  // about a second
  if (rows.size() > most_rows) {
    throw std::invalid_argument("median: an interval is made of at most " +
                                std::to_string(most_rows) + " rows");
  }
  return statistics::bootstrap_median(firsts(rows), usual_level, rows.size());
}

/// Standard deviation; of two rows and more.
double spread_of(Rows rows) {
  double mean = 0;
  for (const auto& row : rows) mean += row[0] / static_cast<double>(rows.size());
  double squares = 0;
  for (const auto& row : rows) squares += (row[0] - mean) * (row[0] - mean);
  return std::sqrt(squares / static_cast<double>(rows.size() - 1));
}

Value deviation_of(Rows rows) {
  if (rows.size() < 2) return std::monostate{};
  return spread_of(rows);
}

Value mean_detectable(Rows rows) {
  if (rows.size() < 2) return std::monostate{};
  const double effect = statistics::minimum_detectable_mean_effect(
      1.0, spread_of(rows), rows.size(),
      {.alpha = 1 - rows.front()[1], .power = statistics::thresholds::power});
  return std::isfinite(effect) ? Value(effect) : Value(std::monostate{});
}

statistics::Coefficient exponent(Rows rows) {
  std::vector<std::vector<double>> x(1);
  std::vector<double> y;
  for (const auto& row : rows) {
    x[0].push_back(row[0]);
    y.push_back(row[1]);
  }
  return statistics::fit_power_law(x, y, usual_level).exponents.front();
}

Ends exponent_interval(Rows rows) { return exponent(rows).interval; }

/// The exact interval of a share; none of nothing.
Ends exact_interval(Arguments arguments) {
  const std::uint64_t of = count_in(arguments[1], "queries");
  if (of == 0) return std::nullopt;
  return statistics::clopper_pearson(count_in(arguments[0], "hits"), of,
                                     number_in(arguments[2], "level"));
}

Value coverage(Arguments arguments) {
  const std::string& method = text_in(arguments[0], "binomial_coverage");
  if (method != "clopper_pearson" && method != "wilson") {
    throw std::invalid_argument("binomial_coverage: found \"" + method +
                                "\"; there are clopper_pearson, wilson");
  }
  constexpr std::uint64_t most_queries = 1'000'000'000'000;  // a tenth of a second
  return statistics::exact_coverage(
      method == "wilson" ? statistics::wilson : statistics::clopper_pearson,
      count_in(arguments[1], "queries", most_queries), number_in(arguments[2], "rate"),
      number_in(arguments[3], "level"));
}

Value threshold(Arguments arguments) {
  const std::string& name = text_in(arguments[0], "threshold");
  std::string known;
  for (const statistics::Threshold& one : statistics::thresholds::all()) {
    if (one.name == name) return one.value;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw std::invalid_argument("threshold: no \"" + name + "\"; there are " + known);
}

Value filters_to_distinguish(Arguments arguments) {
  const double rate = number_in(arguments[0], "rate");
  const double sd = number_in(arguments[1], "sd");
  const double other = number_in(arguments[2], "other_rate");
  if (rate == other) return std::monostate{};
  const auto filters =
      statistics::trials_to_detect({rate, sd * sd}, std::abs(other / rate - 1),
                                   {.alpha = 1 - statistics::thresholds::rejection_level,
                                    .power = statistics::thresholds::power});
  return static_cast<std::int64_t>(filters);
}

record::Json coefficient_json(const statistics::Coefficient& coefficient) {
  return {{"value", coefficient.value},
          {"low", coefficient.interval.low},
          {"high", coefficient.interval.high}};
}

/// y and its variables, as JSON; null where they cannot be fitted.
Value power_law(Rows rows) {
  std::vector<std::vector<double>> variables(rows.front().size() - 1);
  std::vector<double> y;
  for (const auto& row : rows) {
    if (std::any_of(row.begin(), row.end(), [](double x) { return !(x > 0); })) continue;
    y.push_back(row[0]);
    for (std::size_t i = 0; i < variables.size(); ++i) variables[i].push_back(row[i + 1]);
  }
  try {
    const statistics::PowerLaw law = statistics::fit_power_law(variables, y, usual_level);
    record::Json exponents = record::Json::array();
    for (const auto& exponent : law.exponents) exponents.push_back(coefficient_json(exponent));
    return record::Json({{"factor", law.factor.value},
                         {"exponents", exponents},
                         {"r_squared", law.r_squared},
                         {"residual_sd", law.residual_sd}})
        .dump();
  } catch (const std::invalid_argument&) {
    return std::monostate{};
  }
}

}  // namespace

void add_statistics_functions(const Database& database) {
  add_interval<exact_interval>(database, "clopper_pearson", 3);
  add_function(database, "binomial_coverage", 4, coverage);
  add_function(database, "threshold", 1, threshold);
  add_function(database, "filters_to_distinguish", 3, filters_to_distinguish);
  for (const int count : {2, 3}) add_interval<binomial>(database, "binomial", count);
  add_function(database, "binomial_p", 3, binomial_p);
  add_function(database, "normal_p", 1, [](Arguments a) -> Value {
    return statistics::detail::normal_two_sided(number_in(a[0], "normal_p"));
  });
  add_function(database, "chi_square_p", 2, [](Arguments a) -> Value {
    const double x = number_in(a[0], "chi_square_p");
    const double degrees = number_in(a[1], "chi_square_p");
    if (x < 0 || !(degrees > 0)) throw std::invalid_argument("chi_square_p: x >= 0, degrees > 0");
    return statistics::detail::chi_square_at_least(x, degrees);
  });
  add_function(database, "chi_square_two_sided_p", 2, [](Arguments a) -> Value {
    return statistics::chi_square_two_sided(number_in(a[0], "chi_square_two_sided_p"),
                                            number_in(a[1], "chi_square_two_sided_p"));
  });
  add_interval<quotient>(database, "ratio", 6);
  add_function(database, "holm", 2, holm);
  add_aggregate(database, "median", 1, [](Rows rows) -> Value { return quantile_of(rows, 0.5); });
  add_aggregate(database, "quantile", 2,
                [](Rows rows) -> Value { return quantile_of(rows, rows.front()[1]); });
  add_interval_of_rows<median_interval>(database, "median", 1);
  for (const int count : {1, 2}) add_interval_of_rows<mean_interval>(database, "mean", count);
  add_interval_of_rows<interval_of_counts>(database, "count", 2);
  add_aggregate(database, "mean_p", 2, mean_p);
  add_aggregate(database, "mean_detectable", 2, mean_detectable);
  add_aggregate(database, "stddev", 1, deviation_of);
  for (const int count : {2, 3, 4}) add_aggregate(database, "power_law", count, power_law);
  add_aggregate(database, "power", 2, [](Rows rows) -> Value { return exponent(rows).value; });
  add_interval_of_rows<exponent_interval>(database, "power", 2);
}

}  // namespace bloomlab::analysis::pages
