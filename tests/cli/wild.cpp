// Filters in the wild: their adapters are small, their configs hold, and what is not there, or does
// wrong, is one line and never the end of the audit.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

const fs::path source = BLOOMLAB_SOURCE_DIR;

auto line_count(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// A tree with what the scripts need, and no filter in build/wild/bin.
class WildTree {
 public:
  WildTree() {
    for (const char* part : {"examples/wild", "configs/wild", "foreign"}) {
      fs::create_directories(tree_.path() / part);
      fs::copy(source / part, tree_.path() / part, fs::copy_options::recursive);
    }
    fs::create_directories(bin());
  }
  [[nodiscard]] fs::path bin() const { return tree_.path() / "build/wild/bin"; }
  [[nodiscard]] Said says(const std::string& command) const {
    return shell("cd '" + tree_.path().string() + "' && " + command);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return tree_ / name; }

  /// A program of that name, which is `command`.
  void add(const std::string& name, const std::string& command) const {
    write(bin() / name, "#!/bin/sh\nexec " + command + "\n");
    fs::permissions(bin() / name, fs::perms::owner_all);
  }
  void add_faulty(const std::string& name, const std::string& fault) const {
    add(name, "python3 '" BLOOMLAB_SOURCE_DIR "/tests/foreign/filters/faulty.py' " + fault);
  }

 private:
  TemporaryFolder tree_;
};

/// The filters that build.sh knows.
constexpr int known_filters = 19;

}  // namespace

TEST_CASE("an adapter of a filter in the wild has at most sixty lines", "[cli][wild]") {
  int adapters = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source / "examples/wild")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".sh") continue;
    if (entry.path().parent_path() == source / "examples/wild") continue;
    INFO(entry.path());
    CHECK(line_count(read(entry.path())) <= 60);
    ++adapters;
  }
  CHECK(adapters >= known_filters);
}

TEST_CASE("the configs of filters in the wild hold", "[cli][wild]") {
  const WildTree tree;
  REQUIRE(tree.says("sed -n 's#.*/build/wild/bin/\\([^\"]*\\)\".*#\\1#p' configs/wild/*.json |"
                    " while read -r name; do : >\"build/wild/bin/$name\";"
                    " chmod +x \"build/wild/bin/$name\"; done")
              .status == 0);
  int configs = 0;
  for (const auto& entry : fs::directory_iterator(source / "configs/wild")) {
    if (entry.path().extension() != ".json") continue;
    const Said said =
        tree.says("\"$BLOOMLAB\" check configs/wild/" + entry.path().filename().string());
    INFO(said.err);
    CHECK(said.status == 0);
    ++configs;
  }
  CHECK(configs >= 3);
}

TEST_CASE("a filter in the wild that cannot be had is one line", "[cli][wild]") {
  const WildTree tree;
  // A PATH with what scripts are made of, and no compiler, interpreter or package manager.
  const Said said = tree.says(
      "mkdir few && for tool in bash dirname mkdir rm grep sed tail cut wc head basename cat; do"
      " ln -s \"$(command -v $tool)\" few/; done && PATH=$PWD/few bash examples/wild/build.sh");
  INFO(said.out << said.err);
  CHECK(said.status == 1);
  CHECK_THAT(said.out,
             Contains("== apt-get is not here: nothing of Debian is fetched\n") &&
                 Contains("== npm is not here: no package of npm is fetched\n") &&
                 Contains("== dcso left out: golang-github-dcso-bloom-dev is not there") &&
                 Contains("== 0 of 19 filters in the wild are ready"));
  CHECK(line_count(said.out) == known_filters + 3);
  CHECK(said.err.empty());
}

TEST_CASE("the audit of filters in the wild goes on when one is missing or does wrong",
          "[cli][wild]") {
  const WildTree tree;
  tree.add_faulty("guava", "crash");
  tree.add_faulty("bloomfilter", "forget insert");
  tree.add_faulty("minibloom", "slow");
  tree.add_faulty("jsbloom", "garbage");
  const Said said =
      tree.says("examples/wild/audit.sh \"$BLOOMLAB\" guava flor bloomfilter minibloom jsbloom");
  INFO(said.out << said.err);
  CHECK_THAT(said.out, Contains("== flor: not there, not audited\n") &&
                           Contains("== guava: a promise is broken") &&
                           Contains("== bloomfilter: a promise is broken") &&
                           Contains("== minibloom: no promise is broken") &&
                           Contains("== jsbloom: a promise is broken") &&
                           Contains("== 4 filters audited, of 3 a promise is broken\n"));
  const auto card = [&](const std::string& name) {
    return read(tree.file("build/wild/cards/" + name + "/audit.md"));
  };
  CHECK_THAT(card("guava"), Contains("crashed by signal 6"));
  CHECK_THAT(card("jsbloom"), Contains("answered \"maybe\" to query"));
}

TEST_CASE("configs are measured with the filters in the wild that are there", "[cli][wild]") {
  const WildTree tree;
  tree.add("willf", "python3 '" BLOOMLAB_SOURCE_DIR "/tests/foreign/filters/faulty.py' none");
  REQUIRE(
      tree.says("for c in configs/wild/*.json; do sed -i -e 's/\"trials\": [0-9]*/\"trials\": "
                "1/; s/\"queries\": [0-9]*/\"queries\": 100/; s/\"n\": .*/\"n\": 50,/' $c; done")
          .status == 0);
  const Said said = tree.says("examples/wild/audit.sh \"$BLOOMLAB\" 2>&1");
  INFO(said.out);
  CHECK_THAT(said.out, Contains("wild_no_rate.json: none of its filters is there, not measured") &&
                           Contains("in_the_wild.json: measured without 16 filters"));
  const auto rows = observations_in(tree.file("build/wild/results/in_the_wild.json"));
  for (const auto& row : rows.at("observations")) {
    CHECK(row["cell"]["filter"]["command"][0] == "../bin/willf");
    CHECK(row["measured"]["false_positives"] == 0);
  }
  CHECK(rows.at("observations").size() == 4);
}
