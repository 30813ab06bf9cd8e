// A filter of the catalogue, sized for a goal: what the planner compares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/filters/sizing_goal.hpp"

namespace bloomlab::planner {

/// What a filter is sized for. With both a rate and memory it is sized for the rate, and
/// recommended only where it keeps to the memory.
using Goal = SizingGoal;

/// A parameter of a filter as its description names it.
struct ParameterValue {
  std::string name;
  std::variant<std::uint64_t, double, std::string> value;
};

/// Medians measured on a machine [ns per key].
struct Timing {
  double insert_ns = 0.0;
  double absent_ns = 0.0;
  double present_ns = 0.0;
};

/// A filter for the goal, or why there is none.
struct Candidate {
  std::string filter;  ///< name in the catalogue
  Traits traits = {};
  std::string false_negatives = {};  ///< when a key can be lost; empty: never
  std::string note = {};             ///< what else to know; may be empty
  std::string unavailable = {};      ///< why it cannot reach the goal; the rest is then empty

  std::vector<ParameterValue> parameters = {};
  double rate = 0.0;              ///< by the filter's own closed form
  std::uint64_t memory_bits = 0;  ///< as the filter allocates it
  double bits_per_key = 0.0;
  LinesRead lines = {};
  /// Fewest hash bits with which equal hashes of different keys add at most 1 % to the rate;
  /// 0 for containers that keep the keys or whole hashes, which need no other.
  std::uint64_t fewest_hash_bits = 0;
  std::optional<Timing> timing = std::nullopt;  ///< nothing: not measured on this machine
  /// No other candidate is at least as good in memory, rate, cost of a lookup and abilities, and
  /// clearly better, by 0.1 % or an ability, in one of them.
  bool pareto = false;

  [[nodiscard]] bool available() const { return unavailable.empty(); }
};

}  // namespace bloomlab::planner
