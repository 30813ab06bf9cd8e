#include "experiments/kinds/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "experiments/kinds/calibration_experiment.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {
namespace {

using At = Calibration::Point::Parameters;
using Design = Calibration::Point::Design;
using statistics::Interval;
namespace thresholds = statistics::thresholds;

constexpr std::uint64_t most_balls = std::uint64_t{1} << 20;
constexpr double most_queries = 1e12;
constexpr double smallest_rate = 1e-9;
constexpr double largest_rate = 0.25;

// Results that depend on hits and queries alone: few counts occur, and some take a search.
template <class Result>
class ByCounts {
 public:
  template <class Make>
  const Result& get(std::uint64_t hits, std::uint64_t queries, const Make& make) {
    const auto [place, is_new] = known_.try_emplace(std::pair(hits, queries));
    if (is_new) place->second = make();
    return place->second;
  }

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, Result> known_;
};

// Applies every interval and test to experiments, and counts.
class Judge {
 public:
  Judge(const CalibrationExperiment& experiment, const CalibrationSimulator& simulator)
      : experiment_(experiment), simulator_(simulator) {}

  void judge(const CalibrationOutcome& outcome) {
    ++counts_["simulations"];
    counts_["queries"] += outcome.queries * outcome.hits.size();
    judge_own_rate(outcome);
    judge_fill(outcome);
    if (experiment_.at.design == Design::hits) return;
    judge_mean_rate(outcome);
    if (experiment_.at.design == Design::precision) count_stop(outcome.stopped);
  }

  [[nodiscard]] record::Json json() const {
    record::Json json = record::Json::object();
    for (const auto& [key, count] : counts_) json[key] = count;
    return json;
  }

 private:
  void count(const char* what, bool happened) { counts_[what] += happened ? 1 : 0; }

  void judge_own_rate(const CalibrationOutcome& outcome) {
    const double truth = simulator_.rate(outcome.sorts[0]);
    const std::uint64_t hits = outcome.hits[0];
    const std::uint64_t queries = outcome.queries;
    const double level = thresholds::interval_level;
    if (experiment_.at.design == Design::hits) {
      // Hardly ever the same queries twice: not worth keeping.
      const auto estimate = statistics::estimate_at_fixed_hits(hits, queries, level);
      count("own_fixed_hits_covered", estimate.interval.contains(truth));
      return;
    }
    const auto make = [&] { return statistics::clopper_pearson(hits, queries, level); };
    count("own_clopper_pearson_covered", exact_.get(hits, queries, make).contains(truth));
    count("own_wilson_covered", statistics::wilson(hits, queries, level).contains(truth));
  }

  void judge_fill(const CalibrationOutcome& outcome) {
    own_.clear();
    std::uint64_t set_bits = 0;
    for (const std::size_t sort : outcome.sorts) {
      own_.push_back(experiment_.own_rates[sort]);
      set_bits += experiment_.set_bits.first() + sort;
    }
    const double level = thresholds::interval_level;
    const double truth = experiment_.rate.rate;
    count(
        "fill_known_covered",
        statistics::estimate_mean(own_, experiment_.rate.variance, level).interval.contains(truth));
    if (own_.size() > 1) {
      count("fill_student_covered",
            statistics::estimate_mean(own_, level).interval.contains(truth));
    }
    const auto make = [&] {
      return statistics::test_set_bits(set_bits, own_.size(), experiment_.set_bits_moments).p_value;
    };
    count("set_bits_rejections", rejects(set_bits_tests_.get(set_bits, 0, make)));
  }

  void judge_mean_rate(const CalibrationOutcome& outcome) {
    const std::uint64_t total =
        std::accumulate(outcome.hits.begin(), outcome.hits.end(), std::uint64_t{0});
    const statistics::Sampling sampling{outcome.hits.size(), outcome.queries};
    const double truth = experiment_.true_mean();
    count("ensemble_covered", ensemble(outcome, total).contains(truth));
    count("pooled_wilson_covered",
          statistics::wilson(total, sampling.trials * sampling.queries, thresholds::interval_level)
              .contains(truth));
    const auto make = [&] {
      return statistics::test_ensemble_rate(total, sampling, experiment_.rate).p_value;
    };
    count("rate_rejections", rejects(rate_tests_.get(total, outcome.queries, make)));
    count("own_rates_rejections",
          rejects(statistics::test_own_rates(total, outcome.queries, own_).p_value));
  }

  // estimate_ensemble, which below its limits needs the total alone.
  Interval ensemble(const CalibrationOutcome& outcome, std::uint64_t total) {
    const auto make = [&] {
      return statistics::estimate_ensemble(outcome.hits, outcome.queries, experiment_.rate,
                                           thresholds::interval_level)
          .interval;
    };
    const bool by_total = static_cast<double>(outcome.hits.size()) < thresholds::minimum_trials ||
                          static_cast<double>(total) < thresholds::few_hits;
    return by_total ? ensembles_.get(total, outcome.queries, make) : make();
  }

  void count_stop(statistics::Precision stopped) {
    count("precision_reached", stopped == statistics::Precision::reached);
    count("precision_out_of_reach", stopped == statistics::Precision::more_queries_cannot_help);
    count("precision_given_up", stopped == statistics::Precision::not_yet);
  }

  [[nodiscard]] bool rejects(double p_value) const {
    return p_value * static_cast<double>(experiment_.at.family) <= thresholds::calibration_alpha;
  }

  const CalibrationExperiment& experiment_;
  const CalibrationSimulator& simulator_;
  std::map<std::string, std::uint64_t> counts_;
  std::vector<double> own_;  // theory's rates of the filters at hand
  ByCounts<Interval> exact_;
  ByCounts<Interval> ensembles_;
  ByCounts<double> rate_tests_;
  ByCounts<double> set_bits_tests_;
};

std::string number(double value) { return record::Json(value).dump(); }

// What is wrong with the number of hits that a design is given.
std::optional<std::string> design_fault(const At& at) {
  const std::string found = "expected_hits = " + number(at.expected_hits);
  if (at.design == Design::planned) {
    if (at.expected_hits <= 0.0) return std::nullopt;
    return found + " with the design planned, which plans the queries itself; leave it out";
  }
  if (at.expected_hits < 0.01) return found + "; give at least 0.01";
  if (at.design == Design::hits) {
    if (at.trials != 1) {
      return "trials = " + std::to_string(at.trials) + "; the design hits asks one filter";
    }
    if (at.expected_hits < 1.5) return found + "; the design hits needs at least 2";
  }
  if (at.design == Design::precision) {
    if (relative_of(at) > thresholds::largest_precision) {
      return found + " stop at a half-width above 10 %; the design precision needs at least 385";
    }
    if (at.trials > 1 && static_cast<double>(at.trials) < thresholds::precision_trials) {
      return "trials = " + std::to_string(at.trials) +
             "; the design precision takes one filter, or at least 10";
    }
  }
  return std::nullopt;
}

// The mean fill to the power k: near enough to say whether a point can be simulated.
double rough_rate(const At& at) {
  const double throws = static_cast<double>(at.keys() * at.k);
  const double fill = -std::expm1(throws * std::log1p(-1.0 / static_cast<double>(at.m)));
  return std::pow(fill, static_cast<double>(at.k));
}

std::optional<std::string> rate_fault(const At& at) {
  const double rate = rough_rate(at);
  const std::string found = "a rate of about " + number(rate);
  if (rate > largest_rate) return found + " is above 0.25; fewer keys or more bits";
  if (rate < smallest_rate) return found + " is below 1e-9; more keys, fewer bits or probes";
  if (at.expected_hits / rate <= most_queries) return std::nullopt;
  return found + " needs more than 1e12 queries for these hits; fewer hits or more keys";
}

std::optional<std::string> plan_fault(const At& at) {
  At unplanned = at;
  unplanned.design = Design::fixed;
  const statistics::RateLaw law = CalibrationExperiment(unplanned).rate;
  if (statistics::queries_to_detect(law, at.trials, thresholds::calibration_effect, plan_of(at))) {
    return std::nullopt;
  }
  return std::to_string(at.trials) +
         " filters cannot show the planned effect, however many queries; take more than " +
         std::to_string(
             statistics::trials_to_detect(law, thresholds::calibration_effect, plan_of(at)));
}

}  // namespace

std::optional<std::string> Calibration::check(const Parameters& /*p*/,
                                              const Point::Parameters& at) {
  if (at.keys() == 0) {
    return "bits_per_key = " + std::to_string(at.bits_per_key) +
           " leaves no key in m = " + std::to_string(at.m) + " bits; fewer bits per key";
  }
  if (at.keys() > most_balls / at.k) {
    return "k n = " + std::to_string(at.k * at.keys()) + " is more than 2^20; fewer keys or probes";
  }
  if (auto fault = design_fault(at)) return fault;
  if (auto fault = rate_fault(at)) return fault;
  return at.design == Design::planned ? plan_fault(at) : std::nullopt;
}

std::uint64_t Calibration::memory_bytes(const Point::Parameters& at) {
  // Two rows of the occupancy, and tables of hits: some tens of MiB at most.
  constexpr std::uint64_t tables = std::uint64_t{64} << 20;
  return tables + 4 * sizeof(double) * std::min(at.m, at.keys() * at.k);
}

double Calibration::seconds(const Parameters& p, const Point::Parameters& at) {
  // The occupancy has some 12 sqrt(m) likely numbers a ball. An experiment draws for some 0.1 us a
  // filter and batch, and takes tens of microseconds for its intervals; after a fixed number of
  // hits each one is a search of its own.
  const double occupancy =
      1e-9 * static_cast<double>(at.keys() * at.k) * 12.0 * std::sqrt(static_cast<double>(at.m));
  const double draws = at.design == Design::precision ? 20.0 : 1.0;
  const double intervals = at.design == Design::hits ? 2e-4 : 2e-5;
  return occupancy + static_cast<double>(p.simulations) *
                         (intervals + 1e-7 * draws * static_cast<double>(at.trials));
}

std::vector<Measurement> Calibration::measure(const Parameters& p, const Point::Parameters& at,
                                              std::uint64_t seed) {
  const CalibrationExperiment experiment(at);
  CalibrationSimulator simulator(experiment, seed);
  Judge judge(experiment, simulator);
  CalibrationOutcome outcome;
  for (std::uint64_t i = 0; i < p.simulations; ++i) {
    simulator.draw(outcome);
    judge.judge(outcome);
  }
  return {{std::nullopt, judge.json(), record::Json::object()}};
}

}  // namespace bloomlab::experiments
