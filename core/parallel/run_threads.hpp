// Some work done by several threads at once.
#pragma once

#include <cstddef>
#include <functional>

namespace bloomlab {

/// Calls work(0) .. work(threads - 1) at once, the first by the calling thread, and waits for all;
/// then throws what the first of them threw. Throws std::system_error where a thread cannot start,
/// after those that did have ended.
/// @param threads >= 1; taken as 1 below
void run_threads(std::size_t threads, const std::function<void(std::size_t)>& work);

/// Threads that the machine runs at once, 1 at least.
[[nodiscard]] std::size_t hardware_threads() noexcept;

}  // namespace bloomlab
