// The tables of where results come from.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/report/report.hpp"
#include "analysis/text/words.hpp"
#include "record/number_text.hpp"
#include "synthetic.hpp"

namespace bloomlab::analysis {
namespace {

Experiment measured_with(const std::string& provenance) {
  Experiment experiment = synthetic::experiment({});
  experiment.provenance = Json::parse(provenance);
  return experiment;
}

std::vector<std::string> headings(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.heading);
  return names;
}

}  // namespace

TEST_CASE("a fact that all files share is told once, others file by file", "[analysis][report]") {
  const std::vector<Experiment> experiments = {
      measured_with(R"({"compiler": "g", "machine": {"cores": 2}, "jobs": 1})"),
      measured_with(R"({"compiler": "g", "machine": {"cores": 2}, "jobs": 2})")};
  const Table shared = provenance_table(experiments, Words("en"));
  REQUIRE(shared.rows.size() == 2);
  CHECK(shared.rows[0][0].text == "compiler");
  CHECK(shared.rows[1][0].text == "machine cores");
  CHECK(shared.rows[1][1].text == "2");
  const Table files = provenance_files_table(experiments, Words("en"));
  CHECK(headings(files) == std::vector<std::string>{"file", "jobs"});
  CHECK(files.rows[1][1].text == "2");
}

TEST_CASE("a list is one fact: its members where they are few, else how many",
          "[analysis][report]") {
  const std::vector<Experiment> experiments = {
      measured_with(R"({"speed": {"caches": [{"level": 1, "bytes": 32768}, {"level": 2,
                        "bytes": 1048576}], "ladder": [1, 2, 3, 4, 5], "warnings": []}})"),
      measured_with(R"({"speed": {"caches": [], "ladder": [1, 2], "warnings": ["load"]}})")};
  const Table files = provenance_files_table(experiments, Words("en"));
  CHECK(headings(files) ==
        std::vector<std::string>{"file", "speed caches", "speed ladder", "speed warnings"});
  CHECK(files.rows[0][1].text ==
        "level 1 bytes " + grouped(32768) + "; level 2 bytes " + grouped(1048576));
  CHECK(files.rows[0][2].text == "× 5");
  CHECK(files.rows[1][2].text == "1; 2");
  CHECK(files.rows[1][3].text == "load");
}

}  // namespace bloomlab::analysis
