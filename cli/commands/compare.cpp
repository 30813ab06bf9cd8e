// bloomlab compare A B: what differs between two result folders beyond chance.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "analysis/compare/comparison.hpp"
#include "analysis/compare/verdicts.hpp"
#include "analysis/data/load.hpp"
#include "analysis/data/measurement.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/result_file.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::cli {
namespace {

/// What is printed: the comparison with what it was asked.
struct ComparisonAnswer {
  std::string first;   ///< folder
  std::string second;  ///< folder
  const analysis::compare::Pairing& pairing;
  const analysis::compare::Comparison& comparison;
  analysis::compare::FailOn limits;

  [[nodiscard]] bool failed() const { return analysis::compare::fails(comparison, limits); }
};

namespace comparing = analysis::compare;
using comparing::FileFindings;
using comparing::FilePair;
using comparing::RateDifference;
using comparing::TimeDifference;
using DifferenceRow = std::vector<std::string>;

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

/// A table, changed differences first, what was not compared, and a summary in the last lines.
std::string comparison_report(const ComparisonAnswer& answer) {
  return table_text(answer) + remarks_text(answer) + summary_text(answer);
}

using record::Json;
using record::object;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json interval_or_nulls(const statistics::Interval& interval) {
  return {finite_or_null(interval.low), finite_or_null(interval.high)};
}

Json rate_difference_json(const RateDifference& difference, const comparing::FailOn& limits) {
  Json json = object("file", difference.stem, "cell", difference.pair->cell);
  if (difference.pair->step) json["step"] = *difference.pair->step;
  json.update(
      object("first", object("hits", difference.first_hits, "queries", difference.first_queries),
             "second", object("hits", difference.second_hits, "queries", difference.second_queries),
             "ratio", finite_or_null(difference.change.ratio), "interval",
             interval_or_nulls(difference.change.interval), "method",
             statistics::name(difference.change.method), "p_value", difference.change.p_value,
             "adjusted_p", difference.adjusted_p, "changed", difference.changed, "fails",
             comparing::fails(difference, limits)));
  return json;
}

Json time_difference_json(const TimeDifference& difference, const comparing::FailOn& limits) {
  return object("file", difference.stem, "cell", difference.cell, "name", difference.name, "first",
                object("process_runs", difference.first_process_runs, "ns", difference.first_ns),
                "second",
                object("process_runs", difference.second_process_runs, "ns", difference.second_ns),
                "ratio", difference.ratio, "interval", interval_or_nulls(difference.interval),
                "explained_by_loop", difference.explained, "noise_floor", difference.noise_floor,
                "p_value", difference.p_value, "adjusted_p", difference.adjusted_p, "changed",
                difference.changed, "fails", comparing::fails(difference, limits));
}

Json cells_of_pairs(const std::vector<const analysis::compare::CellPair*>& pairs) {
  Json cells = Json::array();
  for (const auto* pair : pairs) {
    Json cell = pair->cell;
    if (pair->step) cell["step"] = *pair->step;
    cells.push_back(std::move(cell));
  }
  return cells;
}

Json file_json(const FileFindings& findings) {
  Json indicative = Json::object();
  for (const auto& [name, ratios] : findings.times.indicative) {
    indicative[name] = {{"cells", ratios.size()}, {"median_ratio", statistics::median(ratios)}};
  }
  const FilePair& files = *findings.files;
  return object("file", files.stem, "kind", files.kind, "same_config", files.same_config, "cells",
                files.cells.size(), "equal_counts", findings.equal_counts, "untested",
                findings.untested, "other_counts_differ", cells_of_pairs(findings.other_counts),
                "only_first", files.only_first, "only_second", files.only_second, "noise_floor",
                findings.times.noise_floor, "machine_ratio", findings.times.machine,
                "indicative_times", indicative);
}

Json comparison_json(const ComparisonAnswer& answer) {
  const auto& comparison = answer.comparison;
  Json limits = Json::object();
  if (answer.limits.rate) limits["rate"] = *answer.limits.rate;
  if (answer.limits.time) limits["time"] = *answer.limits.time;
  Json rates = Json::array();
  Json times = Json::array();
  Json files = Json::array();
  for (const auto& rate : comparison.rates) {
    rates.push_back(rate_difference_json(rate, answer.limits));
  }
  for (const auto& time : comparison.times) {
    times.push_back(time_difference_json(time, answer.limits));
  }
  for (const FileFindings& findings : comparison.files) files.push_back(file_json(findings));
  return object("first", answer.first, "second", answer.second, "alpha", comparison.alpha,
                "fail_on", limits, "failed", answer.failed(), "cells", answer.pairing.cells(),
                "changed_rates", comparison.changed_rates(), "changed_times",
                comparison.changed_times(), "detectable_rate",
                finite_or_null(comparison.detectable_rate), "cells_are_mute",
                comparison.cells_are_mute, "together_are_mute", comparison.together_are_mute,
                "only_first", answer.pairing.stems_only_first, "only_second",
                answer.pairing.stems_only_second, "rates", rates, "times", times, "files", files);
}

std::string deviations_text(const comparing::Deviations& deviations) {
  return std::to_string(deviations.both) + " in both draws, " +
         std::to_string(deviations.first_only) + " in the first alone, " +
         std::to_string(deviations.second_only) + " in the second alone";
}

std::string verdicts_text(const comparing::Verdicts& verdicts) {
  std::string changed;
  for (const comparing::ChangedClaim& claim : verdicts.changed) {
    changed.append("; ").append(claim.id).append(": ").append(claim.first);
    changed.append(", then ").append(claim.second);
  }
  const std::vector<DifferenceRow> rows = {
      {"claims", std::to_string(verdicts.claims_same) + " of " + std::to_string(verdicts.claims) +
                     " that rest on results judged alike" + changed},
      {"rates", std::to_string(verdicts.rates_off) + " of " + std::to_string(verdicts.rates) +
                    " differ beyond chance"},
      {"predicted deviations", deviations_text(verdicts.predicted)},
      {"possible deviations", deviations_text(verdicts.possible)},
      {"others", deviations_text(verdicts.unexpected) + "; by chance in at most " +
                     significant(verdicts.chance, 2) + " configs a draw"}};
  return "draw " + std::to_string(verdicts.seed) + ": " + counted(verdicts.configs, "config") +
         " in both, " + std::to_string(verdicts.tests) + " tests against theory\n" + aligned(rows);
}

struct CompareOptions {
  std::string first;
  std::string second;
  std::string fail_on;
  std::optional<std::uint64_t> draw;
  std::vector<std::string> claims;
  std::string write;
  bool json = false;
};

/// A folder that cannot be read is bad input, whatever is wrong with it: exit status 1 says that
/// results differ.
std::vector<analysis::ResultSet> load_for_comparison(const std::string& folder) {
  try {
    return analysis::load(folder);
  } catch (const record::RunError& error) {
    throw record::InputError(error.what());
  }
}

int compare_draws(const CompareOptions& options) {
  const std::vector<std::filesystem::path> places(options.claims.begin(), options.claims.end());
  const auto books = analysis::claims::read_books(places);
  const auto verdicts =
      comparing::hold_side_by_side(load_for_comparison(options.first),
                                   load_for_comparison(options.second), books, *options.draw);
  const Json json = comparing::verdicts_json(verdicts);
  if (!options.write.empty()) record::write_atomically(options.write, json.dump(2) + "\n");
  print_answer(options.json, json, verdicts_text(verdicts));
  return done;
}

int compare_folders(const CompareOptions& options, bool limited) {
  if (options.draw) return compare_draws(options);
  const auto limits =
      limited ? analysis::compare::parse_fail_on(options.fail_on) : analysis::compare::FailOn{};
  const auto first = load_for_comparison(options.first);
  const auto second = load_for_comparison(options.second);
  const auto pairing = analysis::compare::pair_up(first, second);
  if (pairing.cells() == 0) {
    throw record::InputError(options.first + " and " + options.second +
                             ": no cell of a file of one name is in both; name two folders with " +
                             "results of the same configs");
  }
  const auto comparison = analysis::compare::compare_pairs(pairing);
  const ComparisonAnswer answer{options.first, options.second, pairing, comparison, limits};
  print_answer(options.json, comparison_json(answer), comparison_report(answer));
  return answer.failed() ? failed : done;
}

}  // namespace

Action add_compare(CLI::App& parser) {
  auto options = std::make_shared<CompareOptions>();
  parser.add_option("first", options->first, "Folder of result files: what was")->required();
  parser.add_option("second", options->second, "Folder of result files: what is")->required();
  const auto* fail_on =
      parser.add_option("--fail-on", options->fail_on,
                        "rate:X,time:Y or one of them; X and Y are relative, such as 0.01 or 5%");
  auto* draw =
      parser
          .add_option("--replication", options->draw,
                      "Compare verdicts instead: SECOND is this draw of FIRST's configs, measured "
                      "by\n`bloomlab run --replicate`")
          ->check(fault_of_number)
          ->excludes("--fail-on");
  parser
      .add_option("--claims", options->claims, "Books of claims that both draws judge, or folders")
      ->needs(draw);
  parser
      .add_option(
          "--write", options->write,
          "Also write the verdicts' comparison as JSON into this file; RESULTS/replication/\n"
          "verdicts.json is said on the first page of RESULTS' report")
      ->needs(draw);
  parser.add_flag("--json", options->json, "Print every test as JSON");
  parser.footer(
      "Cells are matched by file, cell and step. A filter is the replicate of a rate, a process\n"
      "that of a duration. Holm's procedure keeps the chance of any false alarm at 0.01.\n"
      "Exit status 1 only with --fail-on:\n"
      "  rate:X  a rate changed beyond chance, up or down, and its 95 % interval does not exclude\n"
      "          a change by X\n"
      "  time:Y  a duration of at least 10 process runs a side rose beyond chance and beyond the "
      "noise\n"
      "          floor, by Y at least (Hodges and Lehmann's estimate); durations of trials within\n"
      "          one process are told and never fail\n"
      "docs/compare.md tells more.");
  return [options, fail_on] { return compare_folders(*options, fail_on->count() > 0); };
}

}  // namespace bloomlab::cli
