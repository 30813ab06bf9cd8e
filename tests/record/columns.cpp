#include "record/columns.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "record/cell_seed.hpp"
#include "record/input_error.hpp"
#include "record/names.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"
#include "tests/paths.hpp"
#include "tests/record/temporary_folder.hpp"

namespace bloomlab::record {
namespace {

namespace fs = std::filesystem;

const Json config = Json::parse(R"({"seed": 42, "shared_across": ["/k"]})");
const Json config_of_two_trials = Json::parse(R"({"seed": 42, "trials": 2, "steps": 3})");

std::vector<Observation> two_trials() {
  std::vector<Observation> rows(2);
  for (std::uint64_t trial = 0; trial < 2; ++trial) {
    Observation& row = rows[trial];
    row.cell = Json::parse(R"({"n": 100, "k": 3})");
    row.group = "0123456789abcdef";
    row.trial = trial;
    row.seed = trial_seed(42, R"({"n":100})", trial);
    row.redrawn = {"keys"};
    row.measured = Json{{"inserted", 100}, {"false_positives", 3 + trial}, {"layer_bits", {1, 2}}};
    row.timing = Json{{"insert_ns", {10 + trial, 12}}};
  }
  return rows;
}

std::vector<Json> columns_of(const std::vector<Observation>& rows, const Json& of) {
  std::vector<Json> entries;
  for_each_entry(rows, of, [&](const Json& entry) { entries.push_back(entry); });
  return entries;
}

std::string text_of(const std::vector<Observation>& rows) {
  Json all = Json::array();
  for (const Observation& row : rows) all.push_back(to_json(row));
  return all.dump();
}

std::vector<Observation> again(const std::vector<Observation>& rows) {
  std::vector<Observation> all;
  for (const Json& entry : columns_of(rows, config)) {
    std::ranges::move(observations_of(entry, 0, Origin{"file"}, config), std::back_inserter(all));
  }
  return all;
}

std::string sha256_of(const fs::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text, '\0');
  return sha256_hex(text);
}

std::string fault_of(const std::string& entry, const Json& of = config) {
  try {
    static_cast<void>(observations_of(Json::parse(entry), 0, Origin{"file"}, of));
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a cell is written once, and what is equal in all trials too", "[record][columns]") {
  const std::vector<Json> entries = columns_of(two_trials(), config);
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].dump() ==
        R"({"cell":{"n":100,"k":3},"group":"0123456789abcdef","redrawn":["keys"],"trials":2,)"
        R"("measured":{"inserted":[100],"false_positives":[3,4],"layer_bits":[[1,2]]},)"
        R"("timing":{"insert_ns":[[10,12],[11,12]]}})");
}

TEST_CASE("observations come back from their columns as they were", "[record][columns]") {
  std::vector<Observation> rows = two_trials();
  CHECK(text_of(again(rows)) == text_of(rows));
  rows[1].measured = Json{{"false_positives", 1}, {"refused", 2}, {"layer_bits", {3}}};
  CHECK(text_of(again(rows)) == text_of(rows));
  rows[0].seed = 7;  // not the seed of its trial: written
  CHECK(text_of(again(rows)) == text_of(rows));
  rows[1].trial = 5;  // a gap
  CHECK(text_of(again(rows)) == text_of(rows));
  rows[0].step = 2;
  rows[1].step = 3;
  CHECK(text_of(again(rows)) == text_of(rows));
  rows[1].cell["n"] = 200;
  CHECK(text_of(again(rows)) == text_of(rows));
  CHECK(columns_of(rows, config).size() == 2);
}

TEST_CASE("trials with steps are written by two numbers", "[record][columns]") {
  std::vector<Observation> rows;
  for (const Observation& row : two_trials()) {
    for (std::uint64_t step = 1; step <= 3; ++step) {
      rows.push_back(row);
      rows.back().step = step;
    }
  }
  const Json entry = columns_of(rows, config).at(0);
  CHECK(entry["trials"] == 2);
  CHECK(entry["steps"] == 3);
  CHECK_FALSE(entry.contains("trial"));
  CHECK(text_of(again(rows)) == text_of(rows));
}

TEST_CASE("rows of very many members are written, read and digested in linear time",
          "[record][columns]") {
  // Looking for each name among the others would take some 10^11 comparisons of texts.
  constexpr int members = 300'000;
  std::vector<Observation> rows = two_trials();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json counts = Json::object();
    auto& list = counts.get_ref<Json::object_t&>();
    // The second row has names that the first lacks, and lacks others.
    for (int member = 0; member < members; ++member) {
      if (member % 3 == static_cast<int>(i)) continue;
      list.emplace_back("c" + std::to_string(member), Json(member));
    }
    rows[i].measured = std::move(counts);
  }
  const std::vector<Json> entries = columns_of(rows, config);
  REQUIRE(entries.size() == 1);
  const Json& columns = entries[0].at("measured");
  REQUIRE(columns.size() == members);
  CHECK(columns.at("c0") == Json::array({nullptr, 0}));
  CHECK(columns.at("c1") == Json::array({1, nullptr}));
  CHECK(columns.at("c2") == Json::array({2}));
  const std::vector<Observation> read = again(rows);
  REQUIRE(read.size() == 2);
  CHECK((read[0].measured == rows[0].measured));  // not shown where it fails
  CHECK((read[1].measured == rows[1].measured));
  CHECK((digested_counts(rows[0].measured) == rows[0].measured));
}

TEST_CASE("a damaged cell is refused with its place", "[record][columns][errors]") {
  const std::string good = columns_of(two_trials(), config).at(0).dump();
  CHECK(fault_of(good).empty());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return fault_of(text);
  };
  CHECK(with(R"("false_positives":[3,4])", R"("false_positives":[3,4,5])") ==
        "file: /cells/0/measured/false_positives: found 3 entries; allowed: a list of 2, or of one "
        "for all rows");
  CHECK(with(R"("false_positives":[3,4])", R"("false_positives":3)") ==
        "file: /cells/0/measured/false_positives: found no list; allowed: a list of 2, or of one "
        "for all rows");
  CHECK(with(R"("trials":2)", R"("trials":0)") ==
        "file: /cells/0/trials: found 0; trials must be an integer from 1 to 100000000");
  CHECK(with(R"("trials":2)", R"("trials":100000000,"steps":2)") ==
        "file: /cells/0/trials: more than 100000000 rows");
  CHECK(with(R"("timing":)", R"("timming":)") ==
        R"(file: /cells/0/timming: unknown key "timming"; did you mean "timing"?)");
}

TEST_CASE("more trials or steps than the config has are refused before their rows are made",
          "[record][columns][errors]") {
  const std::string rest = R"(,"measured":{},"timing":{},"group":"0","redrawn":[],"cell":{}})";
  const auto fault = [&](const std::string& counts) {
    return fault_of("{" + counts + rest, config_of_two_trials);
  };
  CHECK(fault(R"("trials":2,"steps":3)").empty());
  CHECK(fault(R"("trials":1)").empty());
  CHECK(fault(R"("trials":100000000)") ==
        "file: /cells/0/trials: found 100000000 and its config has 2; run the config again");
  CHECK(fault(R"("trials":2,"steps":4)") ==
        "file: /cells/0/steps: found 4 and its config has 3; run the config again");
}

TEST_CASE("rows that neither a column lists nor the config says are refused before they are made",
          "[record][columns][errors]") {
  // Each of these files of some hundred bytes would else give 10^8 rows, which are tens of GiB.
  const auto fault = [](const std::string& counts, const std::string& measured, const Json& of) {
    return fault_of("{" + counts + R"(,"measured":{)" + measured +
                        R"(},"timing":{},"group":"0","redrawn":[],"cell":{}})",
                    of);
  };
  const Json seed_only = Json::parse(R"({"seed": 42})");
  CHECK(fault(R"("trials":100000000)", "", seed_only) ==
        "file: /cells/0/trials: found 100000000 rows, and no column lists as many, nor has its "
        "config \"trials\"; run the config again");
  CHECK(fault(R"("trials":100000000)", R"("a":[1],"b":[1,2])", seed_only) ==
        "file: /cells/0/trials: found 100000000 rows, and no column lists as many, nor has its "
        "config \"trials\"; run the config again");
  CHECK(fault(R"("trials":2,"steps":50000000)", "", Json::parse(R"({"trials": 2})")) ==
        "file: /cells/0/trials: found 100000000 rows, and no column lists as many, nor has its "
        "config \"trials\" and \"steps\"; run the config again");
  CHECK(fault(R"("trials":100000000)", R"("a":[1])", Json::parse(R"({"trials": 100000000})")) ==
        "file: /cells/0/trials: found 100000000 rows, and no column lists as many; without one at "
        "most 100000 are allowed; run the config again");
  CHECK(fault(R"("trials":3)", R"("a":[1])", Json::parse(R"({"trials": 3})")).empty());
  CHECK(fault(R"("trials":3)", R"("a":[1,2,3])", seed_only).empty());
  CHECK(fault(R"("seed":[1,2,3],"trials":3)", R"("a":[1])", seed_only).empty());
  CHECK(fault(R"("trials":1)", "", seed_only).empty());
}

TEST_CASE("rows that are all alike are read back, whatever the config says", "[record][columns]") {
  std::vector<Observation> rows = two_trials();
  rows[1].measured = rows[0].measured;
  rows[1].timing = rows[0].timing;
  CHECK(columns_of(rows, config).at(0).contains("seed"));
  CHECK(text_of(again(rows)) == text_of(rows));
  const Json with_trials = Json::parse(R"({"seed": 42, "shared_across": ["/k"], "trials": 2})");
  CHECK_FALSE(columns_of(rows, with_trials).at(0).contains("seed"));
}

TEST_CASE("a committed result that is read and written is the same file", "[record][columns]") {
  const TemporaryFolder folder;
  for (const std::string name : {"lab_report", "interval_stopping", "external_peers"}) {
    const fs::path committed = BLOOMLAB_SOURCE_DIR "/results/" + name + ".json";
    const fs::path again = folder.path() / "again.json";
    write_result_file(again, read_result_file(committed));
    INFO(name);
    CHECK(sha256_of(again) == sha256_of(committed));
  }
}

TEST_CASE("a result whose cells were changed by hand is refused", "[record][columns][errors]") {
  const TemporaryFolder folder;
  ResultFile file;
  file.config = config;
  file.provenance = Json::object();
  file.observations = two_trials();
  const fs::path path = folder.path() / "a.json";
  write_result_file(path, file);
  CHECK_NOTHROW(read_result_file(path));
  std::string text;
  std::getline(std::ifstream(path), text, '\0');
  text.replace(text.find("[3,4]"), 5, "[3,5]");
  std::ofstream(path) << text;
  CHECK_THROWS_WITH(read_result_file(path),
                    path.string() +
                        ": /checksum: the cells are not those that were written; restore the file, "
                        "or measure again with `bloomlab run --force`");
}

TEST_CASE("pages travel in the result, but are no part of what must be equal",
          "[record][columns]") {
  const TemporaryFolder folder;
  ResultFile file;
  file.config = config;
  file.provenance = Json::object();
  file.observations = two_trials();
  const std::string without = canonical_text(file);
  file.config["page"] = "a.page.md";
  file.pages["a.page.md"] = "Answer \"é\"\n---\n";
  const fs::path path = folder.path() / "a.json";
  write_result_file(path, file);
  const ResultFile again = read_result_file(path);
  CHECK(again.pages == file.pages);
  CHECK(canonical_text(again) == without);
}

}  // namespace bloomlab::record
