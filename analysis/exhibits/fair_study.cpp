#include "analysis/exhibits/fair_study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"

namespace bloomlab::analysis {

namespace {

/// Beyond what is measured: no plain filter of the study holds so many keys.
constexpr double most_plans = 100.0;

std::vector<Grown> grown_filters(const Experiment& experiment) {
  std::vector<Grown> all;
  for (const Measurement& m : experiment.measurements) {
    if (all.empty() || all.back().cell() != m.cell) all.emplace_back();
    all.back().steps.push_back(&m);
  }
  return all;
}

bool is_lower_throughout(const FairStudy& study, const Grown& plain, const Grown& grown) {
  for (std::size_t i = 0; i < std::min(plain.steps.size(), grown.steps.size()); ++i) {
    if (study.factor(*grown.steps[i]) < 1.0) continue;
    const auto& low = plain.steps[i]->estimate->rate;
    const auto& high = grown.steps[i]->estimate->rate;
    if (!(low.interval.high < high.interval.low)) return false;
  }
  return true;
}

}  // namespace

bool Grown::has_target() const { return number_at(cell(), "/filter/target") > 0; }

bool Grown::is_plain() const { return word_at(cell(), "/filter/kind") == "standard"; }

FairStudy::FairStudy(const Experiment& experiment) : all(grown_filters(experiment)) {
  for (const Grown& grown : all) {
    if (grown.has_target()) scalable.push_back(&grown);
    if (word_at(grown.cell(), "/filter/kind") == "scalable_untightened") lab = &grown;
  }
  for (const Grown& grown : all) {
    if (!grown.is_plain() || twin_of(grown) != nullptr) continue;
    if (planned == nullptr || grown.bits() < planned->bits()) planned = &grown;
    if (largest == nullptr || grown.bits() > largest->bits()) largest = &grown;
  }
  if (scalable.empty()) return;
  plan = number_at(scalable.front()->cell(), "/filter/first_capacity");
  target = number_at(scalable.front()->cell(), "/filter/target");
}

bool FairStudy::is_complete() const {
  return !scalable.empty() && planned != nullptr && largest != nullptr && plan > 0;
}

double FairStudy::factor(const Measurement& m) const {
  return static_cast<double>(m.inserted()) / plan;
}

const Grown* FairStudy::equal_to(const Grown& grown) const& {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Grown& other) {
    return other.is_plain() && other.bits() == grown.bits();
  });
  return found == all.end() ? nullptr : &*found;
}

const Grown* FairStudy::twin_of(const Grown& plain) const& {
  if (!plain.is_plain()) return nullptr;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Grown& other) {
    return !other.is_plain() && other.bits() == plain.bits();
  });
  return found == all.end() ? nullptr : &*found;
}

double FairStudy::keeps_target_to(const Grown& grown) const {
  const auto keeps = [&](std::uint64_t n) { return predicted_rate(grown.cell(), n) <= target; };
  std::uint64_t low = 0;
  auto high = static_cast<std::uint64_t>(plan * most_plans);
  if (keeps(high)) return std::numeric_limits<double>::infinity();
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (keeps(middle) ? low : high) = middle;
  }
  return static_cast<double>(low) / plan;
}

std::uint64_t FairStudy::count_kept() const {
  return static_cast<std::uint64_t>(std::count_if(
      scalable.begin(), scalable.end(),
      [&](const Grown* grown) { return grown->last().estimate->rate.interval.high <= target; }));
}

std::vector<const Grown*> FairStudy::drawn() const& {
  std::vector<const Grown*> curves = {planned, largest};
  if (lab != nullptr) curves.push_back(lab);
  std::vector<const Grown*> cheapest;
  for (const Grown* grown : scalable) {
    const auto same = std::find_if(cheapest.begin(), cheapest.end(), [&](const Grown* other) {
      return value_at(other->cell(), "/filter/growth") == value_at(grown->cell(), "/filter/growth");
    });
    if (same == cheapest.end()) {
      cheapest.push_back(grown);
    } else if (grown->bits() < (*same)->bits()) {
      *same = grown;
    }
  }
  for (const Grown* grown : cheapest) {
    curves.push_back(grown);
    if (const Grown* equal = equal_to(*grown)) curves.push_back(equal);
  }
  std::sort(curves.begin(), curves.end());  // all of them are members of one list: grid order
  return curves;
}

double bits_each(const Measurement& m) {
  return static_cast<double>(m.trials.front().bits) / static_cast<double>(m.inserted());
}

PriceOfNotKnowing price_of_not_knowing(const FairStudy& study) {
  const double right = bits_each(study.largest->last());
  PriceOfNotKnowing price;
  for (const Grown* grown : study.scalable) {
    double worst = unknown;
    for (const Measurement* m : grown->steps) {
      if (study.factor(*m) < 1.0) continue;
      const double ratio = bits_each(*m) / right;
      price.least = std::fmin(price.least, ratio);
      worst = std::fmax(worst, ratio);
    }
    price.most = std::fmax(price.most, worst);
    price.best_worst = std::fmin(price.best_worst, worst);
  }
  return price;
}

EqualTerms equal_terms(const FairStudy& study) {
  EqualTerms terms;
  for (const Grown* grown : study.scalable) {
    const Grown* plain = study.equal_to(*grown);
    if (plain == nullptr) continue;
    ++terms.pairs;
    terms.better += is_lower_throughout(study, *plain, *grown) ? 1 : 0;
    const double to = study.keeps_target_to(*plain);
    terms.least_to = std::fmin(terms.least_to, to);
    terms.most_to = std::fmax(terms.most_to, to);
  }
  return terms;
}

}  // namespace bloomlab::analysis
