// Result files of somebody else, with the right checksum and any value in any place: each costs at
// most itself.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>

#include "analysis/report/report.hpp"
#include "record/json.hpp"
#include "record/sha256.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::analysis;
using bloomlab::record::Json;

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// As the program would have written it: with the checksum of the cells that are there.
void write_as_result(const fs::path& path, Json json) {
  std::string lines;
  if (json["cells"].is_array()) {
    for (const Json& cell : json["cells"]) lines += (lines.empty() ? "" : ",\n") + cell.dump();
  }
  json["checksum"] = bloomlab::record::sha256_hex(lines);
  std::ofstream(path) << json.dump();
}

/// Every value that holds no other, and every list and object.
void places_in(const Json& json, const Json::json_pointer& at,
               std::vector<Json::json_pointer>& places) {
  places.push_back(at);
  if (json.is_object()) {
    for (const auto& [name, member] : json.items()) places_in(member, at / name, places);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) places_in(json[i], at / i, places);
  }
}

const std::vector<Json>& strange_values() {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           "seven",
                                           "",
                                           -1,
                                           0,
                                           1e300,
                                           0.5,
                                           std::uint64_t{1} << 63U,
                                           Json::array(),
                                           Json::object(),
                                           Json::array({Json::array({1})}),
                                           Json{{"a", "b"}},
                                           "\u0001s\u0002\u001b[31m<script>alert(1)</script>",
                                           std::string(3000, '|'),
                                           "../../../etc"};
  return values;
}

/// The report of a folder with this file and a good one: the good one's section is there, and what
/// was wrong is said in the words of this program.
void check_report(const fs::path& folder) {
  const std::clock_t begin = std::clock();
  const ReportOutcome outcome = write_report({.results = folder,
                                              .report = folder / "out",
                                              .figures = folder / "out/figures",
                                              .pages = folder / "out/pages",
                                              .csv = folder / "out/csv",
                                              .sqlite = folder / "out/all.sqlite"});
  CHECK(std::clock() - begin < 30 * CLOCKS_PER_SEC);
  const std::string report = text_of(outcome.report_file);
  CHECK_THAT(report, Catch::Contains("A synthetic sweep"));
  CHECK_THAT(text_of(outcome.page_file), !Catch::Contains("<script>alert"));
  for (const std::string& fault : outcome.faults) {
    INFO(fault);
    CHECK(fault.find("json.exception") == std::string::npos);
    CHECK(fault.find("strange.json") != std::string::npos);
    CHECK(fault.find_first_of("\n\x1b\x01") == std::string::npos);
  }
}

}  // namespace

TEST_CASE("a result with a strange value costs at most itself", "[analysis][hostile]") {
  const char* const wanted = std::getenv("BLOOMLAB_STRANGE_VALUES");
  const int values_of_each = wanted == nullptr ? 2 : std::atoi(wanted);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(BLOOMLAB_SOURCE_DIR "/results")) {
    constexpr std::uintmax_t most_bytes = 32'000;
    const std::string name = entry.path().filename().string();
    const bool whole = name.ends_with(".json") && !name.ends_with(".confirmation.json");
    if (whole && entry.file_size() < most_bytes) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 20);
  std::mt19937_64 random(20261);
  for (const fs::path& file : files) {
    const Json good = Json::parse(text_of(file));
    std::vector<Json::json_pointer> places;
    for (const char* const part : {"config", "provenance", "cells", "pages"}) {
      if (good.contains(part))
        places_in(good[part], Json::json_pointer("/" + std::string(part)), places);
    }
    for (int i = 0; i < values_of_each; ++i) {
      const Json::json_pointer place = places[random() % places.size()];
      const Json value = strange_values()[random() % strange_values().size()];
      INFO(file.filename().string() << place.to_string() << " = " << value.dump());
      const Temporary folder;
      bloomlab::record::write_result_file(folder.path / "good.json",
                                          synthetic::results({.m = {4000, 8000}, .trials = 3}));
      Json strange = good;
      strange[place] = value;
      write_as_result(folder.path / "strange.json", strange);
      REQUIRE_NOTHROW(check_report(folder.path));
    }
  }
}
