// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace bloomlab::experiments {

/// Calls `work(i)` for every i in 0 .. count - 1, in this order of starting, on `workers` threads
/// (at least one; no more than there is work). After an exception no further piece is started; when
/// all threads have ended, the exception of the smallest i is thrown.
void for_each_in_parallel(std::size_t count, unsigned workers,
                          const std::function<void(std::size_t)>& work);

}  // namespace bloomlab::experiments
