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
       "inspect: " + folder.path().string() + ": is a folder; name a file");
  says("inspect /dev/null",
       "inspect: /dev/null: is a device or a socket; name a regular file, or a pipe");
  says("inspect --format guave x", "--format: unknown format \"guave\"; did you mean \"guava\"?");
  says("inspect - < /dev/null",
       "inspect: -: holds nothing; formats: bloomlab parquet "
       "parquet_filter guava spark bits_and_blooms redisbloom; opened are gzip, zlib, base64, hex; "
       "bits alone: --format raw --bits M --probes K");
  says("export guav --keys x --fpr 1% --out y",
       "export: unknown format \"guav\"; did you mean \"guava\"?");
  says("export guava --keys " + (folder / "none") + " --fpr 1% --out y",
       "--keys: " + (folder / "none") +
           ": no such file; check the path; give a file of one key a line");
  write_keys(folder / "keys");
  says("export guava --keys " + (folder / "keys") + " --out y",
       "export: give --fpr P, or --bits M and --probes K");
  says("export parquet --bits 999 --keys " + (folder / "keys") + " --out y",
       "export: parquet: 999 bits are no size of this format; the next is 1024");
}

TEST_CASE("export writes over no file of keys, and over another file with --force alone",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  write_keys(folder / "keys");
  write(folder / "notes", "notes");
  const std::string keys = read(folder / "keys");
  const std::string command = "export guava --fpr 1% --keys " + (folder / "keys") + " --out ";
  const auto refused = [&](const std::string& name, const std::string& fault) {
    const Said said = bloomlab_says(command + (folder / name));
    CHECK(said.status == 2);
    CHECK(said.err == "bloomlab: --out: " + (folder / name) + " is " + fault + "\n");
  };
  refused("keys", "the file of keys; name another file");
  CHECK(bloomlab_says(command + (folder / "keys") + " --force").status == 2);
  refused("notes", "there and is another file; add --force to replace it");
  CHECK(read(folder / "keys") == keys);
  CHECK(read(folder / "notes") == "notes");
  CHECK(bloomlab_says(command + folder.path().string()).err ==
        "bloomlab: --out: \"" + folder.path().string() +
            "\" is no file that can be written; name a file\n");
  CHECK(bloomlab_says(command + (folder / "notes") + " --force").status == 0);
  CHECK(bloomlab_says(command + (folder / "notes")).status == 0);  // it is the same filter
}

TEST_CASE("inspect reads bits without a header by what it is told of them", "[cli][inspect]") {
  const TemporaryFolder folder;
  write(folder / "a.bits", "head" + read(fixtures + "bits_and_blooms.bloom").substr(24));
  const std::string raw = "inspect --format raw --probes 7 --offset 4 --word 8 ";
  const Said said = bloomlab_says(raw + "--bits 9586 --fpr 2% " + (folder / "a.bits"));
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  const Said saved = bloomlab_says("inspect --fpr 2% " + fixtures + "bits_and_blooms.bloom");
  const auto from_filter = [](const std::string& text) {
    return text.substr(text.find('\n'), text.find("\n  merge") - text.find('\n'));
  };
  CHECK(said.out == (folder / "a.bits") + ", bytes 4 to 1203 of 1204: raw, standard, unknown hash" +
                        from_filter(saved.out) + "\n");
  CHECK(saved.out.find("keys left") != std::string::npos);
  const Said json = bloomlab_says(raw + "--bits 9586 --json " + (folder / "a.bits"));
  CHECK(json.status == 0);
  const auto one = nlohmann::json::parse(json.out).at(0);
  const auto other = nlohmann::json::parse(
                         bloomlab_says("inspect --json " + fixtures + "bits_and_blooms.bloom").out)
                         .at(0);
  for (const char* name : {"m", "k", "bits_set", "fill", "rate", "keys"}) {
    CHECK(one.at(name) == other.at(name));
  }
  CHECK(one.at("mergeable") == false);
  CHECK(one.at("fold").is_null());
  CHECK(one.at("wrappers").empty());
  // 1200 bytes as a size are as many bits, and in whole words the order is none.
  const Said size = bloomlab_says(raw + "--bits 1200B --json " + (folder / "a.bits"));
  CHECK(nlohmann::json::parse(size.out).at(0).at("m") == 9600);
  CHECK(bloomlab_says("inspect --format raw --probes 7 --offset 4B --word 64bits --bits 1200B "
                      "--json " +
                      (folder / "a.bits"))
            .out == size.out);
  const Said two =
      bloomlab_says(raw + "--bits 9586 " + (folder / "a.bits") + " " + (folder / "a.bits"));
  CHECK(two.out.find("\nmerge: raw bits do not tell whether their hash is the same\n") !=
        std::string::npos);
}

TEST_CASE("inspect says the keys left of a full filter only where a rate is asked for",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  write(folder / "full.bits", std::string(12, '\xff') + '\x0f');
  write(folder / "full.bloom", std::string("\1\7\0\0\0\2", 6) + std::string(16, '\xff'));
  for (const std::string& file : {"--format raw --bits 100 --probes 3 " + (folder / "full.bits"),
                                  std::string(folder / "full.bloom")}) {
    INFO(file);
    const Said said = bloomlab_says("inspect " + file);
    CHECK(said.status == 1);
    CHECK(said.out.find("keys left") == std::string::npos);
    CHECK(said.out.find("\nfault: every bit is set: it reports every key\n") != std::string::npos);
    CHECK(nlohmann::json::parse(bloomlab_says("inspect --json " + file).out)
              .at(0)
              .at("keys_left")
              .is_null());
    CHECK(bloomlab_says("inspect --fpr 1% " + file).out.find("\n  keys left   0 of ") !=
          std::string::npos);
  }
}

TEST_CASE("inspect refuses options of raw that are bad with one line", "[cli][inspect]") {
  const TemporaryFolder folder;
  write(folder / "a.bits", std::string(100, '\x11'));
  const std::string raw = "inspect --format raw " + (folder / "a.bits") + " ";
  const std::string bits = "--bits 800 --probes 7 ";
  const std::string file = "inspect: " + (folder / "a.bits") + ": raw: ";
  const std::pair<std::string, std::string> cases[] = {
      {raw, "--format raw: give --bits M and --probes K"},
      {raw + "--bits 800", "--format raw: give --bits M and --probes K"},
      {raw + "--probes 7", "--format raw: give --bits M and --probes K"},
      {raw + "--bits 0 --probes 7", "--bits: "},
      {raw + "--bits 1XB --probes 7", "--bits: "},
      {raw + "--bits 800 --probes 0", "--probes: "},
      {raw + "--bits 800 --probes 257", "--probes: "},
      {raw + bits + "--offset -1",
       "--offset: found \"-1\"; a whole number of bytes from 0 to 2^63 is allowed, such as "
       "10000000, 1e7 or 10M"},
      {raw + bits + "--order big", "--order: found \"big\"; known: \"lsb\", \"msb\""},
      {raw + bits + "--word 2", "--word: found \"2\"; known: \"1\", \"4\", \"8\""},
      {raw + bits + "--word 8 --order msb", "--word: big-endian words that begin with the highest"},
      {raw + "--bits 1KiB --probes 7",
       file + "--bits 8192 takes 1024 bytes; from byte 0 on there are 100"},
      {raw + bits + "--offset 1", file + "--bits 800 takes 100 bytes; from byte 1 on there are 99"},
      {raw + bits + "--offset 100", file + "--offset 100 is beyond the 100 bytes that there are"},
      {raw + "--bits 797 --probes 7 --order msb", file + "bits are set behind the last of 797; "},
      {"inspect --bits 800 " + (folder / "a.bits"), "--bits is for --format raw alone"},
      {"inspect --format guava --offset 6 " + (folder / "a.bits"),
       "--offset is for --format raw alone"},
  };
  for (const auto& [arguments, line] : cases) {
    INFO(arguments);
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find("bloomlab: " + line) == 0);
    CHECK(said.err.find('\n') == said.err.size() - 1);
  }
}

TEST_CASE("inspect says what it opened, and which filters of a file it shows", "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string two = folder / "two.bloom";
  write(two, read(fixtures + "guava.bloom") + read(fixtures + "guava.bloom"));
  const Said opened = shell("gzip -c " + two + " | base64 | \"$BLOOMLAB\" inspect --each -");
  CHECK(opened.status == 0);
  for (const char* line : {"-, filter 1 of 2, at byte 0: base64, in it gzip, in it guava MURMUR128",
                           "\n-, filter 2 of 2, at byte 1206: base64, in it gzip, in it guava"}) {
    CHECK(opened.out.find(line) != std::string::npos);
  }
  const Said json = shell("gzip -c " + two + " | \"$BLOOMLAB\" inspect --json -");
  const auto list = nlohmann::json::parse(json.out);
  REQUIRE(list.size() == 3);
  CHECK(list[2].at("together").at("merge") == true);
  CHECK(list[1].at("wrappers") == nlohmann::json{"gzip"});
  CHECK(list[1].at("place") == "filter 2 of 2, at byte 1206");
  const Said named = shell("printf 'REDIS0011...' | \"$BLOOMLAB\" inspect -");
  CHECK(named.status == 2);
  CHECK(named.err.find("bloomlab: inspect: -: it seems to be a dump of a whole Redis; load it") ==
        0);
}

TEST_CASE("inspect and export read pipes, and do not wait for one that is silent",
          "[cli][inspect]") {
  const TemporaryFolder folder;
  write_keys(folder / "keys");
  exported("guava", folder, "guava.bloom");
  const Said piped = shell("cat " + (folder / "keys") +
                           " | \"$BLOOMLAB\" export guava --fpr 1% --keys /dev/stdin --out " +
                           (folder / "piped.bloom") + " && cat " + (folder / "piped.bloom") +
                           " | \"$BLOOMLAB\" inspect /dev/stdin");
  INFO(piped.err);
  CHECK(piped.status == 0);
  CHECK(read(folder / "piped.bloom") == read(folder / "guava.bloom"));
  const std::string pipe = folder / "pipe";
  REQUIRE(shell("mkfifo " + pipe).status == 0);
  const Said silent = shell(
      "timeout 30 \"$BLOOMLAB\" export guava --fpr 1% --out " + (folder / "none") + " --keys " +
      pipe + " & timeout 30 \"$BLOOMLAB\" inspect " + pipe + "; status=$?; wait; exit $status");
  CHECK(silent.status == 2);
  for (const std::string& start : {"inspect: " + pipe, "--keys: " + pipe}) {
    CHECK(silent.err.find("bloomlab: " + start +
                          ": nothing came for 10 s; name a regular file, or "
                          "a pipe that is being written") != std::string::npos);
  }
}

TEST_CASE("every file is inspected, whatever the others are", "[cli][inspect]") {
  const TemporaryFolder folder;
  std::string file = read(fixtures + "small.parquet");
  file[file.find("\x26\x08\x15\xa0")] = '\x36';
  const std::string none = folder / "none.parquet";
  write(none, file);
  const std::string files = none + " " + fixtures + "guava.bloom " + (folder / "missing");
  const std::string no_filter =
      "inspect: " + none +
      ": no column of this Parquet file has a bloom filter; ask its writer for one";
  const Said text = bloomlab_says("inspect " + files);
  CHECK(text.status == 2);
  CHECK(text.out.find("guava.bloom: guava MURMUR128_MITZ_64") != std::string::npos);
  CHECK(text.out.find("\nmerge: no, " + none + " gave no filter\n") != std::string::npos);
  CHECK(text.err.find("bloomlab: " + no_filter + "\nbloomlab: inspect: ") == 0);
  const Said json = bloomlab_says("inspect --json " + files);
  CHECK(json.status == 2);
  const auto list = nlohmann::json::parse(json.out);
  REQUIRE(list.size() == 3);
  CHECK(list[0] == nlohmann::json{{"file", none}, {"error", no_filter}});
  CHECK(list[1].at("m") == 9600);
  CHECK(list[2].contains("error"));
}

TEST_CASE("names in a file are shown, not sent to the terminal", "[cli][inspect]") {
  const TemporaryFolder folder;
  const std::string good = read(fixtures + "small.parquet");
  const std::size_t name = good.rfind('r', good.rfind("\x18\x01r") + 2);
  const std::pair<char, std::pair<std::string, std::string>> cases[] = {
      {'\x1b', {"\\u{001B}", "\\u{001B}"}}, {'\xff', {"\\xFF", "\\xFF"}}, {'\n', {" ", "\n"}}};
  for (const auto& [letter, shown] : cases) {
    std::string file = good;
    file[name] = letter;
    write(folder / "a.parquet", file);
    const Said text = bloomlab_says("inspect " + (folder / "a.parquet"));
    CHECK(text.status == 0);
    CHECK(text.out.find("row group 0, column " + shown.first + ": parquet") != std::string::npos);
    const Said json = bloomlab_says("inspect --json " + (folder / "a.parquet"));
    CHECK(json.status == 0);
    CHECK(nlohmann::json::parse(json.out)[0].at("place") == "row group 0, column " + shown.second);
  }
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
