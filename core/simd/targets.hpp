// Which instructions the vector kernels of core/simd use. Every kernel is compiled for several sets
// of instructions ("targets") and takes the best that the processor has; all give the same bits.
// Source: Google Highway, "Efficient and performance-portable vector software", which chooses the
// target when a kernel is called first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::simd {

/// The targets that were compiled and that this processor has, best first, such as "AVX2"; the last
/// one is what every processor of the kind has. While a ForcedTarget lives it is the only one.
[[nodiscard]] std::vector<std::string> available_targets();

/// The target that kernels use now: the first of available_targets().
[[nodiscard]] std::string chosen_target();

/// Makes all kernels of the program use one target while it lives: for tests, and to measure what a
/// target is worth. One at a time, and only while no other thread uses a filter.
class ForcedTarget {
 public:
  /// Throws std::invalid_argument that names the available ones.
  explicit ForcedTarget(std::string_view name);
  ~ForcedTarget();
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

}  // namespace bloomlab::simd
