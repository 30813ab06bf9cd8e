// What the rows of a run of speeds say, in sentences.
#include <array>
#include <string_view>
#include <vector>

#include "analysis/data/axes.hpp"
#include "analysis/kinds/speed_tables.hpp"
#include "record/number_text.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// A time that an answer may name, and the sentence that does.
struct FastestOf {
  std::string_view time;
  std::string_view sentence;
  const char* size_key;  ///< of the cell: what the time belongs to
};

constexpr std::array<FastestOf, 4> fastest_of = {
    {{"negative", "speed.fastest.negative", "n"},
     {"build", "speed.fastest.build", "n"},
     {"deduplicate_net", "speed.fastest.deduplicate", "n"},
     {"hash", "speed.fastest.hash", "key_length"}}};

/// The row with the least time of this name among filters of the largest sets; null where nothing
/// was timed by one thread. Rows without a rate are limits of the machine, hashes apart.
const SpeedRow* fastest_row(const SpeedRun& run, const std::string& name) {
  const auto size_of = [](const SpeedRow& row) { return row.cell.value("n", 0.0); };
  const SpeedRow* fastest = nullptr;
  for (const SpeedRow& row : run.rows) {
    if (!row.times.contains(name) || !(row.time(name) > 0)) continue;
    if (row.cell.contains("implementation") && !row.rate) continue;
    if (threads_of(row) > 1) continue;
    const bool better = fastest == nullptr || size_of(row) > size_of(*fastest) ||
                        (size_of(row) == size_of(*fastest) && row.time(name) < fastest->time(name));
    if (better) fastest = &row;
  }
  return fastest;
}

}  // namespace

std::string speed_fastest_text(const SpeedRun& run, const Words& words) {
  std::string text;
  for (const FastestOf& timed : fastest_of) {
    const SpeedRow* fastest = fastest_row(run, std::string(timed.time));
    if (fastest == nullptr) continue;
    const SpeedTime& time = fastest->times.at(std::string(timed.time));
    text = words(timed.sentence,
                 {{"implementation", fastest->cell.contains("implementation")
                                         ? fastest->implementation()
                                         : word_at(fastest->cell, "/hash")},
                  {"time", with_interval(time.value, time.interval.low, time.interval.high)},
                  {"size", value_text(fastest->cell.at(timed.size_key))}});
    break;
  }
  if (!run.noise.are_too_many()) return text;
  return text.append(text.empty() ? "" : " ")
      .append(words("speed.caution", {{"marked", grouped(run.noise.marked)},
                                      {"process_runs", grouped(run.noise.process_runs)}}));
}

std::string speed_rates_text(const SpeedRun& run, const Words& words) {
  std::uint64_t rated = 0;
  std::uint64_t sharp = 0;
  for (const SpeedRow& row : run.rows) {
    if (!row.rate) continue;
    ++rated;
    // A filter that never errs has no rate to be sharp about.
    sharp += row.rate->is_sharp() || row.rate->expected == 0 ? 1 : 0;
  }
  if (rated == 0) return words("speed.rates_none");
  std::vector<std::string> wrong;
  for (const SpeedRow* row : run.wrong_rates()) wrong.push_back(row->implementation());
  const Tags tags = {{"rows", grouped(rated)},
                     {"sharp", grouped(sharp)},
                     {"effect", percent(thresholds::speed_effect)},
                     {"alpha", percent(thresholds::speed_alpha)}};
  if (wrong.empty()) return words("speed.rates_right", tags);
  Tags with_wrong = tags;
  for (const std::string& name : wrong) {
    with_wrong["wrong"].append(with_wrong["wrong"].empty() ? "" : "; ").append(name);
  }
  return words("speed.rates_wrong", with_wrong);
}

std::string speed_quiet_text(const SpeedRun& run, const Words& words) {
  const Noise& noise = run.noise;
  return words(noise.are_too_many() ? "speed.noisy" : "speed.quiet",
               {{"marked", grouped(noise.marked)},
                {"process_runs", grouped(noise.process_runs)},
                {"off", percent(thresholds::noise)},
                {"share", percent(thresholds::noisy_share)},
                {"steal", fixed(static_cast<double>(noise.steal_ticks) / 100.0, 2)}});
}

}  // namespace bloomlab::analysis
