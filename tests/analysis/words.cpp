#include "analysis/text/words.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/paths.hpp"

using namespace bloomlab::analysis;

namespace {

/// Every .cpp of the analysis and every page of it in one text.
std::string sources() {
  namespace fs = std::filesystem;
  std::string all;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(BLOOMLAB_SOURCE_DIR) / "analysis")) {
    const bool is_page = entry.path().string().ends_with(".page.md");
    if (entry.path().extension() != ".cpp" && !is_page) continue;
    std::ifstream file(entry.path());
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

/// Tags with a text for each, so that expanding finds only typed digits.
Tags any_tags(const std::string& name, std::string_view text) {
  Tags tags;
  for (const std::string& tag : tag_names(name, text)) tags[tag] = "x";
  return tags;
}

}  // namespace

TEST_CASE("no list of words and no template holds a typed digit", "[analysis][words]") {
  std::size_t templates = 0;
  for (const EmbeddedText& entry : embedded_texts()) {
    if (!entry.name.starts_with("templates/") || !entry.name.ends_with(".md")) continue;
    if (entry.name.ends_with(".page.md")) continue;          // queries
    if (entry.name.starts_with("templates/lab/")) continue;  // given to students as they stand
    const std::string name(entry.name);
    CHECK_NOTHROW(expand(name, entry.text, any_tags(name, entry.text)));
    ++templates;
  }
  CHECK(templates >= 12);
  const Words words("en");
  for (const auto& [key, text] : words.texts()) {
    CHECK_NOTHROW(words(key, any_tags(key, text)));
  }
}

TEST_CASE("every word is used by some page", "[analysis][words]") {
  const std::string code = sources();
  const Words words("en");
  for (const auto& [key, text] : words.texts()) {
    // Columns of the lab's tables put "column." and the quantity together, rungs their name,
    // references their key, claims their verdict and their kind of check, the tables of the fair
    // study their name.
    const bool composed = key == "column.fp1" || key == "column.fp2" || key == "column.capacity" ||
                          key == "column.expansions" || key.starts_with("rung.") ||
                          key.starts_with("stopped.") || key.starts_with("bibliography.") ||
                          key.starts_with("table.scalable_fair_") ||
                          key.starts_with("claims.verdict.") || key.starts_with("claims.kind.");
    INFO(key);
    const bool in_code = code.find("\"" + key + "\"") != std::string::npos;
    CHECK((composed || in_code || code.find("{{word:" + key + "}}") != std::string::npos));
  }
}

TEST_CASE("an unknown word is an error that names it", "[analysis][words]") {
  CHECK_THROWS_WITH(Words("en")("no.such.word"), "words.en.json: no text \"no.such.word\"");
}

TEST_CASE("an unknown language names those that exist", "[analysis][words]") {
  CHECK_THROWS_WITH(Words("xx"), "unknown language \"xx\"; allowed: en, ru, zh");
}

TEST_CASE("embedded texts are those of the source tree", "[analysis][words]") {
  for (const EmbeddedText& entry : embedded_texts()) {
    const std::filesystem::path tree = BLOOMLAB_SOURCE_DIR;
    const bool header = entry.name.ends_with("/bloomlab_filter.h");
    const bool result = entry.name.starts_with("results/");
    std::ifstream file(header   ? tree / "foreign/bloomlab_filter.h"
                       : result ? tree / entry.name
                                : tree / "analysis" / entry.name);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    INFO(entry.name);
    CHECK(text == entry.text);
  }
}
