// What the protocols cost. Nothing is asserted of a duration; run by
//   test_foreign "[speed]"
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "foreign/library.hpp"
#include "tests/foreign/examples.hpp"

namespace {

using bloomlab::Answer;
using bloomlab::KeyBatch;
using namespace bloomlab::tests;

/// The least time of several rounds [s].
template <class Work>
double least_seconds(int rounds, Work work) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    least = std::min(least, elapsed.count());
  }
  return least;
}

}  // namespace

TEST_CASE("a library in its own process against direct calls, batches of 1024",
          "[.speed][foreign]") {
  constexpr std::size_t batch = 1024;
  const auto keys = numbers(0, std::size_t{1} << 20);
  const auto all = KeyBatch::integers(keys, 8);
  // The first does nothing: what is left is what the interface costs.
  for (const std::string name : {"libexample_null.so", "libexample_cpp.so"}) {
    const auto filter =
        bloomlab::foreign::load_here({.library = name, .folder = BLOOMLAB_BINARY_DIR "/tests"});
    filter->create({.n = 100'000, .bits_per_key = 10.0, .seed = 1});
    filter->insert(all.slice(0, 100'000));

    const bloomlab::foreign::Library loaded(BLOOMLAB_BINARY_DIR "/tests/" + name);
    const bloomlab_filter_functions& f = loaded.functions();
    char message[256] = "";
    const bloomlab_request request = {sizeof request, 100'000, 10.0, 0.0, 1, "{}", message, 256};
    void* direct = nullptr;
    REQUIRE(f.create(&request, &direct) == BLOOMLAB_OK);
    if (f.insert_integers != nullptr) f.insert_integers(direct, keys.data(), 100'000);

    std::uint64_t by_interface = 0;
    const double interface_s = least_seconds(20, [&] {
      by_interface = 0;
      for (std::size_t i = 0; i < keys.size(); i += batch) {
        by_interface += filter->count_contained(all.slice(i, batch));
      }
    });
    std::uint64_t by_calls = 0;
    const double direct_s = least_seconds(20, [&] {
      by_calls = 0;
      std::array<std::uint8_t, batch> answers{};
      for (std::size_t i = 0; i < keys.size(); i += batch) {
        f.query_integers(direct, keys.data() + i, batch, answers.data());
        for (const std::uint8_t answer : answers) by_calls += answer;
      }
    });
    f.destroy(direct);
    CHECK(by_interface == by_calls);
    const double per_key = 1e9 / static_cast<double>(keys.size());
    std::printf("%s: direct calls %.2f ns per key, by the interface %.2f ns: %.2f ns more\n",
                name.c_str(), direct_s * per_key, interface_s * per_key,
                (interface_s - direct_s) * per_key);
  }
}

TEST_CASE("binary frames against dd through a pipe", "[.speed][foreign]") {
  const auto filter = bloomlab::foreign::start(
      {.library = "libexample_null.so", .folder = BLOOMLAB_BINARY_DIR "/tests"});
  filter->create({.n = 1});
  const auto keys = numbers(0, std::size_t{1} << 22);
  std::vector<Answer> answers(keys.size());
  const double seconds =
      least_seconds(10, [&] { filter->query(KeyBatch::integers(keys, 8), answers); });
  const double bytes = static_cast<double>(keys.size() * (sizeof(std::uint64_t) + 1));
  std::printf("binary frames: %.2f GB/s of keys and answers, %.2f ns per key; dd through a pipe:\n",
              bytes / seconds * 1e-9, seconds * 1e9 / static_cast<double>(keys.size()));
  std::fflush(stdout);
  CHECK(std::system("for i in 1 2 3; do dd if=/dev/zero bs=64k count=32768 2>/dev/null | "
                    "dd of=/dev/null bs=64k 2>&1 | tail -1; done") == 0);
}
