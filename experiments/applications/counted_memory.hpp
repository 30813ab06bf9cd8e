// What a container of the standard library really allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace bloomlab::experiments {

/// Bytes that CountingAllocator has given out in this thread and not taken back.
inline thread_local std::uint64_t allocated_bytes = 0;

/// The usual memory, counted.
template <class T>
struct CountingAllocator {
  using value_type = T;

  CountingAllocator() = default;
  template <class U>
  CountingAllocator(const CountingAllocator<U>& /*other*/) noexcept {}

  T* allocate(std::size_t count) {
    void* const memory = ::operator new(count * sizeof(T));
    allocated_bytes += count * sizeof(T);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    allocated_bytes -= count * sizeof(T);
    ::operator delete(memory);
  }
  friend bool operator==(const CountingAllocator&, const CountingAllocator&) = default;
};

}  // namespace bloomlab::experiments
