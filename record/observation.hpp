// What a trial of a cell gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/json.hpp"

namespace bloomlab::record {

/// What one trial of one cell (one step of it, for `growth`) gave.
struct Observation {
  Json cell;                          ///< every resolved key of the grid; m an integer
  std::string group;                  ///< cells with the same group share keys and seeds
  std::uint64_t trial = 0;            ///< 0 .. trials - 1
  std::optional<std::uint64_t> step;  ///< 1 .. steps, for kinds that observe several times
  std::uint64_t seed = 0;             ///< seed of the trial
  std::vector<std::string> redrawn;   ///< what it drew anew: "keys", "hash_seed", "simulations"
  Json measured;                      ///< counts, and the filter's conditional_rate
  Json timing;                        ///< durations, keys ending in _ns
};

}  // namespace bloomlab::record
