#include "core/parallel/run_threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace bloomlab {

void run_threads(std::size_t threads, const std::function<void(std::size_t)>& work) {
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

std::size_t hardware_threads() noexcept {
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace bloomlab
