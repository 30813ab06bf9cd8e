#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "analysis/claims/printed_table.hpp"
#include "core/theory/standard.hpp"
#include "record/grid.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

using Real = long double;

constexpr Real exact_error = 2e-13L;  // of exact_fpr, relative
constexpr double e_folding = 0.6931471805599453;

/// (1 - (1 - 1/m)^(kn))^k.
Real classic_rate(const PrintedRow& row) {
  if (row.m == 1) return 1.0L;
  const auto k = static_cast<Real>(row.k);
  const Real log_empty = std::log1p(-1.0L / static_cast<Real>(row.m));
  return std::pow(-std::expm1(k * static_cast<Real>(row.n) * log_empty), k);
}

/// What stands before the decimal point when the last printed digit stands right of it.
Real in_units(Real rate, const PrintedDigits& printed) {
  return rate * std::pow(10.0L, static_cast<Real>(-printed.exponent));
}

/// @param error relative, of `rate`
Match match(const PrintedDigits& printed, Real rate, Real error) {
  const Real units = in_units(rate, printed);
  const auto digits = static_cast<Real>(printed.digits);
  const Real slack = units * error + 1e-9L;
  if (std::abs(units - digits) <= 0.5L + slack) {
    return slack > 0.25L ? Match::unknown : Match::rounded;
  }
  if (digits <= units + slack && units < digits + 1.0L) return Match::truncated;
  return Match::none;
}

/// Of forms in long double: their powers multiply the rounding of what they are taken of.
Real error_for(std::uint64_t k) { return static_cast<Real>(k + 16) * LDBL_EPSILON; }

bool is_rounded(const PrintedRow& row, Real rate) {
  return match(row.printed, rate, error_for(row.k)) == Match::rounded;
}

/// The digits of the rate at the last printed one, rounded.
std::uint64_t rounded_digits(Real rate, const PrintedDigits& printed) {
  return static_cast<std::uint64_t>(std::floor(in_units(rate, printed) + 0.5L));
}

/// Whether a change of places of two neighbouring digits makes one number of the other.
bool is_transposed(std::uint64_t one, std::uint64_t other) {
  std::string a = std::to_string(one);
  std::string b = std::to_string(other);
  const std::size_t length = std::max(a.size(), b.size());
  a.insert(0, length - a.size(), '0');
  b.insert(0, length - b.size(), '0');
  const auto [left, right] = std::ranges::mismatch(a, b);
  if (a.end() - left < 2 || left[0] == left[1]) return false;
  std::iter_swap(left, left + 1);
  return a == b;
}

/// Rounding explains a digit only where it leaves the number its order: not 1 for 0.7.
constexpr Real least_units = 0.95L;

/// The power of ten between the printed number and the right one, where their digits are equal;
/// 0 where they are not.
int power_between(const PrintedRow& row, Real rate) {
  const auto order = [](Real value) { return static_cast<int>(std::floor(std::log10(value))); };
  const Real printed =
      in_units(1.0L, {0, -row.printed.exponent}) * static_cast<Real>(row.printed.digits);
  const int near = order(printed) - order(rate);
  for (const int power : {near, near + 1, near - 1}) {
    const PrintedDigits moved{row.printed.digits, row.printed.exponent - power};
    if (power == 0 || in_units(rate, moved) < least_units) continue;
    if (match(moved, rate, error_for(row.k)) == Match::rounded) return power;
  }
  return 0;
}

/// A form that stands in the place of the right one.
struct Slip {
  std::string_view words;
  Real (*rate)(Real x, Real k);  ///< of x bits per key
};

constexpr std::array<Slip, 5> slips = {
    {{"1 - e^(-kn/m), the power k left out", [](Real x, Real k) { return -std::expm1(-k / x); }},
     {"2^(-kn/m) in the place of e^(-kn/m)",
      [](Real x, Real k) { return std::pow(1.0L - std::exp2(-k / x), k); }},
     {"10^(-kn/m) in the place of e^(-kn/m)",
      [](Real x, Real k) { return std::pow(1.0L - std::pow(10.0L, -k / x), k); }},
     {"(1/2)^k, as if half of the bits were set", [](Real, Real k) { return std::exp2(-k); }},
     {"(1/2)^(m/n ln 2), the FPR at the best real k",
      [](Real x, Real) { return std::exp2(-x * static_cast<Real>(e_folding)); }}}};

/// The whole k with the lowest rate at x bits per key.
std::uint64_t best_probes(double x) {
  const double real_k = std::clamp(x * e_folding, 1.0, 1e6);
  const auto below = static_cast<std::uint64_t>(real_k);
  const auto rate = [&](std::uint64_t k) { return closed_rate(x, static_cast<Real>(k)); };
  return rate(below) <= rate(below + 1) ? below : below + 1;
}

/// The table's own ratios next to that of a row.
std::vector<double> neighbours(const std::set<double>& ratios, double ratio) {
  std::vector<double> both;
  const auto at = ratios.find(ratio);
  if (at != ratios.begin()) both.push_back(*std::prev(at));
  if (std::next(at) != ratios.end()) both.push_back(*std::next(at));
  return both;
}

/// Slips of the parameters: k or m/n of another row, and m/n in the place of k.
void add_parameter_slips(const PrintedRow& row, const std::set<double>& ratios,
                         std::vector<std::string>& notes) {
  const auto k = static_cast<Real>(row.k);
  const std::uint64_t best = best_probes(row.m_over_n);
  std::vector<std::uint64_t> other_probes = {row.k - 1, row.k + 1};
  if (best + 1 < row.k || best > row.k + 1) other_probes.push_back(best);
  for (const std::uint64_t other : other_probes) {
    if (other == 0 || !is_rounded(row, closed_rate(row.m_over_n, static_cast<Real>(other)))) {
      continue;
    }
    notes.push_back("the FPR of k = " + std::to_string(other) +
                    (other == best ? ", the best whole k" : ""));
  }
  for (const double ratio : neighbours(ratios, row.m_over_n)) {
    if (is_rounded(row, closed_rate(ratio, k))) {
      notes.push_back("the FPR of m/n = " + parameter_text(ratio) +
                      ", the neighbour in this table");
    }
  }
  if (row.m_over_n != static_cast<double>(row.k) && is_rounded(row, closed_rate(k, row.m_over_n))) {
    notes.emplace_back("m/n and k exchanged");
  }
  // A bare 1 is the rate of every full filter.
  const bool bare = row.printed.digits == 1;
  if (row.m != row.n && !bare && is_rounded(row, closed_rate(1.0L / row.m_over_n, k))) {
    notes.emplace_back("n and m exchanged");
  }
}

/// Slips of the digits themselves.
void add_digit_slips(const PrintedRow& row, Real rate, std::vector<std::string>& notes) {
  const std::uint64_t right = rounded_digits(rate, row.printed);
  if (right > 0 && right + 1 == row.printed.digits) {
    notes.emplace_back("rounded up where the next digit is below 5");
  }
  if (is_transposed(right, row.printed.digits)) notes.emplace_back("two digits transposed");
  if (const int power = power_between(row, rate)) {
    notes.push_back(
        "the right digits times 10^" + std::to_string(power) +
        (std::abs(power) == 2 ? ", as by a percent sign or two zeros lost or added" : ""));
  }
}

/// Every slip that reproduces the printed digits.
std::vector<std::string> explanations(const PrintedRow& row, const std::set<double>& ratios) {
  std::vector<std::string> notes;
  const auto k = static_cast<Real>(row.k);
  add_parameter_slips(row, ratios, notes);
  for (const Slip& slip : slips) {
    if (is_rounded(row, slip.rate(row.m_over_n, k))) notes.emplace_back(slip.words);
  }
  add_digit_slips(row, closed_rate(row.m_over_n, k), notes);
  if (row.printed.digits < 10) {
    for (std::string& note : notes) note += " (one digit: this may be chance)";
  }
  return notes;
}

void judge_row(const PrintedTable& table, JudgedRow& judged) {
  const PrintedRow& row = judged.row;
  const Real closed = closed_rate(row.m_over_n, static_cast<Real>(row.k));
  judged.closed_form = static_cast<double>(closed);
  judged.exact = theory::exact_fpr(row.m, row.n, row.k);
  judged.closed_match = match(row.printed, closed, error_for(row.k));
  judged.exact_match = match(row.printed, judged.exact, exact_error);
  if (judged.closed_match == Match::rounded) {
    judged.verdict = RowVerdict::right;
  } else if (table.states_n && judged.exact_match == Match::rounded) {
    judged.verdict = RowVerdict::right;
    judged.notes = {"of the exact FPR, not of the closed form"};
  } else if (table.states_n && is_rounded(row, classic_rate(row))) {
    judged.verdict = RowVerdict::right;
    judged.notes = {"of (1 - (1 - 1/m)^(kn))^k, not of the closed form"};
  } else if (judged.closed_match == Match::truncated) {
    judged.verdict = RowVerdict::truncated;
  } else if (table.states_n && judged.exact_match == Match::truncated) {
    judged.verdict = RowVerdict::truncated;
    judged.notes = {"of the exact FPR, not of the closed form"};
  }
}

/// For each wrong row the line of another one whose right digits it has, and which has its.
std::map<std::size_t, std::size_t> exchanged_rows(const std::vector<JudgedRow>& rows) {
  std::map<std::size_t, std::size_t> lines;
  std::vector<const JudgedRow*> wrong;
  for (const JudgedRow& row : rows) {
    if (row.verdict == RowVerdict::wrong) wrong.push_back(&row);
  }
  for (const JudgedRow* one : wrong) {
    for (const JudgedRow* other : wrong) {
      if (one != other && is_rounded(one->row, other->closed_form) &&
          is_rounded(other->row, one->closed_form)) {
        lines.emplace(one->row.line, other->row.line);
      }
    }
  }
  return lines;
}

void explain_rows(std::vector<JudgedRow>& rows) {
  std::set<double> ratios;
  for (const JudgedRow& judged : rows) ratios.insert(judged.row.m_over_n);
  const auto exchanged = exchanged_rows(rows);
  for (JudgedRow& judged : rows) {
    if (judged.verdict != RowVerdict::wrong) continue;
    const auto other = exchanged.find(judged.row.line);
    judged.notes = other == exchanged.end()
                       ? explanations(judged.row, ratios)
                       : std::vector<std::string>{"exchanged with the number of line " +
                                                  std::to_string(other->second)};
    if (!judged.notes.empty()) judged.verdict = RowVerdict::misprint;
  }
}

/// What a run measured for the row; nothing where it has no such cell.
std::optional<MeasuredRate> measured_rate(const PrintedTable& table, const PrintedRow& row,
                                          const Experiment& results) {
  for (const Measurement& measurement : results.measurements) {
    const Json cell = measurement.cell();
    if (!measurement.estimate || !cell.contains("filter") || !cell.contains("n")) continue;
    const Json& filter = cell.at("filter");
    const auto n = cell.at("n").get<std::uint64_t>();
    const std::uint64_t m = table.states_n ? row.m : record::ceil_per_n(row.m_over_n, n);
    if (filter.value("kind", "") != "standard" || (table.states_n && n != row.n)) continue;
    if (filter.at("m") != m || filter.at("k") != row.k) continue;
    const statistics::Estimate& rate = measurement.estimate->rate;
    return MeasuredRate{rate.value, rate.interval.low, rate.interval.high, n};
  }
  return std::nullopt;
}

}  // namespace

long double closed_rate(long double x, long double k) { return std::pow(-std::expm1(-k / x), k); }

double value_of(const PrintedDigits& printed) {
  return static_cast<double>(in_units(1.0L, {0, -printed.exponent}) *
                             static_cast<Real>(printed.digits));
}

std::vector<JudgedRow> judge_table(const PrintedTable& table, const Experiment* results) {
  std::vector<JudgedRow> rows;
  for (const PrintedRow& row : table.rows) {
    rows.push_back({.row = row});
    judge_row(table, rows.back());
    if (results != nullptr) rows.back().measured = measured_rate(table, row, *results);
  }
  explain_rows(rows);
  return rows;
}

std::string_view name_of(RowVerdict verdict) {
  constexpr std::array<std::string_view, 4> names = {"RIGHT", "TRUNCATED", "MISPRINT", "WRONG"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace bloomlab::analysis::claims
