#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/judging.hpp"

using namespace bloomlab::tests;

TEST_CASE("judge compares a filter of layers at equal memory", "[cli][judge]") {
  const Said own = bloomlab_says("judge filter=dynamic n=1000 m=10240 capacity=100 k=4");
  CHECK_THAT(own.out, Catch::Contains(", 12.500000 KiB\n"));
  CHECK_THAT(own.out, Catch::Contains("in a standard filter of 102 400 bits: "));
  const Said redis = bloomlab_says("judge system=redis n=1M p=1% capacity=100");
  CHECK_THAT(redis.out, Catch::Contains(" in a standard filter of "));
  CHECK_THAT(redis.out, !Catch::Contains("times the rate of k ="));
}

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
  CHECK(floor("hash=sha512").at("hash_bits") == 512);
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
  for (const char* nearly : {"n=2^63 m=2^48", "n=100k m=1200"}) {
    CHECK(bloomlab_says("judge " + std::string(nearly)).out.find("smallest") == std::string::npos);
  }
}

TEST_CASE("judge says how many keys give the share that was seen", "[cli][judge]") {
  const auto by_rate = judged("m=10MB k=7 p=3%");
  const auto by_share = judged("m=10MB k=7 seen=3%");
  CHECK(by_share.at("n") == by_rate.at("n"));
  CHECK(by_share.at("n_from_seen").at("low") == by_share.at("n"));
  const auto counted = judged("m=10MB k=7 seen=30/1000");
  CHECK(counted.at("n") == by_rate.at("n"));
  // The limits of Clopper and Pearson for 30 of 1000.
  for (const auto& [end, p] :
       {std::pair{"low", "0.0203304856830912"}, std::pair{"high", "0.04255140247002692"}}) {
    const auto keys = judged("m=10MB k=7 p=" + std::string(p)).at("n").get<double>();
    CHECK(counted.at("n_from_seen").at(end).get<double>() == Approx(keys).margin(2.0));
  }
  CHECK(bloomlab_says("judge m=10MB k=7 seen=30/1000").out.find("  n           from the share") !=
        std::string::npos);
  check_refuses("m=10MB k=7 seen=0/10",
                "judge: n is missing, and follows from no share of 0 or 1; give n");
  check_refuses("n=1M p=1% fpr=2%", "judge: p and fpr are the same rate; give one of them");
  CHECK(judged("n=1M fpr=1%") == judged("n=1M p=1%"));
}

TEST_CASE("judge refuses nonsense with one line", "[cli][judge]") {
  check_refuses("n=1M k=7",
                "judge: m is missing; give n and m, such as n=1M m=10M k=7, or one of them and the "
                "rate p, or a --preset");
  check_refuses("m=1M",
                "judge: n is missing; give n and m, such as n=1M m=10M k=7, or one of them and the "
                "rate p, or a --preset");
  check_refuses("m=3 p=1e-9", "judge: 3 bits keep the rate for no key; give more bits, or n");
  for (const char* filter : {"partitioned", "blocked"}) {
    check_refuses("n=1000 p=1% filter=" + std::string(filter),
                  "judge: m is missing with filter=" + std::string(filter) +
                      "; it follows from p for a standard filter alone: give n and m; bloomlab "
                      "plan --all sizes all filters");
  }
  check_refuses("m=10240 p=1% filter=blocked",
                "judge: n is missing with filter=blocked; it follows from p for a standard filter "
                "alone: give n and m; bloomlab plan --all sizes all filters");
  for (const char* seen : {"", "/", "5/", "/5", "@"}) {
    check_refuses("n=1M m=10M seen=" + std::string(seen),
                  "seen: found \"" + std::string(seen) +
                      "\"; write false positives and absent keys, such as seen=115/5000, a share, "
                      "seen=2.3%, and behind @ the keys that were inserted, seen=115/5000@60k");
  }
  check_refuses("n=1M m=10M seen=6/5",
                "seen: found 6/5; no more than all absent keys can be reported");
  check_refuses("n=1M m=10M seen=-6/5",
                "seen: found \"-6\"; a whole number of false positives from 0 to 1125899906842624 "
                "is allowed");
  check_refuses("n=1M m=2^64 k=3",
                "m: found \"2^64\"; a whole number of bits from 1 to 2^63 is allowed, such as "
                "10000000, 1e7 or 10M");
  check_refuses("--preset guava system=redis n=1M p=1%",
                "judge: found --preset and system=redis; give one of them");
  check_refuses("system=gua n=1M p=1%", "system: unknown system \"gua\"; did you mean \"guava\"?");
  check_refuses(
      "system=arrow n=1M p=1% seen=1/5@1k",
      "seen: found a count after 1000 keys; of arrow only the rate after all n keys is known: "
      "count it after 1 000 000");
  check_refuses("n=1M m=10M scheme=double_hash",
                "judge: unknown scheme \"double_hash\"; did you mean \"double_hashing\"?");
  check_refuses("n=1M m=10M k=5 scheme=lab_shift_xor",
                "judge: lab_shift_xor takes positions from the bits of a key, not of its hash: its "
                "rate depends on the keys; measure it");
  check_refuses("n=1M m=10000384 filter=blocked scheme=remix",
                "judge: found scheme=remix with filter=blocked; the rate of a scheme is known of a "
                "standard filter alone");
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
                "\"k\", \"p\", \"fpr\", \"filter\", \"scheme\", \"hash\", \"hash_bits\", "
                "\"reachable\", \"seen\", "
                "\"system\", \"together\"");
  // What is none of its quantities is said before what is missing.
  check_refuses("block_bit=64 filter=blocked",
                "judge: unknown quantity \"block_bit\"; did you mean \"block_bits\"?");
  check_refuses("filter=scalable n=1M",
                "judge: scalable is not sized by m; give a filter of m bits, such as standard or "
                "blocked; bloomlab plan compares all");
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
  check_refuses("n=1M m=10M k=7 hash_bits=513",
                "hash_bits: found \"513\"; a whole number of bits from 1 to 512 is allowed");
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
  check_refuses("n=1M m=8M filter=blocked together=2",
                "judge: together is known of a standard filter with independent positions alone; "
                "leave out filter and scheme");
  check_refuses("n=1M m=8M together=2 seen=115/5000",
                "judge: found together with seen; give counts of single absent keys, or leave out "
                "seen");
  check_refuses("--preset gua n=1M p=1%",
                "--preset: unknown system \"gua\"; did you mean \"guava\"?");
}

TEST_CASE("judge answers for a query of several keys that must all be reported", "[cli][judge]") {
  const auto one = judged("n=102 m=1024 k=7 together=1");
  CHECK(one.at("together_rate") == one.at("rate"));
  const auto three = judged("n=102 m=1024 k=7 together=3");
  const double rate = one.at("rate").get<double>();
  CHECK(three.at("together") == 3);
  CHECK(three.at("together_rate").get<double>() > std::pow(rate, 3));
  CHECK(three.at("together_rate").get<double>() < 1.5 * std::pow(rate, 3));
  CHECK(shell("\"$BLOOMLAB\" judge n=102 m=1024 k=7 together=3")
            .out.find("\n  together    3 absent keys, all reported: ") != std::string::npos);
}

TEST_CASE("judge counts keys with equal hashes once, also in a query of several keys",
          "[cli][judge]") {
  // Of 300 keys 177 have different hashes of 8 bits; simulated: 0.8290 and 0.0342.
  const auto crowded = judged("n=300 m=300 k=1 hash_bits=8");
  CHECK(crowded.at("rate").get<double>() == Approx(0.8288).margin(5e-4));
  const auto form = nlohmann::json::parse(
      bloomlab_says("theory hash_width_floor hash_bits=8 n=300 m=300 k=1 --json").out);
  CHECK(crowded.at("rate").get<double>() == Approx(form.at("value").get<double>()).epsilon(0.001));
  const auto three = judged("n=100 m=1000 k=7 together=3 hash_bits=8");
  CHECK(three.at("together_rate").get<double>() == Approx(0.0347).margin(2e-4));
  const auto one = judged("n=100 m=1000 k=7 together=1 hash=pearson");
  CHECK(one.at("together_rate").get<double>() == Approx(one.at("rate").get<double>()));
  // A hash that is wide enough changes nothing.
  CHECK(judged("n=102 m=1024 k=7 together=3 hash_bits=128").at("together_rate").get<double>() ==
        Approx(judged("n=102 m=1024 k=7 together=3").at("together_rate").get<double>()));
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
  // As plan answers, also where the rate is high, or k is not the best.
  CHECK(judged("m=20 p=0.95").at("n") == 58);
  CHECK(judged("m=1000 p=.72").at("n") == 1272);
  CHECK(judged("m=10000 p=0.37").at("n") == 4685);
  CHECK(judged("n=1000 p=1% k=3").at("m") == 12366);
  CHECK(judged("n=1000 p=1% k=3 filter=counting counter_bits=4").at("m") == 12366);
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

TEST_CASE("every quantity of judge in bits or bytes may have a unit of memory", "[cli][judge]") {
  std::vector<std::pair<std::string, std::uint64_t>> questions = {
      {"n=1000 k=7 m", 16384},
      {"n=1000 m=16384 k=7 reachable", 8192},
      {"n=1000 m=16384 k=7 hash_bits", 32}};
  const auto list = nlohmann::json::parse(bloomlab_says("list filters --json").out);
  for (const auto& filter : list.at("filters")) {
    const auto& all = filter.at("parameters");
    const auto is_m = [](const auto& one) { return one.at("name") == "m"; };
    if (std::ranges::none_of(all, is_m)) continue;  // it is refused
    for (const auto& one : all) {
      const std::string unit = one.value("unit", "");
      if (is_m(one) || (unit != "bits" && unit != "bytes")) continue;
      CHECK(unit == "bits");  // of which the values below are
      std::string question = "n=1000 m=10240 filter=" + filter.at("name").get<std::string>();
      for (const auto& other : all) {
        const std::string name = other.at("name");
        if (is_m(other) || name == "k" || other == one || other.contains("default")) continue;
        const auto& value = other.contains("words") ? other.at("words").at(0) : other.at("min");
        question +=
            " " + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
      }
      question += " " + one.at("name").get<std::string>();
      questions.emplace_back(question,
                             one.value("default", std::min<std::uint64_t>(64, one.at("max"))));
    }
  }
  CHECK(questions.size() >= 3 + 6);
  for (const auto& [question, bits] : questions) {
    INFO(question);
    const auto plain = judged(question + "=" + std::to_string(bits));
    CHECK(judged(question + "=" + std::to_string(bits) + "bits") == plain);
    std::ostringstream bytes;
    bytes << static_cast<double>(bits) / 8.0 << "B";  // half a byte are four bits
    CHECK(judged(question + "=" + bytes.str()) == plain);
  }
  check_refuses("n=1000 m=10240 filter=blocked block_bits=1KiB",
                "judge: /block_bits: found 8192; block_bits must be an integer from 64 to 512");
  check_refuses(
      "n=1000 m=10240 filter=blocked block_bits=0.1KiB",
      "judge: /block_bits: found \"0.1KiB\"; block_bits must be an integer from 64 to 512");
  // Counters are no memory: how much they take follows from their width.
  check_refuses("n=1000 m=1MiB k=7 filter=counting",
                "m: found \"1MiB\"; a whole number of counters from 1 to 2^63 is allowed, such as "
                "10000000, 1e7 or 10M");
  check_refuses("n=1000 m=10k k=7 filter=counting reachable=1KiB",
                "reachable: found \"1KiB\"; a whole number of counters from 1 to 2^63 is allowed, "
                "such as 10000000, 1e7 or 10M");
  CHECK(judged("n=1000 m='10k counters' k=7 filter=counting") ==
        judged("n=1000 m=10000 k=7 filter=counting"));
  check_refuses("n=1000 m=10240 k=7 hash_bits=0.3B",
                "hash_bits: found \"0.3B\"; a whole number of bits is allowed, such as 1Kib");
}

TEST_CASE("judge warns of double hashing where it is not independent", "[cli][judge]") {
  // `bloomlab theory double_hashing_exact m=1024 n=20 k=16 stride=any`, and standard_exact.
  const auto small = judged("n=20 m=1024 k=16");
  CHECK(small.at("rate").get<double>() == Approx(7.6e-10).epsilon(0.02));
  CHECK(small.at("strided_rate").get<double>() == Approx(4.4e-4).epsilon(0.02));
  CHECK(small.at("warnings").dump().find("double hashing has a rate of") != std::string::npos);
  CHECK(judged("n=1M m=10M k=7").at("strided_rate").is_null());
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
