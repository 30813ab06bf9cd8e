#include "record/strict_json.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "record/input_error.hpp"
#include "tests/thrown.hpp"

namespace bloomlab::record {
namespace {

std::string parse_error_of(const std::string& text) {
  return tests::thrown([&] { static_cast<void>(parse_json(text, "f")); }, "");
}

}  // namespace

TEST_CASE("strict JSON keeps what a lenient reader keeps", "[record][json]") {
  const std::string text =
      R"({"z":1,"a":[true,false,null,-3,2.5,"\u00e4\n",{}],"n":18446744073709551615,"e":{}})";
  CHECK(parse_json(text, "f").dump() == Json::parse(text).dump());
  CHECK(parse_json(" 7 ", "f") == 7);
}

TEST_CASE("64-bit integers do not pass through double", "[record][json]") {
  const Json json =
      parse_json("[18446744073709551615, 9007199254740993, -9223372036854775808]", "f");
  CHECK(json[0].get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
  CHECK(json[1].get<std::uint64_t>() == 9007199254740993U);
  CHECK(json[2].get<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
  CHECK(parse_error_of("[1, [2, 18446744073709551616]]") ==
        "f: /1/1: 18446744073709551616 does not fit in 64 bits; the largest integer is "
        "18446744073709551615");
}

TEST_CASE("a key that stands twice is refused at any depth", "[record][json]") {
  CHECK(parse_error_of(R"({"a": 1, "a": 1})") ==
        R"(f: /a: the key "a" stands twice in one object; keep one of the two)");
  CHECK(parse_error_of(R"({"x": [0, {"y/z": {"a": 1, "b": 2, "a": 3}}]})") ==
        R"(f: /x/1/y~1z/a: the key "a" stands twice in one object; keep one of the two)");
  CHECK(parse_error_of(R"([{"a": 1}, {"a": 1}])").empty());
}

TEST_CASE("nesting has a limit", "[record][json]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(parse_error_of(nested(max_json_depth)).empty());
  CHECK(parse_error_of(nested(max_json_depth + 1)) ==
        "f: nested deeper than 64 levels; write it flatter");
}

TEST_CASE("a fault of syntax is named with its place and a remedy", "[record][json]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"", "f: the file is empty; expected JSON"},
      {"{\n \"a\": NaN}",
       "f: line 2, column 7: NaN is not a number of JSON; write a finite number"},
      {"[nan]", "f: line 1, column 2: nan is not a number of JSON; write a finite number"},
      {"[-Infinity]",
       "f: line 1, column 2: -Infinity is not a number of JSON; write a finite number"},
      {"[1e999]", "f: line 1, column 2: 1e999 is too large for a number; write a finite number"},
      {"[1, 2",
       "f: line 1, column 6: the file ends too early; close every bracket, brace and quotation "
       "mark"},
      {"[\"a",
       "f: line 1, column 4: the file ends too early; close every bracket, brace and quotation "
       "mark"},
      {"[1,]", "f: line 1, column 4: a comma stands before ']'; remove the comma"},
      {"[1] // one", "f: line 1, column 5: a comment; JSON has none, remove it"},
      {"[1] 2", "f: line 1, column 5: found '2' after the end of the JSON value; remove it"},
      {"{a: 1}", "f: line 1, column 2: found 'a'; expected a key in quotation marks"},
      {"{'a': 1}", "f: line 1, column 2: a single quotation mark; JSON texts stand in double ones"},
      {"[+1]", "f: line 1, column 2: '+1' is not JSON; correct it"},
      {"[1 \"b\"]", "f: line 1, column 4: found '\"b\"'; expected ',' or ']'"},
      {"[\"a\nb\"]",
       "f: line 1, column 4: a line break or another control character in a text; write it as an "
       "escape such as \\n"},
      {"[\"\\q\"]",
       "f: line 1, column 4: an escape that JSON does not know; a backslash itself is written as "
       "two"},
      {"[\"\xff\"]", "f: line 1, column 3: a text that is not UTF-8; save the file as UTF-8"},
  }));
  CAPTURE(text);
  CHECK(parse_error_of(text) == error);
}

TEST_CASE("a zero byte does not end the text", "[record][json]") {
  CHECK(parse_error_of(std::string("[1]\0 and more", 13)) ==
        "f: byte 4 is zero; expected JSON as UTF-8 text");
  CHECK(parse_error_of(std::string("[1]\0", 4)) ==
        "f: byte 4 is zero; expected JSON as UTF-8 text");
  CHECK(parse_error_of(std::string("[\0 1]", 5)) ==
        "f: byte 2 is zero; expected JSON as UTF-8 text");
}

TEST_CASE("pointers escape what RFC 6901 says", "[record][json]") {
  CHECK(pointer_to("", "a") == "/a");
  CHECK(pointer_to("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(pointer_to("/a", std::size_t{12}) == "/a/12");
}

TEST_CASE("a pointer finds what it names, and nothing where it is none", "[record][json]") {
  const Json json = Json::parse(R"({"a":{"b":[1,{"c":2}],"x/y":3,"x~y":4,"":5},"99":6})");
  const auto found = [&](std::string_view pointer) {
    const Json* const value = record::find_at(json, pointer);
    return value == nullptr ? "nothing" : value->dump();
  };
  CHECK(found("") == json.dump());
  CHECK(found("/a/b/0") == "1");
  CHECK(found("/a/b/1/c") == "2");
  CHECK(found("/a/x~1y") == "3");
  CHECK(found("/a/x~0y") == "4");
  CHECK(found("/a/") == "5");
  CHECK(found("/99") == "6");
  for (const char* none :
       {"a", "trials", "/", "/b", "/a/b/2", "/a/b/00", "/a/b/01", "/a/b/-", "/a/b/-1", "/a/b/",
        "/a/b/0/c", "/a/b/0/", "/a/x~y", "/a/x~2y", "/a~", "/a/b/99999999999999999999", "/99/0"}) {
    INFO(none);
    CHECK(found(none) == "nothing");
  }
}

}  // namespace bloomlab::record
