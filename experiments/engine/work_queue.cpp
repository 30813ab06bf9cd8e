#include "experiments/engine/work_queue.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bloomlab::experiments {
namespace {

/// The exception of the smallest piece.
class FirstFault {
 public:
  void note(std::size_t piece, std::exception_ptr fault) {
    const std::scoped_lock lock(mutex_);
    if (fault_ == nullptr || piece < piece_) {
      fault_ = std::move(fault);
      piece_ = piece;
    }
  }
  void rethrow() const {
    if (fault_ != nullptr) std::rethrow_exception(fault_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr fault_;
  std::size_t piece_ = 0;
};

}  // namespace

void for_each_in_parallel(std::size_t count, unsigned workers,
                          const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  FirstFault fault;
  const auto take_pieces = [&] {
    while (!stop) {
      const std::size_t piece = next++;
      if (piece >= count) return;
      try {
        work(piece);
      } catch (...) {
        fault.note(piece, std::current_exception());
        stop = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t wanted = std::clamp<std::size_t>(count, 1, std::max(1U, workers));
    try {
      for (std::size_t i = 0; i < wanted; ++i) threads.emplace_back(take_pieces);
    } catch (const std::exception&) {
      // The machine gives no more threads, or no memory for them: those that are there do the work.
      if (threads.empty()) take_pieces();
    }
  }
  fault.rethrow();
}

}  // namespace bloomlab::experiments
