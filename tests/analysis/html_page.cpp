#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "analysis/html/page.hpp"
#include "analysis/text/words.hpp"
#include "record/sha256.hpp"

using namespace bloomlab::analysis;
using Catch::Contains;

namespace {

constexpr const char* small_report = R"(# The *report*

Said beforehand.

## Answers

- **[Folding](#folding)** It holds.

## The experiments

How to read it.

<a id="folding"></a>

## Folding & more

![A figure](figures/folding.svg)

| a |
| --- |
| 1 |

<a id="other"></a>

## Answers

## Thresholds

| b |
| --- |
| 2 |
)";

html::PageSource source() {
  return {.markdown = small_report,
          .answers = {{"folding", {"It **holds**.", "Experiments"}}, {"other", {"Yes.", ""}}},
          .pictures = {{"figures/folding.svg",
                        "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"folding-g\"/></svg>"}},
          .report_link = "[REPORT.md](REPORT.md)",
          .results_folder = "results"};
}

std::set<std::string> ids_of(const std::string& page, std::size_t& count) {
  static const std::regex id(" id=[\"']([^\"']*)[\"']");
  std::set<std::string> ids;
  for (std::sregex_iterator at(page.begin(), page.end(), id), end; at != end; ++at, ++count) {
    ids.insert((*at)[1]);
  }
  return ids;
}

std::string between(const std::string& text, const std::string& open, const std::string& close) {
  const std::size_t begin = text.find(open) + open.size();
  return text.substr(begin, text.find(close, begin) - begin);
}

}  // namespace

TEST_CASE("sections get their anchors, titles, answers and folds", "[analysis][html]") {
  const auto outline = html::outline_of(html::blocks_of(small_report, {}), source().answers);
  CHECK(outline.title == "The report");
  CHECK(outline.intro == "<p>Said beforehand.</p>\n");
  REQUIRE(outline.sections.size() == 5);
  CHECK(outline.sections[0].id == "answers");
  CHECK_FALSE(outline.sections[0].folded);
  CHECK(outline.sections[1].id == "the-experiments");
  CHECK_FALSE(outline.sections[1].folded);
  CHECK(outline.sections[2].id == "folding");
  CHECK(outline.sections[2].label == "Folding &amp; more");
  CHECK(outline.sections[2].answer == "It <strong>holds</strong>.");
  CHECK(outline.sections[2].chapter == "Experiments");
  CHECK(outline.sections[2].folded);
  CHECK(outline.sections[3].id == "other");
  CHECK(outline.sections[3].answer == "Yes.");
  CHECK(outline.sections[3].chapter.empty());
  CHECK(outline.sections[3].folded);
  CHECK(outline.sections[4].id == "thresholds");
  CHECK(outline.sections[4].folded);
}

TEST_CASE("equal titles get ids of their own, letters of any script stay", "[analysis][html]") {
  const auto outline =
      html::outline_of(html::blocks_of("## A, b\n\n## A b\n\n## Ответы 答案\n\n## ?\n", {}), {});
  REQUIRE(outline.sections.size() == 4);
  CHECK(outline.sections[0].id == "a-b");
  CHECK(outline.sections[1].id == "a-b-1");
  CHECK(outline.sections[2].id == "Ответы-答案");
  CHECK(outline.sections[3].id == "section");
}

TEST_CASE("the page holds everything, each id once", "[analysis][html]") {
  const std::string page = html::page(source(), "en");
  CHECK_THAT(page,
             Contains("<details class=\"section experiment\" id=\"folding\">\n<summary><h3>"));
  CHECK_THAT(page, Contains("<span class=\"answer\">It <strong>holds</strong>.</span></summary>"));
  CHECK_THAT(
      page,
      Contains("<li><details><summary>Experiments</summary>\n<ol>\n<li><a href=\"#folding\">"));
  CHECK_THAT(page, Contains("<svg role=\"img\" aria-label=\"A figure\""));
  std::size_t count = 0;
  const auto ids = ids_of(page, count);
  CHECK(ids.size() == count);
  CHECK(count >= 10);
}

TEST_CASE("the page loads nothing: no address of the web, no file beside it", "[analysis][html]") {
  const std::string page = html::page(source(), "en");
  CHECK(page.find("http:") == std::string::npos);
  CHECK(page.find("https:") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  CHECK(page.find("url(") == std::string::npos);
  CHECK_THAT(page, Contains("default-src 'none'"));
}

TEST_CASE("the policy allows the page's own script, byte for byte", "[analysis][html]") {
  const std::string page = html::page(source(), "en");
  const std::string script = between(page, "<script>", "</script>");
  CHECK_THAT(script, Contains("makeSortable"));
  const auto hash = bloomlab::record::sha256(script);
  CHECK_THAT(page, Contains("script-src 'sha256-" +
                            html::base64(std::string(hash.begin(), hash.end())) + "'"));
}

TEST_CASE("base64 is that of RFC 4648", "[analysis][html]") {
  CHECK(html::base64("").empty());
  CHECK(html::base64("f") == "Zg==");
  CHECK(html::base64("fo") == "Zm8=");
  CHECK(html::base64("foo") == "Zm9v");
  CHECK(html::base64("foob") == "Zm9vYg==");
  CHECK(html::base64("fooba") == "Zm9vYmE=");
  CHECK(html::base64("foobar") == "Zm9vYmFy");
  CHECK(html::base64("\xFB\xFF\xFE") == "+//+");
}

TEST_CASE("equal sources give equal pages", "[analysis][html]") {
  CHECK(html::page(source(), "en") == html::page(source(), "en"));
}

TEST_CASE("the page's own words are in every language, with the same tags", "[analysis][html]") {
  const Words english("en", "page");
  for (const char* language : {"zh", "ru"}) {
    const Words words(language, "page");
    REQUIRE(words.texts().size() == english.texts().size());
    for (const auto& [key, text] : english.texts()) {
      INFO(language << " " << key);
      REQUIRE(words.has(key));
      CHECK(words.texts().at(key) != text);
      auto tags = tag_names("en", text);
      auto others = tag_names(language, words.texts().at(key));
      std::sort(tags.begin(), tags.end());
      std::sort(others.begin(), others.end());
      CHECK(tags == others);
    }
    const std::string page = html::page(source(), language);
    CHECK_THAT(
        page, Contains("<html lang=\"" + std::string(language) + "\">") && Contains(words("open")));
  }
}

TEST_CASE("the page's script cannot end itself", "[analysis][html]") {
  const auto script = embedded_text("templates/page/page.js");
  REQUIRE(script);
  CHECK(script->find("</") == std::string_view::npos);
  CHECK(script->find("<!--") == std::string_view::npos);
}
