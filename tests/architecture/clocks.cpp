// Every time that a result reports comes from one harness: nothing else in experiments/ reads a
// clock, but for what is named here with its reason.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path project = BLOOMLAB_SOURCE_DIR;

const std::map<std::string, std::string> may_read_a_clock = {
    {"experiments/speed/timed_loops.cpp", "the harness"},
    {"experiments/speed/noise.cpp", "says whether the machine was quiet around the harness"},
    {"experiments/speed/latency_ladder.cpp", "finds the caches of the machine"},
    {"experiments/cells/measurement.cpp", "what counting cost, beside the counts"},
    {"experiments/engine/units_under_way.hpp", "progress and the limit of a cell's time"},
    {"experiments/engine/units_under_way.cpp", "progress and the limit of a cell's time"},
    {"experiments/engine/estimate.cpp", "says before a run how long it takes"},
    {"experiments/engine/provenance.cpp", "the date"},
    {"experiments/store/redis.hpp", "ends the wait for a server"},
    {"experiments/store/redis.cpp", "ends the wait for a server"},
};

bool reads_a_clock(const fs::path& file) {
  static const std::regex clock(
      R"(<chrono>|std::chrono|_clock\b|clock_gettime|gettimeofday|\bclock\(\))"
      R"(|\bstd::time\b|rdtsc|getrusage|<benchmark/)");
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return std::regex_search(text, clock);
}

}  // namespace

TEST_CASE("only the harness of timed loops, and what is named, reads a clock in experiments",
          "[architecture]") {
  std::vector<std::string> others;
  std::vector<std::string> readers;
  for (const auto& entry : fs::recursive_directory_iterator(project / "experiments")) {
    if (!entry.is_regular_file() || !reads_a_clock(entry.path())) continue;
    readers.push_back(fs::relative(entry.path(), project).string());
  }
  std::ranges::copy_if(readers, std::back_inserter(others),
                       [](const std::string& file) { return !may_read_a_clock.contains(file); });
  INFO("time by run_timed() or run_in_every_order() of experiments/speed/timed_loops.hpp");
  CHECK(others == std::vector<std::string>{});
  for (const auto& [file, reason] : may_read_a_clock) {
    INFO(file << " is named for: " << reason);
    CHECK(std::ranges::count(readers, file) == 1);
  }
}

TEST_CASE("a kind whose trials are process runs times by the harness", "[architecture]") {
  std::size_t timed_kinds = 0;
  for (const auto& entry : fs::directory_iterator(project / "experiments" / "kinds")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("by_process_runs = true") == std::string::npos) continue;
    ++timed_kinds;
    fs::path timing = entry.path();
    timing.replace_extension(".cpp");
    for (const auto& [kind, program] :
         {std::pair{"key_value_store", "main.cpp"}, std::pair{"cache_penetration", "cache.cpp"}}) {
      if (entry.path().stem() == kind) timing = project / "experiments/store" / program;
    }
    std::ifstream source_in(timing);
    const std::string source{std::istreambuf_iterator<char>(source_in), {}};
    INFO(entry.path().filename());
    CHECK(std::regex_search(source,
                            std::regex(R"(run_timed\(|run_in_every_order\(|lookups\.time\()")));
    CHECK(source.find("cost_ns(") == std::string::npos);
  }
  CHECK(timed_kinds >= 6);
}
