// Speeds as tables, for reports and for the screen.
#pragma once

#include <vector>

#include "analysis/kinds/speed_rows.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// One table a regime that the rows have, "speed_batched", "speed_dependent", "speed_cold"; or
/// "speed_building", "speed_deduplication", or "speed_hashes". Figures of two regimes never share
/// one.
[[nodiscard]] std::vector<Table> speed_tables(const SpeedRun& run, const Words& words);

/// What the rates of the run say, and how quiet the machine was: a sentence each. Both begin with a
/// word in bold where the run has failed by them.
[[nodiscard]] std::string speed_rates_text(const SpeedRun& run, const Words& words);
[[nodiscard]] std::string speed_quiet_text(const SpeedRun& run, const Words& words);

/// What an answer says: the least time of what the rows timed, with its interval, in the conditions
/// of the largest sets; then, in bold, that the machine was noisy, where it was.
[[nodiscard]] std::string speed_fastest_text(const SpeedRun& run, const Words& words);

/// The conditions of a row that are not the usual ones: "53-byte keys, 2 threads"; "" for none.
[[nodiscard]] std::string speed_conditions(const SpeedRow& row, const Words& words);

}  // namespace bloomlab::analysis
