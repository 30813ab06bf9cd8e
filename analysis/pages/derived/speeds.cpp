#include <array>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/pages/database.hpp"
#include "analysis/pages/tables.hpp"

namespace bloomlab::analysis::pages {

namespace {

const char* name_of(statistics::Verdict verdict) {
  if (verdict == statistics::Verdict::undecided) return "undecided";
  return verdict == statistics::Verdict::accepted ? "accepted" : "rejected";
}

Value count_or_null(const std::optional<std::uint64_t>& count) {
  return count ? Value(signed_of(*count)) : Value(std::monostate{});
}

void set_rung(RowBuilder& rows, const Rung& rung) {
  const statistics::Equivalence& verdict = rung.verdict;
  const auto& rejection = verdict.at_rejection;
  const auto& equivalence = verdict.at_equivalence;
  rows.set_computed("form", rung.name);
  rows.set_number("form_fpr", rung.rate);
  rows.set_interval("ratio", verdict.ratio, rejection.low, rejection.high);
  rows.set_interval("ratio_90", verdict.ratio, equivalence.low, equivalence.high);
  rows.set_computed("verdict", name_of(verdict.verdict));
  rows.set_computed("distinguished", truth_of(verdict.significantly_different));
  rows.set_computed("further_queries", count_or_null(verdict.further_queries));
  rows.set_computed("filters_needed", count_or_null(verdict.filters_needed));
}

/// What can be timed, and what its columns begin with.
constexpr std::array<std::pair<const char*, const char*>, 10> timed = {{
    {"insert", "insert"},
    {"negative", "negative"},
    {"mixed", "mixed"},
    {"positive", "positive"},
    {"dry", "dry"},
    {"build", "build"},
    {"hash", "hash"},
    {"read", "read"},
    {"deduplicate", "deduplicate"},
    {"deduplicate_net", "net"},
}};

/// Value and interval; without an interval where one process run gave it.
void set_time(RowBuilder& rows, const std::string& column, const SpeedTime& time) {
  const bool alone = time.process_runs.size() < 2;
  rows.set_interval(column, time.value, alone ? unknown : time.interval.low,
                    alone ? unknown : time.interval.high);
}

SpeedTime ratio_to(const SpeedRow* base, const SpeedRow& row, const char* name) {
  return base == nullptr || base == &row ? SpeedTime{} : time_ratio(row, *base, name);
}

void set_times(RowBuilder& rows, const SpeedRun& run, const SpeedRow& row) {
  const SpeedRow* limit = counterpart(run, row, "limit");
  const SpeedRow* alone = one_thread_row(run, row);
  for (const auto& [name, column] : timed) {
    const std::string start = column;
    const auto found = row.times.find(name);
    set_time(rows, start + "_ns", found == row.times.end() ? SpeedTime{} : found->second);
    set_time(rows, start + "_to_limit", ratio_to(limit, row, name));
    set_time(rows, start + "_speedup",
             alone == nullptr ? SpeedTime{} : time_ratio(*alone, row, name));
  }
}

void set_rate(RowBuilder& rows, const std::optional<SpeedRate>& rate) {
  const SpeedRate none;
  const SpeedRate& shown = rate ? *rate : none;
  const auto count = [&](std::uint64_t number) {
    return rate ? Value(signed_of(number)) : Value(std::monostate{});
  };
  const auto truth = [&](bool yes) { return rate ? truth_of(yes) : Value(std::monostate{}); };
  rows.set_computed("false_positives", count(shown.hits));
  rows.set_computed("queries", count(shown.queries));
  rows.set_interval("fpr", shown.value, rate ? shown.interval.low : unknown,
                    rate ? shown.interval.high : unknown);
  rows.set_number("expected", shown.expected);
  rows.set_number("p", rate ? shown.p_value : unknown);
  rows.set_number("p_holm", rate ? shown.adjusted_p : unknown);
  rows.set_number("detectable", shown.detectable);
  rows.set_computed("wrong", truth(shown.disagrees()));
  rows.set_computed("sharp", truth(shown.is_sharp() || shown.expected == 0));
}

void set_structured_rate(RowBuilder& rows, const std::optional<SpeedRate>& rate) {
  rows.set_interval("structured_fpr", rate ? rate->value : unknown,
                    rate ? rate->interval.low : unknown, rate ? rate->interval.high : unknown);
  rows.set_computed("structured_wrong",
                    rate ? truth_of(rate->disagrees()) : Value(std::monostate{}));
}

/// Whether the implementation is called in batches, and lies on huge pages. Ours always; of others
/// the result says it: those of this program in what it says of speeds.
std::pair<bool, bool> conditions_of(const Experiment& experiment, const SpeedRow& row) {
  const bool own = row.law == row.implementation();
  for (const char* list : {"/peers", "/speed/peers"}) {
    for (const Json& peer : analysis::value_at(experiment.provenance, list)) {
      if (word_at(peer, "/implementation") != row.implementation()) continue;
      return {word_at(peer, "/batch") == "bulk", word_at(peer, "/pages") == "huge"};
    }
  }
  return {own, own};
}

void set_conditions(RowBuilder& rows, const Experiment& experiment, const SpeedRow& row) {
  const bool is_filter = !row.law.empty();
  const auto [batches, huge] = conditions_of(experiment, row);
  const auto truth = [&](bool yes) { return is_filter ? truth_of(yes) : Value(std::monostate{}); };
  rows.set_computed("runs", signed_of(row.process_runs));
  rows.set_computed("available", truth_of(row.available));
  rows.set_computed("is_filter", truth_of(is_filter));
  rows.set_computed("model_filter", is_filter ? Value(row.law) : Value(std::monostate{}));
  rows.set_computed("in_batches", truth(batches));
  rows.set_computed("on_huge_pages", truth(huge));
  rows.set_number("bytes_per_key", row.bytes_per_key);
  rows.set_number("huge_share", row.huge_share);
  rows.set_computed("noisy", signed_of(row.noise.marked));
  constexpr double ticks_per_second = 100.0;
  rows.set_number("stolen", static_cast<double>(row.noise.steal_ticks) / ticks_per_second);
}

/// Every column that any kind of speed has: one page serves several configs.
constexpr std::array<const char*, 13> parameters = {
    "implementation", "hash",    "n",        "bits_per_key", "key_length", "words",
    "regime",         "threads", "rotation", "lookahead",    "pages",      "repeated",
    "keys_per_call"};

/// The parameters of a cell, those that it lacks as null; a wanted FPR is not the measured one.
void set_parameters(RowBuilder& rows, std::int64_t number, Json cell) {
  Value target;
  if (cell.contains("fpr")) target = sql_value(cell["fpr"]);
  cell.erase("fpr");
  if (!cell.contains("threads")) cell["threads"] = 1;
  if (!cell.contains("implementation") && cell.contains("hash"))
    cell["implementation"] = cell["hash"];
  rows.set_cell(number, cell);
  for (const char* name : parameters) {
    if (!cell.contains(name)) rows.set(name, std::monostate{});
  }
  rows.set("target_fpr", std::move(target));
}

}  // namespace

std::span<const Derivation> derivations() {
  static constexpr std::array<Derivation, 3> all = {{
      {"speeds", [](const Experiment& e) { return is_speed_kind(e.kind); }, add_speeds},
      {"mutants", [](const Experiment& e) { return e.kind == "mutation_matrix"; }, add_mutants},
      {"rungs", [](const Experiment& e) { return !e.measurements.empty(); }, add_rungs},
  }};
  return all;
}

void add_rungs(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number;
  const auto further =
      rows.wants_values() ? statistics::Further::planned : statistics::Further::left_out;
  for (const Measurement& m : experiment.measurements) {
    const Json cell = m.cell();
    const std::int64_t place = number(cell);
    for (const Rung& rung : ladder_of(m, further)) {
      rows.begin_row();
      rows.set_cell(place, cell);
      rows.set_computed("step", m.step ? Value(signed_of(*m.step)) : Value(std::monostate{}));
      set_rung(rows, rung);
    }
  }
  rows.add_columns({"cell", "step", "form", "form_fpr", "ratio", "ratio_low", "ratio_high",
                    "ratio_90", "ratio_90_low", "ratio_90_high", "verdict", "distinguished",
                    "further_queries", "filters_needed"});
}

void add_speeds(const Experiment& experiment, RowBuilder& rows) {
  const SpeedRun run = speed_run(experiment.config, experiment.observations, experiment.file_name);
  std::int64_t number = 0;
  for (const SpeedRow& row : run.rows) {
    rows.begin_row();
    set_parameters(rows, ++number, row.cell);
    set_conditions(rows, experiment, row);
    set_times(rows, run, row);
    set_rate(rows, row.rate);
    set_structured_rate(rows, row.structured);
  }
}

}  // namespace bloomlab::analysis::pages
