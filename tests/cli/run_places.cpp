// Where a run writes, what it finds there, and what it refuses before it measures anything.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

namespace {

bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string titled(const std::string& title) { return replaced(small_config(), "Small", title); }

/// A config whose trials take some seconds each in any build.
std::string long_config() {
  return replaced(replaced(small_config("[3]"), "\"trials\": 6", "\"trials\": 3"),
                  "\"queries\": 4000", "\"queries\": 400000000");
}

}  // namespace

TEST_CASE("results of another config of the same name are not replaced without --force",
          "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string command = "run " + (folder / "a.json") + " --out " + (folder / "out");
  REQUIRE(bloomlab_says(command).status == 0);
  const std::string before = read(folder / "out/a.json");
  write(folder / "a.json", small_config("[2, 4]"));
  const Said said = bloomlab_says(command);
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "out/a.json") +
                        ": holds the results of another config of the name a; use another --out, "
                        "rename the config, or replace them by --force\n");
  CHECK(read(folder / "out/a.json") == before);
  REQUIRE(bloomlab_says(command + " --force").status == 0);
  CHECK(read(folder / "out/a.json") != before);
}

TEST_CASE("a million shards are refused or merged in bounded lines", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string command = "run " + (folder / "a.json") + " --out " + (folder / "out");
  const Said empty = bloomlab_says(command + " --shard 9/1000000");
  CHECK(empty.status == 0);
  CHECK(empty.out.find("note: this shard holds no cell, as the config has 6\n") !=
        std::string::npos);
  const Said whole = bloomlab_says(command);
  CHECK(whole.status == 1);
  CHECK(is_one_line(whole.err));
  CHECK_THAT(whole.err, Catch::Contains("shards missing: 1/1000000, 2/1000000, ") &&
                            Catch::Contains(", 11/1000000 and 999989 more; run them"));
  const Said report = bloomlab_says("report " + (folder / "out"));
  CHECK(is_one_line(report.err));
  CHECK(report.err.size() < 1000);
}

TEST_CASE("Ctrl-C and SIGTERM say how to go on, and the journal is whole", "[cli][run]") {
  const TemporaryFolder folder;
  // Many trials: the signal comes long before the last.
  write(folder / "a.json", replaced(replaced(long_config(), "400000000", "1000000"),
                                    "\"trials\": 3", "\"trials\": 100"));
  const std::string rest = " --jobs 1 --max-memory 1GiB --out " + (folder / "out");
  const std::string journal = folder / "out/.partial/a.jsonl";
  for (const auto& [signal, status, word] :
       {std::tuple{"INT", 130, "interrupted"}, std::tuple{"TERM", 143, "terminated"}}) {
    // A shell's background job ignores SIGINT: env restores it.
    const Said said =
        shell("env --default-signal=INT \"$BLOOMLAB\" run " + (folder / "a.json") + rest +
              " & run=$!; while [ $(wc -l < " + journal +
              " 2>/dev/null || echo 0) -lt 2 ]; do kill -0 $run || exit 9; done; kill -" + signal +
              " $run; wait $run");
    CHECK(said.status == status);
    CHECK_THAT(said.err, Catch::EndsWith("bloomlab: " + std::string(word) + "; " + journal +
                                         " keeps what is measured; `bloomlab run " +
                                         (folder / "a.json") + " --out " + (folder / "out") +
                                         " --jobs 1 --max-memory 1GiB` goes on\n"));
    REQUIRE(fs::exists(journal));
    fs::remove_all(folder / "kept");
    fs::copy(folder / "out", folder / "kept", fs::copy_options::recursive);
    fs::remove_all(folder / "out");
  }
  const Said resumed = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "kept"));
  CHECK(resumed.status == 0);
  // Often a single one: the signal comes as soon as the journal is there.
  CHECK_THAT(resumed.out, Catch::Contains(" observations were there") ||
                              Catch::Contains("; 1 observation was there"));
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "whole")).status == 0);
  CHECK(bloomlab_says("canon " + (folder / "kept")).out ==
        bloomlab_says("canon " + (folder / "whole")).out);
}

TEST_CASE("a path that the system refuses is one clear line and status 2", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "good")).status == 0);
  const std::string path = folder / std::string(5000, 'x');
  for (const std::string& arguments :
       {"run " + (folder / "a.json") + " --out " + path, "run " + path + " --out out",
        "report " + path, "report " + (folder / "good") + " --out " + path, "canon " + path,
        "verify " + path, "check " + path, "compare " + path + " " + path, "bench --out " + path,
        "claims " + path, "inspect " + path}) {
    INFO(arguments.substr(0, 20));
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(is_one_line(said.err));
    CHECK(said.err.size() < 2500);
    CHECK(said.err.find("filesystem error") == std::string::npos);
  }
  CHECK_THAT(bloomlab_says("run " + (folder / "a.json") + " --out " + path).err,
             Catch::EndsWith(": cannot be used (File name too long); name another folder by "
                             "--out\n"));
}

TEST_CASE("a folder without permission is one clear line and status 2", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  fs::create_directories(folder / "closed");
  // Everybody may read it, nobody may write it.
  fs::permissions(folder / "closed", static_cast<fs::perms>(0555));
  // Where the tests run as root nothing is closed to them but to those whom they become.
  const std::string as_user =
      shell("[ $(id -u) = 0 ]").status == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
  fs::permissions(folder.path(), fs::perms::all);
  const Said said = shell(as_user + "\"$BLOOMLAB\" run " + (folder / "a.json") + " --out " +
                          (folder / "closed/out"));
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "closed") +
                        ": cannot be written (Permission denied); name another folder by --out, or "
                        "change its permissions\n");
  fs::permissions(folder / "closed", fs::perms::owner_all);
}

TEST_CASE("from a current folder that was removed commands end with one line", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string from_removed = "mkdir -p '" + (folder / "gone") + "' && cd '" +
                                   (folder / "gone") + "' && rmdir '" + (folder / "gone") +
                                   "' && \"$BLOOMLAB\" ";
  for (const std::string& arguments :
       {"run " + (folder / "a.json") + " --out out", std::string("report results"),
        std::string("check a.json"), std::string("canon out"), std::string("compare out other"),
        std::string("inspect a.bloom"), std::string("audit --quick ./libfilter.so"),
        std::string("audit --quick standard"), std::string("lab check")}) {
    INFO(arguments);
    const Said said = shell(from_removed + arguments);
    CHECK(said.status == 2);
    CHECK(is_one_line(said.err));
    CHECK(said.err.find("a path") == std::string::npos);
  }
  CHECK(shell(from_removed + "audit --quick standard").err ==
        "bloomlab: the current folder: No such file or directory; check the path and its "
        "permissions\n");
}

TEST_CASE("a pipe as journal or result does not hang", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const std::string run =
      "timeout 60 \"$BLOOMLAB\" run " + (folder / "a.json") + " --out " + (folder / "out");
  fs::create_directories(folder / "out/.partial");
  REQUIRE(shell("mkfifo " + (folder / "out/.partial/a.jsonl")).status == 0);
  const Said journal = shell(run);
  CHECK(journal.status == 1);
  CHECK(journal.err == "bloomlab: " + (folder / "out/.partial/a.jsonl") +
                           ": is no regular file, as a journal must be; remove it, or use another "
                           "--out\n");
  fs::remove(folder / "out/.partial/a.jsonl");
  REQUIRE(shell("mkfifo " + (folder / "out/a.json")).status == 0);
  const Said result = shell(run);
  CHECK(result.status == 2);
  CHECK_THAT(result.err, Catch::Contains("/out/a.json: is no regular file, and the result would go "
                                         "there"));
}

TEST_CASE("a name too long for its result is noticed before measuring", "[cli][run]") {
  const TemporaryFolder folder;
  const auto run = [&](std::size_t letters) {
    const std::string config = folder / (std::string(letters, 'x') + ".json");
    write(config, small_config());
    return bloomlab_says("run " + config + " --out " + (folder / "out"));
  };
  const Said said = run(240);
  CHECK(said.status == 2);
  CHECK_THAT(said.err,
             Catch::Contains(".json: the name of its result has 245 bytes; at most 235 can "
                             "be written; rename the config\n"));
  CHECK_FALSE(fs::exists(folder / "out"));
  CHECK(run(230).status == 0);
}

TEST_CASE("a directory named like the result is noticed before measuring", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  fs::create_directories(folder / "out/a.json");
  const Said said = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out"));
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "out/a.json") +
                        ": is no regular file, and the result would go there; remove it, or use "
                        "another --out\n");
  CHECK_FALSE(fs::exists(folder / "out/.partial"));
}

TEST_CASE("what a terminal would not show never comes from a config", "[cli][run]") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& title) {
    write(folder / "a.json", titled(title));
    const Said said = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out"));
    CHECK(said.status == 2);
    CHECK(is_one_line(said.err));
    CHECK_FALSE(fs::exists(folder / "out"));
    return said.err;
  };
  const std::string where = "bloomlab: " + (folder / "a.json") + ": /title: the text holds ";
  CHECK(complaint("Right \xE2\x80\xAE to left") ==
        where + "U+202E, a direction or line mark; write it without\n");
  CHECK(complaint("Nothing \\u0000 here") ==
        where + "U+0000, a control character; write it without\n");
  CHECK(complaint("Bell \\u001b[31m") == where + "U+001B, a control character; write it without\n");
  const std::string ill_formed = complaint("Byte \xFF.");
  CHECK(ill_formed.find('\xFF') == std::string::npos);
}

TEST_CASE("a config whose file name a terminal would not show is refused", "[cli][run]") {
  const TemporaryFolder folder;
  for (const auto& [name, visible] : {std::pair{"a\xE2\x80\xAE.json", "a\\u{202E}.json"},
                                      std::pair{"a\xFF.json", "a\\xFF.json"}}) {
    write(folder / name, small_config());
    const Said said = bloomlab_says("run '" + (folder / name) + "' --out " + (folder / "out"));
    CHECK(said.status == 2);
    CHECK_THAT(said.err, Catch::Contains(visible) && Catch::Contains("; rename the config"));
    CHECK_FALSE(fs::exists(folder / "out"));
  }
}

TEST_CASE("the target of a linked result is written, and the link stays", "[cli][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  fs::create_directories(folder / "out");
  fs::create_directories(folder / "store");
  const std::string command = "run " + (folder / "a.json") + " --force --out " + (folder / "out");
  fs::create_symlink("../store/real.json", folder / "out/a.json");
  REQUIRE(bloomlab_says(command).status == 0);
  CHECK(fs::is_symlink(folder / "out/a.json"));
  CHECK(fs::is_regular_file(folder / "store/real.json"));
  write(folder / "store/real.json", "old");
  REQUIRE(bloomlab_says(command).status == 0);
  CHECK(fs::is_symlink(folder / "out/a.json"));
  CHECK(read(folder / "store/real.json").find("bloomlab-result-2") != std::string::npos);
}

TEST_CASE("a long trial speaks from the first second and every five seconds", "[cli][run]") {
  const TemporaryFolder folder;
  // Long on any machine: it is ended after 8 s.
  write(folder / "a.json", replaced(long_config(), "\"trials\": 3", "\"trials\": 3000"));
  const Said said = shell("timeout --preserve-status -s TERM 8 \"$BLOOMLAB\" run " +
                          (folder / "a.json") + " --jobs 1 --out " + (folder / "out"));
  CHECK(said.status == 143);
  CHECK_THAT(said.err,
             Catch::StartsWith("a: 2 cells, about ") && Catch::Contains(" by estimate\n"));
  CHECK_THAT(said.err, Catch::Contains(" after 1 s ("));
  CHECK_THAT(said.err, Catch::Contains(" after 6 s ("));
  CHECK_THAT(said.err, Catch::Contains(" to go\n"));
}

TEST_CASE("a cell that takes longer than --timeout is named, and the others are kept",
          "[cli][run]") {
  const TemporaryFolder folder;
  std::string config = replaced(long_config(), "400000000", "1000");
  // The second cell has four hundred million keys, the first a thousand.
  config = replaced(config, "\"n\": 500", "\"n\": [1000, 400000000]");
  config = replaced(config, "{\"per_n\": [8, 10]}", "1000000");
  write(folder / "a.json", config);
  write(folder / "b.json", small_config());
  const std::string command =
      "run " + (folder / "a.json") + " " + (folder / "b.json") + " --out " + (folder / "out");
  const Said said = bloomlab_says(command + " --timeout 2");
  CHECK(said.status == 1);
  CHECK_THAT(said.err,
             Catch::Contains("a.json: 1 of 2 cells took longer than --timeout 2 [s]: {") &&
                 Catch::Contains("\"n\":400000000,") &&
                 Catch::Contains("; what the others gave is kept in " +
                                 (folder / "out/.partial/a.jsonl")));
  CHECK_FALSE(fs::exists(folder / "out/a.json"));
  CHECK(fs::exists(folder / "out/b.json"));
  const std::string journal = read(folder / "out/.partial/a.jsonl");
  CHECK(std::count(journal.begin(), journal.end(), '\n') == 1 + 3);
  for (const std::string none : {"0", "-1", "nan", "inf", "1s"}) {
    INFO(none);
    const Said refused = bloomlab_says(command + " --timeout=" + none);
    CHECK(refused.status == 2);
    CHECK(is_one_line(refused.err));
    CHECK_THAT(refused.err, Catch::StartsWith("bloomlab: --timeout: "));
  }
  CHECK(bloomlab_says(command + " --timeout nan").err ==
        "bloomlab: --timeout: found \"nan\"; a number from 1e-09 to 1e+09 is allowed, of seconds, "
        "such as 0.5; see bloomlab run --help\n");
}

TEST_CASE("a verification of 10^12 keys is not begun without consent", "[cli][plan]") {
  const Said said = shell("timeout 20 \"$BLOOMLAB\" plan --items 1e12 --fpr 0.99 --verify");
  CHECK(said.status == 2);
  CHECK(is_one_line(said.err));
  CHECK_THAT(said.err, Catch::StartsWith("bloomlab: --verify: inserts and looks up about ") &&
                           Catch::EndsWith("; add --yes to begin, or plan for fewer keys\n"));
}

TEST_CASE("without RocksDB its kind says so in one line, and measures nothing", "[cli][run]") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "bin");
  const std::string alone = folder / "bin/bloomlab";
  REQUIRE(shell("cp \"$BLOOMLAB\" '" + alone + "'").status == 0);
  const Said said = shell(
      "'" + alone + "' run " BLOOMLAB_SOURCE_DIR "/configs/smoke/key_value_store.json --out '" +
      (folder / "out") + "'");
  CHECK(said.status == 2);
  INFO(said.err);
  const std::string last = said.err.substr(said.err.find("bloomlab: "));
  CHECK(is_one_line(last));
  CHECK_THAT(last, Catch::Contains("key_value_store: RocksDB is not installed: this build has no "
                                   "bloomlab-store; install librocksdb-dev, configure and build "
                                   "again, or leave this config out\n"));
  CHECK_FALSE(fs::exists(folder / "out/key_value_store.json"));
}

TEST_CASE("the folder of a store is gone when its run is killed", "[cli][run]") {
  if (!fs::exists(BLOOMLAB_BINARY_DIR "/bloomlab-store")) return skip("RocksDB is not installed");
  const TemporaryFolder folder;
  fs::create_directory(folder / "tmp");
  // A store that takes much longer to fill than the test waits.
  write(folder / "a.json",
        replaced(replaced(read(BLOOMLAB_SOURCE_DIR "/configs/applications/key_value_store.json"),
                          "50000,", "5000000,"),
                 "  \"page\": \"key_value_store.page.md\",\n", ""));
  const Said said = shell("cd '" + folder.path().string() + R"('; export TMPDIR=$PWD/tmp
    "$BLOOMLAB" run a.json --out out >log 2>&1 & run=$!
    for i in $(seq 300); do ls -d tmp/bloomlab-store-* && break; sleep 0.1; done
    kill -9 $run
    for i in $(seq 50); do rmdir tmp && break; sleep 0.1; done)");
  CHECK_THAT(said.out, Catch::Contains("tmp/bloomlab-store-"));
  CHECK_FALSE(fs::exists(folder / "tmp"));
}

TEST_CASE("a Redis that is absent, ends or is silent is one line, and nothing is left",
          "[cli][run]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "bin");
  fs::create_directories(folder / "tmp");
  for (const char* tool : {"sh", "cat", "rm", "sleep"}) {
    REQUIRE(shell("ln -s \"$(command -v " + std::string(tool) + ")\" '" + (folder / "bin") + "'")
                .status == 0);
  }
  struct Row {
    std::string server;  ///< a script in its place; none where it is empty
    std::string fault;
  };
  const std::vector<Row> rows = {
      {"",
       "cache_penetration: Redis is not installed: neither redis-server nor redis-check-rdb on "
       "PATH; install redis-tools, or leave this config out"},
      {"echo 'no room' >&2; exit 1", "redis-server: ended at its start: no room"},
      {"exec sleep 60", "redis-server: did not answer within 5 s of its start"}};
  for (const Row& row : rows) {
    const fs::path server = folder / "bin/redis-server";
    if (!row.server.empty()) {
      write(server, "#!/bin/sh\n" + row.server + "\n");
      fs::permissions(server, fs::perms::owner_all);
    }
    const Said said = shell("export TMPDIR='" + (folder / "tmp") + "' PATH='" + (folder / "bin") +
                            "'; \"$BLOOMLAB\" run " BLOOMLAB_SOURCE_DIR
                            "/configs/smoke/cache_penetration.json --out '" +
                            (folder / "out") + "'");
    CHECK(said.status == 2);
    INFO(said.err);
    const std::string last = said.err.substr(said.err.find("bloomlab: "));
    CHECK(is_one_line(last));
    CHECK_THAT(last, Catch::Contains(row.fault));
    CHECK_FALSE(fs::exists(folder / "out/cache_penetration.json"));
    CHECK(fs::is_empty(folder / "tmp"));
  }
}

TEST_CASE("where redis-server is not, redis-check-rdb is started by its name", "[cli][run]") {
  const TemporaryFolder folder;
  // Instead of Redis a program that refuses its arguments in the name that it was given.
  const Said said = shell("cd '" + folder.path().string() + R"sh('; mkdir bin tmp
    for tool in sh cat rm; do ln -s "$(command -v $tool)" bin; done
    ln -s "$(command -v cat)" bin/redis-check-rdb
    export LC_ALL=C TMPDIR="$PWD/tmp" PATH="$PWD/bin"
    "$BLOOMLAB" run ')sh" BLOOMLAB_SOURCE_DIR "/configs/smoke/cache_penetration.json' --out out");
  CHECK(said.status == 2);
  CHECK_THAT(said.err,
             Catch::Contains("redis-server: ended at its start: Try 'redis-server --help'"));
}

TEST_CASE("a Redis and its folder are gone when their run is killed", "[cli][run]") {
  if (shell("command -v redis-server || command -v redis-check-rdb").status != 0) {
    return skip("Redis is not installed");
  }
  const TemporaryFolder folder;
  fs::create_directory(folder / "tmp");
  // Queries for much longer than the test waits.
  write(folder / "a.json",
        replaced(replaced(read(BLOOMLAB_SOURCE_DIR "/configs/smoke/cache_penetration.json"),
                          "3000,", "3000000,"),
                 "  \"page\": \"../applications/cache_penetration.page.md\",\n", ""));
  const Said said = shell("cd '" + folder.path().string() + R"sh('; export TMPDIR=$PWD/tmp
    "$BLOOMLAB" run a.json --out out >log 2>&1 & run=$!
    for i in $(seq 300); do ls tmp/bloomlab-cache-*/redis.socket && break; sleep 0.1; done
    server() { for p in /proc/[0-9]*; do
      case $(readlink $p/cwd) in $PWD/tmp/*) echo $p; esac; done; }
    server | wc -l
    kill -9 $run
    for i in $(seq 50); do rmdir tmp && break; sleep 0.1; done
    for i in $(seq 50); do [ -z "$(server)" ] && echo gone && break; sleep 0.1; done)sh");
  CHECK_THAT(said.out, Catch::Contains("/redis.socket\n2\ngone\n"));
  CHECK_FALSE(fs::exists(folder / "tmp"));
}

TEST_CASE("a place that cannot be written is refused before what takes long", "[cli]") {
  const TemporaryFolder folder;
  write(folder / "file", "text");
  write(folder / "a.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "results")).status ==
          0);
  const std::string below = folder / "file/below";
  const std::string no_folder = "bloomlab: " + (folder / "file") + ": is no folder; name one by ";
  for (const auto& [command, option] : std::vector<std::pair<std::string, std::string>>{
           {"run " + (folder / "a.json"), "--out"},
           {"bench --calibrate", "--out"},
           {"bench --calibrate --quick", "--out"},
           {"audit standard", "--out"},
           {"report " + (folder / "results"), "--out"},
           {"report " + (folder / "results"), "--figures"},
           {"report " + (folder / "results"), "--pages"},
           {"report " + (folder / "results"), "--csv"},
           {"report " + (folder / "results"), "--sqlite"}}) {
    const Said said = bloomlab_says(command + " " + option + " " + below);
    INFO(command << " " << option);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == no_folder + option + "\n");
  }
  CHECK(bloomlab_says("bench --calibrate --out " + (folder / ".")).err ==
        "bloomlab: " + (folder / ".") + ": is no regular file; name one by --out\n");
  CHECK(read(folder / "file") == "text");
}
