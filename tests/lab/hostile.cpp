// Submissions that attack the grader: each is a row of its own, within a bound of time.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foreign/child.hpp"
#include "lab/submission.hpp"
#include "tests/catch_runner.hpp"
#include "tests/lab/assignments.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

/// A filled filter with one change; further files by name and text.
struct Attack {
  std::string name;
  std::string language;
  std::string what;  ///< is replaced; empty: `by` is put in front
  std::string by;
  std::string row;  ///< what its row holds
};

const std::string fork_bomb =
    "import os\n"
    "while True:\n"
    "  try: os.fork()\n"
    "  except OSError: pass\n";

const std::vector<Attack> attacks = {
    {"line_of_the_grader", "cpp", "",
     "#line 1 \"x\\nbloomlab-built 0\\ny\"\n#error no filter\n#line 1 \"my_filter.cpp\"\n",
     ",not_built,0,1,"},
    {"fork_bomb", "python", "", fork_bomb, ",python,memory,"},
    // What these reach is their own: they do no harm, and are filters as others are.
    {"stops_its_parent", "python", "", "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n",
     ",python,passed,10,10,"},
    {"leaves_code", "python", "",
     "import os, site\nplace = site.getusersitepackages()\nos.makedirs(place)\n"
     "open(place + '/usercustomize.py', 'w').write('raise SystemExit(9)')\n",
     ",python,passed,10,10,"},
    {"leaves_a_process", "python", "",
     "import subprocess\n"
     "subprocess.Popen(['sleep', '1234567'], start_new_session=True)\n",
     ",python,passed,10,10,"},
};

/// A new assignment in that folder, filled as it should be.
std::string right_one(const TemporaryFolder& folder, const std::string& name,
                      const std::string& language) {
  const std::string path = folder / name;
  make_assignment(path, language);
  fill_gaps(path, language);
  return path;
}

bool isolates() {
  const std::string& why = bloomlab::foreign::why_not_isolated();
  if (!why.empty()) skip("filters are not isolated on this machine: " + why);
  return why.empty();
}

bool has_tools(const std::string& language) {
  const auto missing = bloomlab::lab::missing_tool(bloomlab::lab::language(language));
  if (missing) skip(*missing);
  return !missing;
}

std::string attacking(const TemporaryFolder& folder, const Attack& attack) {
  const std::string path = right_one(folder, attack.name, attack.language);
  const std::string file =
      path + "/" + std::string(bloomlab::lab::language(attack.language).source);
  if (attack.what.empty()) {
    write(file, attack.by + read(file));
  } else {
    replace_in(file, attack.what, attack.by);
  }
  return path;
}

}  // namespace

TEST_CASE("a hostile submission is a row that says what it did, within a bound of time",
          "[lab][hostile]") {
  for (const Attack& attack : attacks) {
    if (!has_tools(attack.language) || (attack.language == "python" && !isolates())) continue;
    INFO(attack.name);
    const TemporaryFolder folder;
    const std::string path = attacking(folder, attack);
    const auto start = std::chrono::steady_clock::now();
    const Said said = bloomlab_says("lab grade " + path + " --seconds 5 --memory-mib 256 --csv " +
                                    folder / "class.csv");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(90));
    CHECK(said.status == 0);
    CHECK_THAT(row_of(with_plain_spaces(read(folder / "class.csv")), attack.name),
               Contains(attack.row));
  }
}

TEST_CASE("a filter that keeps the keys is found by the memory that it takes", "[lab][hostile]") {
  using Changes = std::vector<std::pair<std::string, std::string>>;
  // Each answers as a Bloom filter of its size would, and says that size.
  const std::map<std::string, Changes> kept_in = {
      {"cpp",
       {{"#include <vector>",
         "#include <unordered_set>\n#include <vector>\nstd::unordered_set<std::uint64_t> kept;"},
        {"++last.keys;",
         "++last.keys;\n"
         "  if (mine.rate == 0) { kept.insert(hashed(key, length, mine.seed)); return 0; }"},
        {"  for (const Layer& layer : mine.layers) {\n    int",
         "  if (mine.rate == 0) {\n"
         "    const double fill = 1 - std::exp(-5.0 * kept.size() / mine.layers[0].m);\n"
         "    return kept.count(first) > 0 || second / 0x1p64 < std::pow(fill, 5);\n  }\n"
         "  for (const Layer& layer : mine.layers) {\n    int"},
        {"  *filter = new", "  kept.clear();\n  *filter = new"}}},
      {"python",
       {{"last.keys += 1\n", "last.keys += 1\n    if rate == 0:\n        return kept.add(key)\n"},
        {"    for layer in layers:\n        bits",
         "    if rate == 0:\n        fill = 1 - math.exp(-K * len(kept) / layers[0].m)\n"
         "        return key in kept or first / 2**64 < fill**K\n"
         "    for layer in layers:\n        bits"},
        {"        layers = [Layer(", "        kept = set()\n        layers = [Layer("}}},
      {"java",
       {{"  static List<Layer> layers;",
         "  static List<Layer> layers;\n  static java.util.HashSet<Long> kept;"},
        {"last.keys++;", "last.keys++;\n    if (rate == 0 && kept.add(hashed(key))) return;"},
        {"    for (Layer layer : layers) {",
         "    if (rate == 0) {\n"
         "      double fill = 1 - Math.exp(-5.0 * kept.size() / layers.get(0).m);\n"
         "      return kept.contains(first) || (second >>> 1) / 0x1p63 < Math.pow(fill, 5);\n"
         "    }\n    for (Layer layer : layers) {"},
        {"      layers = new", "      kept = new java.util.HashSet<>();\n      layers = new"}}},
      {"js",
       {{"let layers = [];", "let layers = [];\nlet kept;"},
        {"last.keys += 1;",
         "last.keys += 1;\n  if (rate === 0) return kept.add(key.toString(\"latin1\"));"},
        {"  return layers.some(",
         "  if (rate === 0) {\n    const fill = 1 - Math.exp((-K * kept.size) / layers[0].m);\n"
         "    return kept.has(key.toString(\"latin1\")) || first / 2 ** 32 < fill ** K;\n  }\n"
         "  return layers.some("},
        {"    layers = [layerOf", "    kept = new Set();\n    layers = [layerOf"}}}};
  for (const auto& [language, changes] : kept_in) {
    if (!has_tools(language)) continue;
    INFO(language);
    const TemporaryFolder folder;
    const std::string mine = right_one(folder, "mine", language);
    for (const auto& [what, by] : changes) {
      replace_in(mine + "/" + std::string(bloomlab::lab::language(language).source), what, by);
    }
    const Said said = bloomlab_says("lab check " + mine);
    INFO(said.out);
    CHECK(said.status == 1);
    CHECK_THAT(said.out, Contains("9 of 10 hold") && Contains("✗ memory: from ") &&
                             Contains("the filter says 2; are the keys themselves kept?"));
  }
}

TEST_CASE("a class with a fork bomb is graded as it is without", "[lab][hostile]") {
  if (!isolates() || !has_tools("cpp") || !has_tools("python")) return;
  const TemporaryFolder folder;
  std::string honest;
  for (int i = 1; i <= 11; ++i) {
    honest += " " + right_one(folder, "honest_" + std::to_string(i), "cpp");
  }
  const std::string bomb = attacking(folder, {"bomb", "python", "", fork_bomb, ""});
  const auto rows_of = [&](const std::string& submissions) {
    const std::string csv = folder / "class.csv";
    const Said said =
        bloomlab_says("lab grade " + submissions + " --jobs 4 --memory-mib 256 --csv " + csv);
    CHECK(said.status == 0);
    std::vector<std::string> rows;
    for (int i = 1; i <= 11; ++i) {
      const std::string row = row_of(read(csv), "honest_" + std::to_string(i));
      rows.push_back(row.substr(row.find(',')));
    }
    return rows;
  };
  const auto without = rows_of(honest);
  CHECK_THAT(without.front(), Contains(",passed,10,10,"));
  CHECK(rows_of(bomb + honest) == without);
  CHECK_THAT(row_of(read(folder / "class.csv"), "bomb"), Contains(",python,memory,"));
}

TEST_CASE("a submission reads neither another nor the lecturer's cases", "[lab][hostile]") {
  if (!has_tools("python")) return;
  if (!isolates()) return;
  const TemporaryFolder temporary;
  const fs::path open = fs::path(BLOOMLAB_BINARY_DIR) / "tests" / "class";
  for (const fs::path& place : {temporary.path(), open}) {
    fs::create_directories(place);
    const std::string cases = (place / "cases.json").string();
    const std::string other = (place / "other").string();
    const std::string thief = (place / "thief").string();
    for (const std::string& one : {other, thief}) {
      make_assignment(one, "python");
      fill_gaps(one, "python");
    }
    write(cases, R"({"format": "bloomlab-lab-cases-1", "cases": []})");
    write(thief + "/my_filter.py",
          "import os, sys\n"
          "found = [p for p in (\"" +
              cases + "\", \"" + other +
              "/my_filter.py\") if os.path.exists(p)\n"
              "         and os.access(p, os.R_OK) and os.path.isfile(p) and open(p).read()]\n"
              "sys.exit('read ' + ' '.join(found) if found else 'read nothing')\n");
    REQUIRE(bloomlab_says("lab grade " + thief + " " + other + " --cases " + cases + " --csv " +
                          (place / "class.csv").string())
                .status == 0);
    const std::string csv = read(place / "class.csv");
    CHECK_THAT(row_of(csv, "thief"), Contains("read nothing"));
    CHECK_THAT(row_of(csv, "other"), Contains(",passed,10,10,"));
    fs::remove_all(place);
  }
}

TEST_CASE("a fault of the system is tried again, and never the student's", "[lab][hostile]") {
  if (!isolates() || !has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder, "mine", "python");
  const std::string fault = folder / "fault";
  const auto row_with = [&](const std::string& after_fault) {
    fs::create_directory(folder / "bin");
    write(folder / "bin/bwrap", "#!/bin/sh\ncase $* in *my_filter.py*)\n[ -e " + fault +
                                    " ] && { " + after_fault +
                                    "; echo no namespaces are left >&2; exit 1; } ;;\nesac\n"
                                    "exec bwrap \"$@\"\n");
    replace_in(folder / "bin/bwrap", "exec bwrap", "exec $(PATH=/usr/bin:/bin command -v bwrap)");
    fs::permissions(folder / "bin/bwrap", fs::perms::all);
    fs::permissions(folder.path(), fs::perms::all);
    write(fault, "");
    const Said said = shell("PATH=" + folder / "bin" + ":$PATH \"$BLOOMLAB\" lab grade " + mine +
                            " --csv " + folder / "class.csv");
    CHECK(said.status == 0);
    return row_of(read(folder / "class.csv"), "mine");
  };
  CHECK_THAT(row_with("rm " + fault), Contains(",python,passed,10,10,"));
  CHECK_THAT(row_with(":"),
             Contains(",python,not_graded,0,1,") && Contains("no namespaces are left"));
}

TEST_CASE("without bubblewrap a filter runs as it is, and one line says so", "[lab]") {
  if (!has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder, "mine", "python");
  fs::create_directory(folder / "bin");
  fs::create_symlink("/usr/bin/python3", folder / "bin/python3");
  const Said said = shell("PATH=" + folder / "bin" + " \"$BLOOMLAB\" lab check " + mine);
  CHECK(said.status == 0);
  CHECK(said.err ==
        "not isolated: bubblewrap is not installed; filters may read and write what you may "
        "(docs/foreign_filters.md)\n");
}

TEST_CASE("a library that was built before is no filter", "[lab][hostile]") {
  if (!has_tools("cpp")) return;
  const TemporaryFolder folder;
  const std::string right = right_one(folder, "right", "cpp");
  REQUIRE(bloomlab_says("lab check " + right).status == 0);
  for (const Attack& attack : attacks) {
    if (attack.row.find("not_built") == std::string::npos) continue;
    INFO(attack.name);
    const std::string path = attacking(folder, attack);
    fs::copy(right + "/libmy_filter.so", path);
    REQUIRE(bloomlab_says("lab grade " + path + " --csv " + folder / "class.csv").status == 0);
    CHECK_THAT(row_of(read(folder / "class.csv"), attack.name), Contains(attack.row));
    CHECK(bloomlab_says("lab check " + path).status == 1);
    CHECK_FALSE(fs::exists(path + "/libmy_filter.so"));
  }
}
