// The pages in docs/ that are built and committed hold their sources as they stand: whoever edits a
// script, a style or a text writes the page anew. That its C++ is that of the tree is seen in a
// browser (tests/browser), where the page and the command line must say the same.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path documents = fs::path(BLOOMLAB_SOURCE_DIR) / "docs";

std::string stripped_text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto first = text.find_first_not_of(" \n");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

std::vector<std::string> missing_in(const std::string& page) {
  const std::string html = stripped_text_of(documents / page / "index.html");
  std::vector<std::string> missing;
  for (const auto& entry : fs::directory_iterator(documents / page / "source")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".js" && extension != ".css" && extension != ".json") continue;
    if (html.find(stripped_text_of(entry.path())) == std::string::npos) {
      missing.push_back(entry.path().filename().string());
    }
  }
  return missing;
}

}  // namespace

TEST_CASE("pages in docs hold their sources as they stand", "[architecture][pages]") {
  for (const std::string page : {"explain", "planner"}) {
    INFO("ninja " << page << "_page writes docs/" << page << "/index.html anew");
    CHECK(missing_in(page) == std::vector<std::string>{});
  }
}
