#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

/// The exit status says whether the requested rate is kept.
nlohmann::json judged(const std::string& arguments) {
  const Said said = bloomlab_says("judge " + arguments + " --json");
  INFO(arguments << "\n" << said.err);
  const auto json = nlohmann::json::parse(said.out);
  CHECK(said.status == (json.at("keeps_requested_rate") == false ? 1 : 0));
  return json;
}

/// With what was seen, of which the exit status says whether it is as it should be.
nlohmann::json judged_with(const std::string& arguments, int status) {
  const Said said = bloomlab_says("judge " + arguments + " --json");
  INFO(arguments << "\n" << said.out << said.err);
  CHECK(said.status == status);
  return nlohmann::json::parse(said.out);
}

void check_refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const Said said = bloomlab_says("judge " + arguments);
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "bloomlab: " + message + "\n");
}

}  // namespace

TEST_CASE("judge judges n, m and k", "[cli][judge]") {
  const auto json = judged("n=4000 m=134191 k=23 p=1e-7");
  CHECK(json.at("rate").get<double>() == Approx(1.0012e-7).epsilon(1e-4));
  CHECK(json.at("best_k") == 23);
  CHECK(json.at("keeps_requested_rate") == false);
  CHECK(json.at("warnings").size() == 2);
  CHECK(judged("n=4000 m=134202 k=23 p=1e-7").at("keeps_requested_rate") == true);
  CHECK(judged("n=1M m=10M k=7 hash=murmur3_32").at("hash_bits") == 32);
}

TEST_CASE("judge judges any filter of the catalogue by its own form", "[cli][judge]") {
  const auto blocked = judged("n=1M m=10000384 k=6 filter=blocked");
  CHECK(blocked.at("rate").get<double>() == Approx(0.00966).epsilon(0.001));
  CHECK(blocked.at("standard_rate").get<double>() == Approx(0.00844).epsilon(0.001));
  CHECK(judged("n=1M m=10000384 k=6 filter=blocked block_bits=64").at("rate").get<double>() >
        blocked.at("rate").get<double>());
  // 10000 counters of 4 bits, and the spare word of a packed array.
  CHECK(judged("n=1000 m=10000 k=7 filter=counting counter_bits=4").at("memory_bits") == 40064);
}

TEST_CASE("judge judges a hash by the width that its name tells", "[cli][judge]") {
  const auto floor = [](const std::string& hash) {
    return judged("n=10M m=300M k=20 p=1e-6 " + hash);
  };
  const auto narrow = floor("hash_bits=32");
  // 10^7 of 2^32 hashes are taken: 1 - (1 - 2^-32)^n.
  CHECK(narrow.at("hash_floor").get<double>() == Approx(-std::expm1(-1e7 * 0x1p-32)));
  CHECK(narrow.at("keeps_requested_rate") == false);
  CHECK(narrow.at("warnings").dump().find("a hash of 32 bits is too short") != std::string::npos);
  for (const char* hash :
       {"fnv1a_32", "FNV1a-32", "crc32", "murmur2_32", "adler32", "djb2", "jenkins_oaat", "xxh32",
        "java_string_hash", "crc32c", "cityhash32", "MurmurHash3_x86_32", "sdbm", "lookup3"}) {
    INFO(hash);
    const auto one = floor("hash=" + std::string(hash));
    CHECK(one.at("hash_bits") == 32);
    CHECK(one.at("rate") == narrow.at("rate"));
    CHECK(one.at("keeps_requested_rate") == false);
  }
  CHECK(floor("hash=fletcher16").at("hash_bits") == 16);
  CHECK(floor("hash=fnv1a_64").at("keeps_requested_rate") == true);
  CHECK(floor("hash=fnv1_128").at("hash_bits") == 128);
  CHECK(floor("hash=sha512").at("hash_bits") == 256);
}

TEST_CASE("judge asks a layout without k for no k", "[cli][judge]") {
  const auto split = judged("n=52 m=2048 filter=split_block");
  CHECK(split.at("k") == 8);
  CHECK(split.at("rate").get<double>() > split.at("standard_rate").get<double>());
}

TEST_CASE("judge --preset sizes by the rules of a production system", "[cli][judge]") {
  for (const char* name : {"redis", "guava", "cassandra", "parquet", "boost"}) {
    INFO(name);
    const auto json = judged("--preset " + std::string(name) + " n=1M p=1%");
    CHECK(json.at("preset") == name);
    CHECK(json.at("requested_rate") == 0.01);
    CHECK(json.at("keeps_requested_rate") == (std::string(name) != "guava"));
    CHECK_FALSE(json.at("source").get<std::string>().empty());
  }
  CHECK(judged("--preset rocksdb n=1M bits_per_key=10").at("k") == 6);
}

TEST_CASE("judge ends with 1 where the requested rate is missed", "[cli][judge]") {
  for (const char* missed : {"--preset guava n=1M p=1%", "n=4000 m=134191 k=23 p=1e-7",
                             "--preset parquet n=1G p=1%", "--preset cassandra n=1M p=50%"}) {
    INFO(missed);
    const Said text = bloomlab_says("judge " + std::string(missed));
    CHECK(text.status == 1);
    CHECK(text.out.find("The requested rate is missed.") != std::string::npos);
    CHECK(bloomlab_says("judge " + std::string(missed) + " --json").status == 1);
  }
  CHECK(bloomlab_says("judge n=4000 m=134202 k=23 p=1e-7").status == 0);
  // Nothing was requested.
  CHECK(bloomlab_says("judge n=1000 m=10 k=7").status == 0);
}

TEST_CASE("judge names no smallest filter for a rate of 1", "[cli][judge]") {
  const Said full = bloomlab_says("judge n=10 m=1 k=1");
  CHECK(full.out.find("rate        1.00000") != std::string::npos);
  CHECK(full.out.find("smallest") == std::string::npos);
}

TEST_CASE("judge refuses nonsense with one line", "[cli][judge]") {
  check_refuses("n=1M k=7",
                "judge: m is missing; give n and m, such as n=1M m=10M k=7, or one of them and the "
                "rate p, or a --preset");
  check_refuses("m=1M",
                "judge: n is missing; give n and m, such as n=1M m=10M k=7, or one of them and the "
                "rate p, or a --preset");
  check_refuses("m=3 p=1e-9", "judge: 3 bits keep the rate for no key; give more bits, or n");
  for (const char* seen : {"", "/", "5/", "/5", "@5"}) {
    check_refuses("n=1M m=10M seen=" + std::string(seen),
                  "seen: found \"" + std::string(seen) +
                      "\"; write false positives and absent keys, such as seen=115/5000, a share, "
                      "seen=2.3%, and behind @ the keys that were inserted, seen=115/5000@60k");
  }
  check_refuses("n=1M m=10M seen=6/5",
                "seen: found 6/5; no more than all absent keys can be reported");
  check_refuses("n=1M m=10M seen=-6/5",
                "seen: found \"-6\"; a whole number of false positives from 1 to 1125899906842624 "
                "is allowed");
  check_refuses("n=1M m=2^64 k=3",
                "m: found \"2^64\"; a whole number of bits from 1 to 2^63 is allowed, such as "
                "10000000, 1e7 or 10M");
  check_refuses("--preset guava n=1M p=1% seen=1/5",
                "judge: seen with --preset; give n, m and k as the preset has them");
  check_refuses("n=1M m=0 k=7",
                "m: found \"0\"; a whole number of bits from 1 to 2^63 is allowed, such as "
                "10000000, 1e7 or 10M");
  check_refuses("n=1M m=10M k=0",
                "k: found \"0\"; a whole number of probes from 1 to 256 is allowed");
  check_refuses("n=1M n=2M m=10M k=7", "judge: n is given twice; give it once");
  check_refuses("1M",
                "judge: found \"1M\"; quantities are written name=value, such as "
                "n=1M");
  check_refuses("n=1M m=10M k=7 x=3",
                "judge: unknown quantity \"x\"; known: \"n\", \"m\", "
                "\"k\", \"p\", \"filter\", \"hash\", \"hash_bits\", \"reachable\", \"seen\"");
  check_refuses("n=1M m=10M k=7 filter=bloked",
                "judge: unknown filter \"bloked\"; did you mean \"blocked\"?");
  check_refuses("n=1M m=10M k=7 hash=murmur3_23",
                "judge: unknown hash \"murmur3_23\"; did you mean \"murmur3_32\"? Else give "
                "its width by hash_bits, such as hash_bits=32");
  check_refuses("n=1M m=10M k=7 hash=somebody_elses",
                "judge: unknown hash \"somebody_elses\"; give its width by hash_bits, such "
                "as hash_bits=32");
  check_refuses("n=1M m=10M k=7 hash=crc32 hash_bits=32",
                "judge: hash and hash_bits are both given; give one of them");
  check_refuses("n=1M m=10M k=7 hash_bits=257",
                "hash_bits: found \"257\"; a whole number of bits from 1 to 256 is allowed");
  check_refuses("n=1M m=10M k=7 filter=blocked",
                "judge: blocked: m is 10000000; it must be a multiple of 512, the bits of "
                "a block: choose 9999872 or 10000384");
  check_refuses("n=1M m=8M k=5 filter=split_block",
                "judge: found k=5; split_block has a fixed number of probes per key; leave out k");
  check_refuses("n=52 m=2048 k=8 filter=split_block",
                "judge: found k=8; split_block has a fixed number of probes per key; leave "
                "out k");
  check_refuses("n=1M m=8M k=5 filter=unordered_set",
                "judge: unordered_set is not sized by m; give a filter of m bits, such as "
                "standard or blocked; bloomlab plan compares all");
  check_refuses("--preset gua n=1M p=1%",
                "--preset: unknown system \"gua\"; did you mean \"guava\"?");
}

TEST_CASE("judge takes what is left out from the rest", "[cli][judge]") {
  CHECK(judged("n=1M m=10M").at("k") == 7);
  CHECK(judged("n=1M m=1.2MiB k=7").at("m") == 10066329);
  CHECK(judged("n=1M m=2^23 k=6").at("m") == 8388608);
  const auto sized = judged("n=1M p=1%");
  CHECK(sized.at("m") == Approx(9.585e6).epsilon(1e-3));
  CHECK(sized.at("keeps_requested_rate") == true);
  const auto held = judged("m=95851 k=7 p=1%");
  CHECK(held.at("n") == Approx(10000).epsilon(2e-3));
  CHECK(held.at("rate").get<double>() <= 0.01);
  // 2^32 of 2^34 bits: the rate of a filter of 2^32.
  const auto reached = judged("n=478361140 m=2^34 k=20 reachable=2^32");
  CHECK(reached.at("rate") == judged("n=478361140 m=2^32 k=20").at("rate"));
  CHECK(reached.at("memory_bits") == std::uint64_t{1} << 34);
  CHECK(reached.at("warnings").dump().find("are reached") != std::string::npos);
  CHECK(judged("n=1M m=10M k=7 hash=identity").at("hash_bits").is_null());
  // The former name.
  CHECK(bloomlab_says("check-params n=1M m=10M k=7").out ==
        bloomlab_says("judge n=1M m=10M k=7").out);
  CHECK(bloomlab_says("--help").out.find("check-params") == std::string::npos);
}

TEST_CASE("judge warns of double hashing where it is not independent", "[cli][judge]") {
  // `bloomlab theory double_hashing_exact m=1024 n=20 k=16 stride=any`, and standard_exact.
  const auto small = judged("n=20 m=1024 k=16");
  CHECK(small.at("rate").get<double>() == Approx(7.6e-10).epsilon(0.02));
  CHECK(small.at("strided_rate").get<double>() == Approx(4.4e-4).epsilon(0.02));
  CHECK(small.at("warnings").dump().find("double hashing has a rate of") != std::string::npos);
  CHECK(judged("n=1M m=10M k=7").at("strided_rate").is_null());
}

TEST_CASE("judge says whether what was seen is as it should be", "[cli][judge]") {
  const auto right = judged_with("n=100k m=800k k=6 seen=108/5000", 0);
  CHECK(right.at("verdict") == "as_expected");
  CHECK(right.at("observations")[0].at("expected").get<double>() == Approx(0.02158).epsilon(1e-3));
  // Binomial, 5000 of .02158: a standard deviation of 10.3.
  CHECK(right.at("observations")[0].at("usual_from").get<double>() == Approx(88).margin(1.5));
  CHECK(right.at("observations")[0].at("usual_to").get<double>() == Approx(128).margin(1.5));
  CHECK(judged_with("n=100k m=800k seen=115/5000", 0).at("verdict") == "as_expected");
  CHECK(judged_with("n=300 m=2876 k=7 seen=4/300", 0).at("verdict") == "as_expected");
  CHECK(judged_with("n=100k m=800k seen=2.1%", 0).at("verdict") == "near");
  CHECK(judged_with("n=100k m=800k seen=3%", 1).at("verdict") == "far");
  const auto off = judged_with("n=100k m=800k seen=400/5000", 1);
  CHECK(off.at("verdict") == "off");
  CHECK(off.at("p_value").get<double>() < 1e-20);
}

TEST_CASE("judge names the causes that libraries are known for", "[cli][judge]") {
  const auto names = [](const std::string& arguments, const std::string& kind) {
    const auto json = judged_with(arguments, 1);
    INFO(arguments << "\n" << json.dump(1));
    CHECK(json.at("causes").size() <= 3);
    CHECK(std::ranges::any_of(json.at("causes"),
                              [&](const auto& cause) { return cause.at("class") == kind; }));
  };
  // 2^34 bits of which 2^32 are reached, and a hash of 32 bits: by their formulas.
  names("n=478361140 m=2^34 k=20 seen=102123/1000000", "reduction");
  names("n=478361140 m=2^34 k=20 seen=25%", "hash_width");
  names("n=10M m=300M k=20 seen=2328/1000000", "hash_width");
  // .02158 is expected; 6 probes in 554518 bits: ln 2 once too often.
  names("n=100k m=800k k=6 seen=870/10000", "size_formula");
  // 4 filters of .02158 each.
  names("n=100k m=800k k=6 seen=8355/100000", "several_filters");
  // 1024 bits, k = 16, n = 20 with double hashing.
  names("n=20 m=1024 k=16 seen=440/1000000", "strides");
  CHECK(judged_with("n=100k m=800k k=6 seen=400/5000 seen=1/5000", 1).at("causes").empty());
}

TEST_CASE("judge proposes the count that tells two causes apart", "[cli][judge]") {
  const auto json = judged_with("n=20 m=1024 k=16 seen=440/1000000", 1);
  REQUIRE(json.at("causes").size() > 1);
  const auto& next = json.at("count_next");
  const double first = next.at("by_first_cause");
  const double second = next.at("by_second_cause");
  const double queries = next.at("queries");
  // Five standard deviations apart.
  CHECK(std::abs(first - second) * std::sqrt(queries) >= 4.99 * std::sqrt(first + second));
  // No shorter than the count that was made, however far the two are apart.
  const auto far = judged_with("n=8115 m=55750 k=5 seen=838/19062", 1);
  CHECK(far.at("count_next").at("queries") >= 19062);
}

TEST_CASE("judge takes counts in any order", "[cli][judge]") {
  // The offset as stride, which is simulated: counts of one filter with 25 keys and one with 12.
  const std::string filter = "n=25 m=332 k=9 ";
  const std::string full = "seen=14591/177762@25";
  const std::string half = "seen=700/17776@12";
  const auto down = judged_with(filter + full + " " + half, 1).at("causes");
  const auto up = judged_with(filter + half + " " + full, 1).at("causes");
  REQUIRE(down.size() == up.size());
  CHECK(std::ranges::any_of(
      up, [](const auto& cause) { return cause.at("class") == "derived_stride"; }));
  for (std::size_t i = 0; i < up.size(); ++i) {
    CHECK(down[i].at("cause") == up[i].at("cause"));
    CHECK(down[i].at("rates")[0] == up[i].at("rates")[1]);
  }
}

TEST_CASE("judge knows how far filters of a simulated cause differ", "[cli][judge]") {
  // Counted of two filters whose positions are chained: few keys of odd multiples crowd or do not.
  const auto judged =
      judged_with("n=65 m=1088 k=12 seen=317/82778@65 seen=1150/82778@65", 1).at("causes");
  REQUIRE_FALSE(judged.empty());
  CHECK(judged[0].at("class") == "shared_bits");
}

TEST_CASE("judge knows queries that test a probe less than inserts set", "[cli][judge]") {
  // Fill .52763 and .31271, to the power of 5 in place of 6.
  const auto judged =
      judged_with("n=100k m=800k k=6 seen=4089/100000@100k seen=299/100000@50k", 1).at("causes");
  REQUIRE(judged.size() == 1);
  CHECK(judged[0].at("cause") == "queries test a probe less than inserts set");
}

TEST_CASE("judge leaves out no cause for its price alone", "[cli][judge]") {
  // Counted of a filter with a short hash, two standard deviations off.
  const auto judged =
      judged_with("n=8115 m=55750 k=5 seen=1652/38125@8115 seen=281/38125@4057", 1).at("causes");
  CHECK(std::ranges::any_of(judged,
                            [](const auto& cause) { return cause.at("class") == "hash_width"; }));
}

TEST_CASE("judge answers at once whatever the numbers", "[cli][judge]") {
  for (const char* arguments :
       {"n=2^40 m=1000 k=7 seen=1/5", "n=100 m=2000 seen=3/500@1G", "n=1 m=1 k=1 seen=1/2",
        "n=1M m=8M k=256 seen=3/500", "n=1M m=10M seen=1/2^50", "n=1000 m=10000 seen=5000/5000",
        "n=2^63 m=512 k=3 filter=blocked seen=1/5", "n=1000 m=10000 seen=0/5000",
        "n=1M m=16M filter=counting counter_bits=4 k=5 seen=1%"}) {
    const auto start = std::chrono::steady_clock::now();
    const auto json = judged_with(arguments, 1);
    CHECK(json.at("causes").size() <= 3);
    // Simulating so many keys would take hours; a second or two is usual.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
  }
}

TEST_CASE("a judgement fits a screen", "[cli][judge]") {
  for (const char* arguments :
       {"n=20 m=1024 k=16", "n=1M m=28755176 k=20 hash=fnv1a_32", "filter=split_block n=52 m=2048",
        "n=1M m=10M", "n=1M m=1.2MiB k=7", "n=100k m=800k seen=115/5000",
        "n=478361140 m=2^34 k=20 seen=25%", "n=20 m=1024 k=16 seen=440/1000000"}) {
    const Said said = bloomlab_says("judge " + std::string(arguments));
    INFO(arguments << "\n" << said.out << said.err);
    CHECK(said.status <= 1);
    CHECK(std::ranges::count(said.out, '\n') <= 20);
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 104);  // bytes
  }
}
