// The textbook's printed table of rates beside the closed form and the measurement.
#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// One printed rate and what there is to hold against it.
struct PrintedRate {
  std::uint64_t m_over_n = 0;
  std::uint64_t k = 0;
  std::string printed;
  double closed = unknown;
  bool equal = false;                     ///< the closed form rounds to the printed digits
  const Measurement* measured = nullptr;  ///< null where the grid lacks this cell
  statistics::Interval interval = {};     ///< simultaneous over all measured entries
  [[nodiscard]] bool inside() const { return interval.contains(measured->prediction->rate); }
};

/// One row of the printed table.
struct PrintedRow {
  std::uint64_t m_over_n = 0;
  std::string printed_k;  ///< the printed k* = m/n ln 2
  std::vector<PrintedRate> rates;
  [[nodiscard]] double k_star() const { return std::numbers::ln2 * static_cast<double>(m_over_n); }
  [[nodiscard]] bool k_equal() const {
    return fixed(k_star(), printed_decimals(printed_k)) == printed_k;
  }
};

PrintedRate compared(const Experiment& experiment, std::uint64_t m_over_n, std::uint64_t k,
                     const std::string& printed) {
  PrintedRate rate{.m_over_n = m_over_n, .k = k, .printed = printed};
  rate.closed = closed_form(m_over_n, k);
  rate.equal = fixed(rate.closed, printed_decimals(printed)) == printed;
  rate.measured = find_standard(experiment, static_cast<double>(m_over_n), k);
  return rate;
}

std::vector<PrintedRow> compared_rows(const Experiment& experiment) {
  const Json source = printed_source("textbook_slides");
  std::vector<PrintedRow> rows;
  for (const Json& line : source.at("rows")) {
    const auto m_over_n = line.at("m_over_n").get<std::uint64_t>();
    PrintedRow row{.m_over_n = m_over_n,
                   .printed_k = source.at("k_star").at(std::to_string(m_over_n)),
                   .rates = {}};
    for (const Json& printed : line.at("rates")) {
      row.rates.push_back(
          compared(experiment, m_over_n, row.rates.size() + 1, printed.get<std::string>()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

template <class Predicate>
std::size_t count_rates(const std::vector<PrintedRow>& rows, Predicate&& predicate) {
  std::size_t count = 0;
  for (const PrintedRow& row : rows) {
    count += static_cast<std::size_t>(std::count_if(row.rates.begin(), row.rates.end(), predicate));
  }
  return count;
}

void add_simultaneous_intervals(std::vector<PrintedRow>& rows) {
  const std::size_t count =
      count_rates(rows, [](const PrintedRate& rate) { return rate.measured != nullptr; });
  if (count == 0) return;
  const double level =
      statistics::bonferroni_level(statistics::thresholds::simultaneous_level, count);
  for (PrintedRow& row : rows) {
    for (PrintedRate& rate : row.rates) {
      if (rate.measured != nullptr) rate.interval = ensemble_rate(*rate.measured, level).interval;
    }
  }
}

std::string measured_text(const PrintedRate& rate) {
  if (rate.measured == nullptr) return "–";
  return with_interval(rate.measured->estimate->rate.value, rate.interval.low, rate.interval.high);
}

Entry slide_entry(const PrintedRate& rate) {
  const bool deviates = !rate.equal || (rate.measured != nullptr && !rate.inside());
  const std::string first = deviates ? "**" + rate.printed + " ≠**" : rate.printed;
  return {first + "<br>" + significant(rate.closed, 5) + "<br>" + measured_text(rate),
          rate.printed};
}

Entry k_star_entry(const PrintedRow& row) {
  const std::string ours = significant(row.k_star(), 5);
  return {(row.k_equal() ? row.printed_k : "**" + row.printed_k + " ≠**") + "<br>" + ours,
          row.printed_k};
}

/// The layout of the slide. Every entry: printed, closed form, measured.
Table slide_table(const std::vector<PrintedRow>& rows, const Words& words) {
  std::size_t widest = 0;
  for (const PrintedRow& row : rows) widest = std::max(widest, row.rates.size());
  Table table{.name = "textbook_printed",
              .caption = words("table.textbook_printed.caption"),
              .columns = {{"m_over_n", "m/n"}, {"k_star", "k*"}},
              .rows = {}};
  for (std::size_t k = 1; k <= widest; ++k) {
    table.columns.push_back({"k_" + std::to_string(k), "k = " + std::to_string(k)});
  }
  for (const PrintedRow& row : rows) {
    auto& entries = table.rows.emplace_back();
    entries.push_back(count_entry(row.m_over_n));
    entries.push_back(k_star_entry(row));
    for (const PrintedRate& rate : row.rates) entries.push_back(slide_entry(rate));
    entries.resize(widest + 2, Entry{"", std::monostate{}});
  }
  return table;
}

std::vector<Entry> long_row(const PrintedRate& rate, const Words& words) {
  const auto verdict = [&](bool good, const char* yes, const char* no) {
    Entry entry = word_entry(words(good ? yes : no));
    entry.marked = !good;
    return entry;
  };
  std::vector<Entry> row = {count_entry(rate.m_over_n), count_entry(rate.k),
                            word_entry(rate.printed), number_entry(rate.closed, 6),
                            verdict(rate.equal, "verdict.equal", "verdict.differs")};
  if (rate.measured == nullptr) {
    row.insert(row.end(), 5, no_entry());
    return row;
  }
  row.push_back(number_entry(rate.measured->prediction->rate, 6));
  row.push_back({measured_text(rate), rate.measured->estimate->rate.value});
  row.push_back(number_entry(rate.interval.low, 6));
  row.push_back(number_entry(rate.interval.high, 6));
  row.push_back(verdict(rate.inside(), "verdict.inside", "verdict.outside"));
  return row;
}

Table long_table(const std::vector<PrintedRow>& rows, const Words& words) {
  Table table{.name = "textbook_entries",
              .caption = words("table.textbook_entries.caption"),
              .columns = {{"m_over_n", "m/n"},
                          {"k", "k"},
                          {"printed", words("column.printed")},
                          {"closed_form", words("column.closed_form")},
                          {"printed_digits", words("column.printed_digits")},
                          {"exact", words("column.exact")},
                          {"rate", words("column.rate")},
                          {"rate_low", "rate_low", "", Shown::csv_only},
                          {"rate_high", "rate_high", "", Shown::csv_only},
                          {"simultaneous", words("column.simultaneous")}},
              .rows = {}};
  for (const PrintedRow& row : rows) {
    for (const PrintedRate& rate : row.rates) table.rows.push_back(long_row(rate, words));
  }
  table.fold_label = words("table.textbook_entries.fold");
  return table;
}

std::string slips(const std::vector<PrintedRow>& rows, const Words& words) {
  std::vector<std::string> texts;
  for (const PrintedRow& row : rows) {
    if (row.k_equal()) continue;
    texts.push_back(words("textbook.slip", {{"m_over_n", std::to_string(row.m_over_n)},
                                            {"printed", row.printed_k},
                                            {"ours", significant(row.k_star(), 5)}}));
  }
  return joined(texts);
}

/// The printed rates as rings, one series for each k, before what was measured inside them.
std::vector<plot::Series> printed_series(const std::vector<PrintedRow>& rows, const Words& words) {
  std::map<std::uint64_t, plot::Series> by_k;
  for (const PrintedRow& row : rows) {
    for (const PrintedRate& rate : row.rates) {
      plot::Series& series = by_k[rate.k];
      series.name = words("column.printed");
      series.role = plot::Role::reference;
      series.group = "k = " + std::to_string(rate.k);
      const double value = std::stod(rate.printed);
      series.points.push_back(
          {.x = static_cast<double>(rate.m_over_n), .y = value, .low = value, .high = value});
    }
  }
  std::vector<plot::Series> all;
  for (auto& [k, series] : by_k) all.push_back(std::move(series));
  return all;
}

/// The whole measured table, and the part of it that is printed.
std::vector<plot::Figure> textbook_figures(const Experiment& experiment,
                                           const std::vector<PrintedRow>& rows,
                                           const Words& words) {
  plot::Figure whole = rate_figure(experiment, words,
                                   {.name = experiment.stem + "_all",
                                    .title = words("figure.textbook.title"),
                                    .x_label = words("axis.bits_per_key"),
                                    .x = [](const Measurement& m) { return bits_per_key(m.cell); },
                                    .group =
                                        [](const Measurement& m) {
                                          return "k = " + value_text(value_at(m.cell, "/filter/k"));
                                        }});
  plot::Figure part = whole;
  part.name = experiment.stem;
  part.title = words("figure.textbook_printed.title");
  part.caption = words("figure.textbook_printed.caption", {{"caption", whole.caption}});
  std::vector<plot::Series> printed = printed_series(rows, words);
  const auto is_printed = [&](const plot::Series& series) {
    return std::any_of(printed.begin(), printed.end(),
                       [&](const plot::Series& one) { return one.group == series.group; });
  };
  const double longest = rows.empty() ? 0 : static_cast<double>(rows.back().m_over_n);
  const auto keep_printed = [&](std::vector<plot::Series>& all) {
    std::erase_if(all, [&](const plot::Series& series) { return !is_printed(series); });
    for (plot::Series& series : all) {
      std::erase_if(series.points, [&](const plot::Point& point) { return point.x > longest; });
    }
    std::erase_if(all, [](const plot::Series& series) { return series.points.empty(); });
  };
  keep_printed(part.series);
  part.series.insert(part.series.begin(), printed.begin(), printed.end());
  if (part.ratio) {
    keep_printed(part.ratio->series);
    if (part.ratio->series.empty()) part.ratio.reset();
  }
  return {std::move(part), std::move(whole)};
}

}  // namespace

Content textbook_exhibit(const Experiment& experiment, const Words& words) {
  std::vector<PrintedRow> rows = compared_rows(experiment);
  add_simultaneous_intervals(rows);
  const auto is_measured = [](const PrintedRate& rate) { return rate.measured != nullptr; };
  Content content;
  content.values = {
      {"printed_count", grouped(count_rates(rows, [](const PrintedRate&) { return true; }))},
      {"equal_count", grouped(count_rates(rows, [](const PrintedRate& r) { return r.equal; }))},
      {"measured_count", grouped(count_rates(rows, is_measured))},
      {"inside_count",
       grouped(count_rates(
           rows, [&](const PrintedRate& rate) { return is_measured(rate) && rate.inside(); }))},
      {"k_star_count", grouped(rows.size())},
      {"k_star_equal",
       grouped(static_cast<std::uint64_t>(std::count_if(
           rows.begin(), rows.end(), [](const PrintedRow& row) { return row.k_equal(); })))},
      {"k_star_slips", slips(rows, words)},
      {"simultaneous_level", percent(statistics::thresholds::simultaneous_level, 2)},
  };
  content.tables = {slide_table(rows, words), long_table(rows, words)};
  content.figures = textbook_figures(experiment, rows, words);
  return content;
}

}  // namespace bloomlab::analysis
