// The committed results are of the committed configs; that their counts are what the build measures
// is the test "results: ..." of tests/CMakeLists.txt.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "record/result_file.hpp"
#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path root_of_results = BLOOMLAB_SOURCE_DIR;

bloomlab::record::Json what_is_measured(bloomlab::record::Json config) {
  for (const char* said : {"page", "title", "question"}) config.erase(said);
  return config;
}

}  // namespace

TEST_CASE("every committed result was measured by its config as it is now", "[architecture]") {
  std::set<std::string> compared;
  for (const auto& entry : fs::recursive_directory_iterator(root_of_results / "configs")) {
    const std::string topic = entry.path().parent_path().filename();
    if (entry.path().extension() != ".json" || topic == "claims" || topic == "smoke") continue;
    const fs::path result = root_of_results / "results" / entry.path().filename();
    if (!fs::exists(result)) continue;
    INFO(entry.path().string());
    std::ifstream in(entry.path());
    CHECK(what_is_measured(bloomlab::record::Json::parse(in)) ==
          what_is_measured(bloomlab::record::read_result_file(result).config));
    compared.insert(entry.path().stem().string());
  }
  for (const auto& entry : fs::directory_iterator(root_of_results / "results")) {
    if (entry.path().extension() != ".json") continue;
    const std::string stem = entry.path().stem().string();
    if (stem.ends_with(".confirmation") || stem == "external_peers") continue;
    INFO(stem << " has no config");
    CHECK(compared.contains(stem));
  }
}
