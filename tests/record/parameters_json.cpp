#include "record/parameters_json.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "record/input_error.hpp"
#include "tests/thrown.hpp"

namespace bloomlab::record {
namespace {

/// A type with a field of every sort.
struct Sample {
  static constexpr std::string_view name = "sample";
  enum class Colour { red, green };
  static constexpr std::array<std::string_view, 2> colours = {"red", "green"};

  struct Parameters {
    std::uint64_t size = 0;
    std::uint8_t small = 0;
    double share = 0.0;
    Colour colour = Colour::red;
    std::string path;
    std::optional<std::string> second;
    std::optional<std::uint64_t> seed;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"size", "bits", "how large", 1, 1000}, p.size);
    visit(IntegerField{"small", "", "fits a byte", 0, 100000, 7}, p.small);
    visit(RealField{.name = "share",
                    .unit = "",
                    .meaning = "how much",
                    .min = 0.0,
                    .max = 1.0,
                    .min_excluded = true,
                    .fallback = 0.5},
          p.share);
    visit(ChoiceField{"colour", "which", colours, 1}, p.colour);
    visit(TextField{"path", "where", true}, p.path);
    visit(TextField{"second", "where else", true}, p.second);
    visit(IntegerField{"seed", "", "of the generator", 1, 9}, p.seed);
  }
};

Sample::Parameters read(const std::string& text) {
  const Json json = Json::parse(text);
  const Origin origin{"f"};
  return read_selected<Sample>(JsonView(json, origin, "/s"), "a sample", "kind");
}

std::string error_of(const std::string& text) {
  return tests::thrown([&] { static_cast<void>(read(text)); }, "");
}

}  // namespace

TEST_CASE("parameters are read, and defaults resolved", "[record][parameters]") {
  const auto p = read(R"({"kind": "sample", "size": 8, "path": "a.txt"})");
  CHECK(p.size == 8);
  CHECK(p.small == 7);
  CHECK(p.share == Approx(0.5).epsilon(0));
  CHECK(p.colour == Sample::Colour::green);
  CHECK(p.path == "a.txt");
  CHECK_FALSE(p.second.has_value());
  CHECK_FALSE(p.seed.has_value());
}

TEST_CASE("parameters are written in the order of their description", "[record][parameters]") {
  const auto p = read(R"({"seed": 3, "path": "a", "colour": "red", "share": 1, "size": 1000})");
  Json json = {{"kind", "sample"}};
  write_parameters<Sample>(p, json);
  CHECK(
      json.dump() ==
      R"({"kind":"sample","size":1000,"small":7,"share":1.0,"colour":"red","path":"a","seed":3})");
  CHECK(read(json.dump()).seed == 3U);
  json["second"] = "b";
  const auto second = read(json.dump());
  CHECK(second.second == "b");
  Json again = Json::object();
  write_parameters<Sample>(second, again);
  CHECK(again.at("second") == "b");
}

TEST_CASE("parameters of a resolved cell, and among other keys, are read again",
          "[record][parameters]") {
  Json json = Json::parse(R"({"kind":"sample","size":8,"path":"a"})");
  CHECK(parameters_of<Sample>(json, "kind").size == 8);
  json["other"] = 1;
  CHECK_THROWS_AS(parameters_of<Sample>(json, "kind"), InputError);
  CHECK(own_parameters_of<Sample>(json).size == 8);
}

TEST_CASE("a bad parameter is refused with what is allowed", "[record][parameters]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {R"({"size": 1})", R"(f: /s: missing key "path": where; a text)"},
      {R"({"path": "a"})", R"(f: /s: missing key "size": how large; an integer from 1 to 1000)"},
      {R"({"size": 0, "path": "a"})",
       "f: /s/size: found 0; size must be an integer from 1 to 1000"},
      {R"({"size": 1e2, "path": "a"})",
       "f: /s/size: found 100.0; an integer has no point and no exponent: write 100"},
      {R"({"size": 1, "small": 256, "path": "a"})",
       "f: /s/small: found 256; small must be an integer from 0 to 255"},
      {R"({"size": 1, "share": 0, "path": "a"})",
       "f: /s/share: found 0; share must be a number in (0, 1]"},
      {R"({"size": 1, "share": true, "path": "a"})",
       "f: /s/share: found true; share must be a number in (0, 1]"},
      {R"({"size": 1, "colour": "gren", "path": "a"})",
       R"(f: /s/colour: unknown colour "gren"; did you mean "green"?)"},
      {R"({"size": 1, "colour": 1, "path": "a"})",
       R"(f: /s/colour: found 1; colour must be one of "red", "green")"},
      {R"({"size": 1, "path": "a", "second": ""})",
       "f: /s/second: second is an empty text; write one"},
      {R"({"size": 1, "path": ""})", "f: /s/path: path is an empty text; write one"},
      {R"({"size": 1, "path": "a", "seed": 10})",
       "f: /s/seed: found 10; seed must be an integer from 1 to 9"},
      {R"({"size": 1, "path": "a", "sed": 1})",
       R"(f: /s/sed: unknown key "sed"; did you mean "seed"?)"},
      {"[]", "f: /s: found an array; a sample must be an object"},
  }));
  CAPTURE(text);
  CHECK(error_of(text) == error);
}

TEST_CASE("relative paths start from a folder, absolute ones stay", "[record][parameters]") {
  auto p = read(R"({"size": 1, "path": "../keys/a.txt"})");
  resolve_paths<Sample>(p, "configs/smoke");
  CHECK(p.path == "configs/keys/a.txt");
  CHECK_FALSE(p.second.has_value());
  p.path = "/data/a.txt";
  p.second = "b.txt";
  resolve_paths<Sample>(p, "configs");
  CHECK(p.path == "/data/a.txt");
  CHECK(p.second == "configs/b.txt");
}

TEST_CASE("facts about fields say what a config may hold", "[record][parameters]") {
  const auto facts = field_facts<Sample>();
  REQUIRE(facts.size() == 7);
  CHECK(
      facts[0].listed.dump() ==
      R"({"name":"size","type":"integer","unit":"bits","meaning":"how large","min":1,"max":1000})");
  CHECK(facts[0].schema.dump() == R"({"type":"integer","minimum":1,"maximum":1000})");
  CHECK(facts[0].required);
  CHECK_FALSE(facts[1].required);
  CHECK(facts[2].schema.dump() == R"({"type":"number","exclusiveMinimum":0.0,"maximum":1.0})");
  CHECK(facts[3].listed.at("default") == "green");
  CHECK(facts[4].listed.at("type") == "path");
  CHECK(facts[4].required);
  CHECK_FALSE(facts[5].required);
  CHECK(facts[5].listed.at("optional") == true);
  CHECK_FALSE(facts[6].required);
}

TEST_CASE("a place that was moved is named where it stands in the file", "[record][view]") {
  const Origin origin{"f", {{"/a/b", "/a/b/3"}, {"/a", "/a/0"}}};
  CHECK(origin.where("") == "f");
  CHECK(origin.where("/x") == "f: /x");
  CHECK(origin.where("/a/c") == "f: /a/0/c");
  CHECK(origin.where("/a/b/m") == "f: /a/b/3/m");
  CHECK(origin.where("/ab") == "f: /ab");
}

}  // namespace bloomlab::record
