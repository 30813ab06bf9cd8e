// The pages in docs/ that are built and committed hold their sources as they stand: whoever edits a
// script, a style, a text or a config of the study writes the page anew. That its C++ is that of
// the tree is seen in a browser (tests/browser), where the page and the command line must say the
// same.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/result_file.hpp"
#include "record/sha256.hpp"
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

bool goes_into_a_page(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".js" || extension == ".css" || extension == ".json";
}

/// The configs that the page of the laboratory offers: those that measure no speed.
std::vector<fs::path> configs_of_the_study() {
  std::vector<fs::path> configs;
  for (const auto& topic : fs::directory_iterator(documents.parent_path() / "configs")) {
    const std::string name = topic.path().filename().string();
    if (!topic.is_directory() || name == "smoke" || name == "speed" || name == "claims") continue;
    for (const auto& entry : fs::directory_iterator(topic.path())) {
      if (entry.path().extension() == ".json") configs.push_back(entry.path());
    }
  }
  return configs;
}

/// Scripts, styles, texts and configs that the page is made of.
std::vector<fs::path> parts_of(const std::string& page) {
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(documents / page / "source")) {
    if (goes_into_a_page(entry.path())) parts.push_back(entry.path());
  }
  if (page == "planner") return parts;
  for (const char* shared :
       {"planner/source/dom.js", "planner/source/page.css", "explain/source/words.js"}) {
    parts.push_back(documents / shared);
  }
  if (page == "lab") {
    parts.push_back(documents / "planner/source/plot.js");
    for (const fs::path& config : configs_of_the_study()) parts.push_back(config);
    return parts;
  }
  for (const char* language : {"en", "zh", "ru"}) {
    parts.push_back(documents.parent_path() / "analysis/templates" /
                    ("explain." + std::string(language) + ".json"));
  }
  return parts;
}

std::vector<std::string> missing_in(const std::string& page) {
  const std::string html = stripped_text_of(documents / page / "index.html");
  std::vector<std::string> missing;
  for (const fs::path& part : parts_of(page)) {
    const std::string text = stripped_text_of(part);
    if (text.empty() || html.find(text) == std::string::npos) missing.push_back(part.string());
  }
  return missing;
}

}  // namespace

TEST_CASE("pages in docs hold their sources as they stand", "[architecture][pages]") {
  for (const std::string page : {"explain", "lab", "planner"}) {
    INFO("ninja " << page << "_page writes docs/" << page << "/index.html anew");
    CHECK(missing_in(page) == std::vector<std::string>{});
  }
}

TEST_CASE("the laboratory's page knows the counts that are published", "[architecture][pages]") {
  std::ifstream in(documents / "lab/source/published.json");
  const auto known = bloomlab::record::Json::parse(in);
  INFO("ninja lab_page writes docs/lab/index.html and its published.json anew");
  std::size_t published = 0;
  for (const auto& entry : fs::directory_iterator(documents.parent_path() / "results")) {
    if (entry.path().extension() != ".json") continue;
    ++published;
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK(known.value(name, "") == bloomlab::record::sha256_hex(bloomlab::record::canonical_text(
                                       bloomlab::record::read_result_file(entry.path()))));
  }
  CHECK(known.size() == published);
}
