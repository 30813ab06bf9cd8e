#include "tests/experiments/bad_configs.hpp"

#include <catch2/catch.hpp>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments::testing {

std::string text_of(const BadConfig& config) {
  std::string text = good_config;
  for (const Change& change : config.changes) {
    const std::size_t place = text.find(change.from);
    if (place == std::string::npos) {
      throw std::logic_error("the good config has no " + std::string(change.from));
    }
    text.replace(place, change.from.size(), change.to);
  }
  return text;
}

namespace {

constexpr Machine machine{std::uint64_t{16} << 30};

/// The error of reading a config, without the file's name; empty where there is none.
std::string error_of(const std::filesystem::path& path) {
  try {
    static_cast<void>(read_config(path, machine));
  } catch (const record::InputError& error) {
    const std::string line = error.what();
    const std::string file = path.string() + ": ";
    REQUIRE(line.substr(0, file.size()) == file);
    return line.substr(file.size());
  }
  return "";
}

void check_table(const std::vector<BadConfig>& table) {
  const TemporaryFolder folder;
  folder.write("words.txt", "one\ntwo\r\ntwo\n\nthree");
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += std::to_string(i) + "\n";
  folder.write("lines.txt", lines);
  folder.write("more.txt", "7\nseven\neight\n");
  folder.write("empty.txt", "\n");
  for (const BadConfig& config : table) {
    CAPTURE(config.title);
    const std::string line = error_of(folder.write("bad.json", text_of(config)));
    CHECK(line == config.error);
    CHECK(line.find('\n') == std::string::npos);
  }
}

}  // namespace

TEST_CASE("the good config is good", "[config][bad]") {
  const TemporaryFolder folder;
  CHECK(error_of(folder.write("good.json", good_config)).empty());
}

TEST_CASE("a fault of structure is named in one line", "[config][bad]") {
  check_table(faults_of_structure());
}

TEST_CASE("a fault of meaning is named in one line", "[config][bad]") {
  check_table(faults_of_meaning());
}

TEST_CASE("a text that is not JSON is named with line and column", "[config][bad]") {
  check_table(faults_of_syntax());
}

TEST_CASE("a file that is no config at all is named", "[config][bad]") {
  const TemporaryFolder folder;
  CHECK(error_of(folder.path() / "none.json") == "no such file; check the path");
  CHECK(error_of(folder.path()) == "is a folder; name a file");
  CHECK(error_of(folder.write("empty.json", "")) == "the file is empty; expected JSON");
  CHECK(error_of(folder.write("blank.json", " \n\t\n")) == "the file is empty; expected JSON");
  CHECK(error_of(folder.write("list.json", "[1, 2]")) ==
        "found an array; a config must be an object");
  CHECK(error_of(folder.write("number.json", "7")) == "found 7; a config must be an object");
  CHECK(error_of(folder.write("deep.json", std::string(100000, '['))) ==
        "nested deeper than 64 levels; write it flatter");
}

TEST_CASE("a config that is cut off anywhere is refused", "[config][bad]") {
  const TemporaryFolder folder;
  const std::size_t end = good_config.find_last_of('}');
  for (std::size_t size = 1; size <= end; ++size) {
    CAPTURE(size);
    const std::string line = error_of(folder.write("cut.json", good_config.substr(0, size)));
    CHECK_FALSE(line.empty());
  }
  CHECK(error_of(folder.write("cut.json", good_config.substr(0, end))) ==
        "line 16, column 4: the file ends too early; close every bracket, brace and quotation "
        "mark");
}

TEST_CASE("a fault within an axis is named where it stands in the file", "[config][bad]") {
  const TemporaryFolder folder;
  const BadConfig in_objects{
      "",
      {{R"({"kind": "standard", "m": {"per_n": [8, 9.6]}, "k": {"range": [5, 7]}})",
        R"([{"kind": "standard", "m": 64, "k": 1}, {"kind": "standard", "m": [8, 0], "k": 1}])"}},
      ""};
  CHECK(error_of(folder.write("bad.json", text_of(in_objects))) ==
        "/grid/filter/1/m/1: found 0; m must be an integer from 1 to 281474976710656");
}

}  // namespace bloomlab::experiments::testing
