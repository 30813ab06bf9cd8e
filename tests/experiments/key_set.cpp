#include "experiments/cells/key_set.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "experiments/cells/cell_parts.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

/// The bytes of every key of a batch.
std::vector<std::string> bytes_of(const KeyBatch& batch) {
  std::vector<std::string> keys;
  for (const std::uint64_t value : batch.values()) keys.push_back(std::to_string(value));
  for (const std::string_view text : batch.texts()) keys.emplace_back(text);
  return keys;
}

Config config_of(const testing::TemporaryFolder& folder, const std::string& source) {
  std::string words;
  for (int i = 0; i < 5000; ++i) words += "word " + std::to_string(i) + "\n";
  folder.write("words", words);
  return testing::config_with(folder, R"({"keys": {"source": ")" + source + R"("}, "n": 2000,
    "filter": {"kind": "standard", "m": 16000, "k": 3},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})");
}

std::string source_json(std::string_view name) {
  if (name == "file") return R"(file", "path": "words)";
  if (name == "numbered") return R"(numbered", "pattern": "user{}@example.com)";
  return std::string(name);
}

}  // namespace

TEMPLATE_TEST_CASE("every source gives n inserted keys and q absent keys that are all different",
                   "[experiments][sources]", Uniform, Uniform32, Sequential, Numbered, File,
                   MinstdRand0) {
  const testing::TemporaryFolder folder;
  const Config config = config_of(folder, source_json(TestType::name));
  const auto keys = make_keys(config.cells.front(), 12345, 3000);
  KeyBuffer buffer;
  std::vector<std::string> all = bytes_of(keys->inserted_keys(0, 2000, buffer));
  const std::vector<std::string> absent_keys = bytes_of(keys->absent_keys(0, 3000, buffer));
  all.insert(all.end(), absent_keys.begin(), absent_keys.end());
  CHECK(keys->inserted_keys() == 2000);
  CHECK(keys->absent_keys() == 3000);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == 5000);
  CHECK(keys->inserted_keys(0, 10, buffer).integer_bytes() == TestType::integer_bytes);
}

TEST_CASE("the list of these tests is the catalogue of key sources", "[experiments][sources]") {
  CHECK(std::is_same_v<Sources,
                       TypeList<Uniform, Uniform32, Sequential, Numbered, File, MinstdRand0>>);
}

TEST_CASE("keys that are held are the same keys", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const Config config = config_of(folder, "uniform");
  const auto streamed = make_keys(config.cells.front(), 1, 3000);
  const auto stored = held(make_keys(config.cells.front(), 1, 3000));
  CHECK(streamed->made_on_demand());
  CHECK_FALSE(stored->made_on_demand());
  KeyBuffer buffer;
  KeyBuffer other;
  CHECK(std::ranges::equal(streamed->inserted_keys(100, 50, buffer).values(),
                           stored->inserted_keys(100, 50, other).values()));
  CHECK(std::ranges::equal(streamed->absent_keys(100, 50, buffer).values(),
                           stored->absent_keys(100, 50, other).values()));
}

TEST_CASE("more keys than may be held are streamed", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const Config config = config_of(folder, "sequential");
  CHECK(held(make_keys(config.cells.front(), 1, max_held_keys))->made_on_demand());
}

}  // namespace bloomlab::experiments
