#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

/// The exit status says whether the requested rate is kept.
nlohmann::json judged(const std::string& arguments) {
  const Said said = bloomlab_says("check-params " + arguments + " --json");
  INFO(arguments << "\n" << said.err);
  const auto json = nlohmann::json::parse(said.out);
  CHECK(said.status == (json.at("keeps_requested_rate") == false ? 1 : 0));
  return json;
}

void check_refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const Said said = bloomlab_says("check-params " + arguments);
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "bloomlab: " + message + "\n");
}

}  // namespace

TEST_CASE("check-params judges n, m and k", "[cli][check-params]") {
  const auto json = judged("n=4000 m=134191 k=23 p=1e-7");
  CHECK(json.at("rate").get<double>() == Approx(1.0012e-7).epsilon(1e-4));
  CHECK(json.at("best_k") == 23);
  CHECK(json.at("keeps_requested_rate") == false);
  CHECK(json.at("warnings").size() == 1);
  CHECK(judged("n=4000 m=134202 k=23 p=1e-7").at("keeps_requested_rate") == true);
  CHECK(judged("n=1M m=10M k=7 hash=murmur3_32").at("hash_bits") == 32);
}

TEST_CASE("check-params judges any filter of the catalogue by its own form",
          "[cli][check-params]") {
  const auto blocked = judged("n=1M m=10000384 k=6 filter=blocked");
  CHECK(blocked.at("rate").get<double>() == Approx(0.00966).epsilon(0.001));
  CHECK(blocked.at("standard_rate").get<double>() == Approx(0.00844).epsilon(0.001));
  CHECK(judged("n=1M m=10000384 k=6 filter=blocked block_bits=64").at("rate").get<double>() >
        blocked.at("rate").get<double>());
  // 10000 counters of 4 bits, and the spare word of a packed array.
  CHECK(judged("n=1000 m=10000 k=7 filter=counting counter_bits=4").at("memory_bits") == 40064);
}

TEST_CASE("check-params judges a hash by the width that its name tells", "[cli][check-params]") {
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

TEST_CASE("check-params asks a layout without k for no k", "[cli][check-params]") {
  const auto split = judged("n=52 m=2048 filter=split_block");
  CHECK(split.at("k") == 8);
  CHECK(split.at("rate").get<double>() > split.at("standard_rate").get<double>());
}

TEST_CASE("check-params --preset sizes by the rules of a production system",
          "[cli][check-params]") {
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

TEST_CASE("check-params ends with 1 where the requested rate is missed", "[cli][check-params]") {
  for (const char* missed : {"--preset guava n=1M p=1%", "n=4000 m=134191 k=23 p=1e-7",
                             "--preset parquet n=1G p=1%", "--preset cassandra n=1M p=50%"}) {
    INFO(missed);
    const Said text = bloomlab_says("check-params " + std::string(missed));
    CHECK(text.status == 1);
    CHECK(text.out.find("The requested rate is missed.") != std::string::npos);
    CHECK(bloomlab_says("check-params " + std::string(missed) + " --json").status == 1);
  }
  CHECK(bloomlab_says("check-params n=4000 m=134202 k=23 p=1e-7").status == 0);
  // Nothing was requested.
  CHECK(bloomlab_says("check-params n=1000 m=10 k=7").status == 0);
}

TEST_CASE("check-params names no smallest filter for a rate of 1", "[cli][check-params]") {
  const Said full = bloomlab_says("check-params n=10 m=1 k=1");
  CHECK(full.out.find("rate        1.00000") != std::string::npos);
  CHECK(full.out.find("smallest") == std::string::npos);
}

TEST_CASE("check-params refuses nonsense with one line", "[cli][check-params]") {
  check_refuses("n=1M k=7",
                "check-params: m is missing; give n, m and k, such as n=1M m=10M k=7, or a "
                "--preset");
  check_refuses("n=1M m=0 k=7",
                "m: found \"0\"; a whole number of bits from 1 to 2^63 is allowed, such as "
                "10000000, 1e7 or 10M");
  check_refuses("n=1M m=10M k=0",
                "k: found \"0\"; a whole number of probes from 1 to 256 is allowed");
  check_refuses("n=1M n=2M m=10M k=7", "check-params: n is given twice; give it once");
  check_refuses("1M",
                "check-params: found \"1M\"; quantities are written name=value, such as "
                "n=1M");
  check_refuses("n=1M m=10M k=7 x=3",
                "check-params: unknown quantity \"x\"; known: \"n\", \"m\", "
                "\"k\", \"p\", \"filter\", \"hash\", \"hash_bits\"");
  check_refuses("n=1M m=10M k=7 filter=bloked",
                "check-params: unknown filter \"bloked\"; did you mean \"blocked\"?");
  check_refuses("n=1M m=10M k=7 hash=murmur3_23",
                "check-params: unknown hash \"murmur3_23\"; did you mean \"murmur3_32\"? Else give "
                "its width by hash_bits, such as hash_bits=32");
  check_refuses("n=1M m=10M k=7 hash=somebody_elses",
                "check-params: unknown hash \"somebody_elses\"; give its width by hash_bits, such "
                "as hash_bits=32");
  check_refuses("n=1M m=10M k=7 hash=crc32 hash_bits=32",
                "check-params: hash and hash_bits are both given; give one of them");
  check_refuses("n=1M m=10M k=7 hash_bits=257",
                "hash_bits: found \"257\"; a whole number of bits from 1 to 256 is allowed");
  check_refuses("n=1M m=10M",
                "check-params: k is missing; give n, m and k, such as n=1M m=10M k=7, or a "
                "--preset");
  check_refuses("n=1M m=10M k=7 filter=blocked",
                "check-params: blocked: m is 10000000; it must be a multiple of 512, the bits of "
                "a block: choose 9999872 or 10000384");
  check_refuses(
      "n=1M m=8M k=5 filter=split_block",
      "check-params: found k=5; split_block has a fixed number of probes per key; leave out k");
  check_refuses("n=52 m=2048 k=8 filter=split_block",
                "check-params: found k=8; split_block has a fixed number of probes per key; leave "
                "out k");
  check_refuses("n=1M m=8M k=5 filter=unordered_set",
                "check-params: unordered_set is not sized by m; give a filter of m bits, such as "
                "standard or blocked; bloomlab plan compares all");
  check_refuses("--preset gua n=1M p=1%",
                "--preset: unknown system \"gua\"; did you mean \"guava\"?");
}
