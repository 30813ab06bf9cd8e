#include "analysis/plot/text.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/text/utf8.hpp"

using namespace bloomlab::analysis::plot;
using bloomlab::analysis::clean_text;

TEST_CASE("every character with a meaning in enhanced mode is escaped", "[plot][text]") {
  CHECK(quoted_text("a_b") == R"('a\_b')");
  CHECK(quoted_text("x^2") == R"('x\^2')");
  CHECK(quoted_text("{@&~}") == R"('\{\@\&\~\}')");
  CHECK(quoted_text(R"(back\slash)") == R"('back\\slash')");
  CHECK(quoted_text("it's") == "'it''s'");
  CHECK(quoted_text("\"`id` $x #1") == "'\"`id` $x #1'");
  CHECK(quoted_text("误判率, доля") == "'误判率, доля'");
}

TEST_CASE("only tick labels double the percent sign", "[plot][text]") {
  CHECK(quoted_text("1 %") == "'1 %'");
  CHECK(quoted_tick_text("1 %_") == R"('1 %%\_')");
}

TEST_CASE("text becomes one line of characters that XML allows", "[plot][text]") {
  CHECK(clean_text("a\nb\tc\x01") == "a b c ");
  CHECK(clean_text("\xC2\x85") == " ");
  CHECK(clean_text("\xFFz") == "\uFFFDz");
  CHECK(clean_text("\xE4\xB8") == "\uFFFD\uFFFD");
  CHECK(clean_text("\xC0\xAF") == "\uFFFD\uFFFD");                      // an overlong '/'
  CHECK(clean_text("\xED\xA0\x80").find('\xED') == std::string::npos);  // half a surrogate pair
  CHECK(clean_text("\xEF\xBF\xBE") == "\uFFFD");                        // U+FFFE
  CHECK(clean_text("\xF0\x9F\x8C\xB8") == "\xF0\x9F\x8C\xB8");
  CHECK(clean_text("\xF4\x90\x80\x80") == "\uFFFD");  // above U+10FFFF
}

TEST_CASE("a text is as wide as in the widest of the usual fonts", "[plot][text]") {
  CHECK(text_width("", 10) == 0);
  CHECK(text_width("m", 10) == Approx(9.75));                 // DejaVu Sans; Arial's has 8.33
  CHECK(text_width("C", 10) == Approx(7.23));                 // Arial; DejaVu's has 6.98
  CHECK(text_width("m", 10, Weight::bold) == Approx(10.42));  // DejaVu Sans Bold
  CHECK(text_width("误判", 10) == Approx(20));
  CHECK(text_width("ж", 10) > 0);
  CHECK(label_width("10^{-3}", 10) == Approx(12.74 + 0.8 * (3.61 + 6.37)));
  CHECK(label_width("0.05", 10) == Approx(text_width("0.05", 10)));
}

TEST_CASE("lines break at spaces and keep every word", "[plot][text]") {
  CHECK(wrap_text("", 100, 10) == std::vector<std::string>{""});
  CHECK(wrap_text("one two three", 1000, 10) == std::vector<std::string>{"one two three"});
  CHECK(wrap_text("one two three", 45, 10) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap_text("a longlonglongword b", 30, 10) ==
        std::vector<std::string>{"a", "longlonglongword", "b"});
}

TEST_CASE("Chinese text breaks between characters, words within it do not", "[plot][text]") {
  CHECK(wrap_text("误判率与位数", 35, 10) == std::vector<std::string>{"误判率", "与位数"});
  CHECK(wrap_text("误判 m.json 率", 42, 10) == std::vector<std::string>{"误判", "m.json", "率"});
}

TEST_CASE("numbers print alike everywhere", "[plot][text]") {
  CHECK(data_number(0.1) == "0.1");
  CHECK(data_number(1.0 / 3) == "0.333333333");
  CHECK(data_number(1e-12) == "1e-12");
  CHECK(fixed_number(1.005, 2) == "1.00");
  CHECK(fixed_number(-0.0001, 2) == "0.00");
  CHECK(fixed_number(-0.5, 1) == "-0.5");
}

TEST_CASE("tick labels group thousands and raise powers of ten", "[plot][text]") {
  CHECK(plain_label(0.5, 2) == "0.50");
  CHECK(plain_label(1000, 0) == "1000");
  CHECK(plain_label(10000, 0) == "10\u2009000");
  CHECK(plain_label(-1234567, 0) == "-1\u2009234\u2009567");
  CHECK(plain_label(12345.5, 1) == "12\u2009345.5");
  CHECK(shortest_label(0.01) == "0.01");
  CHECK(shortest_label(1e6) == "1\u2009000\u2009000");
  CHECK(shortest_label(1e9) == "10^{9}");
  CHECK(power_label(1e-3) == "10^{-3}");
  CHECK(power_label(2e5) == "2\u00D710^{5}");
  CHECK(power_label(-1.5e-7) == "-1.5\u00D710^{-7}");
  CHECK(power_label(0) == "0");
}
