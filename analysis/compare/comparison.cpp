#include "analysis/compare/comparison.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "record/input_error.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

constexpr double largest_size = 100.0;

[[noreturn]] void refuse_item(const std::string& text, std::string_view item,
                              const std::string& fault) {
  std::string line = "--fail-on: found \"" + text + "\": ";
  line.append("\"").append(item).append("\" ").append(fault);
  line +=
      "; allowed: rate:X,time:Y or one of the two, X and Y relative sizes above 0 such as "
      "0.01 or 5%";
  throw record::InputError(line);
}

/// "0.01" or "1%" as a part; nothing where it is neither.
std::optional<double> parse_part(std::string_view text) {
  const bool per_cent = text.ends_with('%');
  if (per_cent) text.remove_suffix(1);
  double value = 0.0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (per_cent) value /= 100.0;
  if (!(value > 0.0 && value <= largest_size)) return std::nullopt;
  return value;
}

void read_item(const std::string& text, std::string_view item, FailOn& limits) {
  const std::size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  if (colon == std::string_view::npos || (name != "rate" && name != "time")) {
    refuse_item(text, item, "names neither rate nor time");
  }
  std::optional<double>& size = name == "rate" ? limits.rate : limits.time;
  if (size) refuse_item(text, item, "comes after another of its kind");
  size = parse_part(item.substr(colon + 1));
  if (!size) refuse_item(text, item, "gives no such size");
}

namespace thresholds = statistics::thresholds;

double p_of(const RateDifference& difference) { return difference.change.p_value; }
double p_of(const TimeDifference& difference) { return difference.p_value; }

/// The tests that share a part of alpha, which Holm's procedure divides among them.
template <class Difference>
using Family = std::vector<Difference*>;

/// Weights of the families, of those that have any test: what they are of the sum is their part of
/// alpha. A tenth less of alpha for a rate is a matter of a twentieth in the change that it
/// notices; a test by ranks of ten process runs a side cannot give less than 1e-5 and needs all it
/// gets.
struct Parts {
  double rates = 0.1;
  double together = 0.45;
  double cells = 0.45;

  [[nodiscard]] double sum() const { return rates + together + cells; }
};

struct Families {
  Family<RateDifference> rates;
  Family<TimeDifference> together;  ///< all cells of a file
  Family<TimeDifference> cells;     ///< one by one
  Parts parts;                      ///< of alpha; 0 for a family without tests
};

Families families_of(Comparison& comparison) {
  Families families;
  for (RateDifference& rate : comparison.rates) families.rates.push_back(&rate);
  for (TimeDifference& time : comparison.times) {
    (time.is_of_all_cells() ? families.together : families.cells).push_back(&time);
  }
  Parts& parts = families.parts;
  if (families.rates.empty()) parts.rates = 0.0;
  if (families.together.empty()) parts.together = 0.0;
  if (families.cells.empty()) parts.cells = 0.0;
  const double sum = parts.sum();
  for (double* part : {&parts.rates, &parts.together, &parts.cells}) {
    if (sum > 0) *part /= sum;
  }
  return families;
}

/// Adjusts the p-values of a family that has this part of alpha (Bonferroni between families), so
/// that a test of any family is beyond chance up to the same alpha.
template <class Difference>
void adjust(const Family<Difference>& family, double part) {
  std::vector<double> p_values;
  for (const Difference* difference : family) p_values.push_back(p_of(*difference));
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->adjusted_p = std::min(1.0, adjusted[i] / part);
  }
}

/// What Bonferroni would leave of alpha for each test of a family.
template <class Difference>
double alpha_each(const Family<Difference>& family, double part) {
  return thresholds::family_alpha * part /
         static_cast<double>(std::max<std::size_t>(family.size(), 1));
}

/// Changed ones first, then by p-value; equals stay in their order.
template <class Difference>
void put_changed_first(std::vector<Difference>& differences) {
  std::stable_sort(differences.begin(), differences.end(),
                   [](const Difference& a, const Difference& b) {
                     if (a.changed != b.changed) return a.changed;
                     return p_of(a) < p_of(b);
                   });
}

double log_size(double ratio) { return std::abs(std::log(ratio)); }

double typical_detectable(const std::vector<RateDifference>& rates, double alpha) {
  if (rates.empty()) return unknown;
  std::vector<double> effects;
  for (const RateDifference& rate : rates) {
    effects.push_back(statistics::detectable_change(rate.change, alpha, thresholds::power));
  }
  const auto middle = effects.begin() + static_cast<std::ptrdiff_t>(effects.size() / 2);
  std::nth_element(effects.begin(), middle, effects.end());
  return *middle;
}

/// The p-value of process runs without any overlap: two of C(a + b, a) arrangements have none.
double least_p(const TimeDifference& time) {
  const auto a = static_cast<double>(time.first_process_runs);
  const auto b = static_cast<double>(time.second_process_runs);
  return 2.0 * std::exp(std::lgamma(a + 1.0) + std::lgamma(b + 1.0) - std::lgamma(a + b + 1.0));
}

/// Whether even process runs without any overlap would not be beyond chance.
bool are_mute(const Family<TimeDifference>& family, double alpha) {
  return !family.empty() &&
         std::all_of(family.begin(), family.end(),
                     [&](const TimeDifference* time) { return least_p(*time) > alpha; });
}

void judge(Comparison& comparison) {
  const Families families = families_of(comparison);
  comparison.alpha = thresholds::family_alpha;
  adjust(families.rates, families.parts.rates);
  adjust(families.together, families.parts.together);
  adjust(families.cells, families.parts.cells);
  for (RateDifference& rate : comparison.rates) {
    rate.changed = rate.adjusted_p <= comparison.alpha;
  }
  for (TimeDifference& time : comparison.times) {
    time.changed =
        time.adjusted_p <= comparison.alpha && log_size(time.ratio) > std::log(time.noise_floor);
  }
  comparison.detectable_rate =
      typical_detectable(comparison.rates, alpha_each(families.rates, families.parts.rates));
  comparison.together_are_mute =
      are_mute(families.together, alpha_each(families.together, families.parts.together));
  comparison.cells_are_mute =
      are_mute(families.cells, alpha_each(families.cells, families.parts.cells));
  put_changed_first(comparison.rates);
  put_changed_first(comparison.times);
}

template <class Difference>
std::uint64_t count_changed(const std::vector<Difference>& differences) {
  return static_cast<std::uint64_t>(
      std::count_if(differences.begin(), differences.end(),
                    [](const Difference& difference) { return difference.changed; }));
}

}  // namespace

FailOn parse_fail_on(const std::string& text) {
  FailOn limits;
  const std::string_view all = text;
  for (std::size_t start = 0; start <= all.size();) {
    const std::size_t end = std::min(all.find(',', start), all.size());
    read_item(text, all.substr(start, end - start), limits);
    start = end + 1;
  }
  return limits;
}

std::uint64_t Comparison::changed_rates() const { return count_changed(rates); }

std::uint64_t Comparison::changed_times() const { return count_changed(times); }

Comparison compare_pairs(const Pairing& pairing) {
  Comparison comparison;
  for (const FilePair& files : pairing.files) {
    RateFindings rates = rate_findings(files);
    TimeFindings times = time_findings(files);
    std::move(rates.tested.begin(), rates.tested.end(), std::back_inserter(comparison.rates));
    std::move(times.tested.begin(), times.tested.end(), std::back_inserter(comparison.times));
    times.tested.clear();
    comparison.files.push_back({.files = &files,
                                .equal_counts = rates.equal_counts,
                                .untested = rates.untested,
                                .other_counts = std::move(rates.other_counts),
                                .times = std::move(times)});
  }
  judge(comparison);
  return comparison;
}

bool fails(const RateDifference& difference, const FailOn& limits) {
  return limits.rate && difference.changed && difference.possible_size() >= *limits.rate;
}

bool fails(const TimeDifference& difference, const FailOn& limits) {
  return limits.time && difference.changed && difference.ratio - 1.0 >= *limits.time;
}

bool fails(const Comparison& comparison, const FailOn& limits) {
  const auto any = [&](const auto& differences) {
    return std::any_of(differences.begin(), differences.end(),
                       [&](const auto& difference) { return fails(difference, limits); });
  };
  return any(comparison.rates) || any(comparison.times);
}

}  // namespace bloomlab::analysis::compare
