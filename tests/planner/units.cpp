#include "planner/units.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "tests/thrown.hpp"

using namespace bloomlab::planner;
using bloomlab::record::InputError;
using bloomlab::tests::thrown;

namespace {

std::uint64_t items(std::string_view text) { return parse_count("--items", text, "keys"); }
std::uint64_t memory(std::string_view text) { return parse_memory("--memory", text); }
double rate(std::string_view text) { return parse_probability("--fpr", text); }

}  // namespace

TEST_CASE("counts are read as people write them, exactly", "[planner][units]") {
  CHECK(items("1") == 1);
  CHECK(items("10000000") == 10'000'000);
  CHECK(items("10M") == 10'000'000);
  CHECK(items("1e7") == 10'000'000);
  CHECK(items("1.5k") == 1500);
  CHECK(items("1.5K") == 1500);
  CHECK(items("2.5e1") == 25);
  CHECK(items("1G") == 1'000'000'000);
  CHECK(items("3T") == 3'000'000'000'000);
  CHECK(items("9P") == 9'000'000'000'000'000);
  CHECK(items("3E") == 3'000'000'000'000'000'000);
  CHECK(items("0.001Z") == 1'000'000'000'000'000'000);
  CHECK(items("0.000001Y") == 1'000'000'000'000'000'000);
  CHECK(items("9223372036854775808") == std::uint64_t{1} << 63);
  CHECK(items("9007199254740993") == 9007199254740993);  // 2^53 + 1 is no double
}

TEST_CASE("counts are read as they are printed: groups of three digits, spaced or with commas",
          "[planner][units]") {
  CHECK(items("10 000 000") == 10'000'000);
  CHECK(items("10\u00a0000\u00a0000") == 10'000'000);
  CHECK(items("10\u2009000\u2009000") == 10'000'000);
  CHECK(items("10\u202f000\u202f000") == 10'000'000);
  CHECK(items("10,000,000") == 10'000'000);
  CHECK(items("1,500") == 1500);
  CHECK(items("1,234.5k") == 1'234'500);
  CHECK(items("9 223 372 036 854 775 808") == std::uint64_t{1} << 63);
  CHECK(items("10m") == 10'000'000);
  CHECK(items("1.5g") == 1'500'000'000);
  CHECK(items("2t") == 2'000'000'000'000);
  CHECK(items("10\u202f000\u202f000 keys") == 10'000'000);
  CHECK(items("1 key") == 1);
  CHECK(items("2^20") == 1'048'576);
  CHECK(items("2^63 keys") == largest_quantity);
  CHECK(parse_count("seen", "0", "false positives", 10, 0) == 0);
  CHECK(items("1.5×10³") == 1500);
  CHECK(rate("9.99992×10⁻⁵") == 9.99992e-5);
  CHECK(rate("1.23456789×10⁻¹⁰⁷") == 1.23456789e-107);
  CHECK(rate("1 in 1.25×10¹⁸") == 1 / 1.25e18);
  CHECK(rate("1 in 10 000") == 1e-4);
  CHECK(rate("1 in 1\u202f000\u202f000") == 1e-6);
  CHECK(rate("1 in 10,000") == 1e-4);
  CHECK(rate("1 in 10m") == 1e-7);
  CHECK(memory("191 701 184 bits") == 191'701'184);
  CHECK(memory("191,701,184 bits") == 191'701'184);
  // One comma may be a decimal one.
  CHECK(thrown([] { return memory("1,500GiB"); }) ==
        "--memory: found \"1,500GiB\"; \",500GiB\" is no unit of memory; write a number and a "
        "unit: 64MiB, 64MB (10^6 bytes), 64Mb (10^6 bits), 512KiB, 1GiB, 4096bits");
  CHECK_THROWS_AS(rate("0,001"), InputError);
  CHECK_THROWS_AS(rate("0,001%"), InputError);
  CHECK_THROWS_AS(parse_frequency("--lookups", "20m/s"), InputError);
  CHECK_THROWS_AS(parse_frequency("--lookups", "7e-1000"), InputError);  // found by a fuzzer
  CHECK_THROWS_AS(parse_duration_ns("--time", "7e-1000ns"), InputError);
}

TEST_CASE("a single thing has no plural, and a rate below 1 is not 1", "[planner][units]") {
  CHECK(counted_text(1, "key") == "1 key");
  CHECK(counted_text(0, "bit") == "0 bits");
  CHECK(counted_text(10'000, "key") == "10 000 keys");
  CHECK(rate_text(0.01) == "0.01");
  CHECK(rate_text(0.999999999999999) == "0.999999999999999");
  CHECK(one_in_text(1e-310) == "1 in 10^310");
  CHECK(one_in_text(1e-15) == "1 in 1.000×10¹⁵");
  CHECK(one_in_text(1.0 / 999'999'999) == "1 in 999 999 999");
}

TEST_CASE("nonsense for a count is one line that says what is allowed", "[planner][units]") {
  const std::string allowed =
      "a whole number of keys from 1 to 2^63 is allowed, such as 10000000, 1e7 or 10M";
  for (const char* text :
       {"",          "0",      "0M",    "-3",       "-0",        "+5",   "1.5",     "0.0015k",
        "2^64",      "2^",     "2^-1",  "2^1.5",    "3^2",       "ten",  "10X",     "10mb",
        "1e",        "1,00",   "0x10",  "nan",      "inf",       "10M ", "10MM",    "1e-1",
        "10,00,000", "1 00",   "0 100", "1000 000", "1,000 000", "10,5", "64 bits", "64keys",
        " keys",     "2×10⁻¹", "2×10",  "2×10⁻",    "2×10⁵⁰⁰⁰⁰"}) {
    CAPTURE(text);
    const std::string said = thrown([&] { return items(text); });
    CHECK(said == "--items: found \"" + std::string(text) + "\"; " + allowed);
  }
  CHECK(thrown([] { return items("64 M"); }) ==
        "--items: found \"64 M\"; write the prefix right behind the number, such as 64M");
  for (const char* text : {"9223372036854775809", "1e19", "10Y", "1e400", "1e999999999999"}) {
    CAPTURE(text);
    CHECK(thrown([&] { return items(text); }) ==
          "--items: found \"" + std::string(text) + "\"; at most 2^63 = 9.22e18 is allowed");
  }
  CHECK(thrown([] { return parse_count("seen", "-1", "false positives", 256, 0); }) ==
        "seen: found \"-1\"; a whole number of false positives from 0 to 256 is allowed");
  CHECK(thrown([] { return parse_count("--level-ratio", "x", "", 1000); }) ==
        "--level-ratio: found \"x\"; a whole number from 1 to 1000 is allowed");
  CHECK(thrown([] { return parse_count("--probes", "257", "probes", 256); }) ==
        "--probes: found \"257\"; a whole number of probes from 1 to 256 is allowed");
}

TEST_CASE("memory has a unit: b is a bit and B a byte, KiB is not KB", "[planner][units]") {
  CHECK(memory("4096bits") == 4096);
  CHECK(memory("1 bit") == 1);
  CHECK(memory("3b") == 3);
  CHECK(memory("3B") == 24);
  CHECK(memory("5 bytes") == 40);
  CHECK(memory("1kB") == 8000);
  CHECK(memory("1KB") == 8000);
  CHECK(memory("1KiB") == 8192);
  CHECK(memory("1kb") == 1000);
  CHECK(memory("1Kib") == 1024);
  CHECK(memory("64MB") == 512'000'000);
  CHECK(memory("64MiB") == 536'870'912);
  CHECK(memory("64 MiB") == 536'870'912);
  CHECK(memory("64Mb") == 64'000'000);
  CHECK(memory("9.6Mbit") == 9'600'000);
  CHECK(memory("64 Mbits") == 64'000'000);
  CHECK(memory("1Kibit") == 1024);
  CHECK(memory("1Mibyte") == 8 * 1'048'576);
  CHECK(memory("1kbytes") == 8000);
  CHECK(memory("1GiB") == std::uint64_t{1} << 33);
  CHECK(memory("0.5GiB") == std::uint64_t{1} << 32);
  CHECK(memory("1GB") == 8'000'000'000);
  CHECK(memory("2TiB") == std::uint64_t{1} << 44);
  CHECK(memory("1EiB") == std::uint64_t{1} << 63);
  CHECK(memory("22.852562MiB") == 191'701'184);  // 191701184.98...: a fraction of a bit is dropped
}

TEST_CASE("memory without a unit, or with one that is none, is refused and told why",
          "[planner][units]") {
  const std::string examples =
      "write a number and a unit: 64MiB, 64MB (10^6 bytes), 64Mb (10^6 bits), 512KiB, 1GiB, "
      "4096bits";
  CHECK(thrown([] { return memory("64"); }) ==
        "--memory: found \"64\"; it could mean bits, bytes or megabytes; " + examples);
  for (const char* unit : {"M", "G", "k", "mb", "MIB", "Mi", "iB", "YB", "MiBs", "keys", "ibit",
                           "Miibit", "MMb", "Mbitss"}) {
    CAPTURE(unit);
    CHECK(thrown([&] { return memory("64 " + std::string(unit)); }) ==
          "--memory: found \"64 " + std::string(unit) + "\"; \"" + unit +
              "\" is no unit of memory; " + examples);
  }
  CHECK(thrown([] { return memory("MiB"); }) == "--memory: found \"MiB\"; " + examples);
  CHECK(thrown([] { return memory("-1MiB"); }) == "--memory: found \"-1MiB\"; " + examples);
  CHECK(thrown([] { return memory("0MiB"); }) ==
        "--memory: found \"0MiB\"; at least 1 bit is allowed");
  CHECK(thrown([] { return memory("2EiB"); }) ==
        "--memory: found \"2EiB\"; at most 2^63 bits = 1 EiB is allowed");
}

TEST_CASE("bits and bytes are numbers, or sizes in memory", "[planner][units]") {
  const auto bits = [](std::string_view text) { return parse_bits("m", text, 1 << 20); };
  const auto bytes = [](std::string_view text) { return parse_bytes("size", text, 1 << 20, 0); };
  CHECK(bits("9600") == 9600);
  CHECK(bits("9,600 bits") == 9600);
  CHECK(bits("9600bits") == 9600);
  CHECK(bits("1 bit") == 1);
  CHECK(bits("128KiB") == 1 << 20);
  CHECK(bits("100 bytes") == 800);
  CHECK(thrown([&] { return bits("1MiB"); }) ==
        "m: found \"1MiB\"; at most 1048576 bits are allowed");
  CHECK(thrown([&] { return bits("x"); }) ==
        "m: found \"x\"; a whole number of bits from 1 to 1048576 is allowed");
  const auto whole = [](std::string_view text) { return parse_whole_bits("w", text, 512, 2); };
  CHECK(whole("32") == 32);
  CHECK(whole("32 bits") == 32);
  CHECK(whole("4B") == 32);
  CHECK(whole("0.5Kib") == 512);
  for (const char* text : {"0.1Kib", "1.3B", "0.5b", "32.5bits"}) {
    CAPTURE(text);
    CHECK(thrown([&] { return whole(text); }) ==
          "w: found \"" + std::string(text) +
              "\"; a whole number of bits is allowed, such as 1Kib");
  }
  for (const char* text : {"1Kib", "1b", "0B"}) {
    CAPTURE(text);
    CHECK(thrown([&] { return whole(text); }) ==
          "w: found \"" + std::string(text) + "\"; from 2 to 512 bits are allowed");
  }
  CHECK(thrown([&] { return whole("513"); }) ==
        "w: found \"513\"; a whole number of bits from 2 to 512 is allowed");
  CHECK(bytes("0") == 0);
  CHECK(bytes("0KiB") == 0);
  CHECK(bytes("4096") == 4096);
  CHECK(bytes("4k") == 4000);
  CHECK(bytes("4096 bytes") == 4096);
  CHECK(bytes("4096bytes") == 4096);
  CHECK(bytes("1MiB") == 1 << 20);
  CHECK(bytes("64 kB") == 64'000);
  CHECK(bytes("8Kib") == 1024);
  CHECK(thrown([&] { return bytes("1.01B"); }) ==
        "size: found \"1.01B\"; a whole number of bytes is allowed, such as 1MiB");
  CHECK(thrown([&] { return bytes("4bits"); }) ==
        "size: found \"4bits\"; a whole number of bytes is allowed, such as 1MiB");
  CHECK(thrown([&] { return bytes("2MiB"); }) ==
        "size: found \"2MiB\"; from 0 to 1048576 bytes are allowed");
  CHECK(thrown([&] { return bytes("4Ki"); }) ==
        "size: found \"4Ki\"; a whole number of bytes from 0 to 1048576 is allowed");
}

TEST_CASE("rates are numbers, per cents or one in many", "[planner][units]") {
  CHECK(rate("1e-4") == 1e-4);
  CHECK(rate("0.0001") == 1e-4);
  CHECK(rate("0.01%") == 1e-4);
  CHECK(rate("0.01 %") == 1e-4);
  CHECK(rate("1 in 10000") == 1e-4);
  CHECK(rate("1 in 1000000") == 1e-6);
  CHECK(rate("1 in 1M") == 1e-6);
  CHECK(rate("99.9%") == 0.999);
  CHECK(rate(".5") == 0.5);
  for (const char* text : {"", "0", "1", "1.5", "100%", "0%", "-0.1", "1 in 1", "1 in 0", "1 in",
                           "1 in x", "2 in 10", "1e-4x", "nan", "inf", "1e-999"}) {
    CAPTURE(text);
    CHECK(thrown([&] { return rate(text); }) ==
          "--fpr: found \"" + std::string(text) +
              "\"; a rate above 0 and below 1 is allowed, such as 1e-4, 0.01% or \"1 in "
              "1000000\"");
  }
}

TEST_CASE("shares, durations, frequencies and prices have their units", "[planner][units]") {
  CHECK(parse_share("--hit-ratio", "0") == 0.0);
  CHECK(parse_share("--hit-ratio", "1") == 1.0);
  CHECK(parse_share("--hit-ratio", "30%") == 0.3);
  CHECK(thrown([] { return parse_share("--hit-ratio", "1.01"); }) ==
        "--hit-ratio: found \"1.01\"; a share from 0 to 1 is allowed, such as 0.3 or 30%");
  CHECK(parse_duration_ns("--miss-cost", "5ms") == 5e6);
  CHECK(parse_duration_ns("--miss-cost", "100 us") == 1e5);
  CHECK(parse_duration_ns("--miss-cost", "1.5\xC2\xB5s") == 1500.0);
  CHECK(parse_duration_ns("--miss-cost", "2s") == 2e9);
  for (const char* text : {"5", "0ms", "-5ms", "5 lightyears", "ms"}) {
    CAPTURE(text);
    CHECK(thrown([&] { return parse_duration_ns("--miss-cost", text); }) ==
          "--miss-cost: found \"" + std::string(text) +
              "\"; a duration above 0 is allowed: a number and ns, us, ms, s or min, such as 5ms");
  }
  CHECK(parse_frequency("--lookups", "20k/s") == 20000.0);
  CHECK(parse_frequency("--lookups", "1e6") == 1e6);
  CHECK(parse_frequency("--lookups", "300/min") == 5.0);
  CHECK(thrown([] { return parse_frequency("--lookups", "20k/h"); }) ==
        "--lookups: found \"20k/h\"; a frequency above 0 is allowed, such as 20k/s, 1e6/s or "
        "300/min");
  CHECK(parse_price_per_bit("--memory-price", "8/B") == 1.0);
  CHECK(parse_price_per_bit("--memory-price", "1/GiB") == std::ldexp(1.0, -33));
  CHECK(thrown([] { return parse_price_per_bit("--memory-price", "0.05"); }) ==
        "--memory-price: found \"0.05\"; a price is a number, a slash and a unit of memory, such "
        "as 0.05/GiB");
}

TEST_CASE("decimals are exact until their digits run out", "[planner][units]") {
  CHECK(scaled(*read_decimal("0.1"), 10).value == 1);
  CHECK(scaled(*read_decimal("0.1"), 10).whole);
  CHECK_FALSE(scaled(*read_decimal("0.15"), 10).whole);
  CHECK(scaled(*read_decimal("1e-30"), 10).value == 0);
  CHECK(read_decimal("100000000000000000000")->value() == 1e20);
  CHECK(read_decimal("1e400")->value() == HUGE_VAL);
  CHECK(read_decimal("1e-400")->value() == 0.0);
  CHECK_FALSE(read_decimal("12345678901234567890.5"));
  CHECK_FALSE(read_decimal("."));
}
