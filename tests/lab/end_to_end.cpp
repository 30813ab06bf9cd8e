// An assignment from its folder to its grade, in every language whose tools are there.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lab/submission.hpp"
#include "tests/lab/assignments.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("an assignment is made, checked, filled, checked and graded in every language", "[lab]") {
  for (const auto& language : bloomlab::lab::languages()) {
    const std::string name(language.name);
    if (!has_tools(name)) continue;
    INFO(name);
    const TemporaryFolder folder;
    const std::string mine = folder / "mine";
    const Said made = bloomlab_says("lab new " + mine + " --language " + name);
    CHECK(made.status == 0);
    CHECK(made.out == mine + "/README.md\n");
    CHECK(made.err.empty());

    const Said unfilled = bloomlab_says("lab check " + mine);
    CHECK(unfilled.status == 1);
    CHECK_THAT(
        with_plain_spaces(unfilled.out),
        Contains("✗ gap 1 of " + std::string(language.source) + " is still as it was given") &&
            Contains("✗ gap 2") && Contains("✓ no false negatives among 43 000 inserted keys") &&
            Contains("the filter never opened a layer; it has 50 000 bits, "
                     "the rule gives 150 000") &&
            Contains("✗ cause: the rates are those of k = 1;") && Contains("2 of 12 hold"));

    fill_gaps(mine, name);
    const Said filled = bloomlab_says("lab check " + mine);
    CHECK(filled.status == 0);
    CHECK_THAT(filled.out, Contains("✓ both gaps") && Contains("10 of 10 hold") && !Contains("✗"));

    const std::string before = read(mine + "/" + std::string(language.source));
    const Said graded = bloomlab_says("lab grade " + mine + " --csv " + folder / "class.csv");
    CHECK(graded.status == 0);
    CHECK_THAT(graded.out, Contains("submissions: 1; all holds: 1, something does not: 0\n"));
    CHECK_THAT(read(folder / "class.csv"),
               Contains(",\"" + mine + "\"," + name + ",passed,10,10,0."));
    CHECK(before == read(mine + "/" + std::string(language.source)));
  }
}

TEST_CASE("an assignment speaks its own language", "[lab]") {
  if (!has_tools("cpp")) return;
  struct Expected {
    const char* human;
    const char* handout;
    const char* gap;
    const char* all;
  };
  for (const Expected& one :
       {Expected{"en", "# Course lab: a Bloom filter in C++", "gap 1 of my_filter.cpp is still",
                 "10 of 10 hold"},
        Expected{"zh", "# 课程实验：用 C++ 写布隆过滤器", "my_filter.cpp 的空缺 1 还是原样",
                 "10 项中有 10 项成立"},
        Expected{"ru", "# Лабораторная работа: фильтр Блума на C++",
                 "пропуск 1 в my_filter.cpp остался", "выполнено 10 из 10"}}) {
    const TemporaryFolder folder;
    const std::string mine = folder / "mine";
    make_assignment(mine, "cpp", one.human);
    CHECK_THAT(read(mine + "/HANDOUT.md"), Catch::StartsWith(one.handout));
    CHECK_THAT(read(mine + "/README.md"), Contains("bloomlab lab sweep"));
    CHECK_THAT(bloomlab_says("lab check " + mine).out, Contains(one.gap));
    fill_gaps(mine, "cpp");
    const Said filled = bloomlab_says("lab check " + mine);
    CHECK(filled.status == 0);
    CHECK_THAT(filled.out, Contains(one.all));
  }
}

TEST_CASE("the quick sweep of an edited filter is measured anew, says what it is and draws",
          "[lab]") {
  for (const auto& language : bloomlab::lab::languages()) {
    const std::string name(language.name);
    if (!has_tools(name)) continue;
    INFO(name);
    const TemporaryFolder folder;
    const std::string mine = folder / "mine";
    make_assignment(mine, name);
    const auto here = [&](const std::string& arguments) {
      return shell("cd " + mine + " && \"$BLOOMLAB\" lab " + arguments);
    };
    if (name == "python") {  // seconds, and not none of them, as it calls a process key by key
      const auto cost = nlohmann::json::parse(
          shell("cd " + mine + " && \"$BLOOMLAB\" check sweep.json --json").out);
      const double seconds = cost.at("sweep.json").at("estimated_seconds").get<double>();
      CHECK((seconds > 4.0 && seconds < 16.0));
    }
    const Said unfilled = here("sweep");
    CHECK(unfilled.status == 1);
    CHECK_THAT(unfilled.err,
               Contains("bloomlab: sweep: rate of ") && Contains("deviates from theory") &&
                   Catch::EndsWith(" more, which the report names; `bloomlab lab check` looks for "
                                   "their cause\n"));
    CHECK(count(unfilled.err, "deviates") == 2);
    fill_gaps(mine, name);
    const Said said = here("sweep");
    CHECK(said.status == 0);
    CHECK_THAT(
        with_plain_spaces(said.out),
        Contains(
            "quick: every second size, 1000 keys and 4000 queries in each; `bloomlab lab sweep "
            "--full` measures") &&
            Catch::EndsWith("\nresults/REPORT.html\n"));
    const auto result = nlohmann::json::parse(read(mine + "/results/sweep.json"));
    CHECK(result.at("config").at("grid").at("n") == 1000);
    CHECK(result.at("config").at("queries") == 4000);
    const std::string page = with_plain_spaces(read(mine + "/results/REPORT.html"));
    CHECK_THAT(page, Contains("1000 keys and 4000 queries") &&
                         Contains("18 false-positive rates") && Contains("<svg"));
    // Where all is reported the interval is that of these filters, not of all that could be.
    CHECK_THAT(read(mine + "/results/pages/sweep.lab_4_2.csv"), Contains(",1,1,0.999"));
    if (name == "python") {
      replace_in(source_of(mine, name),
                 "def contains(key):", "def contains(key):\n    raise KeyError");
      const Said raised = here("sweep");
      CHECK(raised.status == 1);
      CHECK_THAT(raised.err, Contains("gave no result in 18 of 18 cells") && Contains("KeyError"));
      CHECK(count(raised.err, "bloomlab: ") == 1);
    }
    if (name != "cpp") continue;
    CHECK(here("").status == 0);
    CHECK_THAT(here("check").out, Contains("10 of 10 hold"));
    CHECK(here("sweep --full").out == "results/REPORT.html\n");
    CHECK_THAT(read(mine + "/results/sweep.json"), Contains("\"n\":10000"));
    replace_in(source_of(mine, name), "#include", "#includ");
    const Said broken = here("sweep");
    CHECK(broken.status == 1);
    CHECK_THAT(broken.err, Catch::StartsWith("bloomlab: my_filter.cpp cannot be built: "));
    CHECK(count(broken.err, "\n") == 1);
  }
}

TEST_CASE("what no assignment can be made of is refused in one line", "[lab]") {
  const TemporaryFolder folder;
  const std::string mine = folder / "mine";
  const auto refused = [](const std::string& arguments, const std::string& line) {
    const Said said = bloomlab_says("lab " + arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(count(said.err, "\n") == 1);
    CHECK_THAT(said.err, Contains(line));
  };
  refused("new " + mine + " --language pyton", "unknown language \"pyton\"; did you mean");
  refused("new " + mine + " --language python --lang de", "--lang: ");
  refused("check " + mine, "holds no assignment.json, so it is no assignment");
  refused("sweep " + mine, "holds no assignment.json, so it is no assignment");
  refused("grade " + mine + " --csv " + folder / "a.csv", "is no folder; name the folders");
  const Said none = shell("cd " + folder / "" + " && \"$BLOOMLAB\" lab grade --csv a.csv");
  CHECK(none.status == 2);
  CHECK(none.err ==
        "bloomlab: no folder of a submission is named, and the current folder holds none; name "
        "them\n");
  CHECK_FALSE(fs::exists(mine));
  make_assignment(mine, "python");
  refused("new " + mine + " --language python",
          "is not an empty folder; name one that is empty or not there yet");
  write(mine + "/assignment.json", R"({"format": "bloomlab-lab-1", "language": "cobol"})");
  refused("check " + mine, "/language: ");
  write(folder / "cases.json", R"({"format": "bloomlab-lab-cases-1", "cases": [{"name": "a"}]})");
  refused("grade " + mine + " --csv " + folder / "a.csv --cases " + folder / "cases.json",
          "cases.json: /cases/0");
  CHECK_FALSE(fs::exists(folder / "a.csv"));
}

TEST_CASE("a time that is no number is refused, with the help of the very command", "[lab]") {
  const Said said = bloomlab_says("lab grade mine --csv a.csv --seconds nan");
  CHECK(said.status == 2);
  CHECK(
      said.err ==
      "bloomlab: --seconds: found \"nan\"; a number from 0.1 to 86400 is allowed, of seconds, such "
      "as 10; see bloomlab lab grade --help\n");
}

TEST_CASE("where a compiler or an interpreter is missing, check says so in one line", "[lab]") {
  for (const auto& language : bloomlab::lab::languages()) {
    const TemporaryFolder folder;
    const std::string mine = folder / "mine";
    make_assignment(mine, std::string(language.name));
    const Said said = shell("PATH=" + mine + " \"$BLOOMLAB\" lab check " + mine);
    CHECK(said.status == 1);
    CHECK(said.err.empty());
    CHECK(count(said.out, "\n") == 1);
    CHECK_THAT(said.out, Catch::StartsWith("✗ not checked: ") &&
                             Contains(": there is no such program in PATH"));
  }
}

TEST_CASE("without bubblewrap a filter runs as it is, and one line says so", "[lab]") {
  if (!has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder / "mine", "python");
  fs::create_directory(folder / "bin");
  fs::create_symlink("/usr/bin/python3", folder / "bin/python3");
  const Said said = shell("PATH=" + folder / "bin" + " \"$BLOOMLAB\" lab check " + mine);
  CHECK(said.status == 0);
  CHECK(said.err ==
        "not isolated: bubblewrap is not installed; filters may read and write what you may "
        "(docs/foreign_filters.md)\n");
}
