// The course slides' table of rates at n:m from 1:1 to 1:64, digit for digit.
#include <algorithm>
#include <utility>

#include "analysis/data/with_statistics.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// One printed line and what there is to hold against it.
struct PrintedRatio {
  std::uint64_t m_over_n = 0;
  std::uint64_t k = 0;
  std::string printed;
  double closed = unknown;
  std::uint64_t best_k = 1;
  double best = unknown;
  const Measurement* measured = nullptr;
  statistics::Interval interval;  ///< simultaneous

  [[nodiscard]] std::string at_printed_digits() const {
    return fixed(closed, printed_decimals(printed));
  }
  [[nodiscard]] bool equal() const { return at_printed_digits() == printed; }
  [[nodiscard]] std::string ratio() const { return "1:" + std::to_string(m_over_n); }
};

std::vector<PrintedRatio> compared_ratios(const Experiment& experiment) {
  std::vector<PrintedRatio> ratios;
  const Json source = printed_source("course_slides_ratios");
  for (const Json& line : source.at("rows")) {
    PrintedRatio ratio{.m_over_n = line.at("m_over_n"),
                       .k = line.at("k"),
                       .printed = line.at("rate"),
                       .interval = {}};
    ratio.closed = closed_form(ratio.m_over_n, ratio.k);
    ratio.best = closed_form(ratio.m_over_n, 1);
    for (std::uint64_t k = 2; k <= ratio.m_over_n; ++k) {
      const double rate = closed_form(ratio.m_over_n, k);
      if (rate < ratio.best) std::tie(ratio.best_k, ratio.best) = std::pair(k, rate);
    }
    ratio.measured = find_standard(experiment, static_cast<double>(ratio.m_over_n), ratio.k);
    ratios.push_back(std::move(ratio));
  }
  const auto measured = static_cast<std::size_t>(
      std::count_if(ratios.begin(), ratios.end(),
                    [](const PrintedRatio& ratio) { return ratio.measured != nullptr; }));
  if (measured == 0) return ratios;
  const double level =
      statistics::bonferroni_level(statistics::thresholds::simultaneous_level, measured);
  for (PrintedRatio& ratio : ratios) {
    if (ratio.measured != nullptr) ratio.interval = ensemble_rate(*ratio.measured, level).interval;
  }
  return ratios;
}

std::vector<Entry> ratio_row(const PrintedRatio& ratio, const Words& words) {
  Entry verdict = word_entry(words(ratio.equal() ? "verdict.equal" : "verdict.differs"));
  verdict.marked = !ratio.equal();
  std::vector<Entry> row = {
      word_entry(ratio.ratio()),     count_entry(ratio.k),
      word_entry(ratio.printed),     {ratio.at_printed_digits(), ratio.closed},
      number_entry(ratio.closed, 5), std::move(verdict)};
  if (ratio.measured == nullptr) {
    row.insert(row.end(), 3, no_entry());
  } else {
    const double rate = ratio.measured->estimate->rate.value;
    row.push_back(interval_entry(rate, ratio.interval.low, ratio.interval.high));
    row.push_back(number_entry(ratio.interval.low));
    row.push_back(number_entry(ratio.interval.high));
  }
  row.push_back(count_entry(ratio.best_k));
  row.push_back(number_entry(ratio.best, 6));
  return row;
}

Table ratio_table(const std::vector<PrintedRatio>& ratios, const Words& words) {
  Table table{
      .name = "ratios",
      .caption = words("table.ratios.caption"),
      .columns = {{"n_to_m", "n:m"},
                  {"k", "k"},
                  {"printed", words("column.printed")},
                  {"closed_form", words("column.at_printed_digits")},
                  {"closed_form_full", words("column.closed_form"), "", Shown::markdown_only},
                  {"printed_digits", words("column.printed_digits")},
                  {"rate", words("column.rate_simultaneous")},
                  {"rate_low", "rate_low", "", Shown::csv_only},
                  {"rate_high", "rate_high", "", Shown::csv_only},
                  {"best_k", words("column.best_integer_k")},
                  {"best_rate", words("column.best_rate")}},
      .rows = {}};
  for (const PrintedRatio& ratio : ratios) table.rows.push_back(ratio_row(ratio, words));
  return table;
}

std::string wrong_lines(const std::vector<PrintedRatio>& ratios, const Words& words) {
  std::vector<std::string> texts;
  for (const PrintedRatio& ratio : ratios) {
    if (ratio.equal()) continue;
    const double factor = std::stod(ratio.printed) / ratio.closed;
    texts.push_back(words("ratio.wrong", {{"ratio", ratio.ratio()},
                                          {"printed", ratio.printed},
                                          {"ours", significant(ratio.closed, 5)},
                                          {"factor", significant(factor, 2)}}));
  }
  return joined(texts);
}

}  // namespace

Content ratio_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<PrintedRatio> ratios = compared_ratios(experiment);
  const auto equal = static_cast<std::uint64_t>(std::count_if(
      ratios.begin(), ratios.end(), [](const PrintedRatio& ratio) { return ratio.equal(); }));
  Content content;
  content.values = {{"printed_count", grouped(ratios.size())},
                    {"equal_count", grouped(equal)},
                    {"wrong_lines", wrong_lines(ratios, words)},
                    {"simultaneous_level", percent(statistics::thresholds::simultaneous_level, 2)}};
  content.tables = {ratio_table(ratios, words)};
  return content;
}

}  // namespace bloomlab::analysis
