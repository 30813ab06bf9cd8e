#include "experiments/engine/run.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "experiments/cells/foreign_cell.hpp"
#include "experiments/engine/estimate.hpp"
#include "experiments/engine/finished.hpp"
#include "experiments/engine/journal.hpp"
#include "experiments/engine/shard_set.hpp"
#include "experiments/engine/unit.hpp"
#include "experiments/engine/work_queue.hpp"
#include "experiments/machine/machine.hpp"
#include "experiments/speed/environment.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "foreign/failure.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using record::shortest;
using CellList = std::vector<const Cell*>;

/// A config without what is only said of it.
record::Json without_texts(record::Json config) {
  for (const char* key : {"page", "title", "question"}) config.erase(key);
  return config;
}

unsigned jobs_of(const RunOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// One config on its way into one result file.
class Run {
 public:
  Run(const Config& config, const RunOptions& options)
      : config_(config),
        options_(options),
        jobs_(jobs_of(options)),
        identity_(identity_of(config)),
        cells_(cells_of_file(config, options.shard)),
        selected_(selected_cells(config, cells_, options.only)),
        finished_(config.experiment->steps()),
        by_process_runs_(options.process_run && config.by_process_runs()) {
    outcome_.path = result_of(config, options);
    journal_path_ = journal_of(config, options);
    outcome_.cells = selected_.size();
    if (options.only) {
      for (const Cell* cell : selected_) selected_texts_.insert(cell->text());
    }
    if (by_process_runs_) tuning_ = machine_tuning(options.calibration, identity_.machine);
  }

  RunOutcome operator()() {
    if (options_.pages_only) return bring_page();
    if (!replaces_all()) read_existing();
    if (options_.force) {
      for (const Cell* cell : selected_) finished_.forget(*cell);
    }
    count_kept();
    if (file_fits_ && all_there(selected_)) {
      renew_pages();
      remove_superfluous_journal();
      name_failures();
      return done(RunOutcome::Status::up_to_date);
    }
    if (is_whole() && !options_.force && merge_shards()) {
      if (may_fail()) {
        static_cast<void>(record::read_result_file(
            outcome_.path, [this](const auto& cell) { name_failures(cell); }));
      }
      return done(RunOutcome::Status::merged);
    }
    Journal journal(journal_path_, identity_, journal_contents(),
                    [this](auto unit) { take_over(std::move(unit)); });
    if (cells_.empty()) {
      outcome_.notices.push_back("this shard holds no cell, as the config has " +
                                 std::to_string(config_.cells.size()));
    }
    if (const auto notice = journal.notice()) outcome_.notices.push_back(*notice);
    count_kept();
    measure_missing(journal);
    const bool complete = all_there(cells_);
    const bool no_fault_of_the_system = outcome_.lacking.empty();
    name_failures();
    // Shards are put together by the places of their cells: one that lacks some is not written.
    if (!options_.shard || complete) {
      write(complete);
    } else {
      outcome_.notices.push_back(outcome_.path.string() + ": not written, as cells lack results; " +
                                 journal_path_.string() + " keeps what is measured");
    }
    if ((!keep_journal_ && no_fault_of_the_system) || complete) journal.remove();
    if (is_whole() && complete) remove_superseded_shards();
    return done(RunOutcome::Status::measured);
  }

 private:
  [[nodiscard]] bool is_whole() const { return !options_.shard && !options_.only; }
  /// Nothing of a result file that is there already will be kept.
  [[nodiscard]] bool replaces_all() const { return options_.force && !options_.only; }

  [[nodiscard]] bool all_there(const CellList& cells) const {
    return std::ranges::all_of(cells,
                               [&](const Cell* cell) { return finished_.has_all(config_, *cell); });
  }

  /// Whether a cell may have a filter that fails: one from outside.
  [[nodiscard]] bool may_fail() const {
    return std::ranges::any_of(selected_, [](const Cell* cell) { return has_foreign_part(*cell); });
  }

  /// Names the cells whose filter failed.
  void name_failures() {
    if (!may_fail()) return;
    finished_.for_each_cell(config_, selected_, [this](const auto& cell) { name_failures(cell); });
  }
  void name_failures(const std::vector<record::Observation>& observations) {
    const record::Json* last = nullptr;
    std::optional<std::uint64_t> last_trial;
    for (const record::Observation& observation : observations) {
      const record::Json& measured = observation.measured;
      if (!measured.contains("status") || measured.contains("inserted")) continue;
      const bool is_new = last == nullptr || *last != observation.cell;
      if (is_new) {
        const record::Json reason = measured.value("reason", record::Json());
        outcome_.lacking.push_back({label_among(observation.cell, selected_), 0,
                                    reason.is_string() ? reason.get<std::string>() : ""});
      }
      if (is_new || last_trial != observation.trial) ++outcome_.lacking.back().trials;
      last = &observation.cell;
      last_trial = observation.trial;
    }
  }

  RunOutcome done(RunOutcome::Status status) {
    outcome_.status = status;
    return std::move(outcome_);
  }

  /// Takes over what the result file holds, if it was made for this config by this build and on
  /// this machine. What is no result may be anybody's, and is refused.
  void read_existing() {
    if (!fs::exists(outcome_.path)) return;
    std::string reason;
    bool complete = true;
    bool same_config = true;
    try {
      const record::ResultFile file = record::read_result_file(
          outcome_.path, [this](auto cell) { finished_.add(std::move(cell)); });
      same_config = record::without_page(file.config) == record::without_page(config_.json);
      const Identity identity = identity_of(file.provenance);
      // Only what says so plainly is not complete.
      complete = file.provenance.value("complete", record::Json(true)) != false;
      if (identity == identity_) {
        file_fits_ = true;
        has_this_page_ = file.config == config_.json && file.pages == config_.pages;
        return;
      }
      finished_.clear();
      reason = identity.config != identity_.config ? "for another config or other key files"
               : identity.build != identity_.build ? "by another build"
                                                   : "on another machine";
      reason = "was measured " + reason;
    } catch (const record::InputError& fault) {
      throw record::InputError(outcome_.path.string() + ": is no result that can be read (" +
                               fault.what() +
                               "); use another --out, or, if it is a damaged result, replace it by "
                               "--force" +
                               (options_.only ? " without --only" : ""));
    }
    if (!same_config) {
      throw record::InputError(
          outcome_.path.string() + ": holds the results of another config of " + "the name " +
          config_.stem() + "; use another --out, rename the config, or replace them by --force");
    }
    if (options_.only && complete) {
      throw record::RunError(outcome_.path.string() + ": " + reason +
                             "; --only would mix the two: run the whole config, or use another "
                             "--out");
    }
    outcome_.notices.push_back(outcome_.path.string() + ": " + reason + ": measured anew");
  }

  /// What `bloomlab report` says of the journal if this run is not finished.
  [[nodiscard]] JournalContents journal_contents() const {
    JournalContents contents{config_.path.string(), cells_.size() * config_.trials, {}};
    if (options_.shard) {
      contents.arguments = "--shard " + std::to_string(options_.shard->index) + "/" +
                           std::to_string(options_.shard->count);
    }
    return contents;
  }

  /// Page, title and question come into the result of any build and machine.
  RunOutcome bring_page() {
    if (!fs::exists(outcome_.path)) {
      throw record::InputError(outcome_.path.string() +
                               ": is not there; measure first, without --pages");
    }
    record::ResultFile file = record::read_result_file(outcome_.path);
    Config as_measured = config_;
    as_measured.json = file.config;
    const bool same = without_texts(file.config) == without_texts(config_.json) &&
                      identity_of(file.provenance).config == identity_of(as_measured).config;
    if (!same) {
      throw record::InputError(outcome_.path.string() +
                               ": holds the results of another config or of other key files; "
                               "measure first, without --pages");
    }
    has_this_page_ = file.config == config_.json && file.pages == config_.pages;
    renew_pages();
    return done(RunOutcome::Status::up_to_date);
  }

  /// A page that was edited comes into a result that is complete: nothing has to be measured.
  void renew_pages() {
    if (has_this_page_) return;
    record::ResultFile file = record::read_result_file(outcome_.path);
    file.config = config_.json;
    file.provenance["config_digest"] = identity_.config;
    file.pages = config_.pages;
    record::write_result_file(outcome_.path, file);
    outcome_.notices.push_back(outcome_.path.string() + ": has the page as it is now");
  }

  void count_kept() {
    outcome_.observations_kept = 0;
    for (const Cell* cell : selected_) {
      outcome_.observations_kept += finished_.observations_of(*cell);
    }
  }

  /// Beside a result that is complete there may be the journal of a run with --force that was ended
  /// before it was done, or of one that was ended after its result was written.
  void remove_superfluous_journal() {
    if (!is_whole() || !fs::exists(journal_path_)) return;
    try {
      Journal(journal_path_, identity_).remove();
      outcome_.notices.push_back(journal_path_.string() +
                                 ": removed, as the result is complete; --force measures anew");
    } catch (const record::RunError&) {
      // Another run is writing it, or it cannot be opened: it does no harm.
    }
  }

  bool merge_shards() {
    const auto merged = merge_shard_files(options_.out, config_.stem(), identity_);
    if (!merged && !shard_files(options_.out, config_.stem()).empty()) {
      outcome_.notices.push_back(outcome_.path.string() +
                                 ": the shards beside it are of another config or build: measured "
                                 "anew");
    }
    return merged.has_value();
  }

  void remove_superseded_shards() {
    for (const fs::path& file : shard_files(options_.out, config_.stem())) {
      std::error_code ignored;
      fs::remove(file, ignored);
      outcome_.notices.push_back(file.string() + ": removed, as the whole is measured");
    }
  }

  /// Takes over a unit that an interrupted run left; a journal that also holds cells which this run
  /// was not asked for is kept for a later one.
  void take_over(std::vector<record::Observation> recovered) {
    const auto is_selected = [&](const record::Observation& observation) {
      return !options_.only || selected_texts_.contains(observation.cell.dump());
    };
    keep_journal_ = keep_journal_ || !std::ranges::all_of(recovered, is_selected);
    if (options_.force) std::erase_if(recovered, is_selected);
    finished_.add(std::move(recovered));
  }

  [[nodiscard]] std::vector<Unit> missing_units() const {
    std::vector<Unit> units = units_of(config_, selected_);
    for (Unit& unit : units) {
      std::erase_if(unit.cells, [&](const Cell* cell) {
        return unit.trials == 1 ? finished_.has(*cell, unit.trial)
                                : finished_.has_all(config_, *cell);
      });
    }
    std::erase_if(units, [](const Unit& unit) { return unit.cells.empty(); });
    // The dearest first, so that no thread is left with one of them while the others have none.
    if (!config_.by_process_runs()) {
      std::ranges::stable_sort(units, std::ranges::greater(), &Unit::weight);
    }
    return units;
  }

  /// As many threads as asked for, fewer where the machine's memory does not hold as many cells.
  unsigned workers() {
    if (config_.by_process_runs()) return 1;
    std::uint64_t largest = 1;
    for (const Slice& slice : slices_of(config_, selected_)) {
      largest = std::max(largest, pass_memory(config_, slice).total());
    }
    const Machine machine = Machine::here(options_.max_memory_bytes);
    const std::uint64_t fit = std::max<std::uint64_t>(1, machine.memory_bytes / largest);
    if (fit >= jobs_) return jobs_;
    outcome_.notices.push_back(config_.path.string() + ": " + std::to_string(fit) + " of " +
                               std::to_string(jobs_) + " jobs: a pass over a cell takes " +
                               iec_bytes(largest) + ", and " + std::string(machine.bound_by) + " " +
                               iec_bytes(machine.memory_bytes));
    return static_cast<unsigned>(fit);
  }

  /// The runner, with this run's tuning in every request, and the time that is left.
  [[nodiscard]] ProcessRunner tuned_runner(std::optional<unsigned> seconds) const {
    if (!by_process_runs_) return options_.process_run;
    return [this, seconds](ProcessRunRequest request) {
      request.tuning = tuning_.tuning;
      request.limit_seconds = seconds.value_or(0);
      return options_.process_run(request);
    };
  }

  void measure_missing(Journal& journal) {
    const std::vector<Unit> units = missing_units();
    UnitsUnderWay under_way(config_, units, options_.progress, options_.timeout_seconds);
    std::mutex mutex;
    std::set<std::size_t> kept_from;  // by a fault of this system
    const auto measure_unit = [&](std::size_t i, const auto& measured) {
      if (under_way.is_given_up(i)) return;
      std::vector<record::Observation> observations;
      const ProcessRunner process_run = tuned_runner(under_way.seconds_left(i));
      const bool in_time = under_way.measure(i, [&](const KeyMeter& meter) {
        observations = measured([&](const Unit& unit) {
          return measure(config_, unit, options_.make_implementation, process_run, meter);
        });
      });
      if (!in_time) return;
      journal.append(observations);
      {
        const std::scoped_lock lock(mutex);
        finished_.add(std::move(observations));
      }
      under_way.finish(i);
    };
    for_each_in_parallel(units.size(), workers(), [&](std::size_t i) {
      try {
        measure_unit(i, [&](const auto& measure_it) { return measure_it(units[i]); });
      } catch (const foreign::SystemFault&) {
        const std::scoped_lock lock(mutex);
        kept_from.insert(i);
      }
    });
    for (const std::size_t i : kept_from) {
      measure_unit(i, [&](const auto& measure_it) { return again_alone(units[i], measure_it); });
    }
    outcome_.units_measured = units.size();
    refuse_given_up(under_way.given_up());
  }

  /// What others may have kept from starting is measured again alone, cell by cell.
  template <class Measure>
  std::vector<record::Observation> again_alone(const Unit& unit, const Measure& measure_it) {
    std::vector<record::Observation> observations;
    for (const Cell* cell : unit.cells) {
      try {
        std::ranges::move(measure_it({{cell}, unit.trial, unit.trials, unit.weight}),
                          std::back_inserter(observations));
      } catch (const foreign::SystemFault& fault) {
        add_lacking(*cell, unit.trials, fault.what());
      }
    }
    return observations;
  }

  void add_lacking(const Cell& cell, std::uint64_t trials, const std::string& fault) {
    const std::string label = label_among(cell.json(), selected_);
    auto place = std::ranges::find(outcome_.lacking, label, &LackingCell::label);
    if (place == outcome_.lacking.end()) {
      const std::string reason = fault +
                                 "; this is a fault of the system, not of the filter: run "
                                 "again to measure what lacks";
      place = outcome_.lacking.insert(place, {label, 0, reason, true});
    }
    place->trials += trials;
  }

  void refuse_given_up(const std::vector<std::string>& cells) const {
    if (cells.empty()) return;
    constexpr std::size_t most_named = 3;
    std::string named;
    for (std::size_t i = 0; i < std::min(cells.size(), most_named); ++i) {
      named += (i == 0 ? "" : ", ") + cells[i];
    }
    if (cells.size() > most_named) {
      named += " and " + std::to_string(cells.size() - most_named) + " more";
    }
    throw CellsTimedOut(config_.path.string() + ": " + std::to_string(cells.size()) + " of " +
                        std::to_string(selected_.size()) + " cells took longer than --timeout " +
                        shortest(*options_.timeout_seconds) + " [s]: " + named +
                        "; what the others gave is kept in " + journal_path_.string() +
                        ": run again with a longer --timeout, or without, to finish");
  }

  /// @param complete all trials of all cells are there
  void write(bool complete) {
    record::ResultFile file{
        config_.json, provenance_of(identity_, jobs_, options_.shard, complete), {}, config_.pages};
    if (const auto digests = foreign_digests(config_); !digests.empty()) {
      file.provenance["foreign"] = digests;
    }
    if (by_process_runs_) file.provenance["speed"] = speed_environment(tuning_);
    record::write_result_file(outcome_.path, file, [this](const record::UseRows& use) {
      finished_.for_each_cell(config_, cells_, use);
    });
  }

  const Config& config_;
  const RunOptions& options_;
  unsigned jobs_;
  Identity identity_;
  CellList cells_;
  CellList selected_;
  std::unordered_set<std::string> selected_texts_;  // of --only
  Finished finished_;
  bool by_process_runs_;
  MachineTuning tuning_;
  fs::path journal_path_;
  bool has_this_page_ = false;  // the result that is there
  bool file_fits_ = false;      // a result file of this config, build and machine is there
  bool keep_journal_ = false;   // it holds trials of cells that this run was not asked for
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run(const Config& config, const RunOptions& options) {
  check_options(config, options);
  return Run(config, options)();
}

std::string RunOutcome::message() const {
  const std::string where = path.string() + ": ";
  switch (status) {
    case Status::up_to_date:
      return where + "up to date";
    case Status::merged:
      return where + "merged from its shards";
    case Status::measured:
      break;
  }
  std::string text =
      where + "measured " + std::to_string(cells) + (cells == 1 ? " cell" : " cells");
  if (observations_kept != 0) {
    text += "; " + std::to_string(observations_kept) +
            (observations_kept == 1 ? " observation was there" : " observations were there");
  }
  if (!lacking.empty()) text += "; " + std::to_string(lacking.size()) + " of them lack results";
  return text;
}

}  // namespace bloomlab::experiments
