// Timed lookups in a fleet of filters: absent keys, inserted keys and mixes of both, and the same
// loop without the filter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "experiments/speed/fleet.hpp"
#include "experiments/speed/regime.hpp"
#include "experiments/speed/timed_keys.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// How to ask.
struct LookupPlan {
  KeyLength key_length{};
  Regime regime{};
  unsigned threads = 1;
  std::uint64_t queries = 0;  ///< of a repetition and thread
  Repetitions repetitions = {};
  std::uint64_t absent_keys = 0;  ///< asked at least, timed or not
  std::uint64_t seed = 0;
};

/// What was asked and reported, over all loops, warm-up included.
struct LookupCounts {
  std::uint64_t inserted_keys = 0;           ///< asked in loops of inserted keys alone
  std::uint64_t reported_inserted_keys = 0;  ///< of these
  std::uint64_t absent_keys = 0;             ///< asked in loops of absent keys alone, and untimed
  std::uint64_t reported_absent_keys = 0;    ///< of these
  std::uint64_t mixed_inserted_keys = 0;     ///< inserted keys among the mixes
  std::uint64_t reported_mixed = 0;          ///< of a mix, inserted keys and absent keys
};

/// Asks a fleet. Not for use by several threads at once; it starts its own.
class Lookups {
 public:
  /// The fleet is filled and outlives this.
  Lookups(const Fleet& fleet, const LookupPlan& plan);

  /// Runs all loops. @return {"negative_ns", "mixed_ns", "positive_ns", "dry_ns"}, a number a
  /// repetition each
  [[nodiscard]] record::Json time();

  /// Asks, untimed, as many absent keys as are wanted beyond those asked so far.
  void query_further_absent_keys();

  /// Of the loops run so far.
  [[nodiscard]] LookupCounts counts() const;

 private:
  /// What a thread has for itself; on cache lines of its own.
  struct alignas(128) Worker {
    explicit Worker(KeyLength length) : keys(length) {}
    TimedKeys keys;
    std::vector<std::unique_ptr<Asker>> askers;  ///< one a filter of the fleet
    std::vector<std::uint64_t> numbers;
    LookupCounts counts;
    std::uint64_t dry = 0;  ///< what the dry loop yields
  };
  enum class Asked : std::uint64_t { absent_keys, mix, nobody, inserted_keys };
  using Question = std::uint64_t (Asker::*)(const KeyBatch&);

  [[nodiscard]] TimedLoop loop(const char* name, Asked asked);
  void draw(unsigned thread, std::uint64_t repetition, Asked asked);
  [[nodiscard]] std::uint64_t ask(Worker& worker, Question question, std::uint64_t pass) const;
  [[nodiscard]] std::uint64_t repetitions() const noexcept {
    return plan_.repetitions.counted + plan_.repetitions.warm_up;
  }

  const Fleet& fleet_;
  LookupPlan plan_;
  std::vector<Worker> workers_;
};

}  // namespace bloomlab::experiments
