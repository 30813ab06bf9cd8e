// A range of the grid: evenly spaced numbers with both ends.
#pragma once

#include <cstdint>

#include "record/json_view.hpp"

namespace bloomlab::record {

/// The numbers first, first + step, ..., last.
class Range {
 public:
  /// Whether a value of the grid is written as a range.
  [[nodiscard]] static bool is_range(const Json& json);
  /// Reads {"range": [a, b], "step": s}. Throws InputError.
  explicit Range(const JsonView& view);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The i-th number; an integer where both ends and the step are written as integers.
  [[nodiscard]] Json value(std::uint64_t i) const;

 private:
  double first_ = 0.0;
  double last_ = 0.0;
  double step_ = 1.0;
  bool integers_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace bloomlab::record
