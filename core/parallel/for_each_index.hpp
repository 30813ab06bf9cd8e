// The same work for every index, by all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

#include "core/parallel/run_threads.hpp"

namespace bloomlab {

/// Calls work(0) .. work(count - 1), each once, in any order and several at once, and waits for
/// all; then throws what the one of the lowest index threw.
template <class Work>
void for_each_index(std::size_t count, const Work& work) {
  if (count == 0) return;
  std::vector<std::exception_ptr> faults(count);
  std::atomic<std::size_t> next = 0;
  run_threads(std::min(count, hardware_threads()), [&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        faults[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace bloomlab
