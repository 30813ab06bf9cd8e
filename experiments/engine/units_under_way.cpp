#include "experiments/engine/units_under_way.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using std::chrono::nanoseconds;

/// Thrown between batches of keys; ends the unit, not the run.
class TookTooLong : public record::RunError {
 public:
  TookTooLong() : record::RunError("a cell took longer than --timeout") {}
};

constexpr std::chrono::milliseconds telling_interval{100};

}  // namespace

UnitsUnderWay::UnitsUnderWay(const Config& config, const std::vector<Unit>& units,
                             const ProgressCall& progress, std::optional<double> timeout_seconds)
    : config_(config),
      units_(units),
      progress_call_(progress),
      timeout_seconds_(timeout_seconds),
      shares_(units.size(), 0.0) {
  for (const Unit& unit : units) {
    groups_.push_back(&by_text_[group_text(config, *unit.cells.front())]);
    progress_.total_weight += unit.weight;
  }
  progress_.units_total = units.size();
}

bool UnitsUnderWay::is_over(const Group& group, std::int64_t more_ns) const {
  if (!timeout_seconds_) return false;
  return static_cast<double>(group.spent_ns + more_ns) * 1e-9 > *timeout_seconds_;
}

bool UnitsUnderWay::is_given_up(std::size_t unit) { return group_of(unit).given_up; }

std::optional<unsigned> UnitsUnderWay::seconds_left(std::size_t unit) {
  if (!timeout_seconds_) return std::nullopt;
  const double spent = static_cast<double>(group_of(unit).spent_ns) * 1e-9;
  constexpr double most = 1e9;  // as long as alarm() surely counts
  return static_cast<unsigned>(std::clamp(std::ceil(*timeout_seconds_ - spent), 1.0, most));
}

void UnitsUnderWay::tell(std::size_t unit, double share) {
  const std::scoped_lock lock(mutex_);
  progress_.done_weight += units_[unit].weight * (share - shares_[unit]);
  shares_[unit] = share;
  progress_.cell = units_[unit].cells.front()->text();
  progress_.trial = units_[unit].trial;
  if (progress_call_) progress_call_(progress_);
}

bool UnitsUnderWay::measure(std::size_t unit, const std::function<void(const KeyMeter&)>& work) {
  Group& group = group_of(unit);
  const Clock::time_point start = Clock::now();
  Clock::time_point told = start;
  std::uint64_t keys = 0;
  const double all_keys = std::max(1.0, keys_of(config_, units_[unit]));
  const auto spent = [&] { return nanoseconds(Clock::now() - start).count(); };
  tell(unit, 0.0);
  const KeyMeter meter = [&](std::uint64_t more) {
    keys += more;
    const Clock::time_point now = Clock::now();
    if (is_over(group, nanoseconds(now - start).count())) throw TookTooLong();
    if (now - told < telling_interval) return;
    told = now;
    // The number of keys may be a guess: the last hundredth is told by the unit's end.
    tell(unit, std::min(0.99, static_cast<double>(keys) / all_keys));
  };
  try {
    work(meter);
  } catch (const std::exception&) {
    if (!is_over(group, spent())) throw;
  }
  const std::int64_t took = spent();
  const bool over = is_over(group, took);
  group.spent_ns += took;
  if (over) group.given_up = true;
  return !over;
}

void UnitsUnderWay::finish(std::size_t unit) {
  {
    const std::scoped_lock lock(mutex_);
    ++progress_.units_done;
  }
  tell(unit, 1.0);
}

std::vector<std::string> UnitsUnderWay::given_up() const {
  std::vector<std::string> cells;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!groups_[i]->given_up) continue;
    for (const Cell* cell : units_[i].cells) {
      if (seen.insert(cell->text()).second) cells.push_back(cell->text());
    }
  }
  return cells;
}

}  // namespace bloomlab::experiments
