// The filter that an audit examines: how it is started and sized, and what is expected of it.
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
