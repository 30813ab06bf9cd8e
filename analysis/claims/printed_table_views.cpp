#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "analysis/claims/printed_table.hpp"
#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

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
    const auto rate = static_cast<double>(closed_rate(x, static_cast<long double>(first.k)));
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
    const double value = value_of(one->row.printed);
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
    line.push_back(table.has_ratios ? parameter_text(row.m_over_n) : planner::spaced(row.m));
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
  double lowest = std::numeric_limits<double>::infinity();
  for (const JudgedRow& row : rows) {
    lowest = std::min({lowest, row.closed_form, value_of(row.row.printed)});
  }
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
