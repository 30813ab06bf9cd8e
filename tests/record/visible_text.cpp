// What a terminal would not show is found and written out.
#include "record/visible_text.hpp"

#include <catch2/catch.hpp>
#include <string>

using bloomlab::record::first_hidden;
using bloomlab::record::made_visible;
using bloomlab::record::shell_word;

TEST_CASE("text that is shown as it stands is left alone", "[record][text]") {
  for (const std::string text : {"", "plain", "实验一", "Ответ\n\tдва\r\n", "naïve 𝛼"}) {
    CHECK_FALSE(first_hidden(text));
    CHECK(made_visible(text) == text);
  }
}

TEST_CASE("control characters, direction marks and stray bytes are written out", "[record][text]") {
  CHECK(first_hidden("a\x1b[31m") == "U+001B, a control character");
  CHECK(first_hidden(std::string("a\0b", 3)) == "U+0000, a control character");
  CHECK(first_hidden("a\xC2\x9F") == "U+009F, a control character");
  CHECK(first_hidden("a\xE2\x80\xAE") == "U+202E, a direction or line mark");
  CHECK(first_hidden("a\xFF") == "the byte FF, which is no UTF-8");
  CHECK(made_visible("a\x1b[m\xE2\x81\xA6 b\xFF") == "a\\u{001B}[m\\u{2066} b\\xFF");
}

TEST_CASE("a text is one word of a shell, whatever stands in it", "[record][text]") {
  CHECK(shell_word("configs/a.json") == "configs/a.json");
  CHECK(shell_word("k3 x") == "'k3 x'");
  CHECK(shell_word("a b; rm -rf x") == "'a b; rm -rf x'");
  CHECK(shell_word("it's") == R"('it'\''s')");
  CHECK(shell_word("") == "''");
}

TEST_CASE("overlong, cut and surrogate sequences are no UTF-8", "[record][text]") {
  for (const std::string text : {"\xC0\x80", "\xE2\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    INFO(made_visible(text));
    REQUIRE(first_hidden(text));
    CHECK_THAT(*first_hidden(text), Catch::EndsWith("which is no UTF-8"));
    CHECK(made_visible(text).find_first_not_of("\\x0123456789ABCDEF") == std::string::npos);
  }
}
