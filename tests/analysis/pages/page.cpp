#include "analysis/pages/page.hpp"

#include <catch2/catch.hpp>

#include "record/input_error.hpp"

using namespace bloomlab::analysis::pages;

namespace {

std::string fault_of(const std::string& text) {
  try {
    static_cast<void>(parse_page("p.md", text, "mine"));
  } catch (const bloomlab::record::InputError& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("blocks leave a page, tables and figures leave their tags", "[pages][page]") {
  const PageText page = parse_page("p.md",
                                   "The answer is {{ratio}}.\n---\nProse.\n"
                                   "```sql values\nselect 1 as ratio\n```\n"
                                   "```sql table folds\nselect 2\n```\n"
                                   "```text\n---\n```sql not a block\n```\n"
                                   "```figure mine\nx: a\n```\n```figure other\ny: b\n```\nEnd.\n",
                                   "mine");
  CHECK(page.template_text ==
        "The answer is {{ratio}}.\n---\nProse.\n{{table:folds}}\n"
        "```text\n---\n```sql not a block\n```\n"
        "{{figure:mine}}\n{{figure:mine_other}}\nEnd.\n");
}

TEST_CASE("blocks that are not shown leave one blank line between paragraphs", "[pages][page]") {
  const PageText page =
      parse_page("p.md",
                 "Answer.\n---\nProse.\n\n```sql values\nselect 1 as a\n```\n\n"
                 "```sql data d\nselect 2\n```\n\n```text\n\n\nkept\n```\n\nEnd.\n",
                 "mine");
  CHECK(page.template_text == "Answer.\n---\nProse.\n\n```text\n\n\nkept\n```\n\nEnd.\n");
}

TEST_CASE("a fault of a page names its line and what is allowed", "[pages][page]") {
  CHECK(fault_of("no answer\n") ==
        "p.md: no line \"---\" between the answer and the page; add one");
  CHECK(fault_of("a\n---\n```sql tabel x\n```\n") ==
        "p.md: line 3: unknown block \"sql tabel\"; did you mean \"table\"?");
  CHECK(fault_of("a\n---\n```sql table\nselect 1\n```\n") ==
        "p.md: line 3: the block wants one name behind its kind");
  CHECK(fault_of("a\n---\n```sql values v\n```\n") == "p.md: line 3: \"sql values\" takes no name");
  CHECK(fault_of("a\n---\n```figure a/b\n```\n") ==
        "p.md: line 3: a name is of letters, digits, '_' and '-', found \"a/b\"");
  CHECK(fault_of("a\n---\n```figure a\n```\n\n```figure a\n```\n") ==
        "p.md: line 6: a second block is called \"a\"");
  CHECK(fault_of("a\n---\n```sql data a\nselect 1\n") ==
        "p.md: line 3: the block is not closed: add a line ```");
}

TEST_CASE("settings of a figure are read line by line", "[pages][page]") {
  Block block{
      .kind = Block::Kind::figure, .name = "f", .text = "x: a b\n# no\n\n y : c: d \n", .line = 5};
  const auto settings = settings_of(block, "p.md");
  REQUIRE(settings.size() == 2);
  CHECK(settings[0] == std::pair<std::string, std::string>{"x", "a b"});
  CHECK(settings[1] == std::pair<std::string, std::string>{"y", "c: d"});
  block.text = "x: 1\nwhat\n";
  CHECK_THROWS_WITH(settings_of(block, "p.md"), "p.md: line 6: \"key: value\" is wanted");
  block.text = "x: 1\nx: 2\n";
  CHECK_THROWS_WITH(settings_of(block, "p.md"), "p.md: line 6: \"x\" is set twice");
}
