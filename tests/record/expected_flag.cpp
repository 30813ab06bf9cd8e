#include "record/expected_flag.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "record/input_error.hpp"
#include "record/strict_json.hpp"

using namespace bloomlab::record;

namespace {

std::vector<ExpectedFlag> read(const Json& config) {
  static constexpr std::array<std::string_view, 1> known = {"expected_flags"};
  const Origin origin{"a.json"};
  return read_expected_flags(ObjectReader(JsonView(config, origin), "a config", known));
}

Json with(const Json& entry) { return {{"expected_flags", Json::array({entry})}}; }

}  // namespace

TEST_CASE("a config without expected flags expects none", "[record][flags]") {
  CHECK(read(Json::object()).empty());
  CHECK(read({{"expected_flags", Json::array()}}).empty());
}

TEST_CASE("an expected flag is of the rate and certain unless it says otherwise",
          "[record][flags]") {
  const auto plain = read(with({{"cell", {{"n", 5}}}, {"reason", "why"}}));
  REQUIRE(plain.size() == 1);
  CHECK(plain[0].cell == Json{{"n", 5}});
  CHECK(plain[0].test == "rate");
  CHECK(plain[0].reason == "why");
  CHECK(plain[0].certain);
  const auto full = read(with(
      {{"cell", Json::object()}, {"reason", "why"}, {"test", "fill"}, {"occurrence", "possible"}}));
  CHECK(full[0].test == "fill");
  CHECK_FALSE(full[0].certain);
}

TEST_CASE("a word that is no occurrence is refused with its place", "[record][flags]") {
  const Json entry = {{"cell", Json::object()}, {"reason", "why"}, {"occurrence", "maybe"}};
  CHECK_THROWS_WITH(
      read(with(entry)),
      Catch::StartsWith("a.json: /expected_flags/0/occurrence: ") && Catch::Contains("possible"));
}
