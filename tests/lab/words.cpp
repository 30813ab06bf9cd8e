// The texts of the course lab in all languages.
#include "analysis/text/words.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "lab/assignment.hpp"

namespace {

using bloomlab::analysis::tag_names;
using bloomlab::analysis::Words;

std::set<std::string> tags_of(const std::string& text) {
  const auto names = tag_names("a text", text);
  return {names.begin(), names.end()};
}

std::string text_of(const std::string& name) {
  const auto text = bloomlab::analysis::embedded_text("templates/lab/" + name);
  INFO(name);
  REQUIRE(text);
  return std::string(*text);
}

}  // namespace

TEST_CASE("the words of the course lab are there in every language, with the same tags",
          "[lab][words]") {
  const Words english("en", "lab");
  for (const char* const language : {"zh", "ru"}) {
    const Words words(language, "lab");
    CHECK(words.texts().size() == english.texts().size());
    for (const auto& [key, text] : english.texts()) {
      INFO(language << " " << key);
      REQUIRE(words.has(key));
      CHECK(tags_of(words.texts().at(key)) == tags_of(text));
    }
    for (const std::string name : {"README.", "HANDOUT."}) {
      CHECK(tags_of(text_of(name + language + ".md")) == tags_of(text_of(name + "en.md")));
    }
  }
}

TEST_CASE("every skeleton has its gaps, and all of them are unfilled as they are given", "[lab]") {
  for (const auto& language : bloomlab::lab::languages()) {
    const std::string given = text_of(std::string(language.source) + ".in");
    INFO(language.source);
    CHECK(bloomlab::lab::unfilled_gaps(given, given) == std::vector<int>{1, 2});
    std::string spaced = given;
    for (std::size_t at = 0; (at = spaced.find('\n', at)) != std::string::npos; at += 2) {
      spaced.insert(at, " ");
    }
    CHECK(bloomlab::lab::unfilled_gaps(spaced, given) == std::vector<int>{1, 2});
    std::string filled = given;
    filled.insert(filled.find("return"), "int more; ");
    CHECK(bloomlab::lab::unfilled_gaps(filled, given) == std::vector<int>{2});
    CHECK(bloomlab::lab::unfilled_gaps("the marks are gone", given).empty());
  }
}
