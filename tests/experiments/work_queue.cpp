#include "experiments/engine/work_queue.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bloomlab::experiments {

TEST_CASE("every piece of work is done once", "[experiments][work_queue]") {
  for (const unsigned workers : {0U, 1U, 2U, 9U}) {
    std::vector<std::atomic<int>> done(100);
    for_each_in_parallel(done.size(), workers, [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) CHECK(times == 1);
  }
  for_each_in_parallel(0, 2, [](std::size_t) { FAIL("there is no work"); });
}

TEST_CASE("after a fault no further piece is started, and the fault comes out",
          "[experiments][work_queue]") {
  std::atomic<int> started = 0;
  const auto work = [&](std::size_t i) {
    ++started;
    if (i == 3) throw std::runtime_error("piece 3");
  };
  CHECK_THROWS_WITH(for_each_in_parallel(1000, 1, work), "piece 3");
  CHECK(started == 4);
  CHECK_THROWS_WITH(for_each_in_parallel(1000, 2, work), "piece 3");
}

TEST_CASE("of several faults the one of the first piece comes out", "[experiments][work_queue]") {
  std::atomic<int> waiting = 0;
  const auto work = [&](std::size_t i) {
    ++waiting;
    while (waiting < 4) std::this_thread::yield();
    throw std::runtime_error("piece " + std::to_string(i));
  };
  CHECK_THROWS_WITH(for_each_in_parallel(4, 4, work), "piece 0");
}

}  // namespace bloomlab::experiments
