// Filters from outside by the command line: measured, failing, edited, verified, killed.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace {

using namespace bloomlab::tests;
using Catch::Contains;

/// A folder with the Python example, a filter that does wrong, and a config of these filters.
class Desk {
 public:
  explicit Desk(const std::string& filters, const std::string& kind = R"("queries": 2000)") {
    write(folder_ / "my_filter.py",
          read(BLOOMLAB_SOURCE_DIR "/examples/foreign/python/my_filter.py"));
    write(folder_ / "my_hash.py", read(BLOOMLAB_SOURCE_DIR "/examples/foreign/python/my_hash.py"));
    write(folder_ / "faulty.py", read(BLOOMLAB_SOURCE_DIR "/tests/foreign/filters/faulty.py"));
    write(folder_ / "mine.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "Mine", "question": "Is mine a filter?", "seed": 1, "trials": 2, )" +
                                     kind + R"(,
 "grid": {"keys": {"source": "uniform"}, "n": 300, "filter": [)" +
                                     filters + R"(], "hash": {"name": "xxhash3_64"}}})");
  }

  /// `bloomlab ARGUMENTS` in the folder.
  [[nodiscard]] Said says(const std::string& arguments) const {
    return shell("cd '" + folder_.path().string() + "' && \"$BLOOMLAB\" " + arguments);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] nlohmann::ordered_json rows() const {
    return observations_in(folder_ / "out/mine.json").at("observations");
  }

 private:
  TemporaryFolder folder_;
};

const std::string python = R"({"kind": "command", "command": ["python3", "my_filter.py"],
 "bits_per_key": 10, "expected": {"model": "standard_exact", "m": {"per_n": 10}, "k": 7}})";

std::string faulty_filter(const std::string& fault, const std::string& more = "") {
  return R"({"kind": "command", "command": ["python3", "faulty.py", ")" + fault + R"("])" + more +
         "}";
}

}  // namespace

TEST_CASE("a filter from outside stands beside one of the catalogue, with its closed form",
          "[cli][foreign]") {
  const Desk desk(R"({"kind": "standard", "m": {"per_n": 10}, "k": 7}, )" + python);
  const Said run = desk.says("run mine.json --out out");
  CHECK(run.status == 0);
  CHECK_THAT(run.err, Contains("mine: executes, in .: python3 my_filter.py\n"));
  const auto rows = desk.rows();
  REQUIRE(rows.size() == 4);
  CHECK(rows[2]["cell"]["filter"]["expected"]["m"] == 3000);
  CHECK(rows[2]["measured"]["true_positives"] == 300);
  CHECK(rows[2]["measured"]["memory_bits"] == 3000);
  CHECK(rows[2]["measured"]["implementation"] == "my_filter");
  CHECK_FALSE(rows[2]["measured"].contains("bits_set"));
  CHECK(rows[2]["measured"]["false_positives"] != rows[3]["measured"]["false_positives"]);
  CHECK(desk.says("report out").status == 0);
  const std::string report = read(desk.file("out/REPORT.md"));
  CHECK_THAT(report, Contains("| command | python3 my_filter.py | 10 |"));
  CHECK_THAT(report, Contains("Of 3 tests against theory"));
}

TEST_CASE("filters that fail are rows, never the end of the run, and its last lines",
          "[cli][foreign]") {
  const Desk desk(faulty_filter("crash") + ", " + faulty_filter("forget") + ", " +
                  faulty_filter("hang", R"(, "limits": {"seconds": 0.5})") + ", " + python);
  const Said run = desk.says("run mine.json --out out");
  CHECK(run.status == 1);
  CHECK_THAT(run.out, Contains("measured 4 cells; 2 of them lack results in"));
  const std::string last =
      "bloomlab: mine: no result: python3 faulty.py crash: crashed by signal 6\n  its cell\n";
  CHECK_THAT(run.err, Contains(last) && Contains("mine: no result: python3 faulty.py hang: "));
  const Said again = desk.says("run mine.json --out out");
  CHECK(again.status == 1);  // up to date, and still without results
  CHECK_THAT(again.err, Contains(last));
  const auto rows = desk.rows();
  REQUIRE(rows.size() == 8);
  CHECK(rows[0]["measured"]["status"] == "crashed");
  CHECK(rows[0]["measured"]["reason"] == "python3 faulty.py crash: crashed by signal 6");
  CHECK(rows[2]["measured"]["status"] == "false_negatives");
  CHECK(rows[2]["measured"]["false_negatives"] == 1);
  CHECK(rows[4]["measured"]["status"] == "timeout");
  CHECK_FALSE(rows[6]["measured"].contains("status"));
  static_cast<void>(desk.says("report out"));
  CHECK_THAT(read(desk.file("out/REPORT.md")),
             Contains("gave no answer within 0.5 s (trials: 2)") &&
                 Contains("denies 1 of 300 inserted keys (trials: 2)"));
}

TEST_CASE("the first sentence of a report is about the filter from outside", "[cli][foreign]") {
  const auto first_lines = [](const std::string& filters) {
    const Desk desk(filters);
    static_cast<void>(desk.says("run mine.json --out out"));
    static_cast<void>(desk.says("report out"));
    const std::string report = read(desk.file("out/REPORT.md"));
    return report.substr(0, report.find("Every number below"));
  };
  CHECK_THAT(first_lines(python), Catch::StartsWith("# Mine\n\nmy_filter: no deviation from theory "
                                                    "beyond chance in 1 false-positive rates.\n"));
  CHECK_THAT(first_lines(faulty_filter("crash")),
             Catch::StartsWith("# Mine\n\nfaulty gave no result in 1 of 1 cells: python3 faulty.py "
                               "crash: crashed by signal 6. **What did not hold (1):**"));
  const std::string untested = R"({"kind": "command", "command": ["python3", "my_filter.py"],
    "bits_per_key": 10})";
  const std::string standard = R"({"kind": "standard", "m": {"per_n": 10}, "k": 7}, )";
  CHECK_THAT(first_lines(untested),
             Catch::StartsWith("# Mine\n\nmy_filter: 1 false-positive rates, none of them held "
                               "against theory, as the config names no closed form (expected).\n"));
  CHECK_THAT(first_lines(standard + untested),
             Contains("(expected). The filters of bloomlab beside it: 2 tests against theory"));
}

TEST_CASE("an edited filter is measured anew, another is not", "[cli][foreign]") {
  const Desk desk(python);
  CHECK(desk.says("run mine.json --out out").status == 0);
  CHECK_THAT(desk.says("run mine.json --out out").out, Contains("up to date"));
  write(desk.file("my_filter.py"), read(desk.file("my_filter.py")) + "# edited\n");
  CHECK_THAT(desk.says("run mine.json --out out").out,
             Contains("measured 1 cell in") && Contains("measured anew"));
}

TEST_CASE("what a result names is not executed, unless its config is named", "[cli][foreign]") {
  const Desk desk(python);
  CHECK(desk.says("run mine.json --out out").status == 0);
  const Said left_out = desk.says("verify out");
  CHECK(left_out.status == 0);
  CHECK_THAT(left_out.out, Contains("mine.json: left out") && Contains("python3 my_filter.py"));
  const Said repeated = desk.says("verify out --config mine.json");
  CHECK(repeated.status == 0);
  CHECK_THAT(repeated.out, Contains("2 observations, all equal"));
}

TEST_CASE("a filter that is not deterministic is no part of the canonical text", "[cli][foreign]") {
  const Desk desk(python);
  std::string text = read(desk.file("my_filter.py"));
  text.replace(text.find("name=my_filter"), 14, "name=my_filter nondeterministic");
  text.replace(text.find("int(values[3])"), 14,
               "int.from_bytes(__import__('os').urandom(8), 'little')");
  write(desk.file("my_filter.py"), text);
  CHECK(desk.says("run mine.json --out one").status == 0);
  CHECK(desk.says("run mine.json --out two").status == 0);
  const Said one = desk.says("canon one");
  CHECK(one.status == 0);
  CHECK(one.out == desk.says("canon two").out);
  CHECK(one.err ==
        "mine.json: not in the digest, as they declare themselves non-deterministic: "
        "python3 my_filter.py (1 cell)\n");
  CHECK_THAT(desk.says("verify one --config mine.json").out, Contains("all equal"));
}

TEST_CASE("filters from outside are timed beside ours, each in a process run of its own",
          "[cli][foreign]") {
  const Desk desk(python);
  write(desk.file("speed.json"), R"({"$schema": "bloomlab-config-1", "kind": "throughput",
 "title": "Mine", "question": "How fast is mine?", "seed": 1, "trials": 1, "queries": 1024,
 "repetitions": 1, "warm_up": 0, "absent_keys": 2048, "expected_flags": [],
 "grid": {"implementation": ["standard", "library", "command"], "n": 500, "bits_per_key": 10,
  "library": {"path": ")" BLOOMLAB_BINARY_DIR R"(/tests/libexample_c.so"},
  "command": [{"line": "python3 my_filter.py"}, {"line": "python3 faulty.py crash"},
              {"line": "python3 faulty.py forget"}]}})");
  const Said run = desk.says("run speed.json --out out");
  CHECK(run.status == 1);
  CHECK_THAT(run.err, Contains("speed: no result: python3 faulty.py crash: "));
  CHECK_THAT(run.err, Contains("speed: executes, in .: ") && Contains("libexample_c.so") &&
                          Contains("python3 my_filter.py"));
  const auto rows = observations_in(desk.file("out/speed.json")).at("observations");
  REQUIRE(rows.size() == 9);
  for (const std::size_t row : {3U, 6U}) {  // the library; the command
    const auto& measured = rows[row]["measured"];
    CHECK(measured["inserted"] == 500);
    CHECK(measured["true_positives"] == 1024);
    CHECK(measured["false_positives"].get<int>() + measured["true_negatives"].get<int>() == 2048);
    CHECK(measured["memory_bits"].get<int>() >= 5000);
    CHECK_FALSE(measured.contains("bits_set"));
    CHECK(rows[row]["timing"]["negative_ns"].size() == 1);
  }
  CHECK(rows[3]["measured"]["filter"]["kind"] == "library");
  CHECK(rows[6]["measured"]["filter"]["command"] == "python3 my_filter.py");
  CHECK(rows[7]["measured"]["status"] == "crashed");
  CHECK(rows[8]["measured"]["status"] == "false_negatives");
  CHECK_THAT(desk.says("verify out").out, Contains("speed.json: left out"));
  CHECK(desk.says("report out").status == 1);
  CHECK_THAT(read(desk.file("out/REPORT.md")),
             Contains("| library |") &&
                 Contains("\n\npython3 faulty.py crash gave no result in 1 of 1 cells: "));
}

TEST_CASE("a hash from outside is tested beside ours, and its failures are rows",
          "[cli][foreign]") {
  const Desk desk(python);
  write(desk.file("hash.json"), R"({"$schema": "bloomlab-config-1", "kind": "hash_quality",
 "title": "Mine", "question": "Is mine even?", "seed": 1, "trials": 1,
 "shared_across": ["/hash", "/command"], "expected_flags": [],
 "grid": {"hash": ["fnv1a_64", "command"], "source": "sequential", "n": 2000, "m": 256,
  "command": [{"line": "python3 my_hash.py"}, {"line": "python3 faulty.py crash hash"},
   {"line": "python3 faulty.py hang hash", "seconds": 0.5}, {"line": "python3 my_filter.py"}]}})");
  const Said run = desk.says("run hash.json --out out");
  CHECK(run.status == 1);
  CHECK_THAT(run.err, Contains("hash: executes, in .: python3 faulty.py crash hash; ") &&
                          Contains("hash: no result: python3 faulty.py crash hash: crashed"));
  const auto rows = observations_in(desk.file("out/hash.json")).at("observations");
  REQUIRE(rows.size() == 8);  // each of ours stands beside each command
  auto theirs = rows[4]["measured"];
  CHECK(theirs["implementation"] == "my_hash");
  theirs.erase("implementation");
  CHECK(theirs == rows[0]["measured"]);
  CHECK(rows[5]["measured"]["status"] == "crashed");
  CHECK(rows[6]["measured"]["status"] == "timeout");
  CHECK(rows[7]["measured"]["reason"] ==
        "python3 my_filter.py: is no hash; one says \"hashes\" in its greeting");
  CHECK_THAT(desk.says("verify out").out,
             Contains("hash.json: left out") && Contains("python3 my_hash.py"));
  CHECK_THAT(desk.says("verify out --config hash.json").out, Contains("8 observations, all equal"));
  CHECK(desk.says("report out").status == 0);
  CHECK_THAT(read(desk.file("out/REPORT.md")),
             Contains("Filters and hashes from outside that did not do what they must:"));
  write(desk.file("my_hash.py"), read(desk.file("my_hash.py")) + "# edited\n");
  CHECK_THAT(desk.says("run hash.json --out out").out, Contains("measured anew"));
}

TEST_CASE("every filter counts with a hash from outside what it counts with the same of ours",
          "[cli][foreign]") {
  const Desk desk(python);
  std::string text = read(desk.file("my_hash.py"));
  text.replace(text.find("0xCBF29CE484222325"), 18,
               "id(object()) + __import__('random').getrandbits(60)");
  write(desk.file("unstable.py"), text);
  const auto config = [&](const std::string& filter, const std::string& hashes) {
    write(desk.file("rate.json"), R"({"$schema": "bloomlab-config-1", "title": "t", "question": "q",
 "kind": "false_positive_rate", "seed": 1, "trials": 1, "queries": 1000, "expected_flags": [],
 "shared_across": ["/hash", "/filter"],
 "grid": {"keys": {"source": "uniform"}, "n": 300, "filter": )" +
                                      filter + R"(, "hash": [)" + hashes + "]}}");
  };
  config(R"([{"kind": "others", "for_rate": 0.05}, {"kind": "standard", "m": 3072, "k": [4, 7]}])",
         R"({"name": "fnv1a_64"}, {"name": "command", "command": ["python3", "my_hash.py"]})");
  CHECK(desk.says("run rate.json --out out").status == 0);
  const auto rows = observations_in(desk.file("out/rate.json")).at("observations");
  std::map<std::string, nlohmann::ordered_json> ours;
  std::size_t equal = 0;
  for (const auto& row : rows) {
    const std::string filter = row["cell"]["filter"].dump();
    if (row["cell"]["hash"]["name"] == "fnv1a_64") {
      ours[filter] = row["measured"];
      continue;
    }
    auto measured = row["measured"];
    CAPTURE(filter);
    CHECK(measured["implementation"] == "my_hash");
    measured.erase("implementation");
    CHECK(measured == ours[filter]);
    ++equal;
  }
  CHECK(equal > 20);
  CHECK(2 * equal == rows.size());
  CHECK(desk.says("report out").status == 0);
  CHECK_THAT(read(desk.file("out/REPORT.md")), Contains("python3 my_hash.py"));

  config(R"([{"kind": "standard", "m": 3072, "k": 4}, {"kind": "split_block", "m": 4096}])",
         R"({"name": "command", "command": ["python3", "faulty.py", "crash", "hash"]},
            {"name": "command", "command": ["python3", "unstable.py"]})");
  const Said run = desk.says("run rate.json --out failed");
  CHECK(run.status == 1);
  CHECK_THAT(run.err, Contains("rate: no result: python3 faulty.py crash hash: crashed by signal"));
  const auto failed = observations_in(desk.file("failed/rate.json")).at("observations");
  REQUIRE(failed.size() == 4);
  for (const std::size_t row : {0U, 2U}) {
    CHECK(failed[row]["measured"]["status"] == "crashed");
    CHECK(failed[row + 1]["measured"]["status"] == "false_negatives");
    CHECK_THAT(failed[row + 1]["measured"]["reason"].get<std::string>(),
               Contains("the hash gives a key other digests when it is asked again"));
  }

  const auto fault = [&](const std::string& hash) {
    config(R"({"kind": "standard", "m": 3072, "k": 4})", hash);
    const Said check = desk.says("check rate.json");
    CHECK(check.status == 2);
    return check.err;
  };
  CHECK(fault(R"({"name": "command"})") ==
        "bloomlab: rate.json: /grid/hash/0: missing key \"command\": the program and its "
        "arguments, a list of texts\n");
  CHECK(fault(R"({"name": "command", "command": ["no-such-program"]})") ==
        "bloomlab: rate.json: /grid/hash/0/command: no-such-program: there is no such program in "
        "PATH; install it, or give its path\n");
  CHECK_THAT(fault(R"({"name": "fnv1a_64", "command": ["python3"]})"),
             Contains("unknown key \"command\""));
}

TEST_CASE("a fault of the system is tried again, and then named as one", "[cli][foreign]") {
  const Desk desk(R"({"kind": "standard", "m": {"per_n": 10}, "k": 7}, )" + python);
  if (shell("bwrap --ro-bind / / true").status != 0) return skip("bubblewrap does not work here");
  const std::string fault = desk.file("fault");
  const auto with_fault = [&](const std::string& after_fault, const std::string& arguments) {
    static_cast<void>(shell("mkdir -p " + desk.file("bin")));
    write(desk.file("bin/bwrap"), "#!/bin/sh\ncase $* in *my_filter.py*)\n[ -e " + fault +
                                      " ] && { " + after_fault +
                                      "; echo no namespaces are left >&2; exit 1; } ;;\nesac\n"
                                      "exec $(PATH=/usr/bin:/bin command -v bwrap) \"$@\"\n");
    write(fault, "");
    return shell("cd '" + desk.file("") + "' && chmod +x bin/bwrap && PATH=$PWD/bin:$PATH " +
                 "\"$BLOOMLAB\" " + arguments);
  };
  CHECK(with_fault("rm " + fault, "run mine.json --out out").status == 0);
  CHECK(desk.rows().size() == 4);
  CHECK(with_fault("rm " + fault, "audit 'python3 my_filter.py' --quick").status == 0);

  const Said lacking = with_fault(":", "run mine.json --out out --force");
  CHECK(lacking.status == 1);
  CHECK_THAT(lacking.err,
             Contains("bloomlab: mine: no result: python3 my_filter.py: cannot be isolated: no "
                      "namespaces are left; this is a fault of the system, not of the filter: run "
                      "again to measure what lacks\n  bits_per_key = 10\n"));
  CHECK(desk.rows().size() == 2);
  CHECK(desk.says("run mine.json --out out").status == 0);
  const Said unverified = with_fault(":", "verify out --config mine.json");
  CHECK(unverified.status == 1);
  CHECK_THAT(unverified.err, Contains("mine.json: not repeated: python3 my_filter.py: cannot be "
                                      "isolated: no namespaces are left"));
  const Said unaudited = with_fault(":", "audit 'python3 my_filter.py' --quick");
  CHECK(unaudited.status == 1);
  CHECK(unaudited.out.empty());
  CHECK_THAT(unaudited.err, Contains("bloomlab: python3 my_filter.py: cannot be isolated: no "
                                     "namespaces are left"));
}

TEST_CASE("without bubblewrap one line says so before a filter from outside is started",
          "[cli][foreign]") {
  const Desk desk(python);
  write(desk.file("second.json"), read(desk.file("mine.json")));
  const std::string line =
      "not isolated: bubblewrap is not installed; filters may read and write what you may "
      "(docs/foreign_filters.md)\n";
  const auto lines_of = [&](const std::string& arguments) {
    const Said said = shell("cd '" + desk.file("") + "' && mkdir -p bin && " +
                            "ln -sf \"$(python3 -c 'import sys; print(sys.executable)')\" "
                            "bin/python3 && PATH=$PWD/bin \"$BLOOMLAB\" " +
                            arguments);
    CAPTURE(arguments, said.out, said.err);
    CHECK(said.status == 0);
    const std::size_t first = said.err.find(line);
    if (first != std::string::npos) CHECK(first < said.err.find(" by estimate"));
    std::size_t count = 0;
    for (std::size_t at = first; at != std::string::npos; at = said.err.find(line, at + 1)) ++count;
    return count;
  };
  CHECK(lines_of("run mine.json second.json --out out") == 1);
  CHECK(lines_of("verify out --config mine.json") == 1);
  CHECK(lines_of("verify out") == 0);
  CHECK(lines_of("audit 'python3 my_filter.py' --quick") == 1);
  CHECK(lines_of("audit standard --quick") == 0);
  // A library of this kind is never isolated.
  write(desk.file("speed.json"), R"({"$schema": "bloomlab-config-1", "kind": "throughput",
 "title": "Mine", "question": "How fast is mine?", "seed": 1, "trials": 1, "queries": 1024,
 "repetitions": 1, "warm_up": 0, "absent_keys": 2048, "expected_flags": [],
 "grid": {"implementation": "library", "n": 500, "bits_per_key": 10,
  "library": {"path": ")" BLOOMLAB_BINARY_DIR R"(/tests/libexample_c.so"}}})");
  CHECK(lines_of("run speed.json --out out") == 0);
}

TEST_CASE("a speed config that names no filter from outside says how", "[cli][foreign]") {
  const Desk desk(python);
  const auto fault = [&](const std::string& grid) {
    write(desk.file("speed.json"), R"({"$schema": "bloomlab-config-1", "kind": "throughput",
 "title": "t", "question": "q", "seed": 1, "trials": 1, "queries": 1024, "repetitions": 1,
 "warm_up": 0, "absent_keys": 1024, "expected_flags": [],
 "grid": {"n": 500, "bits_per_key": 10, )" +
                                       grid + "}}");
    const Said check = desk.says("check speed.json");
    CHECK(check.status == 2);
    return check.err;
  };
  CHECK_THAT(fault(R"("implementation": "library")"),
             Contains(R"(name it by "library": {"path": ...})"));
  CHECK_THAT(fault(R"("implementation": "library", "library": {"path": "none.so"})"),
             Contains("none.so: there is no such library"));
  CHECK_THAT(fault(R"("implementation": "command", "command": {"line": "no-such-program"})"),
             Contains("there is no such program in PATH"));
  CHECK_THAT(fault(R"("implementation": "command", "command": {"line": "python3 my_filter.py"},
                      "threads": 2)"),
             Contains(R"("command" is asked by one thread)"));
}

TEST_CASE("what cannot be executed is one line and exit status 2", "[cli][foreign]") {
  const auto fault = [](const std::string& filter) {
    const Desk desk(filter);
    const Said check = desk.says("check mine.json");
    CHECK(check.status == 2);
    CHECK(desk.says("run mine.json --out out").status == 2);
    return check.err;
  };
  CHECK(fault(R"({"kind": "command", "command": ["no-such-program"]})") ==
        "bloomlab: mine.json: /grid/filter/0/command: no-such-program: there is no such program in "
        "PATH; install it, or give its path\n");
  CHECK(fault(R"({"kind": "library", "path": "./none.so"})") ==
        "bloomlab: mine.json: /grid/filter/0/path: ./none.so: there is no such library; a relative "
        "path starts from .\n");
  CHECK_THAT(fault(R"({"kind": "command", "command": ["python3", "my_filter.py"], "filez": 1})"),
             Contains("unknown key \"filez\"; did you mean \"files\"?"));
  CHECK_THAT(fault(R"({"kind": "command", "command": ["python3"], "expected": {"model": "no"}})"),
             Contains("/grid/filter/0/expected: unknown model \"no\""));
  CHECK(fault(R"({"kind": "command", "command": ["python3"], "expected":
 {"model": "standard_exact", "m": 10000, "k": 7, "n": 5}})") ==
        "bloomlab: mine.json: /grid/filter/0/expected: found \"n\": 5; the number of keys inserted "
        "is "
        "added to every closed form that takes it; leave it out\n");
}

TEST_CASE("a missing file of a filter is named at its place", "[cli][foreign]") {
  const TemporaryFolder folder;
  write(folder / "a.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
    "title": "t", "question": "q", "seed": 1, "trials": 1, "queries": 1000, "grid": {
      "keys": {"source": "uniform"}, "n": 100,
      "filter": {"kind": "command", "command": ["sh"], "files": ["nope.py"],
                 "bits_per_key": 10}}})");
  const Said said = bloomlab_says("check " + (folder / "a.json"));
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "a.json") + ": /grid/filter/files/0: " +
                        (folder / "nope.py") + ": no such file; check the path\n");
}

TEST_CASE("a run that is killed leaves no process and no folder", "[cli][foreign]") {
  const Desk desk(R"({"kind": "command",
 "command": ["python3", "faulty.py", "stubborn", "query", "told_by_killed"]})");
  const std::string script = R"(
is_there() { grep -qzx 'told_by_[k]illed' /proc/[0-9]*/cmdline 2>/dev/null; }
mkdir temporary
TMPDIR=$PWD/temporary "$BLOOMLAB" run mine.json --out out &
run=$!
for i in $(seq 400); do  # the process starts before it makes its folder
  seen=$(ls temporary | cut -d- -f-2 | sort -u)
  [ -n "$seen" ] && is_there && break
  sleep 0.05
done
echo $seen
kill -9 $run
for i in $(seq 100); do
  if ! is_there && rmdir temporary 2>/dev/null; then echo gone; exit 0; fi
  sleep 0.05
done
echo left)";
  CHECK(shell("cd '" + desk.file("") + "'\n" + script).out == "bloomlab-foreign\ngone\n");
}
