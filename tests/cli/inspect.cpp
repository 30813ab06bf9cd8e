#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

const std::string fixtures = BLOOMLAB_SOURCE_DIR "/tests/formats/fixtures/";

void write_keys(const std::string& path) {
  std::string keys;
  for (int i = 0; i < 1000; ++i) keys += "key-" + std::to_string(i) + "\n";
  write(path, keys);
}

std::string exported(const std::string& format, const TemporaryFolder& folder,
                     const std::string& name) {
  const Said said = bloomlab_says("export " + format + " --keys " + (folder / "keys") +
                                  " --fpr 1% --out " + (folder / name));
  INFO(said.err);
  CHECK(said.status == 0);
  return said.out;
}

}  // namespace

TEST_CASE("inspect says what a filter of Guava tells", "[cli][inspect]") {
  const Said said = bloomlab_says("inspect --fpr 1% " + fixtures + "guava.bloom");
  CHECK(said.status == 0);
  CHECK(said.out.find("guava MURMUR128_MITZ_64, standard, murmur3_128 seed 0") !=
        std::string::npos);
  CHECK(said.out.find("keys left   4 of 1000 until 1.00 %") != std::string::npos);
  const Said json = bloomlab_says("inspect --json - --fpr 0.5% < " + fixtures + "guava.bloom");
  CHECK(json.status == 1);
  const auto list = nlohmann::json::parse(json.out);
  REQUIRE(list.size() == 1);
  CHECK(list[0].at("m") == 9600);
  CHECK(list[0].at("faults") == nlohmann::json{"its rate is above what it shall keep"});
  CHECK(list[0].at("keys").at("low") < 1000);
}

TEST_CASE("inspect says whether filters can be merged", "[cli][inspect]") {
  const Said same =
      bloomlab_says("inspect " + fixtures + "guava.bloom " + fixtures + "guava.bloom");
  CHECK(same.out.find("\nmerge: yes, all are guava MURMUR128_MITZ_64, m = 9600, k = 7") !=
        std::string::npos);
  const Said other =
      bloomlab_says("inspect " + fixtures + "guava.bloom " + fixtures + "bits_and_blooms.bloom");
  CHECK(other.out.find("\nmerge: no, ") != std::string::npos);
}

TEST_CASE("inspect and export refuse with one line", "[cli][inspect]") {
  const TemporaryFolder folder;
  const auto says = [](const std::string& arguments, const std::string& line) {
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "bloomlab: " + line + "\n");
  };
  says("inspect " + folder.path().string(),
       "inspect: " + folder.path().string() +
           " cannot be read; give a file with a saved filter, or - for the standard input");
  says("inspect --format guave x", "--format: unknown format \"guave\"; did you mean \"guava\"?");
  says("inspect - < /dev/null",
       "inspect: -: no filter that is known begins like this; name it by --format");
  says("export guav --keys x --fpr 1% --out y",
       "export: unknown format \"guav\"; did you mean \"guava\"?");
  says("export guava --keys " + (folder / "none") + " --fpr 1% --out y",
       "--keys: " + (folder / "none") + " cannot be read; give a file of one key a line");
  write_keys(folder / "keys");
  says("export guava --keys " + (folder / "keys") + " --out y",
       "export: give --fpr P, or --bits M and --probes K");
  says("export parquet --bits 999 --keys " + (folder / "keys") + " --out y",
       "export: parquet: 999 bits are no size of this format; the next is 1024");
}

TEST_CASE("what is exported is loaded by the programs that are here", "[cli][inspect][living]") {
  const TemporaryFolder folder;
  write_keys(folder / "keys");
  CHECK(exported("guava", folder, "guava.bloom").find("m = 9600, k = 7") != std::string::npos);
  exported("bits_and_blooms", folder, "go.bloom");
  exported("parquet", folder, "parquet.bloom");
  for (const char* name : {"guava.bloom", "go.bloom", "parquet.bloom"}) {
    CHECK(bloomlab_says("inspect --fpr 1.2% " + (folder / name)).status == 0);
  }
  const Said run =
      shell(BLOOMLAB_SOURCE_DIR "/tests/formats/writers/living.sh " + folder.path().string());
  for (const char* name : {"guava ", "go ", "javascript "}) {
    const auto place = run.out.find(name);
    REQUIRE(place != std::string::npos);
    const std::string line = run.out.substr(place, run.out.find('\n', place) - place);
    if (line == std::string(name) + "not here") {
      WARN(name << "is not here: its loading was not tested");
      continue;
    }
    // Every key, and of absent ones about 1 %: more than 40 of 1000 would be 9 sd off.
    CHECK(line.find(std::string(name) + "1000 ") == 0);
    CHECK(std::stoi(line.substr(line.rfind(' '))) <= 40);
  }
}
