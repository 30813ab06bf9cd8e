#include "experiments/speed/tuning_choice.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {

double LookaheadCost::median() const { return statistics::median(process_runs); }

statistics::Interval LookaheadCost::interval() const {
  return statistics::bootstrap_median(process_runs, statistics::thresholds::interval_level,
                                      process_runs.size());
}

std::size_t choose_lookahead(std::span<const LookaheadCost> costs, std::size_t built_in) {
  const auto usual = std::ranges::find(costs, built_in, &LookaheadCost::lookahead);
  if (usual == costs.end()) {
    throw std::invalid_argument("choose_lookahead: the built-in lookahead, " +
                                std::to_string(built_in) + ", was not measured");
  }
  const auto is_told_well = [](const LookaheadCost& cost) {
    return cost.process_runs.size() >= fewest_process_runs_to_choose;
  };
  if (!std::ranges::all_of(costs, is_told_well)) return built_in;
  const double to_beat = usual->interval().low;
  const LookaheadCost* best = &*usual;
  for (const LookaheadCost& cost : costs) {
    if (cost.interval().high < to_beat && cost.median() < best->median()) best = &cost;
  }
  return best->lookahead;
}

BatchTuning with_measured_sizes(BatchTuning tuning, std::span<const LatencyRung> caches) {
  constexpr double slower = 2.0;
  if (caches.empty()) return tuning;
  const LatencyRung& nearest = caches.front();
  const LatencyRung& shared = caches.back();
  const auto own = std::ranges::find_if(caches, [&](const LatencyRung& cache) {
    return cache.latency_ns >= slower * nearest.latency_ns;
  });
  if (own == caches.end() || shared.latency_ns < slower * own->latency_ns) return tuning;
  tuning.cached_bytes = own->bytes;
  tuning.shared_bytes = shared.bytes;
  return tuning;
}

}  // namespace bloomlab::experiments
