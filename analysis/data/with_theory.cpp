#include "analysis/data/with_theory.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "analysis/data/axes.hpp"
#include "core/catalogue.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::analysis {

namespace {

/// The closed form that the cell's filter names.
theory::Query query_for(const Json& cell, std::uint64_t n, const std::string& where) {
  const auto filter = cell.find("filter");
  const std::string kind = word_at(cell, "/filter/kind");
  std::optional<theory::Query> query;
  std::string known;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    known += (known.empty() ? "" : ", ") + std::string(Filter::name);
    if (Filter::name == kind) {
      query = Filter::prediction(record::parameters_of<Filter>(*filter, "kind"), n);
    }
  });
  if (!query) {
    throw record::InputError(where + ": unknown filter \"" + kind + "\"; known: " + known);
  }
  return *std::move(query);
}

template <class Result, class Read>
Result evaluate(const Json& cell, std::uint64_t n, const std::string& where, Read&& read) {
  const theory::Query query = query_for(cell, n, where);
  try {
    return read(query, evaluated(query));
  } catch (const theory::DomainError& error) {
    throw record::RunError(where + ": no closed form for " + cell.dump() + ": " + error.what());
  }
}

std::string key_of(const theory::Query& query) {
  std::string key = query.model;
  for (const auto& [name, value] : query.arguments) {
    key.append(" ").append(name).append(" ");
    if (const auto* word = std::get_if<std::string>(&value)) key += *word;
    if (const auto* count = std::get_if<std::uint64_t>(&value)) key += std::to_string(*count);
    if (const auto* real = std::get_if<double>(&value)) key.append("r").append(exact_text(*real));
  }
  return key;
}

/// What a function of queries gave.
template <class Result>
class Answers {
 public:
  /// Threads that ask for the same at once may each compute it.
  Result operator()(const theory::Query& query, Result (*evaluate)(const theory::Query&)) {
    const std::string key = key_of(query);
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return found->second;
    }
    Result result = evaluate(query);
    const std::lock_guard lock(mutex_);
    return known_.emplace(key, std::move(result)).first->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, Result> known_;
};

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

Prediction predict(const Json& cell, std::uint64_t n, const std::string& where) {
  return evaluate<Prediction>(
      cell, n, where, [](const theory::Query& query, const theory::Evaluation& evaluation) {
        return Prediction{.model = query.model,
                          .rate = evaluation.number(),
                          .approx = evaluation.number("approx"),
                          .classic = evaluation.number("classic"),
                          .sd_rate = evaluation.number("sd_conditional_fpr"),
                          .mean_set_bits = evaluation.number("mean_set_bits"),
                          .var_set_bits = evaluation.number("var_set_bits")};
      });
}

double predicted_rate(const Json& cell, std::uint64_t n) {
  return evaluate<double>(cell, n, "figure",
                          [](const theory::Query& /*query*/, const theory::Evaluation& evaluation) {
                            return evaluation.number();
                          });
}

std::vector<Measurement> with_theory(std::vector<Measurement> measurements,
                                     const std::string& where) {
  // Cells often differ in their hash only: every filter and number of keys once.
  std::unordered_map<std::string, std::size_t> place_of;
  std::vector<const Measurement*> distinct;
  std::vector<std::size_t> places;
  for (const Measurement& measurement : measurements) {
    const std::string key =
        value_at(measurement.cell, "/filter").dump() + "#" + std::to_string(measurement.inserted());
    const auto [place, is_new] = place_of.try_emplace(key, distinct.size());
    if (is_new) distinct.push_back(&measurement);
    places.push_back(place->second);
  }
  // Sums in many digits take milliseconds.
  std::vector<Prediction> predictions(distinct.size());
  for_each_index(distinct.size(), [&](std::size_t i) {
    predictions[i] = predict(distinct[i]->cell, distinct[i]->inserted(), where);
  });
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    measurements[i].prediction = predictions[places[i]];
  }
  return measurements;
}

theory::Evaluation evaluated(const theory::Query& query) {
  static Answers<theory::Evaluation> answers;
  return answers(query, theory::evaluate);
}

theory::ColumnValue evaluated_value(const theory::Query& query) {
  static Answers<theory::ColumnValue> answers;
  return answers(query, theory::evaluate_value);
}

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
