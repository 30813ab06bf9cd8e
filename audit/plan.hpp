// How much an audit measures. A plan fixes every count, so that an audit is repeatable.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomlab::audit {

/// Filters made for one number of keys.
struct PlanSize {
  std::uint64_t size = 0;          ///< keys that the filter is made for
  std::uint64_t filters = 1;       ///< filters, each with keys and a seed of its own
  std::uint64_t queries = 0;       ///< absent keys per filter and load
  std::vector<double> loads = {};  ///< inserted keys over `size`, ascending
  std::uint64_t full_queries = 0;  ///< absent keys at load 1; 0: as at the others
};

struct Plan {
  std::vector<PlanSize> sizes = {};
  std::uint64_t seed = 20260;
  double alpha = 1e-4;                       ///< probability that a right filter is faulted at all
  std::uint64_t repeated_answers = 100'000;  ///< answers of an empty filter, each requested twice
  std::uint64_t source_queries = 20'000;     ///< absent keys per key source and filter
  std::uint64_t source_filters = 10;
  std::uint64_t speed_keys = 0;  ///< keys of the filters that are timed; 0: no times
};

/// Seconds for a filter in Python.
[[nodiscard]] Plan quick_plan(std::uint64_t items);
/// Seconds for a filter in C, minutes for one in Python.
[[nodiscard]] Plan usual_plan(std::uint64_t items);
/// Small effects and rare losses, and filters of three million keys.
[[nodiscard]] Plan thorough_plan(std::uint64_t items);

}  // namespace bloomlab::audit
