// Commands where memory is short: by --max-memory and by the limits of the process.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

namespace {

/// A config of one filter of that many bits.
std::string config_of(const std::string& bits) {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "Memory", "question": "Does it fit?", "seed": 7, "trials": 1, "queries": 1000,
 "grid": {"keys": {"source": "uniform"}, "n": 500,
  "filter": {"kind": "standard", "m": )" +
         bits + R"(, "k": 3},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}}})";
}

auto lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("the option --max-memory refuses what does not fit, before anything is made",
          "[cli][memory]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_of("800000000"));
  for (const std::string& command :
       std::vector<std::string>{"check ", "run --out " + (folder / "out") + " "}) {
    INFO(command);
    const Said said = bloomlab_says(command + (folder / "a.json") + " --max-memory 50MiB");
    CHECK(said.status == 2);
    CHECK(said.err == "bloomlab: " + (folder / "a.json") +
                          ": /grid/filter: needs 95.4 MiB of memory (filter 95.4 MiB, keys 0 B); "
                          "--max-memory allows 50.0 MiB; choose a smaller filter or fewer keys\n");
    CHECK_FALSE(fs::exists(folder / "out"));
  }
  CHECK(bloomlab_says("check " + (folder / "a.json") + " --max-memory 100MiB").status == 0);
}

TEST_CASE("the option --max-memory is a size with its unit", "[cli][memory]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_of("8000"));
  const Said said = bloomlab_says("check " + (folder / "a.json") + " --max-memory 50");
  CHECK(said.status == 2);
  CHECK_THAT(said.err, Catch::StartsWith("bloomlab: --max-memory: "));
  CHECK(bloomlab_says("plan -n 1000 -p 0.01 --max-memory 1GiB").err ==
        "bloomlab: plan: --max-memory is for --verify; add it\n");
}

TEST_CASE("a verification takes half of --max-memory at most", "[cli][memory]") {
  const Said said = bloomlab_says("plan -n 1M -p 0.01 --verify --max-memory 64KiB");
  CHECK(said.status == 0);
  CHECK_THAT(said.out, Catch::Contains("of the planned n"));
}

TEST_CASE("fewer jobs run where --max-memory does not hold as many", "[cli][memory]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_of("8000000"));
  const Said said = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out") +
                                  " --jobs 64 --max-memory 4MiB");
  CHECK(said.status == 0);
  CHECK_THAT(said.out, Catch::Contains("of 64 jobs: a pass over a cell takes 977 KiB, and "
                                       "--max-memory allows 4.00 MiB"));
}

#if defined(__linux__)
namespace {

/// Sanitizers reserve terabytes of addresses: no limit of them leaves a program that starts.
bool addresses_can_be_limited() {
  if (is_sanitized) skip("a sanitizer needs all addresses");
  return !is_sanitized;
}

/// The least address space in which the program starts at all [KiB].
int least_addresses() {
  int least = 1 << 20;
  const auto starts = [](int size) {
    return shell("ulimit -v " + std::to_string(size) + "; $BLOOMLAB --version").status == 0;
  };
  for (int step = 1 << 19; step >= 256; step /= 2) least -= starts(least - step) ? step : 0;
  return least;
}

}  // namespace

TEST_CASE("a large saved filter is inspected where it lies", "[cli][memory][inspect]") {
  if (!addresses_can_be_limited()) return;
  const TemporaryFolder folder;
  write(folder / "a.bloom", std::string("\1\7\1\0\0\0", 6));  // Guava: 2^24 words, 128 MiB
  fs::resize_file(folder / "a.bloom", 6 + (8U << 24));
  const int file_and_little_more = (8 << 14) + (32 << 10);
  const Said said = shell("ulimit -v " + std::to_string(least_addresses() + file_and_little_more) +
                          "; $BLOOMLAB inspect " + (folder / "a.bloom"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK_THAT(said.out, Catch::Contains("m = 1 073 741 824, k = 7; 128.0 MiB"));
}

TEST_CASE("a thousand saved filters are joined in the memory of a few", "[cli][memory][inspect]") {
  if (!addresses_can_be_limited()) return;
  const TemporaryFolder folder;
  for (int i = 0; i < 1000; ++i) {  // Guava: 2^15 words, 256 KiB each
    const std::string path = folder / (std::to_string(i) + ".bloom");
    write(path, std::string("\1\7\0\0\x80\0", 6) + static_cast<char>(1 + i % 255));
    fs::resize_file(path, 6 + (8U << 15));
  }
  const Said said = shell("ulimit -v " + std::to_string(least_addresses() + (32 << 10)) +
                          "; $BLOOMLAB inspect --json " + (folder / "*.bloom"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK_THAT(said.out,
             Catch::Contains("\"filters\": 1000,") && Catch::Contains("\"merge\": true,"));
}

TEST_CASE("saved filters that memory does not hold twice are inspected without their union",
          "[cli][memory][inspect]") {
  if (!addresses_can_be_limited()) return;
  const TemporaryFolder folder;
  write(folder / "a.bloom", std::string("\1\7\1\0\0\0", 6));  // Guava: 2^24 words, 128 MiB
  fs::resize_file(folder / "a.bloom", 6 + (8U << 24));
  const int file_and_little_more = (8 << 14) + (64 << 10);
  const Said said =
      shell("ulimit -v " + std::to_string(least_addresses() + file_and_little_more) +
            "; $BLOOMLAB inspect " + (folder / "a.bloom") + " " + (folder / "a.bloom"));
  INFO(said.err);
  CHECK(said.status == 0);
  CHECK_THAT(said.out,
             Catch::Contains("\nmerge: no, there is no memory for two filters of 128.0 MiB\n"));
}

TEST_CASE("a filter beyond the limit of the address space is refused by one line that says so",
          "[cli][memory]") {
  if (!addresses_can_be_limited()) return;
  const TemporaryFolder folder;
  write(folder / "a.json", config_of("16000000000"));
  const Said said = shell("ulimit -v 1500000; $BLOOMLAB check " + (folder / "a.json"));
  CHECK(said.status == 2);
  CHECK(lines_of(said.err) == 1);
  CHECK_THAT(said.err, Catch::Contains("needs 1.86 GiB of memory") &&
                           Catch::Contains("the address space (ulimit -v) leaves"));
}

TEST_CASE("a run in an address space of any size ends with one line, never by a signal",
          "[cli][memory]") {
  if (!addresses_can_be_limited()) return;
  const TemporaryFolder folder;
  write(folder / "a.json", small_config("[1, 2, 3, 4, 5, 6, 7, 8]"));
  const int least = least_addresses();  // and from there on in small steps
  int failed = 0;
  for (int size = least; size < least + (1 << 14); size += 256) {
    const std::string jobs = size / 256 % 2 == 0 ? "1" : "2";
    const Said said =
        shell("ulimit -v " + std::to_string(size) + "; $BLOOMLAB run " + (folder / "a.json") +
              " --jobs " + jobs + " --force --out " + (folder / "out"));
    INFO(size << " KiB: " << said.err);
    CHECK(said.status <= 2);
    CHECK(lines_of(said.err) == (said.status == 0 ? 0 : 1));
    failed += said.status == 0 ? 0 : 1;
  }
  CHECK(failed > 0);
}
#endif
