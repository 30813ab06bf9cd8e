// The comparison of two result folders as text.

#include "cli/compare/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "analysis/data/axes.hpp"
#include "record/number_text.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::cli {
namespace {

namespace comparing = analysis::compare;
using comparing::FileFindings;
using comparing::FilePair;
using comparing::RateDifference;
using comparing::TimeDifference;
using DifferenceRow = std::array<std::string, 8>;

constexpr std::size_t most_unchanged = 10;
constexpr std::size_t most_named_cells = 3;

/// What tells the cells of each file apart, so that a row need not print whole cells.
class CellNames {
 public:
  explicit CellNames(const comparing::Pairing& pairing) {
    for (const FilePair& files : pairing.files) {
      std::vector<analysis::Measurement> cells;
      for (const auto& pair : files.cells) cells.push_back(cell_alone(pair.cell));
      axes_[files.stem] = analysis::distinguishing_axes(cells);
    }
  }

  [[nodiscard]] std::string operator()(const std::string& stem, const record::Json& cell,
                                       std::optional<std::uint64_t> step) const {
    if (cell.is_null()) return "all cells together";
    std::string name = analysis::label_of(cell, axes_.at(stem));
    if (step) name += (name.empty() ? "step " : ", step ") + std::to_string(*step);
    return name.empty() ? "the only cell" : name;
  }

 private:
  static analysis::Measurement cell_alone(const record::Json& cell) {
    analysis::Measurement measurement;
    measurement.cell = cell;
    return measurement;
  }

  std::map<std::string, std::vector<analysis::Axis>> axes_;
};

std::string change_text(double ratio, const statistics::Interval& interval) {
  if (std::isnan(ratio)) return "-";
  if (std::isinf(ratio)) return "from 0";
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) {
    return signed_percent(ratio - 1.0);
  }
  return signed_percent_with_interval(ratio - 1.0, interval.low - 1.0, interval.high - 1.0);
}

template <class Difference>
std::string verdict_text(const Difference& difference, const comparing::FailOn& limits) {
  if (comparing::fails(difference, limits)) return "FAILS";
  return difference.changed ? "changed" : "";
}

DifferenceRow row_of_rate(const RateDifference& difference, const CellNames& names,
                          const comparing::FailOn& limits) {
  const auto rate = [](std::uint64_t hits, std::uint64_t queries) {
    return significant(static_cast<double>(hits) / static_cast<double>(queries), 4);
  };
  return {verdict_text(difference, limits),
          "rate",
          difference.stem,
          names(difference.stem, difference.pair->cell, difference.pair->step),
          rate(difference.first_hits, difference.first_queries),
          rate(difference.second_hits, difference.second_queries),
          change_text(difference.change.ratio, difference.change.interval),
          p_value_text(difference.adjusted_p)};
}

DifferenceRow row_of_time(const TimeDifference& difference, const CellNames& names,
                          const comparing::FailOn& limits) {
  return {verdict_text(difference, limits),
          difference.name,
          difference.stem,
          names(difference.stem, difference.cell, std::nullopt),
          significant(difference.first_ns, 4) + " ns",
          significant(difference.second_ns, 4) + " ns",
          change_text(difference.ratio, difference.interval),
          p_value_text(difference.adjusted_p)};
}

/// Letters on a screen: bytes that do not continue one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string aligned(const std::vector<DifferenceRow>& rows) {
  std::array<std::size_t, std::tuple_size_v<DifferenceRow>> widths{};
  for (const DifferenceRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const DifferenceRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// All changed differences, failing ones first, and the first few others.
template <class Difference, class RowOf>
void add_rows(const std::vector<Difference>& differences, const comparing::FailOn& limits,
              RowOf&& row_of, std::vector<DifferenceRow>& rows) {
  std::vector<const Difference*> order;
  for (const Difference& difference : differences) order.push_back(&difference);
  std::stable_partition(order.begin(), order.end(), [&](const Difference* difference) {
    return comparing::fails(*difference, limits);
  });
  std::size_t unchanged = 0;
  for (const Difference* difference : order) {
    if (!difference->changed && ++unchanged > most_unchanged) break;
    rows.push_back(row_of(*difference));
  }
}

std::string table_text(const ComparisonAnswer& answer) {
  const auto& comparison = answer.comparison;
  if (comparison.rates.empty() && comparison.times.empty()) return "";
  const CellNames names(answer.pairing);
  std::vector<DifferenceRow> rows = {
      {"", "what", "file", "cell", "first", "second", "change [95 %]", "p (Holm)"}};
  add_rows(
      comparison.rates, answer.limits,
      [&](const RateDifference& rate) { return row_of_rate(rate, names, answer.limits); }, rows);
  add_rows(
      comparison.times, answer.limits,
      [&](const TimeDifference& time) { return row_of_time(time, names, answer.limits); }, rows);
  std::string text = aligned(rows);
  const std::size_t hidden = comparison.rates.size() + comparison.times.size() - (rows.size() - 1);
  if (hidden > 0) {
    text += "... and " + std::to_string(hidden) + " differences more within chance or noise; " +
            "--json prints them all\n";
  }
  return text + "\n";
}

std::string named_cells(const std::vector<record::Json>& cells) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cells.size(), most_named_cells); ++i) {
    text.append("  ").append(cells[i].dump()).append("\n");
  }
  if (cells.size() > most_named_cells) text += "  ...\n";
  return text;
}

std::string cells_only_in(const std::string& folder, const std::string& stem,
                          const std::vector<record::Json>& cells) {
  if (cells.empty()) return "";
  return "only in " + folder + ": " + std::to_string(cells.size()) +
         (cells.size() == 1 ? " cell of " : " cells of ") + stem + "\n" + named_cells(cells);
}

std::string stems_only_in(const std::string& folder, const std::vector<std::string>& stems) {
  if (stems.empty()) return "";
  std::string text = "only in " + folder + ":";
  for (const std::string& stem : stems) text.append(" ").append(stem);
  return text + "\n";
}

std::string counts_text(const FileFindings& findings) {
  std::vector<record::Json> cells;
  for (const auto* pair : findings.other_counts) cells.push_back(pair->cell);
  if (cells.empty()) return "";
  return findings.files->stem + ": other counts differ though seeds are equal, in " +
         std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") +
         "; `bloomlab verify` names what\n" + named_cells(cells);
}

/// Durations that were not judged, over all files that have one reason: one line, so that a hundred
/// files do not bury what changed.
std::string indicative_text(const comparing::Comparison& comparison, bool within_one_process) {
  std::map<std::string, std::vector<double>> ratios;
  std::size_t files = 0;
  for (const FileFindings& findings : comparison.files) {
    const comparing::TimeFindings& times = findings.times;
    if (times.indicative.empty() || times.within_one_process != within_one_process) continue;
    ++files;
    for (const auto& [name, of_cells] : times.indicative) {
      ratios[name].insert(ratios[name].end(), of_cells.begin(), of_cells.end());
    }
  }
  if (files == 0) return "";
  std::string text = "durations of " + std::to_string(files);
  text += files == 1 ? " file" : " files";
  text += " not judged (";
  text += within_one_process ? "of trials within one process"
                             : "of fewer process runs than " +
                                   parameter_text(statistics::thresholds::comparison_process_runs);
  text += "), median change:";
  for (const auto& [name, of_cells] : ratios) {
    text.append(" ").append(name).append(" ");
    text += signed_percent(statistics::median(of_cells) - 1.0);
  }
  return text + "; --json tells them by file\n";
}

std::string noise_text(const FileFindings& findings) {
  const comparing::TimeFindings& times = findings.times;
  if (times.noise_floor <= 1.0 && times.machine <= 1.0) return "";
  return findings.files->stem + ": noise floor " + signed_percent(times.noise_floor - 1.0) +
         " (quantile " + parameter_text(statistics::thresholds::noise_quantile) +
         " of medians of half the process runs), the machine's own loops differ by " +
         percent(times.machine - 1.0, 2) + "\n";
}

std::string remarks_text(const ComparisonAnswer& answer) {
  std::string text = stems_only_in(answer.first, answer.pairing.stems_only_first) +
                     stems_only_in(answer.second, answer.pairing.stems_only_second);
  for (const FileFindings& findings : answer.comparison.files) {
    const FilePair& files = *findings.files;
    text += cells_only_in(answer.first, files.stem, files.only_first);
    text += cells_only_in(answer.second, files.stem, files.only_second);
    if (!files.same_config) text += files.stem + ": the configs differ\n";
    text += counts_text(findings) + noise_text(findings);
  }
  text += indicative_text(answer.comparison, false) + indicative_text(answer.comparison, true);
  const std::string mute =
      ": too few process runs for so many tests: none could be beyond chance\n";
  if (answer.comparison.cells_are_mute) text += "durations of single cells" + mute;
  if (answer.comparison.together_are_mute) text += "durations of all cells together" + mute;
  return text;
}

std::string summary_text(const ComparisonAnswer& answer) {
  const auto& comparison = answer.comparison;
  std::uint64_t equal = 0;
  std::uint64_t untested = 0;
  for (const FileFindings& findings : comparison.files) {
    equal += findings.equal_counts;
    untested += findings.untested;
  }
  std::string text =
      std::to_string(answer.pairing.cells()) + " cells in both: " + std::to_string(equal) +
      " with equal counts (no test), " + std::to_string(untested) + " without a test; " +
      std::to_string(comparison.changed_rates()) + " of " +
      std::to_string(comparison.rates.size()) + " rates and " +
      std::to_string(comparison.changed_times()) + " of " +
      std::to_string(comparison.times.size()) + " durations changed beyond chance (alpha " +
      parameter_text(comparison.alpha) + " for all together)";
  if (!comparison.rates.empty()) {
    text += "; the typical rate test notices a change of " + percent(comparison.detectable_rate, 2);
  }
  return text + (answer.failed() ? "\nFAILED: see the rows that say so\n" : "\n");
}

}  // namespace

std::string comparison_report(const ComparisonAnswer& answer) {
  return table_text(answer) + remarks_text(answer) + summary_text(answer);
}

}  // namespace bloomlab::cli
