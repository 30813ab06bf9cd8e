// What an audit examines, how it is started and sized, and how much is measured: a plan fixes every
// count, so that an audit is repeatable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/layout.hpp"
#include "foreign/foreign_filter.hpp"

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

/// What is timed beside the filter, called the same way.
struct Beside {
  std::string name;
  /// Starts it; the filter took `memory_bits` for `keys`. Throws foreign::Failure.
  std::function<std::unique_ptr<foreign::ForeignFilter>(std::uint64_t keys,
                                                        std::uint64_t memory_bits)>
      start;
};

struct Examined {
  std::string name;  ///< as messages call it
  /// Starts the filter anew. Throws foreign::Failure.
  std::function<std::unique_ptr<foreign::ForeignFilter>()> start;
  std::optional<double> bits_per_key = {};  ///< memory that is requested [bits]
  std::optional<double> fpr = {};           ///< rate that is requested
  /// The layout that it is said to have when it is made for `size` keys and has said how much
  /// memory it took. Empty: a standard filter of the memory that it says.
  std::function<Layout(std::uint64_t size, std::uint64_t memory_bits)> expected = {};
  std::vector<Beside> beside = {};
  std::string processor = {};  ///< its name, beside which times are shown

  [[nodiscard]] foreign::Request request(std::uint64_t size, std::uint64_t seed) const {
    return {.n = size, .bits_per_key = bits_per_key, .fpr = fpr, .seed = seed};
  }
  [[nodiscard]] Layout layout(std::uint64_t size, std::uint64_t memory_bits) const;
};

}  // namespace bloomlab::audit
