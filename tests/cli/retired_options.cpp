// Options with a new name: the old one works for one version more and says so.
#include <catch2/catch.hpp>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

TEST_CASE("a retired option works, and its name of today is told on stderr", "[cli][options]") {
  const TemporaryFolder folder;
  write(folder / "keys", "a\nb\nc\n");
  write(folder / "others", "x\ny\nz\n");
  const std::string plan = "plan --items 3 --fpr 0.02 --json --verify --keys " + (folder / "keys");
  const Said today = bloomlab_says(plan + " --absent-keys " + (folder / "others"));
  const Said retired = bloomlab_says(plan + " --strangers " + (folder / "others"));
  CHECK(today.err.empty());
  CHECK(retired.status == today.status);
  // Three lines of others, which are asked of every filter; all keys would be generated otherwise.
  const std::string queries = "\"queries\": 300,";
  CHECK(today.out.find(queries) != std::string::npos);
  CHECK(retired.out.find(queries) != std::string::npos);
  CHECK(retired.err ==
        "bloomlab: --strangers is called --absent-keys now; the old name goes with the next "
        "version\n");
  const Said joined = bloomlab_says(plan + " --strangers=" + (folder / "others"));
  CHECK(joined.out.find(queries) != std::string::npos);
}

TEST_CASE("help texts know no retired option", "[cli][options]") {
  for (const char* command : {"plan", "bench"}) {
    const Said help = bloomlab_says(std::string(command) + " --help");
    CHECK(help.status == 0);
    CHECK(help.out.find("--strangers") == std::string::npos);
    CHECK(help.out.find("--launches") == std::string::npos);
  }
}

TEST_CASE("bench takes its process runs under the old name too", "[cli][options]") {
  const Said said = bloomlab_says("bench --launches 0");
  CHECK(said.status == 2);
  CHECK(said.err.find("--launches is called --process-runs now") != std::string::npos);
}

TEST_CASE("a command without that option refuses the retired name as it does any other",
          "[cli][options]") {
  const Said said = bloomlab_says("canon --strangers x");
  CHECK(said.status == 2);
  CHECK(said.err.find("is called") == std::string::npos);
}
