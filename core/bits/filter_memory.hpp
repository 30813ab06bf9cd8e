// Where the bits of a filter stand, in place of pages of the operating system: memory that the
// program chooses, such as shared memory, an arena, or a std::pmr::memory_resource
// (core/bits/pmr_memory.hpp).
#pragma once

#include <cstddef>

namespace bloomlab {

/// Gives memory and takes it back. Must outlive every filter that is made with it; a copy of such a
/// filter has pages of the operating system again, a moved one keeps its memory.
class FilterMemory {
 public:
  /// Memory of that size [bytes] and alignment [bytes, a power of two]; what stands in it does not
  /// matter. Throws where it has none.
  [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
  /// Takes back what allocate() gave for the same numbers.
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;

 protected:
  FilterMemory() = default;
  FilterMemory(const FilterMemory&) = default;
  FilterMemory& operator=(const FilterMemory&) = default;
  ~FilterMemory() = default;
};

}  // namespace bloomlab
