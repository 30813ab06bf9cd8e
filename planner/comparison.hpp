// Which filter: every filter of the catalogue, sized for one goal (core/filters/sizing.hpp), the
// best of them marked, and one recommended with its reason.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/filters/sizing_goal.hpp"
#include "planner/plan.hpp"
#include "record/fields.hpp"

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

  BLOOMLAB_FIELDS(insert_ns, absent_ns, present_ns)
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
  std::function<double(std::uint64_t n)> rate_at = {};  ///< its closed form after n keys
  /// Fewest hash bits with which equal hashes of different keys add at most 1 % to the rate;
  /// 0 for containers that keep the keys or whole hashes, which need no other.
  std::uint64_t fewest_hash_bits = 0;
  std::optional<Timing> timing = std::nullopt;  ///< nothing: not measured on this machine
  /// No other candidate is at least as good in memory, rate, cost of a lookup and abilities, and
  /// clearly better, by 0.1 % or an ability, in one of them.
  bool pareto = false;

  [[nodiscard]] bool available() const { return unavailable.empty(); }
};

/// What to take where something else holds.
struct Alternative {
  std::string condition;  ///< "keys are deleted"
  std::string filter;     ///< name in the catalogue
  std::string figures;    ///< size and rate: "38.4 bits per key, 4.57 MiB, rate 0.0100"
};

/// The candidates, in the order of the catalogue, and what to take.
struct Comparison {
  std::vector<Candidate> candidates;
  std::optional<std::size_t> recommended = std::nullopt;  ///< index; nothing where none reaches
  std::string reason = {};                                ///< why that one; no sentence
  std::vector<Alternative> otherwise = {};                ///< what to take under other conditions
  std::string recommendation;                             ///< all of it, as sentences
};

/// What the filters are compared for: the rate where it was asked for, else the memory; both where
/// the size was given beside the rate.
[[nodiscard]] Goal goal_of(const Plan& plan);

/// The standard filter of exactly these m and k for n keys; unavailable beyond 2^48 bits.
[[nodiscard]] Candidate standard_candidate(std::uint64_t n, std::uint64_t m, std::uint64_t k);

/// Measured times of a filter of this size on this machine, or nothing.
using TimingOf = std::function<std::optional<Timing>(const Candidate&)>;

/// Compares every filter of the catalogue. `timing` may be empty: nothing is measured then, and the
/// cost of a lookup is counted in cache lines.
[[nodiscard]] Comparison compare(const Goal& goal, const TimingOf& timing = {});

/// The same for a plan: the row of the standard filter is the plan itself, and where the plan fixes
/// its form (Plan::fixes_form) no other filter is recommended.
[[nodiscard]] Comparison compare_for(const Plan& plan, const TimingOf& timing = {});

}  // namespace bloomlab::planner
