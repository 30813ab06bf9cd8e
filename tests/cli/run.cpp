#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

namespace {

/// `--out` relative names are compared without their folder.
std::string canon(const std::string& folder) { return bloomlab_says("canon " + folder).out; }

}  // namespace

TEST_CASE("every command has --help, where rate, keys, bits and probes have their short names",
          "[cli]") {
  CHECK(bloomlab_says("--version").status == 0);
  const Said all = bloomlab_says("--help");
  CHECK(all.status == 0);
  const std::regex command("\n  ([a-z]+) {2,}[A-Z]");
  const std::regex long_alone("\n  --(fpr|items|bits|probes) ");
  std::size_t commands = 0;
  for (std::sregex_iterator next(all.out.begin(), all.out.end(), command), end; next != end;
       ++next, ++commands) {
    const std::string name = (*next)[1];
    INFO(name);
    const Said said = bloomlab_says(name + " --help");
    CHECK(said.status == 0);
    CHECK(said.out.find("\n  -h,--help") != std::string::npos);
    CHECK_FALSE(std::regex_search(said.out, long_alone));
  }
  CHECK(commands == 19);
}

TEST_CASE("the help has the commands in four groups, and no command at all is asking for it",
          "[cli]") {
  const Said help = bloomlab_says("--help");
  std::size_t before = 0;
  for (const char* part : {"Ask:", "plan ", "Measure:", "run ", "Examine:", "inspect ",
                           "Teach:", "claims ", "Exit status"}) {
    INFO(part);
    const auto at = help.out.find(part, before);
    CHECK(at != std::string::npos);
    before = at == std::string::npos ? before : at;
  }
  CHECK(help.out.find("process-run") == std::string::npos);
  const Said bare = bloomlab_says("");
  CHECK(bare.status == 0);
  CHECK(bare.out == help.out);
  CHECK(bare.err.empty());
}

TEST_CASE("an unknown command or option is one line and status 2", "[cli]") {
  for (const char* arguments : {"no-such-command", "run", "run x.json", "check",
                                "run x.json --out d --jobs 0", "run x.json --out d --shard 3/2",
                                "run x.json --out d --shard two", "canon /no/such/folder"}) {
    INFO(arguments);
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  }
}

TEST_CASE("an empty value of an option is refused, and nothing is run", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string run = "run " + (folder / "a.json") + " --out ";
  CHECK(bloomlab_says(run + "''").err ==
        "bloomlab: --out: found an empty text; the name of a folder is allowed\n");
  CHECK(bloomlab_says(run + (folder / "out") + " --only ''").err ==
        "bloomlab: --only: found an empty text; a part of a cell's compact JSON is allowed\n");
  const Said shard = bloomlab_says(run + (folder / "out") + " --shard ''");
  CHECK(shard.status == 2);
  CHECK(shard.err.find("--shard: found \"\"") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("a misspelt command is told the near one", "[cli]") {
  CHECK(bloomlab_says("rnu x.json").err ==
        "bloomlab: unknown command \"rnu\"; did you mean \"run\"?; see bloomlab --help\n");
  CHECK(
      bloomlab_says("--versoin").err ==
      "bloomlab: unknown option \"--versoin\"; did you mean \"--version\"?; see bloomlab --help\n");
  CHECK(bloomlab_says("--json plan").err ==
        "bloomlab: unknown option \"--json\"; see bloomlab --help\n");
}

TEST_CASE("a word that a command does not take is named, with the option that was meant", "[cli]") {
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"plan --item 10M", "plan: unknown option \"--item\"; did you mean \"--items\"?; see "},
           {"plan --item=10M", "plan: unknown option \"--item\"; did you mean \"--items\"?; see "},
           {"plan -q", "plan: unknown option \"-q\"; see "},
           {"plan --n=10M", "plan: unknown option \"--n\"; did you mean \"-n\"?; see "},
           {"judge -n 20 -m 960",
            "judge: unknown option \"-n\"; a quantity is written without dashes, such as n=1M; "
            "see "},
           {"system redisson --n=3000",
            "system: unknown option \"--n\"; a quantity is written without dashes, such as n=1M; "
            "see "},
           {"judge --jsn n=20 m=960",
            "judge: unknown option \"--jsn\"; did you mean \"--json\"?; "
            "see "},
           {"explain cat dog",
            "explain: found \"cat\", which is no option, and it takes no further word; see "},
           {"lab new mine --language cpp more",
            "lab new: found \"more\", which is no option, and it takes no further word; see "}}) {
    INFO(arguments);
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err.starts_with("bloomlab: " + message + "bloomlab "));
    CHECK(said.err.ends_with(" --help\n"));
  }
}

TEST_CASE("output that cannot be written fails the command", "[cli]") {
  const Said said = shell("$BLOOMLAB theory standard_exact m=1000 n=10 k=7 > /dev/full");
  CHECK(said.status == 1);
  CHECK(said.err == "bloomlab: the output cannot be written; make room, or send it elsewhere\n");
}

TEST_CASE("help and version that cannot be written fail the command", "[cli]") {
  for (const std::string asked : {"--help", "--version", "run --help", "lab grade --help"}) {
    INFO(asked);
    const Said said = shell("$BLOOMLAB " + asked + " > /dev/full");
    CHECK(said.status == 1);
    CHECK(said.err == "bloomlab: the output cannot be written; make room, or send it elsewhere\n");
  }
}

TEST_CASE("a run whose streams are closed measures all, and says that nobody hears it",
          "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  write(folder / "b.json", small_config());
  const Said said = shell("$BLOOMLAB run " + (folder / "a.json") + " " + (folder / "b.json") +
                          " --out " + (folder / "out") + " <&- >&-");
  CHECK(said.status == 1);
  CHECK_THAT(said.err, Catch::EndsWith("bloomlab: the output cannot be written; make room, or send "
                                       "it elsewhere\n"));
  CHECK(fs::exists(folder / "out/a.json"));
  CHECK(fs::exists(folder / "out/b.json"));
}

TEST_CASE("a config with the name of another one's shard or confirmation is refused",
          "[cli][run]") {
  const TemporaryFolder folder;
  for (const std::string name : {"a.confirmation.json", "a.shard-1-of-2.json"}) {
    write(folder / name, small_config());
    const Said said = bloomlab_says("run " + (folder / name) + " --out " + (folder / "out"));
    CHECK(said.status == 2);
    CHECK(said.err.find("rename the config") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "out"));
  }
}

TEST_CASE("the schema of configs is printed, with every kind", "[cli]") {
  const auto schema = nlohmann::json::parse(bloomlab_says("list --schema").out);
  CHECK(schema.contains("$schema"));
  const std::string text = schema.dump();
  const auto list = nlohmann::json::parse(bloomlab_says("list --json").out);
  for (const auto& kind : list.at("kinds")) {
    CHECK_THAT(text, Catch::Contains("\"" + kind.at("name").get<std::string>() + "\""));
  }
}

TEST_CASE("list names the configs that come with the program, which run and check take by name",
          "[cli]") {
  const TemporaryFolder folder;
  const std::string here = "cd " + (folder / ".") + " && $BLOOMLAB ";
  const auto configs = nlohmann::json::parse(shell(here + "list configs --json").out);
  CHECK(configs.size() > 100);
  CHECK(std::count_if(configs.begin(), configs.end(), [](const auto& config) {
          return config.at("name") == "smoke/fpr_vs_n" &&
                 config.at("title") == "Rate against the number of keys";
        }) == 1);
  CHECK_THAT(shell(here + "list configs").out,
             Catch::Contains("\nsmoke/fpr_vs_n ") && Catch::Contains("Rate against the number"));
  for (const std::string name :
       {"smoke/fpr_vs_n", "smoke/fpr_vs_n.json", "configs/smoke/fpr_vs_n.json"}) {
    CHECK_THAT(shell(here + "check " + name).out, Catch::StartsWith(name + ": 10 cells"));
  }
  CHECK(shell(here + "run smoke/fpr_vs_n --out results").status == 0);
  CHECK(std::filesystem::exists(folder / "results/fpr_vs_n.json"));
  // A file of the name comes first, and what is neither keeps its name.
  fs::create_directory(folder / "smoke");
  write(folder / "smoke/fpr_vs_n.json", small_config());
  CHECK_THAT(shell(here + "check smoke/fpr_vs_n.json").out, !Catch::Contains("10 cells"));
  CHECK(shell(here + "check smoke/fpr_vs_nn").err ==
        "bloomlab: smoke/fpr_vs_nn: no such file, and no config that comes with the program; "
        "did you mean \"smoke/fpr_vs_n\"?\n");
  CHECK(shell(here + "check none_of_these").err ==
        "bloomlab: none_of_these: no such file, and no config that comes with the program; "
        "`bloomlab list configs` names them\n");
  CHECK(shell(here + "check smoke/fpr_vs_nn.json").err ==
        "bloomlab: smoke/fpr_vs_nn.json: no such file; check the path\n");
  // Without its topic, where the small ones aside but one has the name.
  CHECK_THAT(shell(here + "check lab_report").out, Catch::StartsWith("lab_report: 33 cells"));
}

TEST_CASE("list shows one part alone, and suggests the nearest", "[cli]") {
  const Said kinds = bloomlab_says("list kinds");
  CHECK(kinds.out.starts_with("kinds\n"));
  CHECK(kinds.out.find("\nfilters\n") == std::string::npos);
  CHECK(bloomlab_says("list key-sources").out.starts_with("key_sources\n"));
  const Said wrong = bloomlab_says("list filter");
  CHECK(wrong.status == 2);
  CHECK(wrong.err == "bloomlab: list: unknown \"filter\"; did you mean \"filters\"?\n");
}

TEST_CASE("list names what a config may use", "[cli]") {
  const auto list = nlohmann::json::parse(bloomlab_says("list --json").out);
  for (const char* key : {"filters", "hashes", "probes", "reductions", "key_sources", "kinds"}) {
    INFO(key);
    REQUIRE(list.contains(key));
    for (const auto& entry : list.at(key)) {
      CHECK(entry.contains("name"));
      CHECK(entry.at("parameters").is_array());
    }
  }
  CHECK(bloomlab_says("list").out.find("scalable_untightened") != std::string::npos);
}

TEST_CASE("check says cells, memory and time, and runs nothing", "[cli]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const auto checked =
      nlohmann::json::parse(bloomlab_says("check --json " + (folder / "a.json")).out);
  REQUIRE(checked.size() == 1);
  CHECK(checked.front().at("cells") == 6);
  CHECK(checked.front().at("memory_bytes").get<double>() > 0);
  CHECK(checked.front().at("estimated_seconds").get<double>() >= 0);
  CHECK(checked.front().at("confirmation_seconds") == 0.0);
  const std::string said = bloomlab_says("check " + (folder / "a.json")).out;
  CHECK(said.find("6 cells") != std::string::npos);
  CHECK(said.find("confirm") == std::string::npos);
}

TEST_CASE("check says what confirming the flags takes that a config expects", "[cli]") {
  const Said said = bloomlab_says("check javascript_filter");
  CHECK(said.out.find(" on one thread, and up to ") != std::string::npos);
  CHECK(said.out.find(" to confirm the flags that it expects\n") != std::string::npos);
  const auto cost =
      nlohmann::json::parse(bloomlab_says("check --json javascript_filter").out).front();
  CHECK(cost.at("confirmation_seconds") > cost.at("estimated_seconds"));
}

TEST_CASE("a bad config among good ones stops the run before anything is written", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "good.json", small_config());
  write(folder / "bad.json", small_config("[3, 0]"));
  const Said said = bloomlab_says("run " + (folder / "good.json") + " " + (folder / "bad.json") +
                                  " --out " + (folder / "out"));
  CHECK(said.status == 2);
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  CHECK(said.err.find("bad.json") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("two configs of the same file name are refused", "[cli][run]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "sub");
  write(folder / "a.json", small_config());
  write(folder / "sub/a.json", small_config());
  const Said said = bloomlab_says("run " + (folder / "a.json") + " " + (folder / "sub/a.json") +
                                  " --out " + (folder / "out"));
  CHECK(said.status == 2);
  CHECK(said.err.find("same file name") != std::string::npos);
}

TEST_CASE("counts are equal for any number of jobs and for merged shards", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string config = folder / "a.json";
  REQUIRE(bloomlab_says("run " + config + " --jobs 1 --out " + (folder / "one")).status == 0);
  REQUIRE(bloomlab_says("run " + config + " --jobs 2 --out " + (folder / "two")).status == 0);
  for (const char* shard : {"3/3", "1/3", "2/3"}) {
    REQUIRE(bloomlab_says("run " + config + " --shard " + shard + " --out " + (folder / "shards"))
                .status == 0);
  }
  REQUIRE(bloomlab_says("run " + config + " --out " + (folder / "shards")).status == 0);
  CHECK_FALSE(canon(folder / "one").empty());
  CHECK(canon(folder / "one") == canon(folder / "two"));
  const std::string merged = canon(folder / "shards");
  CHECK(merged.find(canon(folder / "one")) != std::string::npos);
}

TEST_CASE("a run killed halfway continues and gives the same counts", "[cli][run]") {
  const TemporaryFolder folder;
  std::string longer = small_config();
  longer.replace(longer.find("\"trials\": 6"), 11, "\"trials\": 400");
  longer.replace(longer.find("\"queries\": 4000"), 15, "\"queries\": 40000");
  write(folder / "a.json", longer);
  const std::string config = folder / "a.json";
  REQUIRE(bloomlab_says("run " + config + " --out " + (folder / "whole")).status == 0);
  const std::string journal = folder / "killed/.partial/a.jsonl";
  const Said killed = shell("\"$BLOOMLAB\" run " + config + " --jobs 1 --out " +
                            (folder / "killed") + " & run=$!; " + "while [ $(wc -l < " + journal +
                            " 2>/dev/null || echo 0) -lt 20 ]; do kill -0 $run || exit 9; done; "
                            "kill -9 $run; wait $run; true");
  REQUIRE(killed.status == 0);
  REQUIRE(fs::exists(journal));
  REQUIRE_FALSE(fs::exists(folder / "killed/a.json"));
  REQUIRE(bloomlab_says("run " + config + " --out " + (folder / "killed")).status == 0);
  CHECK(canon(folder / "killed") == canon(folder / "whole"));
  CHECK_FALSE(fs::exists(journal));
}

TEST_CASE("a second run has nothing to do, and --force measures again", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string command = "run " + (folder / "a.json") + " --out " + (folder / "out");
  REQUIRE(bloomlab_says(command).status == 0);
  const std::string before = read(folder / "out/a.json");
  const Said again = bloomlab_says(command);
  CHECK(again.status == 0);
  CHECK(again.out.find("up to date") != std::string::npos);
  CHECK(read(folder / "out/a.json") == before);
  CHECK(bloomlab_says(command + " --force").out.find("up to date") == std::string::npos);
}

TEST_CASE("the option --only measures the matching cells; no match is status 2", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string command = "run " + (folder / "a.json") + " --out " + (folder / "out");
  CHECK(bloomlab_says(command + " --only nothing-like-it").status == 2);
  REQUIRE(bloomlab_says(command + " --only '\"k\":5'").status == 0);
  const auto file = observations_in(folder / "out/a.json");
  for (const auto& observation : file.at("observations")) {
    CHECK(observation.at("cell").at("filter").at("k") == 5);
  }
  CHECK(file.at("observations").size() == 12);
}

TEST_CASE("a deviating cell is flagged, confirmed, reported, and fails the report",
          "[cli][run][report]") {
  const TemporaryFolder folder;
  write(folder / "lab.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "Lab", "question": "Is the lab's hash seen?", "seed": 3, "trials": 4, "queries": 300000,
 "grid": {"keys": {"source": "minstd_rand0"}, "n": 100000,
  "filter": {"kind": "standard", "m": 800000, "k": 5},
  "hash": {"name": "identity", "probe": "lab_shift_xor", "reduction": "modulo"}}})");
  REQUIRE(bloomlab_says("run " + (folder / "lab.json") + " --out " + (folder / "out")).status == 0);
  CHECK(fs::exists(folder / "out/lab.confirmation.json"));
  const Said report = bloomlab_says("report " + (folder / "out"));
  CHECK(report.status == 1);
  CHECK(report.err.find("lab") != std::string::npos);
  CHECK(read(folder / "out/REPORT.md")
            .find("800\xE2\x80\xAF"
                  "000") != std::string::npos);
}

TEST_CASE("a confirmation of a config that draws nothing anew makes ten times the queries",
          "[cli][run][report]") {
  const TemporaryFolder folder;
  write(folder / "lab.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "Lab", "question": "Is the lab's hash seen?", "seed": 1024, "trials": 1,
 "queries": 10000, "grid": {"keys": {"source": "minstd_rand0", "seed": 1024}, "n": 100000,
  "filter": {"kind": "standard", "m": 800000, "k": 5},
  "hash": {"name": "identity", "probe": "lab_shift_xor", "reduction": "modulo"}}})");
  REQUIRE(bloomlab_says("run " + (folder / "lab.json") + " --out " + (folder / "out")).status == 0);
  const auto file = nlohmann::json::parse(read(folder / "out/lab.confirmation.json"));
  CHECK(file.at("config").at("queries") == 100000);
  const auto& measured = file.at("cells").at(0).at("measured");
  CHECK(measured.at("false_positives").at(0).get<std::uint64_t>() +
            measured.at("true_negatives").at(0).get<std::uint64_t>() ==
        100000);
  CHECK(bloomlab_says("report " + (folder / "out")).status == 1);  // it deviates from theory
  CHECK(bloomlab_says("canon " + (folder / "out")).status == 0);
}

TEST_CASE("absent keys of a second file that are inserted are left out, and counted",
          "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "inserted.txt", "a\nb\nc\nd\n");
  write(folder / "absent.txt", "b\nx\nc\ny\nz\n");
  write(folder / "a.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
    "title": "t", "question": "q", "seed": 1, "trials": 1, "queries": 3, "grid": {
    "keys": {"source": "file", "path": "inserted.txt", "absent_path": "absent.txt"}, "n": 3,
    "filter": {"kind": "standard", "m": 4096, "k": 7}, "hash": {"name": "xxhash3_64"}}})");
  const std::string note = "  note: " + (folder / "absent.txt") +
                           ": 2 lines are inserted keys and are left out (n = 3)\n";
  CHECK_THAT(bloomlab_says("check " + (folder / "a.json")).out, Catch::EndsWith(note));
  const Said run = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out"));
  CHECK(run.status == 0);
  CHECK_THAT(run.err, Catch::Contains(note));
  const std::string result = read(folder / "out/a.json");
  CHECK_THAT(result, Catch::Contains(R"("absent_path":"absent.txt")"));
  CHECK_THAT(result, Catch::Contains(R"("true_positives":[3],"false_positives":[0])"));
}

TEST_CASE("a size that was rounded up to whole blocks is told by check and by the result",
          "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
    "title": "t", "question": "q", "seed": 1, "trials": 2, "queries": 1000, "grid": {
    "keys": {"source": "uniform"}, "n": [1000, 1280],
    "filter": {"kind": "split_block", "m": {"per_n": 10}}, "hash": {"name": "xxhash3_64"}}})");
  CHECK_THAT(
      bloomlab_says("check " + (folder / "a.json")).out,
      Catch::EndsWith("  note: in 1 of 2 cells m is rounded up to whole blocks, at most from "
                      "10000 bits to 10240 (split_block, n = 1000)\n"));
  CHECK(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out")).status == 0);
  const auto cells = nlohmann::json::parse(read(folder / "out/a.json")).at("cells");
  CHECK(cells.at(0).at("cell").at("filter").at("m") == 10240);
  CHECK(cells.at(0).at("measured").at("asked_bits").at(0) == 10000);
  CHECK_FALSE(cells.at(1).at("measured").contains("asked_bits"));
  CHECK(bloomlab_says("report " + (folder / "out")).status == 0);
}
