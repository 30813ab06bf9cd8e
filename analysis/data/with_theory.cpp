#include "analysis/data/with_theory.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "core/catalogue.hpp"
#include "core/parallel/for_each_index.hpp"
#include "core/probe/fingerprint.hpp"
#include "core/theory/standard.hpp"
#include "record/expected_model.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"
#include "record/sha256.hpp"
#include "statistics/equivalence.hpp"

namespace bloomlab::analysis {

namespace {

/// The closed form that the cell's filter names.
theory::Query query_for(const Json& cell, std::uint64_t n, const std::string& where) {
  const auto filter = cell.find("filter");
  const std::string kind = word_at(cell, "/filter/kind");
  std::optional<theory::Query> query;
  if (is_from_outside(cell)) {
    if (filter->contains("expected")) return record::expected_query(filter->at("expected"), n);
    throw record::RunError(where + ": no closed form for " + cell.dump() +
                           ": its config names none by \"expected\"");
  }
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

/// What a function of queries gave; of so many queries that a large grid does not fill the memory.
template <class Result>
class Answers {
  static constexpr std::size_t most_known = 20'000;

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
    if (known_.size() >= most_known) known_.clear();
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

constexpr int full_hash_bits = 64;

/// Parameters of a standard filter under a probe.
struct Standardlike {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;

  [[nodiscard]] std::vector<theory::Argument> arguments() const {
    return {{"m", m}, {"n", n}, {"k", k}};
  }
};

std::optional<Standardlike> standardlike(const Json& cell, std::uint64_t n) {
  const auto m = as_count(value_at(cell, "/filter/m"));
  const auto k = as_count(value_at(cell, "/filter/k"));
  if (!m || !k) return std::nullopt;
  return Standardlike{*m, n, *k};
}

/// Appends form after form; each holds what the one before holds and one effect more.
class Forms {
 public:
  void add(const std::string& name, double rate) {
    if (!std::isnan(rate)) forms_.push_back({name, rate});
  }
  void add_effect(const std::string& name, double effect) {
    add(name, forms_.back().rate + effect);
  }
  [[nodiscard]] std::vector<ClosedForm> take() { return std::move(forms_); }

 private:
  std::vector<ClosedForm> forms_;
};

/// Positions that derive from few words: how far the family's own form is from independent ones.
void add_index_pairs(const Standardlike& filter, const Probe& probe, double exact, Forms& forms) {
  const auto query = probe.prediction(filter.m, filter.n, filter.k);
  if (!query) return;
  forms.add_effect("index_pairs", evaluated(*query).number() - exact);
}

/// A hash of few bits: absent keys that collide with an inserted key, and inserted keys that
/// collide.
void add_hash_width(const Standardlike& filter, int bits, double exact, Forms& forms) {
  if (bits <= 0 || bits >= full_hash_bits) return;
  auto arguments = filter.arguments();
  arguments.push_back({"hash_bits", static_cast<std::uint64_t>(bits)});
  const auto evaluation = evaluated({"hash_width_floor", arguments});
  const double collision = evaluation.number("collision");
  const double without = evaluation.number("no_floor_approx");
  const double inner = (evaluation.number() - collision) / (1 - collision);
  forms.add_effect("hash_width", collision * (1 - exact));
  forms.add_effect("duplicates", (1 - collision) * exact * (inner / without - 1));
}

/// A word of 32 bits per position: positions differ in how many words lead to them.
void add_reduction(const Standardlike& filter, const Hasher& hasher, double exact, Forms& forms) {
  constexpr std::uint64_t words = std::uint64_t{1} << 32;
  if (hasher.digest_bits() != 32 || filter.m > words) return;
  const std::vector<theory::Argument> arguments = {
      {"m", words}, {"m2", filter.m}, {"n", filter.n}, {"k", filter.k}};
  const double biased = evaluated({"folding", arguments}).number();
  const double classic = evaluated({"standard_classic", filter.arguments()}).number();
  forms.add_effect("reduction", exact * (biased / classic - 1));
}

/// What hash and hashing scheme add to independent, ideal positions in a standard filter.
void add_hash_effects(const Json& cell, const Standardlike& filter, double exact, Forms& forms) {
  const std::string family = word_at(cell, "/hash/probe");
  if (family.empty()) return;
  const auto found = record::find_hasher(word_at(cell, "/hash/name"));
  // Nothing is known of a hash function of another program, and of probes that mix keys themselves.
  if (!found || found->passes_through()) return;
  const Hasher& hasher = *found;
  const Probe probe = make_probe(family, word_at(cell, "/hash/reduction"));
  add_index_pairs(filter, probe, exact, forms);
  add_hash_width(filter, fingerprint_bits(hasher, probe, static_cast<int>(filter.k)), exact, forms);
  if (probe.need(static_cast<int>(filter.k)).family) add_reduction(filter, hasher, exact, forms);
}

/// As closed_forms(), for a filter whose own model says this rate.
std::vector<ClosedForm> forms_up_to(const std::string& model, double rate, const Json& cell,
                                    std::uint64_t n) {
  Forms forms;
  const auto filter = standardlike(cell, n);
  const bool grows = model.starts_with("scalable") || model == "dynamic";
  if (filter && !grows) {
    const auto& [m, inserted, k] = *filter;
    const double exact = theory::exact_fpr(m, inserted, k);
    forms.add("approx", theory::approx_fpr(m, inserted, k));
    forms.add("classic", theory::classic_fpr(m, inserted, k));
    forms.add("exact", exact);
    if (model == "standard_exact") {
      add_hash_effects(cell, *filter, exact, forms);
      return forms.take();
    }
  }
  forms.add(model, rate);
  return forms.take();
}

}  // namespace

bool is_from_outside(const Json& cell) {
  const std::string kind = word_at(cell, "/filter/kind");
  if (kind == "library" || kind == "command") return true;
  return cell.contains(Json::json_pointer("/filter/own"));  // of the program that measured it
}

bool has_closed_form(const Json& cell) {
  return !is_from_outside(cell) || cell.at("filter").contains("expected");
}

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
  std::map<record::Sha256, std::size_t> place_of;
  std::vector<const Measurement*> distinct;
  std::vector<std::size_t> places;
  for (const Measurement& measurement : measurements) {
    const std::string key = value_at(measurement.cell(), "/filter").dump() + "#" +
                            std::to_string(measurement.inserted());
    const auto [place, is_new] = place_of.try_emplace(record::sha256(key), distinct.size());
    if (is_new) distinct.push_back(&measurement);
    places.push_back(place->second);
  }
  // Sums in many digits take milliseconds.
  std::vector<std::optional<Prediction>> predictions(distinct.size());
  for_each_index(distinct.size(), [&](std::size_t i) {
    const Json cell = distinct[i]->cell();
    if (!has_closed_form(cell)) return;
    predictions[i] = predict(cell, distinct[i]->inserted(), where);
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

std::vector<ClosedForm> closed_forms(const Json& cell, std::uint64_t n) {
  const Prediction own = predict(cell, n, "theory ladder");
  return forms_up_to(own.model, own.rate, cell, n);
}

bool lacks_index_form(const Json& cell) {
  const std::string family = word_at(cell, "/hash/probe");
  const auto filter = standardlike(cell, 1);
  if (family.empty() || family == "independent" || !filter ||
      word_at(cell, "/filter/kind") != "standard") {
    return false;
  }
  const Probe probe = make_probe(family, word_at(cell, "/hash/reduction"));
  return !probe.prediction(filter->m, filter->n, filter->k).has_value();
}

std::vector<Rung> ladder_of(const Measurement& measurement, statistics::Further further) {
  if (!measurement.asked_equally() || !measurement.prediction) return {};
  const Prediction& prediction = *measurement.prediction;
  const double relative_sd = std::isnan(prediction.sd_rate) || !(prediction.rate > 0)
                                 ? 0.0
                                 : prediction.sd_rate / prediction.rate;
  std::vector<Rung> rungs;
  for (const ClosedForm& form :
       forms_up_to(prediction.model, prediction.rate, measurement.cell(), measurement.inserted())) {
    if (!(form.rate > 0 && form.rate <= 1)) return {};
    const double variance =
        std::min(std::pow(relative_sd * form.rate, 2), form.rate * (1 - form.rate));
    rungs.push_back({form.name, form.rate,
                     statistics::compare_with_theory(
                         list_of(measurement.trials[Trials::false_positives]),
                         measurement.trials.queries()[0], {form.rate, variance}, further)});
  }
  return rungs;
}

}  // namespace bloomlab::analysis
