#include "analysis/claims/printed_table.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/grid.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

using Real = long double;

constexpr std::array<std::string_view, 6> table_columns = {"m_over_n", "n",       "m",
                                                           "k",        "printed", "label"};
constexpr std::string_view allowed_columns =
    "write m_over_n,k,printed or n,m,k,printed in the first line that is no comment";
constexpr double largest_ratio = 1e6;
constexpr std::uint64_t most_digits = 1'000'000'000'000'000;  // 15 digits
constexpr int least_power = -300;
constexpr Real exact_error = 2e-13L;  // of exact_fpr, relative
constexpr double e_folding = 0.6931471805599453;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The fields of a line: separated by commas, in double quotes where they hold commas.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    line = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string field;
    if (line.starts_with('"')) {
      std::size_t at = 1;
      for (; at < line.size() && (line[at] != '"' || line.substr(at, 2) == "\"\""); ++at) {
        field += line[at];
        if (line[at] == '"') ++at;
      }
      if (at >= line.size()) {
        throw record::InputError("found a quote that is not closed; write \" on both sides");
      }
      line.remove_prefix(at + 1);
      if (!trimmed(line.substr(0, line.find(','))).empty()) {
        throw record::InputError("found text behind a closing quote; end the field there");
      }
    } else {
      field = trimmed(line.substr(0, line.find(',')));
    }
    fields.push_back(std::move(field));
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::string found(const std::string& text) {
  return "found \"" + record::made_visible(text) + "\"; ";
}

/// Where the columns stand in a line.
using Columns = std::map<std::string_view, std::size_t>;

Columns columns_of(std::string_view line) {
  Columns columns;
  const std::vector<std::string> names = fields_of(line);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto known = std::ranges::find(table_columns, names[i]);
    if (known == table_columns.end()) {
      throw record::InputError("unknown column \"" + names[i] + "\"; " +
                               record::suggestion(names[i], table_columns) + "; " +
                               std::string(allowed_columns));
    }
    if (!columns.emplace(*known, i).second) {
      throw record::InputError("the column \"" + names[i] + "\" stands twice; keep one");
    }
  }
  const bool has_ratios = columns.contains("m_over_n");
  if (has_ratios && columns.contains("m")) {
    throw record::InputError("the columns m_over_n and m say the same; keep one of them");
  }
  using Names = std::span<const std::string_view>;
  constexpr std::array<std::string_view, 3> by_ratio = {"m_over_n", "k", "printed"};
  constexpr std::array<std::string_view, 4> by_size = {"n", "m", "k", "printed"};
  for (const std::string_view name : has_ratios ? Names(by_ratio) : Names(by_size)) {
    if (columns.contains(name)) continue;
    throw record::InputError("the column \"" + std::string(name) + "\" is missing; " +
                             std::string(allowed_columns));
  }
  return columns;
}

double read_ratio(const std::string& text) {
  const auto number = planner::read_decimal(text);
  const double ratio = number && number->rest.empty() ? number->value() : 0.0;
  if (ratio > 0.0 && ratio <= largest_ratio) return ratio;
  throw record::InputError("m_over_n: " + found(text) +
                           "a number above 0 and at most 10^6 is allowed, such as 8 or 9.6");
}

PrintedDigits read_printed(const std::string& text) {
  const auto refuse = [&](const char* allowed) {
    throw record::InputError("printed: " + found(text) + allowed);
  };
  const auto number = planner::read_decimal(text);
  const bool percent = number && trimmed(number->rest) == "%";
  if (!number || number->digits == 0 || (!number->rest.empty() && !percent)) {
    refuse("a rate above 0 is allowed, such as 0.0216, 2.16e-2 or 2.16%");
  }
  if (number->digits >= most_digits) refuse("at most 15 digits are judged; leave out the last");
  const PrintedDigits printed{number->digits, number->exponent - (percent ? 2 : 0)};
  if (printed.exponent < least_power) refuse("the last digit may stand for 1e-300 or more");
  if (static_cast<double>(printed.digits) * std::pow(10.0, printed.exponent) > 1.0 + DBL_EPSILON) {
    refuse("a rate is at most 1; write a percentage with its sign, such as 2.16%");
  }
  return printed;
}

PrintedRow read_row(const Columns& columns, std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() != columns.size()) {
    throw record::InputError(
        "found " + std::to_string(fields.size()) + " fields; the header has " +
        std::to_string(columns.size()) +
        ", separated by commas; write a decimal point, and quotes around a comma");
  }
  const auto field = [&](std::string_view name) { return fields[columns.at(name)]; };
  PrintedRow row;
  if (columns.contains("label")) row.label = field("label");
  row.text = field("printed");
  row.printed = read_printed(row.text);
  row.k = planner::parse_count("k", field("k"), "probes", theory::max_exact_probes);
  if (columns.contains("n")) row.n = planner::parse_count("n", field("n"), "keys");
  if (columns.contains("m")) {
    row.m = planner::parse_count("m", field("m"), "bits");
    row.m_over_n = static_cast<double>(row.m) / static_cast<double>(row.n);
  } else {
    row.m_over_n = read_ratio(field("m_over_n"));
    row.m = record::ceil_per_n(row.m_over_n, row.n);
    if (row.m > planner::largest_quantity) {
      throw record::InputError("m_over_n: " + found(field("m_over_n")) +
                               "m may be at most 2^63 bits; give a smaller n");
    }
  }
  return row;
}

/// Throws for a line that is no text.
void require_text(std::string_view line) {
  if (line.size() > longest_table_line) {
    throw record::InputError("found a line of " + std::to_string(line.size()) + " bytes; at most " +
                             std::to_string(longest_table_line) +
                             " are allowed; write one row a line");
  }
  if (const auto hidden = record::first_hidden(line)) {
    throw record::InputError("found " + *hidden +
                             "; plain text in UTF-8 is allowed; save the table as CSV");
  }
}

/// (1 - e^(-k/x))^k of x bits per key.
Real closed_rate(Real x, Real k) { return std::pow(-std::expm1(-k / x), k); }

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

/// The power of ten between the printed number and the right one, where their digits are equal;
/// 0 where they are not.
int power_between(const PrintedRow& row, Real rate) {
  const auto order = [](Real value) { return static_cast<int>(std::floor(std::log10(value))); };
  const Real printed =
      in_units(1.0L, {0, -row.printed.exponent}) * static_cast<Real>(row.printed.digits);
  const int near = order(printed) - order(rate);
  for (const int power : {near, near + 1, near - 1}) {
    const PrintedDigits moved{row.printed.digits, row.printed.exponent - power};
    if (power != 0 && match(moved, rate, error_for(row.k)) == Match::rounded) return power;
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

std::string ratio_text(double ratio) { return parameter_text(ratio); }

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
      notes.push_back("the FPR of m/n = " + ratio_text(ratio) + ", the neighbour in this table");
    }
  }
  if (row.m_over_n != static_cast<double>(row.k) && is_rounded(row, closed_rate(k, row.m_over_n))) {
    notes.emplace_back("m/n and k exchanged");
  }
  if (row.m != row.n && is_rounded(row, closed_rate(1.0L / row.m_over_n, k))) {
    notes.emplace_back("n and m exchanged");
  }
}

/// Slips of the digits themselves.
void add_digit_slips(const PrintedRow& row, Real rate, std::vector<std::string>& notes) {
  const std::uint64_t right = rounded_digits(rate, row.printed);
  if (right + 1 == row.printed.digits) {
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
  for (const Measurement& cell : results.measurements) {
    if (!cell.estimate || !cell.cell.contains("filter") || !cell.cell.contains("n")) continue;
    const Json& filter = cell.cell.at("filter");
    const auto n = cell.cell.at("n").get<std::uint64_t>();
    const std::uint64_t m = table.states_n ? row.m : record::ceil_per_n(row.m_over_n, n);
    if (filter.value("kind", "") != "standard" || (table.states_n && n != row.n)) continue;
    if (filter.at("m") != m || filter.at("k") != row.k) continue;
    const statistics::Estimate& rate = cell.estimate->rate;
    return MeasuredRate{rate.value, rate.interval.low, rate.interval.high, n};
  }
  return std::nullopt;
}

std::string notes_text(const JudgedRow& judged) {
  if (judged.verdict == RowVerdict::wrong) return "no explanation known";
  std::string text;
  for (const std::string& note : judged.notes)
    text.append(text.empty() ? "" : "; or ").append(note);
  return text;
}

/// The number with two digits more than are printed, and whether these are its digits.
std::string compared(const PrintedRow& row, double rate, Match match) {
  constexpr std::array<std::string_view, 4> signs = {" ≠", " cut", " =", " ?"};
  const int digits = static_cast<int>(std::to_string(row.printed.digits).size()) + 2;
  return significant(rate, digits).append(signs[static_cast<std::size_t>(match)]);
}

/// Empty where no row was measured. Rows of m/n alone may be measured at any n, here all at one.
std::string measured_heading(const PrintedTable& table, const std::vector<JudgedRow>& rows) {
  for (const JudgedRow& row : rows) {
    if (!row.measured) continue;
    const std::string n = table.states_n ? "" : ", n = " + planner::spaced(row.measured->n);
    return "measured" + n + " [95 %]";
  }
  return "";
}

std::map<RowVerdict, std::size_t> counts_of(const std::vector<JudgedRow>& rows) {
  std::map<RowVerdict, std::size_t> counts;
  for (const JudgedRow& row : rows) ++counts[row.verdict];
  return counts;
}

double printed_value(const PrintedRow& row) {
  return static_cast<double>(in_units(1.0L, {0, -row.printed.exponent}) *
                             static_cast<Real>(row.printed.digits));
}

/// The rows of one k and n, by m/n.
using Curve = std::vector<const JudgedRow*>;

std::vector<Curve> curves_of(const std::vector<JudgedRow>& rows) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Curve> by_parameters;
  for (const JudgedRow& row : rows) by_parameters[{row.row.k, row.row.n}].push_back(&row);
  std::vector<Curve> curves;
  for (auto& [parameters, curve] : by_parameters) {
    std::ranges::stable_sort(curve, {}, [](const JudgedRow* row) { return row->row.m_over_n; });
    curves.push_back(std::move(curve));
  }
  return curves;
}

/// Closed form and exact rate from the first to the last row; beside it where there is one alone.
void add_lines(const Curve& curve, const std::string& group, plot::Figure& figure) {
  constexpr int steps = 64;
  constexpr double beside = 1.1;
  plot::Series closed{"closed form", plot::Kind::line, plot::Role::theory, {}, group};
  plot::Series exact{"exact (dashed)", plot::Kind::line, plot::Role::reference, {}, group};
  plot::Series ratio = exact;
  const PrintedRow& first = curve.front()->row;
  const double span = curve.back()->row.m_over_n / first.m_over_n;
  const double start = first.m_over_n / (span > 1 ? 1 : beside);
  const double whole = span > 1 ? span : beside * beside;
  for (int i = 0; i <= steps; ++i) {
    const double wanted = start * std::pow(whole, static_cast<double>(i) / steps);
    const auto m = std::max(1.0, std::round(wanted * static_cast<double>(first.n)));
    const double x = m / static_cast<double>(first.n);
    if (!closed.points.empty() && x <= closed.points.back().x) continue;
    const auto rate = static_cast<double>(closed_rate(x, static_cast<Real>(first.k)));
    const double exact_rate = theory::exact_fpr(static_cast<std::uint64_t>(m), first.n, first.k);
    closed.points.push_back({x, rate});
    exact.points.push_back({x, exact_rate});
    ratio.points.push_back({x, exact_rate / rate});
  }
  figure.series.push_back(std::move(closed));
  figure.series.push_back(std::move(exact));
  figure.ratio->series.push_back(std::move(ratio));
}

/// Printed and measured numbers; those that are off are labelled, `labels` of them at most.
void add_points(const Curve& curve, const std::string& group, std::size_t& labels,
                plot::Figure& figure) {
  plot::Series printed{"printed", plot::Kind::points, plot::Role::measured, {}, group, true};
  plot::Series measured{"measured", plot::Kind::points, plot::Role::measured, {}, group};
  plot::Series printed_ratio = printed;
  plot::Series measured_ratio = measured;
  for (const JudgedRow* one : curve) {
    const double x = one->row.m_over_n;
    const double value = printed_value(one->row);
    const double of = one->closed_form;
    const bool off = one->verdict > RowVerdict::truncated && labels > 0;
    labels -= off ? 1 : 0;
    printed.points.push_back({x, value, value, value, off ? one->row.text : ""});
    printed_ratio.points.push_back({x, value / of});
    if (const auto& rate = one->measured) {
      measured.points.push_back({x, rate->rate, rate->low, rate->high});
      measured_ratio.points.push_back({x, rate->rate / of, rate->low / of, rate->high / of});
    }
  }
  figure.series.push_back(std::move(printed));
  figure.ratio->series.push_back(std::move(printed_ratio));
  if (measured.points.empty()) return;
  figure.series.push_back(std::move(measured));
  figure.ratio->series.push_back(std::move(measured_ratio));
}

}  // namespace

ReadTable read_printed_table(std::string_view text, const std::string& file) {
  ReadTable read{{.file = file}, {}};
  std::optional<Columns> columns;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    try {
      require_text(line);
      const std::string_view content = trimmed(line);
      if (content.starts_with('#')) {
        if (read.table.source.empty()) read.table.source = trimmed(content.substr(1));
      } else if (!content.empty() && !columns) {
        columns = columns_of(content);
        read.table.has_ratios = columns->contains("m_over_n");
        read.table.states_n = columns->contains("n");
      } else if (!content.empty()) {
        if (read.table.rows.size() == largest_printed_table) {
          throw record::InputError("more than " + std::to_string(largest_printed_table) +
                                   " rows; split the table");
        }
        read.table.rows.push_back(read_row(*columns, content));
        read.table.rows.back().line = number;
      }
    } catch (const record::InputError& fault) {
      read.faults.push_back(file + ":" + std::to_string(number) + ": " + fault.what());
      // Without columns no row can be read, and with too many none needs to be.
      if (!columns || read.table.rows.size() == largest_printed_table) return read;
    }
  }
  if (!columns) {
    read.faults.push_back(file + ": holds no table; " + std::string(allowed_columns));
  } else if (read.table.rows.empty() && read.faults.empty()) {
    read.faults.push_back(file + ": holds a header alone; write a row a line below it");
  }
  return read;
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

std::vector<std::vector<std::string>> table_rows(const PrintedTable& table,
                                                 const std::vector<JudgedRow>& rows) {
  const std::string measured = measured_heading(table, rows);
  const bool labels =
      std::ranges::any_of(rows, [](const auto& row) { return !row.row.label.empty(); });
  std::vector<std::vector<std::string>> texts = {{"line"}};
  auto& heading = texts.front();
  if (labels) heading.emplace_back("label");
  if (table.states_n) heading.emplace_back("n");
  heading.emplace_back(table.has_ratios ? "m/n" : "m");
  heading.insert(heading.end(),
                 {"k", "printed", "closed form", table.states_n ? "exact" : "exact, n = 10 000"});
  if (!measured.empty()) heading.push_back(measured);
  heading.insert(heading.end(), {"verdict", ""});
  for (const JudgedRow& judged : rows) {
    const PrintedRow& row = judged.row;
    auto& line = texts.emplace_back();
    line.push_back(std::to_string(row.line));
    if (labels) line.push_back(row.label);
    if (table.states_n) line.push_back(planner::spaced(row.n));
    line.push_back(table.has_ratios ? ratio_text(row.m_over_n) : planner::spaced(row.m));
    line.insert(line.end(), {std::to_string(row.k), row.text,
                             compared(row, judged.closed_form, judged.closed_match),
                             compared(row, judged.exact, judged.exact_match)});
    if (!measured.empty()) {
      const auto& rate = judged.measured;
      line.push_back(rate ? with_interval(rate->rate, rate->low, rate->high) : "–");
    }
    line.insert(line.end(), {std::string(name_of(judged.verdict)), notes_text(judged)});
  }
  return texts;
}

std::string table_counts(const std::vector<JudgedRow>& rows) {
  auto counts = counts_of(rows);
  std::string text = std::to_string(rows.size()) + (rows.size() == 1 ? " row: " : " rows: ");
  text += std::to_string(counts[RowVerdict::right]) + " right to the last digit, ";
  text += std::to_string(counts[RowVerdict::truncated]) + " truncated, ";
  text += std::to_string(counts[RowVerdict::misprint]) + " misprinted with an explanation, ";
  return text + std::to_string(counts[RowVerdict::wrong]) + " wrong without one";
}

Json table_json(const PrintedTable& table, const std::vector<JudgedRow>& rows) {
  constexpr std::array<const char*, 4> matches = {"none", "truncated", "rounded", "unknown"};
  Json list = Json::array();
  for (const JudgedRow& judged : rows) {
    const PrintedRow& row = judged.row;
    Json one = {{"line", row.line},
                {"label", row.label},
                {"m_over_n", row.m_over_n},
                {"n", row.n},
                {"m", row.m},
                {"k", row.k},
                {"printed", row.text},
                {"closed_form", judged.closed_form},
                {"closed_form_digits", matches[static_cast<std::size_t>(judged.closed_match)]},
                {"exact", judged.exact},
                {"exact_digits", matches[static_cast<std::size_t>(judged.exact_match)]},
                {"verdict", name_of(judged.verdict)},
                {"notes", judged.notes}};
    if (const auto& rate = judged.measured) {
      one["measured"] = {
          {"rate", rate->rate}, {"low", rate->low}, {"high", rate->high}, {"n", rate->n}};
    }
    list.push_back(std::move(one));
  }
  auto counts = counts_of(rows);
  Json numbers;
  for (const auto verdict :
       {RowVerdict::right, RowVerdict::truncated, RowVerdict::misprint, RowVerdict::wrong}) {
    numbers[std::string(name_of(verdict))] = counts[verdict];
  }
  return {{"table", table.file},
          {"source", table.source},
          {"n_stated", table.states_n},
          {"rows", list},
          {"counts", numbers}};
}

Json table_config(const PrintedTable& table) {
  std::set<std::uint64_t> keys;
  std::map<double, std::set<std::uint64_t>> by_ratio;
  std::map<std::uint64_t, std::set<std::uint64_t>> by_size;
  for (const PrintedRow& row : table.rows) {
    keys.insert(row.n);
    if (table.has_ratios) by_ratio[row.m_over_n].insert(row.k);
    if (!table.has_ratios) by_size[row.m].insert(row.k);
  }
  Json filters = Json::array();
  const auto add = [&](Json m, const std::set<std::uint64_t>& probes) {
    filters.push_back({{"kind", "standard"}, {"m", std::move(m)}, {"k", probes}});
  };
  for (const auto& [ratio, probes] : by_ratio) add({{"per_n", ratio}}, probes);
  for (const auto& [m, probes] : by_size) add(m, probes);
  const std::string source = table.source.empty() ? table.file : table.source;
  return {
      {"$schema", "bloomlab-config-1"},
      {"kind", "false_positive_rate"},
      {"title", "A printed table of false-positive rates"},
      {"question", "Do filters show the rates that are printed in: " + source + "?"},
      {"seed", 20261126},
      {"trials", 10},
      {"queries", 1'000'000},
      {"expected_flags", Json::array()},
      {"grid",
       {{"keys", {{"source", "uniform"}}},
        {"n", keys},
        {"filter", filters},
        {"hash",
         {{"name", "xxhash3_64"}, {"probe", "independent"}, {"reduction", "multiply_shift"}}}}}};
}

plot::Figure table_figure(const PrintedTable& table, const std::vector<JudgedRow>& rows,
                          std::string name) {
  constexpr std::size_t most_curves = 32;
  constexpr double log_from = 16;
  const std::vector<Curve> curves = curves_of(rows);
  if (curves.size() > most_curves) {
    throw record::InputError(table.file + ": has " + std::to_string(curves.size()) +
                             " pairs of k and n; at most " + std::to_string(most_curves) +
                             " curves are drawn; draw a part of the table");
  }
  const auto ratio = [](const JudgedRow& row) { return row.row.m_over_n; };
  const auto [least, greatest] = std::ranges::minmax(rows, {}, ratio);
  // A line far below the printed numbers is what shows that they are off.
  const double lowest = std::ranges::min(rows | std::views::transform([](const JudgedRow& row) {
                                           return std::min(row.closed_form, printed_value(row.row));
                                         }));
  plot::Figure figure{
      .name = std::move(name),
      .title = std::to_string(counts_of(rows)[RowVerdict::right]) + " of " +
               std::to_string(rows.size()) + " printed FPRs are right to the last digit",
      .caption = (table.source.empty() ? table.file : table.source) + "." +
                 (table.states_n ? "" : " Exact FPR: for n = 10 000 keys.") +
                 " Below: over the closed form; grey band: within 1 % of it.",
      .x = {.label = "bits per key m/n"},
      .y = {.label = "false-positive rate (FPR)", .scale = plot::Scale::log, .low = lowest / 2},
      .series = {}};
  if (ratio(greatest) >= log_from * ratio(least)) figure.x.scale = plot::Scale::log;
  figure.ratio = plot::RatioPanel{.label = "over closed form", .series = {}};
  std::set<std::uint64_t> keys;
  for (const JudgedRow& row : rows) keys.insert(row.row.n);
  std::size_t labels = 8;
  for (const Curve& curve : curves) {
    const PrintedRow& row = curve.front()->row;
    const std::string group =
        "k = " + std::to_string(row.k) + (keys.size() > 1 ? ", n = " + planner::spaced(row.n) : "");
    add_lines(curve, group, figure);
    add_points(curve, group, labels, figure);
  }
  return figure;
}

}  // namespace bloomlab::analysis::claims
