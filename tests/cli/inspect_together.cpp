// What `bloomlab inspect` says of several filters together, and what it saves of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

/// FOLDER/NAME, a filter of the keys key-FIRST to before key-END.
std::string exported_keys(const TemporaryFolder& folder, const std::string& name,
                          const std::string& kind, int first, int end) {
  std::string keys;
  for (int i = first; i < end; ++i) keys += "key-" + std::to_string(i) + "\n";
  write(folder / "keys", keys);
  const Said said = bloomlab_says("export " + kind + " --keys " + (folder / "keys") + " --out " +
                                  (folder / name));
  INFO(said.err);
  CHECK(said.status == 0);
  return folder / name;
}

nlohmann::json together_in(const std::string& arguments) {
  const Said said = bloomlab_says("inspect --json " + arguments);
  INFO(said.err);
  CHECK(said.status == 0);
  return nlohmann::json::parse(said.out).back().at("together");
}

/// At most 20 lines of at most 100 letters.
void check_first_screen(const std::string& text) {
  std::istringstream in(text);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    INFO(line);
    CHECK(std::ranges::count_if(line, [](char letter) { return (letter & 0xc0) != 0x80; }) <= 100);
  }
  CHECK(lines <= 20);
}

const std::string guava_9600 = "guava --bits 9600 --probes 7";

}  // namespace

TEST_CASE("inspect tells what two filters are together, and saves it", "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string large =
      exported_keys(folder, "large.bloom", "guava --bits 19200 --probes 7", 1000, 2000);
  const std::string all = exported_keys(folder, "all.bloom", guava_9600, 0, 2000);
  const std::string two = one + " " + large;
  const Said text = bloomlab_says("inspect --fpr 1% " + two + " --write " + (folder / "c"));
  INFO(text.out << text.err);
  CHECK(text.status == 0);
  check_first_screen(text.out);
  CHECK(read(folder / "c") == read(all));
  for (const char* part :
       {"\nmerge: yes, all are guava MURMUR128_MITZ_64, m = 9600, k = 7, murmur3_128 seed 0\n",
        "\n  folded      1 of 2, to the size of the smallest\n", "\n  union       fill ",
        "\n  its keys    about ", "\n  keys left   0 of 1000 until 1.00 %\n",
        "\n  in both     about ", "; never smaller than the filter of the common keys\n",
        "\n  by any      ", "\n  by all      ", ", if the filters' bits are independent\n"}) {
    CHECK_THAT(text.out, Catch::Contains(part));
  }
  CHECK_THAT(text.out, Catch::EndsWith((folder / "c") + ": the union of 2 filters\n"));

  const auto together = together_in(two);
  const auto direct = nlohmann::json::parse(bloomlab_says("inspect --json " + all).out).at(0);
  for (const char* name : {"m", "k", "bits_set", "fill", "rate", "keys"}) {
    CHECK(together.at("union").at(name) == direct.at(name));
  }
  CHECK(together.at("filters") == 2);
  CHECK(together.at("merge") == true);
  CHECK(together.at("folded") == 1);
  CHECK(together.at("apart").empty());
  CHECK(together.at("written").is_null());
  CHECK(together.at("any_is_exact") == false);
  CHECK(together.at("repeated_keys").at("low") == 0.0);
  CHECK(together.at("repeated_keys").at("high") < 150.0);
  // The same again is no other file, and the intersection is one.
  CHECK(bloomlab_says("inspect " + two + " --write " + (folder / "c")).status == 0);
  const std::string smaller = "inspect " + two + " --intersection --write " + (folder / "c");
  const Said other = bloomlab_says(smaller);
  CHECK(other.status == 2);
  CHECK(other.out.empty());
  CHECK(other.err == "bloomlab: --write: " + (folder / "c") +
                         " is there and is another file; add --force to replace it\n");
  CHECK(read(folder / "c") == read(all));
  CHECK(bloomlab_says(smaller + " --force").out.find("the intersection of 2 filters\n") !=
        std::string::npos);
  const auto common =
      nlohmann::json::parse(bloomlab_says("inspect --json " + (folder / "c")).out).at(0);
  CHECK(common.at("rate") == together.at("intersection").at("rate"));
}

TEST_CASE("inspect says what two filters of one size report of absent keys by their bits",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string other = exported_keys(folder, "other.bloom", guava_9600, 300, 1300);
  const Said said = bloomlab_says("inspect --json " + one + " " + other);
  const auto list = nlohmann::json::parse(said.out);
  REQUIRE(list.size() == 3);
  const auto& together = list[2].at("together");
  CHECK(together.at("all_report") == together.at("intersection").at("rate"));
  const double any = list[0].at("rate").get<double>() + list[1].at("rate").get<double>() -
                     together.at("all_report").get<double>();
  CHECK(together.at("any_reports").get<double>() == Approx(any));
  CHECK(together.at("any_is_exact") == true);
  CHECK(together.at("repeated_keys").at("low") < 700.0);
  CHECK(together.at("repeated_keys").at("high") > 700.0);
  // A pipe is read once, and an input that comes twice is one filter twice.
  const Said piped = shell("cat " + one + " | \"$BLOOMLAB\" inspect --json - " + other);
  CHECK(nlohmann::json::parse(piped.out).at(2) == list[2]);
  const auto twice = together_in(one + " " + one);
  CHECK(twice.at("any_reports") == list[0].at("rate"));
  CHECK(twice.at("all_report") == list[0].at("rate"));
  CHECK(twice.at("union").at("bits_set") == list[0].at("bits_set"));
}

TEST_CASE("inspect says where filters share keys that their answers are not independent",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string large =
      exported_keys(folder, "large.bloom", "guava --bits 19200 --probes 7", 300, 1300);
  const Said said = bloomlab_says("inspect " + one + " " + large);
  CHECK(said.status == 0);
  check_first_screen(said.out);
  CHECK_THAT(said.out, Catch::Contains(", or fewer, as the filters share keys\n  by all      ") &&
                           Catch::EndsWith(", or more, as the filters share keys\n"));
}

TEST_CASE("inspect says what keeps filters apart, a line each", "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string probes = exported_keys(folder, "k", "guava --bits 9600 --probes 5", 0, 1000);
  const std::string size = exported_keys(folder, "m", "guava --bits 12800 --probes 7", 0, 1000);
  const std::string go = exported_keys(folder, "go", "bits_and_blooms --fpr 1%", 0, 1000);
  const std::string spark = std::string("\0\0\0\1\0\0\0\7\0\0\0\1", 12) + "12345678";
  write(folder / "spark", spark);
  std::string seeded = std::string("\0\0\0\2\0\0\0\7\0\0\0\1\0\0\0\1", 16) + "12345678";
  write(folder / "seed1", seeded);
  seeded[11] = 2;
  write(folder / "seed2", seeded);
  const auto says = [](const std::string& files, const std::string& lines) {
    const Said said = bloomlab_says("inspect " + files);
    INFO(said.out << said.err);
    CHECK(said.status == 0);
    CHECK_THAT(said.out, Catch::Contains("\n" + lines + "\n  by any      "));
  };
  says(one + " " + probes, "merge: no, " + one + " and " + probes + " differ in k (7, 5)");
  says(one + " " + size,
       "merge: no, " + one + " and " + size + " differ in m (9600, 12800, no multiple of it)");
  says(one + " " + go,
       "merge: no, " + one + " and " + go + " differ in format (guava, bits_and_blooms)");
  says((folder / "seed1") + " " + (folder / "seed2"),
       "merge: no, " + (folder / "seed1") + " and " + (folder / "seed2") +
           " differ in hash (murmur3_32 seed 1, murmur3_32 seed 2)");
  says(one + " " + probes + " " + go + " " + probes + " " + size + " " + size,
       "merge: no, " + one + " and " + probes + " differ in k (7, 5)\nmerge: no, " + one + " and " +
           go + " differ in format (guava, bits_and_blooms)\nmerge: no, " + one + " and " + probes +
           " differ in k (7, 5)\nand 2 more such lines; --each shows all");
  const auto together = together_in(one + " " + probes + " " + go + " " + probes);
  CHECK(together.at("apart").size() == 3);
  CHECK(together.at("merge") == false);
  CHECK(together.at("union").is_null());
  CHECK(together.at("any_reports") > 0.02);
}

TEST_CASE("inspect saves nothing where it cannot or should not, and says why with one line",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string probes = exported_keys(folder, "k", "guava --bits 9600 --probes 5", 0, 1000);
  const std::string copy = folder / "copy.bloom";
  write(copy, read(one));
  write(folder / "spark", std::string("\0\0\0\1\0\0\0\7\0\0\0\1", 12) + "12345678");
  write(folder / "cut", read(one).substr(0, 700));
  CHECK(shell("ln -s " + one + " " + (folder / "link")).status == 0);
  const std::string out = " --write " + (folder / "out");
  const std::string none = "--write: nothing is written: ";
  const std::string same = one + " " + copy;
  const std::pair<std::string, std::string> cases[] = {
      {one + out, none + "two filters or more are needed"},
      {one + " " + probes + out, none + one + " and " + probes + " differ in k (7, 5)"},
      {(folder / "spark") + " " + (folder / "spark") + out,
       none +
           "filters of spark are only read; written are bloomlab, guava, bits_and_blooms, parquet"},
      {"--format raw --bits 800 --probes 7 " + same + out,
       none + "raw bits do not tell whether their hash is the same"},
      {same + " --write " + copy, "--write: " + copy + " is one of the filters; name another file"},
      {same + " --force --write " + (folder / "link"),
       "--write: " + (folder / "link") + " is one of the filters; name another file"},
      {same + " --write " + folder.path().string(),
       "--write: \"" + folder.path().string() + "\" is no file that can be written; name a file"},
      {same + " --force --write /dev/null",
       "--write: \"/dev/null\" is no file that can be written; name a file"},
      {same + " --write -", "--write: \"-\" is no file that can be written; name a file"},
      {same + " --write ''", "--write: \"\" is no file that can be written; name a file"},
      {same + " --write " + probes,
       "--write: " + probes + " is there and is another file; add --force to replace it"},
      {same + " --force", "--force is for --write alone"},
      {same + " --intersection", "--intersection is for --write alone"},
  };
  const std::string bytes_of_one = read(one);
  const std::string bytes_of_probes = read(probes);
  for (const auto& [arguments, line] : cases) {
    INFO(arguments);
    const Said said = bloomlab_says("inspect " + arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "bloomlab: " + line + "\n");
  }
  const Said cut = bloomlab_says("inspect " + same + " " + (folder / "cut") + out);
  CHECK(cut.status == 2);
  CHECK(cut.out.empty());
  CHECK_THAT(cut.err,
             Catch::EndsWith("\nbloomlab: " + none + (folder / "cut") + " gave no filter\n"));
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
  CHECK(read(one) == bytes_of_one);
  CHECK(read(copy) == bytes_of_one);
  CHECK(read(probes) == bytes_of_probes);
  const Said nowhere = bloomlab_says("inspect " + same + " --write " + one + "/c");
  CHECK(nowhere.status == 1);
  CHECK(nowhere.err.find("bloomlab: ") == 0);
  CHECK(nowhere.err.find('\n') == nowhere.err.size() - 1);
}

TEST_CASE("inspect shows many filters in one screen, their faults too", "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string one = exported_keys(folder, "one.bloom", guava_9600, 0, 1000);
  const std::string odd = folder / "a very long name of a file \x1b[31m, ends in this.bloom";
  write(odd, read(one));
  std::string files = "'" + odd + "'";
  for (int i = 0; i < 11; ++i) {
    const std::string shard = "shard" + std::to_string(i);
    files += " " + exported_keys(folder, shard, guava_9600, 1000 * i, 1000 * (i + 1));
  }
  const Said good = bloomlab_says("inspect --fpr 20% " + files);
  CHECK(good.status == 0);
  check_first_screen(good.out);
  CHECK(good.out.find('\x1b') == std::string::npos);
  CHECK_THAT(good.out, Catch::Contains("/shard0 "));
  CHECK_THAT(good.out, Catch::Contains("\nand 5 more; --each shows every filter whole\n"));
  CHECK_THAT(good.out, Catch::Contains(": the filters' keys less the union's, 95 % confidence"));
  const Said columns = bloomlab_says("inspect " BLOOMLAB_SOURCE_DIR
                                     "/tests/formats/fixtures/duckdb.parquet " BLOOMLAB_SOURCE_DIR
                                     "/tests/formats/fixtures/small.parquet");
  CHECK_THAT(columns.out,
             Catch::Contains("\n...kdb.parquet ...up 0, column key  parquet  16 384  ") &&
                 Catch::Contains("\n...all.parquet ...roup 0, column r  parquet  "));
  const Said bad = bloomlab_says("inspect --fpr 0.1% " + files);
  CHECK(bad.status == 1);
  check_first_screen(bad.out);
  CHECK_THAT(bad.out, Catch::Contains(": its rate is above what it shall keep\nand 10 more such "
                                      "lines; --each shows all\n"));
  const Said each = bloomlab_says("inspect --each --fpr 0.1% " + files);
  CHECK(each.status == 1);
  std::size_t faults = 0;
  for (auto at = each.out.find("\nfault: "); at != std::string::npos;
       at = each.out.find("\nfault: ", at + 1)) {
    ++faults;
  }
  CHECK(faults == 12);
}
