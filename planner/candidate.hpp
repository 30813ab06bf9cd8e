// A filter of the catalogue, sized for a goal: what the planner compares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace bloomlab::planner {

/// What a filter is sized for: n keys and a rate to keep, or n keys and memory to use. With both it
/// is sized for the rate, and recommended only where it keeps to the memory.
struct Goal {
  std::uint64_t n = 0;                                      ///< distinct keys, >= 1
  std::optional<double> rate = std::nullopt;                ///< largest rate allowed, in (0, 1)
  std::optional<std::uint64_t> memory_bits = std::nullopt;  ///< most memory
};

/// A parameter of a filter as its description names it.
struct ParameterValue {
  std::string name;
  std::variant<std::uint64_t, double, std::string> value;
};

/// What a filter can do beside answering.
struct Traits {
  bool takes_keys_later = true;  ///< false: built once from all keys
  bool deletes = false;          ///< forgets keys
  bool grows = false;            ///< takes more keys than planned and keeps its rate
  bool exact = false;            ///< keeps the keys themselves: never errs
  bool whole_hashes = false;     ///< keeps a hash of each key whole: errs where two are equal
};

/// Expected number of different cache lines of 64 bytes that a lookup reads.
struct LinesRead {
  double absent = 0.0;   ///< by a key that was not inserted
  double present = 0.0;  ///< by a key that was
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
