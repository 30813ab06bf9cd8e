// Key source `sequential`: the integers 0, 1, 2, ... : inserted keys first, absent keys after them.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>

#include "experiments/sources/counted_keys.hpp"

namespace bloomlab::experiments {

/// Every counter is its own key.
struct InOrder {
  explicit InOrder(std::uint64_t /*seed*/) {}
  void apply_range(std::uint64_t first, std::span<std::uint64_t> out) const {
    std::iota(out.begin(), out.end(), first);
  }
};

struct Sequential : CountedKeys<std::uint64_t, InOrder> {
  static constexpr std::string_view name = "sequential";
  static constexpr std::string_view summary =
      "64-bit integers in order; inserted keys are 0 .. n-1, absent keys n .. n+q-1, in every "
      "trial";
  static bool redraws_keys(const Parameters& /*p*/) { return false; }
};

}  // namespace bloomlab::experiments
