#include "record/result_file.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <sstream>

#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/sha256.hpp"
#include "tests/edit.hpp"
#include "tests/record/temporary_folder.hpp"

namespace bloomlab::record {
namespace {

namespace fs = std::filesystem;

Observation observation(std::uint64_t trial) {
  return {.cell = Json::parse(R"({"keys":{"source":"uniform"},"n":100})"),
          .group = "0123456789abcdef",
          .trial = trial,
          .step = std::nullopt,
          .seed = std::numeric_limits<std::uint64_t>::max(),
          .redrawn = {"keys", "hash_seed"},
          .measured = Json::parse(R"({"false_positives":3,"conditional_rate":0.1})"),
          .timing = Json::parse(R"({"insert_ns":12})")};
}

ResultFile result_file() {
  ResultFile file;
  file.config = Json::parse(R"({"$schema":"bloomlab-config-1","seed":42})");
  file.provenance = Json::parse(R"({"commit":"abc"})");
  file.observations = {observation(0), observation(1)};
  return file;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string error_of(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
  try {
    static_cast<void>(read_result_file(path));
  } catch (const InputError& error) {
    return std::string(error.what()).substr(path.string().size());
  }
  return "";
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("an observation is written with its keys in the order of the format",
          "[record][result]") {
  Observation one = observation(2);
  CHECK(to_json(one).dump() ==
        R"({"cell":{"keys":{"source":"uniform"},"n":100},"group":"0123456789abcdef","trial":2,)"
        R"("seed":18446744073709551615,"redrawn":["keys","hash_seed"],)"
        R"("measured":{"false_positives":3,"conditional_rate":0.1},"timing":{"insert_ns":12}})");
  one.step = 5;
  CHECK(to_json(one).dump().find(R"("trial":2,"step":5,"seed":)") != std::string::npos);
  CHECK(to_json(observation_from_json(to_json(one), "here")) == to_json(one));
}

TEST_CASE("a trial draws keys, hash seeds or simulations anew, and nothing else",
          "[record][result]") {
  for (const char* word : {"keys", "hash_seed", "simulations"}) {
    Observation one = observation(0);
    one.redrawn = {word};
    CHECK(observation_from_json(to_json(one), "here").redrawn == one.redrawn);
  }
  Observation one = observation(0);
  one.redrawn = {"weather"};
  CHECK_THROWS_WITH(
      observation_from_json(to_json(one), "here"),
      Catch::Contains("unknown word of redrawn \"weather\"") && Catch::Contains("\"simulations\""));
}

TEST_CASE("a result file comes back as it was written", "[record][result]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "deep" / "a.json";
  write_result_file(path, result_file());
  const ResultFile back = read_result_file(path);
  CHECK(back.config == result_file().config);
  CHECK(back.provenance == result_file().provenance);
  REQUIRE(back.observations.size() == 2);
  CHECK(to_json(back.observations[1]) == to_json(observation(1)));
  CHECK(canonical_text(back) == canonical_text(result_file()));
  // Byte-equal, so that a result that did not change shows no difference.
  const std::string text = text_of(path);
  write_result_file(path, back);
  CHECK(text_of(path) == text);
  CHECK(entries(path.parent_path()) == 1);  // no temporary file stays
}

TEST_CASE("the canonical text leaves out provenance and durations, and nothing else",
          "[record][result]") {
  const std::string text = canonical_text(result_file());
  ResultFile other = result_file();
  other.provenance["commit"] = "def";
  bloomlab::tests::edit(other.observations, [&](auto& list) { list[0].timing["insert_ns"] = 13; });
  CHECK(canonical_text(other) == text);
  bloomlab::tests::edit(other.observations,
                        [&](auto& list) { list[0].measured["false_positives"] = 4; });
  CHECK(canonical_text(other) != text);
  other = result_file();
  other.config["seed"] = 43;
  CHECK(canonical_text(other) != text);
  other = result_file();
  bloomlab::tests::edit(other.observations, [&](auto& list) { list[1].seed = 1; });
  CHECK(canonical_text(other) != text);
  CHECK(text.find("timing") == std::string::npos);
  CHECK(text.find("provenance") == std::string::npos);
}

TEST_CASE("a number that is not finite is never written", "[record][result]") {
  const TemporaryFolder folder;
  ResultFile file = result_file();
  bloomlab::tests::edit(file.observations, [&](auto& list) {
    list[1].measured["conditional_rate"] = std::numeric_limits<double>::quiet_NaN();
  });
  const fs::path path = folder.path() / "a.json";
  CHECK_THROWS_AS(write_result_file(path, file), RunError);
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("a failed write leaves the old file and nothing beside it", "[record][result]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "taken";
  fs::create_directories(target / "inside");  // a folder cannot be replaced by a file
  CHECK_THROWS_AS(write_atomically(target, "text"), RunError);
  CHECK(entries(folder.path()) == 1);
  write_atomically(folder.path() / "a", "one");
  CHECK_THROWS_AS(write_atomically(folder.path() / "a" / "b", "two"), RunError);
  CHECK(text_of(folder.path() / "a") == "one");
}

TEST_CASE("a bad result file is refused in one line", "[record][result]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.json";
  const std::string head = R"({"format": "bloomlab-result-2", "config": {}, "provenance": {}, )";
  const auto with_cells = [&](const std::string& cells) {
    return head + R"("checksum": ")" + sha256_hex(cells) + R"(", "cells": [)" + cells + "]}";
  };
  CHECK(error_of(path, "{}") == R"(: missing key "format": name of the format)");
  CHECK(error_of(path, R"({"format": "bloomlab-result-3"})") ==
        R"(: /format: found "bloomlab-result-3"; this version reads "bloomlab-result-2"; run the )"
        "config again");
  CHECK(error_of(path, R"({"format": "bloomlab-result-1", "observations": []})") ==
        R"(: /format: found "bloomlab-result-1"; this version no longer reads it, only )"
        R"("bloomlab-result-2"; run the config again)");
  CHECK(error_of(path, head + R"("cell": []})") ==
        R"(: /cell: unknown key "cell"; did you mean "cells"?)");
  CHECK(error_of(path, head + R"("cells": {}, "checksum": ")" + sha256_hex("") + "\"}") ==
        ": /cells: found an object; cells must be an array");
  CHECK(error_of(path, with_cells(R"({"cell":1,"trials":1})")) ==
        ": /cells/0/cell: found 1; expected an object");
  CHECK(error_of(path, with_cells(R"({"cell":{},"trial":[-1]})")) ==
        ": /cells/0/trial/0: found -1; trial must be an integer from 0 to 18446744073709551615");
  CHECK(error_of(path, head) ==
        ": line 1, column 64: the file ends too early; close every bracket, brace and quotation "
        "mark");
}

}  // namespace bloomlab::record
