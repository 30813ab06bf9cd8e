#include <catch2/catch.hpp>

#include "analysis/text/words.hpp"

using bloomlab::analysis::expand;
using bloomlab::analysis::tag_names;
using bloomlab::analysis::TemplateError;

TEST_CASE("tags are replaced by their texts", "[analysis][template]") {
  CHECK(expand("t", "k = {{k}}, rate {{rate}}; {{k}} again", {{"k", "7"}, {"rate", "0.01"}}) ==
        "k = 7, rate 0.01; 7 again");
}

TEST_CASE("a replaced text is not searched for tags", "[analysis][template]") {
  CHECK(expand("t", "{{a}}", {{"a", "{{b}} 42"}}) == "{{b}} 42");
}

TEST_CASE("an unknown tag is refused with its line", "[analysis][template]") {
  CHECK_THROWS_WITH(expand("page.md", "one\ntwo {{rat}}", {}),
                    "page.md: line 2: unknown tag \"{{rat}}\"");
}

TEST_CASE("a text that its tags make too large is refused with the line", "[analysis][template]") {
  const std::string large(most_bytes_of_text / 4, 'x');
  CHECK(expand("page.md", "{{a}}{{a}}\n{{a}}", {{"a", large}}).size() == 3 * large.size() + 1);
  CHECK_THROWS_WITH(expand("page.md", "{{a}}{{a}}\n{{a}}{{a}}{{a}}", {{"a", large}}),
                    "page.md: line 2: with what its tags stand for, the text is more than 67108864 "
                    "bytes; write shorter values, or fewer tags");
}

TEST_CASE("a text that no tag asks for is refused", "[analysis][template]") {
  CHECK_THROWS_WITH(
      expand("page.md", "nothing", {{"rate", "0.01"}}),
      "page.md: the text \"rate\" is computed but no tag asks for it: add \"{{rate}}\"");
}

TEST_CASE("a digit typed in prose is refused with its line", "[analysis][template]") {
  CHECK_THROWS_WITH(expand("page.md", "fine\n\nabout 10 bits", {}),
                    "page.md: line 3: a digit is typed in prose: \"about 10 bits\"; numbers come "
                    "from tags");
}

TEST_CASE("digits may stand in formulas, and nowhere beside them", "[analysis][template]") {
  CHECK(expand("t", "one\n$2^k$ and $$x_1$$", {}) == "one\n$2^k$ and $$x_1$$");
  CHECK_THROWS_WITH(expand("t", "$2^k$\n$2^k$ is 4", {}),
                    Catch::Contains("t: line 2: a digit is typed in prose: \"$2^k$ is 4\""));
  CHECK_THROWS_AS(expand("t", "only $5", {}), TemplateError);
}

TEST_CASE("a digit after a tag is found too", "[analysis][template]") {
  CHECK_THROWS_WITH(expand("page.md", "{{a}}\n{{a}} is\n1", {{"a", "x"}}),
                    Catch::Contains("line 3: a digit is typed in prose: \"1\""));
}

TEST_CASE("a full-width digit is a digit", "[analysis][template]") {
  CHECK_THROWS_AS(expand("t", "约１０位", {}), TemplateError);
  CHECK(expand("t", "约十位，", {}) == "约十位，");
}

TEST_CASE("a tag that is not closed is refused", "[analysis][template]") {
  CHECK_THROWS_WITH(expand("page.md", "a\n{{b", {}),
                    "page.md: line 2: a tag is not closed: add \"}}\"");
}

TEST_CASE("the tags of a template are listed once each", "[analysis][template]") {
  CHECK(tag_names("t", "{{a}} {{table:b}} {{a}}") == std::vector<std::string>{"a", "table:b"});
}
