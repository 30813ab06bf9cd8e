// Timed loops, their keys, and the caches that latencies show.
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/peers/student.hpp"
#include "experiments/speed/latency_ladder.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/timed_keys.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "record/sha256.hpp"
#include "tests/paths.hpp"

namespace bloomlab::experiments {

TEST_CASE("loops run every pass of every repetition, warm-up left out of what is kept",
          "[experiments][speed]") {
  std::vector<std::uint64_t> repetitions;
  std::uint64_t passes = 0;
  std::uint64_t between = 0;
  std::atomic<std::uint64_t> threaded = 0;
  const std::vector<TimedLoop> loops = {
      {.name = "one",
       .passes = 5,
       .threads = 1,
       .prepare = [&](unsigned, std::uint64_t repetition) { repetitions.push_back(repetition); },
       .run = [&](unsigned thread,
                  std::uint64_t pass) { passes += thread == 0 && pass < 5 ? 1 : 0; },
       .between = [&](std::uint64_t pass) { between += pass; }},
      {.name = "two",
       .passes = 7,
       .threads = 3,
       .prepare = [](unsigned, std::uint64_t) {},
       .run = [&](unsigned thread, std::uint64_t) { threaded += thread + 1; }}};
  const auto durations = run_timed(loops, {.counted = 3, .warm_up = 2});
  REQUIRE(durations.size() == 2);
  CHECK(durations[0].size() == 3);
  CHECK(durations[1].size() == 3);
  CHECK(repetitions == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  CHECK(passes == 25);
  CHECK(between == 5 * (0 + 1 + 2 + 3 + 4));
  CHECK(threaded == 5 * 7 * (1 + 2 + 3));
}

TEST_CASE("of loops held against each other, either comes before the other equally often",
          "[experiments][speed]") {
  std::vector<std::size_t> ran;
  std::vector<std::vector<std::uint64_t>> numbers(3);
  std::vector<TimedLoop> loops;
  for (std::size_t i = 0; i < 3; ++i) {
    loops.push_back(
        {.name = std::to_string(i),
         .prepare = [&, i](unsigned, std::uint64_t number) { numbers[i].push_back(number); },
         .run = [&, i](unsigned, std::uint64_t) { ran.push_back(i); }});
  }
  const auto durations = run_in_every_order(loops, 2);
  REQUIRE(ran.size() == 2 * 6 * 3);
  std::map<std::pair<std::size_t, std::size_t>, int> before;
  std::map<std::pair<std::size_t, std::size_t>, int> directly_before;
  for (std::size_t at = 0; at < ran.size(); at += 3) {
    CHECK(std::set<std::size_t>{ran[at], ran[at + 1], ran[at + 2]}.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = i + 1; j < 3; ++j) ++before[{ran[at + i], ran[at + j]}];
    }
    for (std::size_t i = 0; i < 2; ++i) ++directly_before[{ran[at + i], ran[at + i + 1]}];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(durations.at(i).size() == 12);
    CHECK(numbers[i] == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(before[{i, j}] == (i == j ? 0 : 6));
      CHECK(directly_before[{i, j}] == (i == j ? 0 : 4));
    }
  }
}

TEST_CASE("a loop that throws fails with its text", "[experiments][speed]") {
  const std::vector<TimedLoop> loops = {
      {.name = "bad",
       .passes = 1,
       .threads = 1,
       .prepare = [](unsigned, std::uint64_t) { throw std::runtime_error("no keys"); },
       .run = [](unsigned, std::uint64_t) {}}};
  CHECK_THROWS_WITH(run_timed(loops, {}), "no keys");
}

TEST_CASE("keys have the length that they are told, and no two are equal", "[experiments][speed]") {
  const KeyedPermutation permutation(3);
  const std::vector<std::uint64_t> numbers = {9, 1, 4};
  const std::vector<KeyedPermutation> two = {KeyedPermutation(3), KeyedPermutation(4)};
  TimedKeys integers(KeyLength::bytes_8);
  integers.take(two, numbers);
  CHECK(integers.batch().values()[0] == two[0](9));
  CHECK(integers.batch().values()[1] == two[1](1));
  CHECK(integers.batch().values()[2] == two[0](4));
  for (const auto& [length, bytes] :
       {std::pair(KeyLength::bytes_16, 16U), std::pair(KeyLength::bytes_53, 53U)}) {
    TimedKeys keys(length);
    keys.take_range(permutation, 0, 1000);
    std::set<std::string_view> distinct(keys.batch().texts().begin(), keys.batch().texts().end());
    CHECK(distinct.size() == 1000);
    CHECK(distinct.begin()->size() == bytes);
    CHECK(keys.total_bytes() == 1000 * bytes);
  }
  TimedKeys mixed(KeyLength::mixed);
  mixed.take_range(permutation, 0, 4096);
  std::set<std::size_t> lengths;
  for (const std::string_view text : mixed.batch().texts()) lengths.insert(text.size());
  CHECK(lengths.size() == 64);
  CHECK(*lengths.begin() == 16);
  CHECK(*lengths.rbegin() == 79);
  // The mean of 4096 lengths has a standard deviation of 0.29.
  CHECK(static_cast<double>(mixed.total_bytes()) / 4096 == Approx(47.5).margin(1.5));
}

TEST_CASE("a text is an address, or the end of one, and the digits of its number",
          "[experiments][speed]") {
  const std::string address = "https://www.example.org/articles/all/";
  const KeyedPermutation permutation(3);
  for (const KeyLength length : {KeyLength::bytes_16, KeyLength::bytes_53, KeyLength::mixed}) {
    TimedKeys keys(length);
    keys.take_range(permutation, 7, 200);
    for (std::size_t i = 0; i < 200; ++i) {
      const std::string text(keys.batch().texts()[i]);
      CHECK(std::stoull(text.substr(text.size() - 16), nullptr, 16) == permutation(7 + i));
      CHECK(text.substr(0, text.size() - 16) == (address + address).substr(0, text.size() - 16));
    }
  }
}

TEST_CASE("caches end where latencies begin to rise", "[experiments][speed]") {
  const std::vector<LatencyRung> ladder = {{8, 1.0},  {12, 1.1}, {16, 1.2},  {24, 3.0},  {32, 4.0},
                                           {48, 4.1}, {64, 4.2}, {96, 20.0}, {128, 21.0}};
  const auto caches = cache_rungs(ladder);
  REQUIRE(caches.size() == 2);
  CHECK(caches[0].bytes == 16);
  CHECK(caches[1].bytes == 64);
  CHECK(cache_rungs({}).empty());
  const auto measured = measure_latencies(std::uint64_t{64} << 10);
  REQUIRE(measured.size() == 7);
  for (const LatencyRung& rung : measured) CHECK(rung.latency_ns > 0);
}

TEST_CASE("a rise within a cache, and one in two steps, are no caches of their own",
          "[experiments][speed]") {
  // Two runs on one machine, with 32 KiB, 512 KiB and a shared cache [KiB, ns].
  const std::vector<LatencyRung> one = {
      {8, 1.6},       {12, 1.5},      {16, 1.5},      {24, 1.5},      {32, 1.5},
      {48, 4.1},      {64, 4.3},      {96, 4.1},      {128, 4.4},     {192, 5.2},
      {256, 6.7},     {384, 9.0},     {512, 8.2},     {768, 14.5},    {1024, 14.8},
      {1536, 15.8},   {2048, 16.3},   {3072, 18.4},   {4096, 19.2},   {6144, 69.4},
      {8192, 122.8},  {12288, 116.5}, {16384, 138.7}, {24576, 142.8}, {32768, 150.1},
      {49152, 150.6}, {65536, 158.4}, {98304, 166.7}, {131072, 157.7}};
  const std::vector<LatencyRung> other = {
      {8, 1.6},       {12, 1.7},      {16, 1.7},      {24, 2.1},      {32, 3.8},
      {48, 4.1},      {64, 4.3},      {96, 4.2},      {128, 4.9},     {192, 5.5},
      {256, 8.7},     {384, 9.3},     {512, 16.5},    {768, 16.4},    {1024, 20.3},
      {1536, 17.8},   {2048, 16.1},   {3072, 18.8},   {4096, 34.0},   {6144, 37.7},
      {8192, 119.8},  {12288, 112.3}, {16384, 125.5}, {24576, 128.0}, {32768, 142.2},
      {49152, 147.4}, {65536, 147.3}, {98304, 147.0}, {131072, 149.0}};
  const auto sizes = [](const std::vector<LatencyRung>& ladder) {
    std::vector<std::uint64_t> bytes;
    for (const LatencyRung& rung : cache_rungs(ladder)) bytes.push_back(rung.bytes);
    return bytes;
  };
  CHECK(sizes(one) == std::vector<std::uint64_t>{32, 512, 4096});
  CHECK(sizes(other) == std::vector<std::uint64_t>{24, 384, 6144});
}

TEST_CASE("results carry the digest of the student's filter as it is", "[experiments][speed]") {
  std::ifstream in(std::string(BLOOMLAB_SOURCE_DIR) + "/experiments/peers/student_filter.hpp");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  REQUIRE_FALSE(text.empty());
  CHECK(student_filter_sha256() == record::sha256_hex(text));
}

TEST_CASE("every implementation of the speed kinds can be had in any memory that configs allow",
          "[experiments][speed]") {
  for (const std::string_view name : speed_implementation_names()) {
    if (speed_implementation_is_foreign(name)) continue;  // they take what they are given
    for (const double bits_per_key : {1.0, 1.5, 2.0, 8.0, 20.0, 64.0, 1000.0}) {
      INFO(name << ", " << bits_per_key << " bits per key");
      CHECK_FALSE(speed_implementation_fault({.implementation = name,
                                              .hash = "multiply_mix_64",
                                              .n = 4000,
                                              .bits_per_key = bits_per_key}));
    }
  }
}

TEST_CASE("every implementation of the speed kinds can be made and keeps its keys",
          "[experiments][speed]") {
  for (const std::string_view name : speed_implementation_names()) {
    INFO(name);
    if (!speed_implementation_is_available(name)) continue;
    const SpeedSetup setup{
        .implementation = name, .hash = "multiply_mix_64", .n = 4000, .bits_per_key = 12.0};
    CHECK_FALSE(speed_implementation_fault(setup));
    CHECK(speed_implementation_bytes(setup) >= 4000);
    const SpeedImplementation made = make_speed_implementation(setup, 11);
    TimedKeys keys(KeyLength::bytes_8);
    keys.take_range(KeyedPermutation(1), 0, 4000);
    made.implementation->insert(keys.batch());
    const auto asker = made.implementation->asker();
    REQUIRE(asker);
    CHECK(asker->count_contained(keys.batch()) == (made.filter.is_null() ? 0U : 4000U));
    CHECK(asker->only_hash(keys.batch()) == 0);
    keys.take_range(KeyedPermutation(1), 4000, 4000);
    // The worst rate at 12 bits per key is below 0.02; 80 of 4000 are expected at most, 5
    // deviations more are 125.
    CHECK(asker->count_contained(keys.batch()) <= 125);
  }
}

}  // namespace bloomlab::experiments
