#include "analysis/data/with_theory.hpp"

#include <unordered_map>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/closed_forms.hpp"
#include "core/catalogue.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/input_error.hpp"
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

}  // namespace bloomlab::analysis
