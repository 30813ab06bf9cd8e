// What was counted of a filter: as `bloomlab judge` takes it, by itself or in a file, and what it
// says of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/observed.hpp"
#include "record/json.hpp"

namespace bloomlab::cli {

/// Counts, and where each stands: "FILE: line 3", or nothing for one of the command line.
struct Observations {
  std::vector<audit::Observation> all;
  std::vector<std::string> places;
};

/// Takes the texts of seen=... out of the assignments: there may be several.
[[nodiscard]] std::vector<std::string> take_seen(std::vector<std::string>& assignments);

/// Reads such texts: 115/5000, 2.3%, with the keys that were inserted behind @, 115/5000@60k, or a
/// file, @FILE.csv, of at most 10 000 lines keys,false_positives,queries or keys,share. Throws
/// record::InputError, of a file with the number of the line.
/// @param n keys of a count that tells none
[[nodiscard]] Observations read_observations(const std::vector<std::string>& texts,
                                             std::uint64_t n);

[[nodiscard]] record::Json observations_json(const audit::ObservedJudgement& judged,
                                             const Observations& seen);

/// For people, whole lines: of many counts the worst.
/// @param lines that stand before: all together are twenty where that can be
[[nodiscard]] std::string observations_text(const audit::ObservedJudgement& judged,
                                            const Observations& seen, std::size_t lines);

}  // namespace bloomlab::cli
