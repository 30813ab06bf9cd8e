#include "record/partial_match.hpp"

#include <catch2/catch.hpp>

namespace bloomlab::record {

TEST_CASE("a partial cell stands for the cells that contain it", "[record][matches]") {
  const Json cell = Json::parse(R"({"n": 100, "filter": {"kind": "standard", "m": 64, "k": 3}})");
  const auto contained = [&](const char* partial) { return matches(Json::parse(partial), cell); };
  CHECK(contained("{}"));
  CHECK(contained(R"({"n": 100})"));
  CHECK(contained(R"({"n": 100.0})"));
  CHECK(contained(R"({"filter": {"k": 3}})"));
  CHECK(contained(R"({"filter": {"k": 3, "kind": "standard"}, "n": 100})"));
  CHECK_FALSE(contained(R"({"n": 101})"));
  CHECK_FALSE(contained(R"({"filter": {"k": 4}})"));
  CHECK_FALSE(contained(R"({"filter": {"fp": 0.1}})"));
  CHECK_FALSE(contained(R"({"hash": {}})"));
  CHECK_FALSE(contained(R"({"n": {}})"));
  CHECK_FALSE(contained("[]"));
}

}  // namespace bloomlab::record
