// Some work done by several threads at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace bloomlab {

/// Calls work(0) .. work(threads - 1) at once, the first by the calling thread, and waits for all;
/// then throws what the first of them threw. Throws std::system_error where a thread cannot start.
/// @param threads >= 1; taken as 1 below
template <class Work>
void run_threads(std::size_t threads, const Work& work) {
  const std::size_t count = std::max<std::size_t>(threads, 1);
  std::vector<std::exception_ptr> faults(count);
  const auto guarded = [&](std::size_t index) noexcept {
    try {
      work(index);
    } catch (...) {
      faults[index] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(count - 1);
    for (std::size_t index = 1; index < count; ++index) others.emplace_back(guarded, index);
    guarded(0);
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace bloomlab
