// The planner's numbers must compile without files, threads and JSON: they also run in a browser.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "tests/paths.hpp"

namespace fs = std::filesystem;

TEST_CASE("the planner includes no JSON, no stream, no file and no thread", "[architecture]") {
  static const std::regex forbidden(
      R"(^\s*#\s*include\s*[<"](nlohmann|iostream|fstream|filesystem|thread|mutex|chrono|record/(?!fields\.hpp|input_error|suggest|number_text)).*)");
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(BLOOMLAB_SOURCE_DIR) / "planner")) {
    if (!entry.is_regular_file()) continue;
    ++files;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      INFO(entry.path().string() << ": " << line);
      CHECK_FALSE(std::regex_match(line, forbidden));
    }
  }
  CHECK(files > 20);
}
