// The units of a run while they are measured: how far they are, and how long their cells have
// taken.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/engine/unit.hpp"

namespace bloomlab::experiments {

/// How far a run is. Only what this run has to measure counts: what an earlier one left is not in.
struct Progress {
  double done_weight = 0.0;   ///< estimated cost of what is done, of units under way too
  double total_weight = 0.0;  ///< of all units; the ratio is the share of the work that is done
  std::uint64_t units_done = 0;
  std::uint64_t units_total = 0;
  std::string cell;         ///< compact JSON of the first cell of the unit started or finished last
  std::uint64_t trial = 0;  ///< its trial
};

using ProgressCall = std::function<void(const Progress&)>;

/// Told by the threads that measure; tells `progress`, one call at a time. A unit that
/// makes its keys in batches tells how far it is within its trial, between the timed regions.
class UnitsUnderWay {
 public:
  /// @param progress, config and units must outlive this   @param timeout_seconds of a cell over
  /// all its trials; nothing: any time
  UnitsUnderWay(const Config& config, const std::vector<Unit>& units, const ProgressCall& progress,
                std::optional<double> timeout_seconds);

  /// Whether the unit's cells have taken too long already: it is not to be measured.
  [[nodiscard]] bool is_given_up(std::size_t unit);
  /// Whole seconds that the unit's cells have left, at least 1; nothing without a limit.
  [[nodiscard]] std::optional<unsigned> seconds_left(std::size_t unit);

  /// Calls `work(meter)` for the unit. @return false where its cells took longer than they may,
  /// whatever `work` has brought about or thrown then; what it throws otherwise is thrown on.
  bool measure(std::size_t unit, const std::function<void(const KeyMeter&)>& work);
  /// The unit's observations are kept.
  void finish(std::size_t unit);

  /// Compact JSON of the cells that took too long, in the order of the units.
  [[nodiscard]] std::vector<std::string> given_up() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Cells that are measured together, over all their trials.
  struct Group {
    std::atomic<std::int64_t> spent_ns = 0;
    std::atomic<bool> given_up = false;
  };

  Group& group_of(std::size_t unit) { return *groups_[unit]; }
  [[nodiscard]] bool is_over(const Group& group, std::int64_t more_ns) const;
  void tell(std::size_t unit, double share);

  const Config& config_;
  const std::vector<Unit>& units_;
  const ProgressCall& progress_call_;
  std::optional<double> timeout_seconds_;
  std::map<std::string_view, Group> by_text_;
  std::vector<Group*> groups_;  // of each unit
  std::vector<double> shares_;  // of each unit's work that is done
  std::mutex mutex_;
  Progress progress_;
};

}  // namespace bloomlab::experiments
