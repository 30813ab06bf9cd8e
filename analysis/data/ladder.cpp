#include "analysis/data/ladder.hpp"

#include <cmath>
#include <optional>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"
#include "core/catalogue.hpp"
#include "core/probe/fingerprint.hpp"
#include "core/theory/standard.hpp"
#include "statistics/equivalence.hpp"

namespace bloomlab::analysis {

namespace {

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
  const Hasher hasher = make_hasher(word_at(cell, "/hash/name"));
  if (hasher.passes_through()) return;  // nothing is known of probes that mix keys themselves
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

std::vector<Rung> ladder_of(const Measurement& measurement) {
  if (!measurement.asked_equally() || !measurement.prediction) return {};
  const Prediction& prediction = *measurement.prediction;
  const double relative_sd = std::isnan(prediction.sd_rate) || !(prediction.rate > 0)
                                 ? 0.0
                                 : prediction.sd_rate / prediction.rate;
  std::vector<Rung> rungs;
  for (const ClosedForm& form :
       forms_up_to(prediction.model, prediction.rate, measurement.cell, measurement.inserted())) {
    if (!(form.rate > 0 && form.rate <= 1)) return {};
    const double variance =
        std::min(std::pow(relative_sd * form.rate, 2), form.rate * (1 - form.rate));
    rungs.push_back(
        {form.name, form.rate,
         statistics::compare_with_theory(list_of(measurement.trials.false_positives),
                                         measurement.trials.queries()[0], {form.rate, variance})});
  }
  return rungs;
}

}  // namespace bloomlab::analysis
