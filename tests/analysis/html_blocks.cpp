#include <catch2/catch.hpp>

#include "analysis/html/page.hpp"
#include "analysis/html/raw.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

using namespace bloomlab::analysis;
using Catch::Contains;

namespace {

std::string html_of(const std::string& markdown, const html::Pictures& pictures = {}) {
  std::string text;
  for (const html::Block& block : html::blocks_of(markdown, pictures)) text += block.html;
  return text;
}

constexpr const char* small_svg =
    "<?xml version=\"1.0\"?>\n<svg \n width=\"90\"\n xmlns=\"http://www.w3.org/2000/svg\"\n "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n<title>A title</title><circle r=\"1\"/>"
    "</svg>\n\n";

}  // namespace

TEST_CASE("headings, paragraphs, lists and links become HTML", "[analysis][html]") {
  const auto blocks =
      html::blocks_of("# One & two\n\n- **[a](#b)** text\n\nmore *words* `x<y`\n", {});
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].heading == 1);
  CHECK(blocks[0].html == "One &amp; two");
  CHECK(blocks[0].text == "One &amp; two");
  CHECK(blocks[1].html == "<ul>\n<li><strong><a href=\"#b\">a</a></strong> text</li>\n</ul>\n");
  CHECK(blocks[2].html == "<p>more <em>words</em> <code>x&lt;y</code></p>\n");
  CHECK_FALSE(blocks[2].folds);
}

TEST_CASE("a formula of TeX becomes MathML", "[analysis][html][formula]") {
  REQUIRE(html::can_convert_formulas());
  const std::string html = html_of("The rate is $\\left(1-e^{-kn/m}\\right)^k$, about.\n");
  CHECK_THAT(html, Contains("<math alttext=\"\\left(1-e^{-kn/m}\\right)^k\">"));
  CHECK_THAT(html, Contains("<msup><mi>e</mi>"));
  CHECK_THAT(html, !Contains("$"));
  CHECK_THAT(html, !Contains(">-</mo>"));
  CHECK_THAT(html_of("$$\\frac{m}{n}$$\n"), Contains("<math display=\"block\""));
  CHECK_THAT(html_of("$a<b$\n"), Contains("alttext=\"a&lt;b\""));
  // What is none stays as it is.
  CHECK_THAT(html_of("costs \\$5 and `$x$`\n"), Contains("costs $5 and <code>$x$</code>"));
  CHECK_THAT(html_of(markdown_escaped("$5 or $6") + "\n"), Contains("$5 or $6"));
  CHECK_THAT(html_of("$\\nonsense$\n"), Contains("<code>\\nonsense</code>"));
}

TEST_CASE("a bad formula of a page is named with its line", "[analysis][html][formula]") {
  CHECK_NOTHROW(html::check_formulas("a.md", "fine: $x^2$ and `$\\bad$`\n```\n$\\bad$\n```\n"));
  CHECK_THROWS_WITH(html::check_formulas("a.md", "fine: $x$\n\nnot: $\\frac{1$\n"),
                    Contains("a.md: line 3: formula \"\\frac{1\": ") && Contains("brace"));
  CHECK_THROWS_WITH(html::check_formulas("a.md", "```\n```\n$$\\foo$$\n"),
                    "a.md: line 3: formula \"\\foo\": Unrecognised command \"\\foo\"");
}

TEST_CASE("formulas of a line are found as Markdown finds them", "[analysis][html][formula]") {
  const auto found = [](std::string_view line) {
    std::vector<std::string> all;
    for (const Formula& formula : formulas_in(line)) {
      CHECK(line.substr(formula.begin, formula.end - formula.begin).starts_with('$'));
      all.push_back((formula.display ? "display " : "") + std::string(formula.tex));
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  CHECK(found("a $x$ and $$y$$.") == Texts{"x", "display y"});
  CHECK(found("\\$5 and `$x$` and ``$`$``") == Texts{});
  CHECK(found("$5\\$ x$") == Texts{"5\\$ x"});
  CHECK(found("only $5") == Texts{});
  CHECK(found("$$x$ y") == Texts{});
  CHECK(found("$$$x$$$") == Texts{});
}

TEST_CASE("a paragraph in italics is a caption; line_of has no paragraph", "[analysis][html]") {
  CHECK(html_of("*All of it.*\n") == "<p class=\"caption\"><em>All of it.</em></p>\n");
  CHECK(html_of("*All* of *it*\n") == "<p><em>All</em> of <em>it</em></p>\n");
  CHECK(html::line_of("An **answer**.") == "An <strong>answer</strong>.");
  CHECK(html::line_of("One.\n\nTwo.") == "<p>One.</p>\n<p>Two.</p>\n");
}

TEST_CASE("a table of the report keeps its rows, its sides and its numbers", "[analysis][html]") {
  const Table table{
      .name = "t",
      .caption = "A caption.",
      .columns = {{"name"}, {"rate"}, {"m", "bits"}},
      .rows = {{Entry{"first|second"}, interval_entry(0.2, 0.1, 0.3), count_entry(1000000)},
               {Entry{"third"}, no_entry(), count_entry(12)}}};
  const auto blocks = html::blocks_of(markdown(table), {});
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[1].folds);
  CHECK_THAT(blocks[1].html, Contains("<th scope=\"col\" class=\"n\">m [bits]</th>"));
  CHECK_THAT(blocks[1].html, Contains("<tr><td>first|second</td>"));
  CHECK_THAT(blocks[1].html, Contains("<td class=\"n\" data-v=\"0.2\">0.2 [0.1, 0.3]</td>") ||
                                 Contains("<td class=\"n\" data-v=\"0.2\">0.20 [0.10, 0.30]</td>"));
  CHECK_THAT(blocks[1].html, Contains("data-v=\"1e+06\">1\u202f000\u202f000</td>") ||
                                 Contains("data-v=\"1000000\">1\u202f000\u202f000</td>"));
  CHECK_THAT(blocks[1].html, Contains("<td class=\"n\">–</td><td class=\"n\">12</td>"));
}

TEST_CASE("an entry of several lines is sorted by its first; marks do not hide a number",
          "[analysis][html]") {
  const std::string text = html_of("| a |\n| --- |\n| −1.5<br>0.3 |\n| **+3 %** |\n| 0.4<br>7 |\n");
  CHECK_THAT(text, Contains("<td data-v=\"-1.5\">−1.5<br>0.3</td>"));
  CHECK_THAT(text, Contains("<td data-v=\"0.03\"><strong>+3 %</strong></td>"));
  CHECK_THAT(text, Contains("<td>0.4<br>7</td>"));
}

TEST_CASE("a long line in a table is one to be broken", "[analysis][html]") {
  const std::string reason(80, 'x');
  CHECK_THAT(html_of("| a |\n| --- |\n| " + reason + " |\n"), Contains("<td class=\"t\">xxx"));
  CHECK_THAT(html_of("| a |\n| --- |\n| short<br>" + reason + " |\n"),
             Contains("<td class=\"t\">short"));
}

TEST_CASE("folds are raw HTML that passes", "[analysis][html]") {
  const std::string text =
      html_of("<details>\n<summary>All of it (7)</summary>\n\ntext\n\n</details>\n");
  CHECK(text == "<details>\n<summary>All of it (7)</summary>\n<p>text</p>\n</details>\n");
}

TEST_CASE("an anchor that stands alone is known as one", "[analysis][html]") {
  const auto blocks = html::blocks_of("<a id=\"my%20config\"></a>\n\n## Title\n", {});
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].anchor == "my%20config");
  CHECK(blocks[1].anchor.empty());
  CHECK(html::blocks_of("text <a id=\"x\"></a>\n", {}).front().anchor.empty());
}

TEST_CASE("no other HTML passes, wherever a config may put it", "[analysis][html]") {
  for (const std::string text :
       {"<script>alert(1)</script>", "before <img src=x onerror=alert(1)> after",
        "<details open ontoggle=alert(1)>", "<a id=\"x\" onclick=\"alert(1)\">", "<a href=\"x\">",
        "<svg onload=alert(1)>", "<br onclick=x>", "<summary><b>x</b></summary>",
        "| a |\n| --- |\n| <script>x</script> |\n", "a <!-- <script> --> b", "<?php x ?>",
        "<a id=\"\"></a>", "<a id=\">", "text <details> text </details>"}) {
    const std::string page = html_of(text);
    INFO(text << " gives " << page);
    for (const char* forbidden :
         {"<script", "<img", "<svg", "<a ", "<b>", "<!--", "<?", "<details ", "<br "}) {
      CHECK(page.find(forbidden) == std::string::npos);
    }
  }
  CHECK(html_of("text <details> text\n") == "<p>text &lt;details&gt; text</p>\n");
}

TEST_CASE("a title with every special character shows as it is", "[analysis][html]") {
  const std::string title = "<b>\"R&D\"</b> 'x' [y](z) | `c` #1 *not* \\ {{tag}}";
  CHECK(html_of(markdown_escaped(title) + "\n") ==
        "<p>&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt; 'x' [y](z) | `c` #1 *not* \\ {{tag}}</p>\n");
}

TEST_CASE("links lead within the page, to files beside it and into the web", "[analysis][html]") {
  CHECK(html_of("[a](results/a.json)\n") == "<p><a href=\"results/a.json\">a</a></p>\n");
  CHECK(html_of("[a](<x y&z>)\n") == "<p><a href=\"x y&amp;z\">a</a></p>\n");
  CHECK_THAT(html_of("<https://example.org/a?b=c&d>\n"),
             Contains("href=\"https://example.org/a?b=c&amp;d\""));
  for (const char* text : {"[a](javascript:alert(1))", "[a](JaVaScRiPt:x)", "[a](data:text/html,x)",
                           "[a](java&#115;cript:x)", "[a](javascript&colon;x)", "[a](//evil.org/x)",
                           "[a](<  javascript:x>)", "[a](vbscript:x)"}) {
    INFO(text);
    CHECK(html_of(text) == "<p>a</p>\n");
  }
}

TEST_CASE("an image that is known stands in the page, another one is a link", "[analysis][html]") {
  const std::string text = html_of("![Rate & \\<size\\>](figures/a.svg)\n\n![b](figures/b.svg)\n",
                                   {{"figures/a.svg", small_svg}});
  CHECK(text ==
        "<div><figure><div class=\"scroll\"><svg role=\"img\" aria-label=\"Rate &amp; "
        "&lt;size&gt;\" \n width=\"90\"\n \n \n>\n<circle r=\"1\"/></svg></div></figure></div>\n"
        "<p><a href=\"figures/b.svg\">b</a></p>\n");
}

TEST_CASE("a file that is no SVG gives no picture", "[analysis][html]") {
  CHECK(html::inline_picture("", "a").empty());
  CHECK(html::inline_picture("<svg", "a").empty());
  CHECK(html::inline_picture("</svg><svg>", "a").empty());
}

TEST_CASE("a picture that is shown again has ids of its own", "[analysis][html]") {
  const std::string svg =
      "<svg><defs><g id='f-p'/></defs><use xlink:href='#f-p'/><g fill=\"url(#f-p)\"/></svg>";
  CHECK_THAT(html::inline_picture(svg, "a"), Catch::Contains("id='f-p'"));
  const std::string copy = html::inline_picture(svg, "a", 1);
  CHECK_THAT(copy, Catch::Contains("id='copy2-f-p'") && Catch::Contains("href='#copy2-f-p'") &&
                       Catch::Contains("url(#copy2-f-p)"));
}

TEST_CASE("text that is no UTF-8 does no harm", "[analysis][html]") {
  CHECK(html_of("a\xFF"
                "b\n") == "<p>a\uFFFDb</p>\n");
  CHECK(html_of(std::string("a\0b\n", 4)) == "<p>a\uFFFDb</p>\n");
}
