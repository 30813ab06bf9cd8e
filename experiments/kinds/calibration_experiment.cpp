#include "experiments/kinds/calibration_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/bits/conditional_rate.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {
namespace {

using At = CalibrationPoint::Parameters;
using Design = CalibrationPoint::Design;
namespace thresholds = statistics::thresholds;

constexpr std::uint64_t times_until_given_up = 64;
constexpr double normal_quantile = 1.959963984540054;  // of 0.975

std::uint64_t queries_of(const At& at, const statistics::RateLaw& rate) {
  if (at.design == Design::planned) {
    const auto planned =
        statistics::queries_to_detect(rate, at.trials, thresholds::calibration_effect, plan_of(at));
    if (!planned) throw std::runtime_error("calibration: no number of queries suffices");
    return *planned;
  }
  return static_cast<std::uint64_t>(
      std::ceil(at.expected_hits / (static_cast<double>(at.trials) * rate.rate)));
}

}  // namespace

statistics::TestPlan plan_of(const At& at) {
  return {thresholds::calibration_alpha / static_cast<double>(at.family), thresholds::power};
}

double relative_of(const At& at) { return normal_quantile / std::sqrt(at.expected_hits); }

CalibrationExperiment::CalibrationExperiment(const At& point)
    : at(point), set_bits(set_bits_law(point.m, point.keys(), point.k)) {
  for (std::size_t i = 0; i < set_bits.size(); ++i) {
    const std::uint64_t bits = set_bits.first() + i;
    own_rates.push_back(conditional_rate(bits, at.m, at.k));
    rate.rate += set_bits.probability(i) * own_rates[i];
    set_bits_moments.mean += set_bits.probability(i) * static_cast<double>(bits);
  }
  for (std::size_t i = 0; i < set_bits.size(); ++i) {
    const double off = own_rates[i] - rate.rate;
    const double bits_off = static_cast<double>(set_bits.first() + i) - set_bits_moments.mean;
    rate.variance += set_bits.probability(i) * off * off;
    set_bits_moments.variance += set_bits.probability(i) * bits_off * bits_off;
  }
  set_bits_moments.limit = static_cast<double>(std::min(at.m, at.keys() * at.k));
  queries = queries_of(at, rate);
}

std::vector<double> CalibrationExperiment::true_rates() const {
  std::vector<double> rates;
  for (const double own : own_rates) rates.push_back(std::min(1.0, own * (1.0 + at.effect)));
  return rates;
}

CalibrationSimulator::CalibrationSimulator(const CalibrationExperiment& experiment,
                                           std::uint64_t seed)
    : experiment_(experiment), sampler_(experiment.true_rates()), random_(seed) {
  const At& at = experiment.at;
  if (at.design != Design::precision) return;
  const statistics::PrecisionTarget target{relative_of(at), thresholds::interval_level};
  needed_ = statistics::needed_hits(target);
  if (at.trials > 1) ensemble_.emplace(target, at.trials);
}

void CalibrationSimulator::draw(CalibrationOutcome& outcome) {
  const At& at = experiment_.at;
  outcome.sorts.resize(at.trials);
  outcome.hits.assign(at.trials, 0);
  outcome.queries = 0;
  outcome.stopped = statistics::Precision::not_yet;
  for (std::size_t& sort : outcome.sorts) {
    sort = static_cast<std::size_t>(experiment_.set_bits.at(random_.unit()) -
                                    experiment_.set_bits.first());
  }
  if (at.design == Design::hits) {
    // Batches of some thirty hits: few steps, and few places to draw in the last one.
    const auto batch = static_cast<std::uint64_t>(30.0 / experiment_.rate.rate) + 1;
    outcome.hits[0] = static_cast<std::uint64_t>(std::llround(at.expected_hits));
    outcome.queries = sampler_.queries_until(outcome.sorts[0], outcome.hits[0], batch, random_);
  } else if (at.design == Design::precision) {
    ask_until_precise(outcome);
  } else {
    ask(outcome, experiment_.queries);
  }
}

void CalibrationSimulator::ask(CalibrationOutcome& outcome, std::uint64_t more) {
  for (std::size_t i = 0; i < outcome.sorts.size(); ++i) {
    outcome.hits[i] += sampler_.hits(outcome.sorts[i], more, random_);
  }
  outcome.queries += more;
}

void CalibrationSimulator::ask_until_precise(CalibrationOutcome& outcome) {
  const std::uint64_t most =
      times_until_given_up *
      std::max(experiment_.queries, static_cast<std::uint64_t>(thresholds::first_batch.value));
  while (outcome.stopped == statistics::Precision::not_yet && outcome.queries < most) {
    ask(outcome, statistics::next_batch_end(outcome.queries) - outcome.queries);
    outcome.stopped = decide(outcome);
  }
}

statistics::Precision CalibrationSimulator::decide(const CalibrationOutcome& outcome) const {
  if (ensemble_) return ensemble_->decide(outcome.hits, outcome.queries);
  return statistics::precise_enough(outcome.hits[0], outcome.queries, needed_)
             ? statistics::Precision::reached
             : statistics::Precision::not_yet;
}

}  // namespace bloomlab::experiments
