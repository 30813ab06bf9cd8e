#include "record/packed_json.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::record {

TEST_CASE("packed JSON comes back to the last bit and kind of number", "[record][packed_json]") {
  const Json values = {
      nullptr,
      true,
      false,
      0U,
      127U,
      128U,
      std::numeric_limits<std::uint64_t>::max(),
      -1,
      std::numeric_limits<std::int64_t>::min(),
      std::int64_t{5},
      0.1,
      -0.0,
      5e-324,
      "",
      "a text",
      std::string(1000, 'x'),
      Json::array(),
      Json::object(),
      {{"filter", {{"kind", "standard"}, {"m", 1000U}}}, {"a", {1U, {2.5, {{"filter", "a"}}}}}}};
  JsonPacker packer;
  std::vector<std::string> packed;
  for (const Json& value : values) packer.pack(value, packed.emplace_back());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string_view bytes = packed[i];
    const Json back = packer.unpack(bytes);
    CHECK(bytes.empty());
    CHECK(back.dump() == values[i].dump());
    CHECK(back.type() == values[i].type());
  }
}

TEST_CASE("packed values stand one behind the other, and names and texts are kept once",
          "[record][packed_json]") {
  const Json row = {{"true_positives", 1000U}, {"conditional_rate", 0.001}, {"stopped_by", "hits"}};
  JsonPacker packer;
  std::string bytes;
  for (int i = 0; i < 100; ++i) packer.pack(row, bytes);
  // A kind and a number of members; for each a name, and a kind with what it says.
  CHECK(bytes.size() == 100 * (2 + (1 + 1 + 2) + (1 + 1 + 8) + (1 + 1 + 1)));
  std::string_view rest = bytes;
  for (int i = 0; i < 100; ++i) REQUIRE(packer.unpack(rest) == row);
  CHECK(rest.empty());

  const JsonPacker moved = std::move(packer);
  rest = bytes;
  CHECK(moved.unpack(rest) == row);
}

}  // namespace bloomlab::record
