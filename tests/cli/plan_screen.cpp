// The first screen of `bloomlab plan`: its size, what can be pasted back, and what may be added.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/cli/planning.hpp"

using namespace bloomlab::tests;

namespace {

/// What stands behind the name of a line of the first screen.
std::string line_of(const std::string& text, const std::string& name) {
  const auto at = text.find("\n  " + name + " ");
  if (at == std::string::npos) return "";
  const auto begin = text.find_first_not_of(' ', at + 3 + name.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// The text with commands as a shell reads them.
std::string in_one_line(std::string text) {
  const std::string end = " \\\n";
  for (auto at = text.find(end); at != std::string::npos; at = text.find(end)) {
    text.erase(at, text.find_first_not_of(' ', at + end.size()) - at - 1);
  }
  return text;
}

/// Characters of a text in UTF-8.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

TEST_CASE("plan's first screen has at most 20 lines of 100 columns", "[cli][plan]") {
  for (const char* goal :
       {"--items 1M --fpr 1%", "--items 10 --fpr 1e-9", "--items 1G --fpr 1e-9",
        "--items 1M --memory 1MiB", "--items 3 --fpr 1e-12", "--items 5M --bits 10",
        "--items 4000 --fpr 1e-7 --compatible", "--items 1e15 --fpr 0.5",
        "--items 1M --fpr 1% --probes 3",
        "--items 1M --fpr 1% --lookups 20k/s --batch 100 --shards 12",
        "--items 1e15 --memory 64bits", "--items 1M --fpr '1 in 7'", "--items 1e12 --fpr '1 in 7'",
        "--items 1M --fpr 1% --growth 50%/year", "--items 1M --memory 2MiB --growth 50%/year",
        "--items 1M --fpr 1% --memory 2MiB --growth 50%/year", "--items 1M --fpr 1% --levels 5",
        "--items 1M --memory 1GiB",
        "--items 1M --fpr 1% --miss-cost 5ms --memory-price 0.05/GiB --lookups "
        "20k/s"}) {
    INFO(goal);
    const Said said = plan_says(goal);
    CHECK(said.status == 0);
    CHECK(std::count(said.out.begin(), said.out.end(), '\n') <= 20);
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(width_of(line) <= 100);
    }
  }
}

TEST_CASE("plan shows no rounding as a change of the rate", "[cli][plan]") {
  const std::string text = plan_says("--items 1M --bits 3").out;
  CHECK(line_of(text, "there are 10 % more keys") == "rate 1.000, the same");
  CHECK(line_of(text, "there are twice as many keys") == "rate 1.000, the same");
}

TEST_CASE("what plan says to paste keeps the rate that it promises", "[cli][plan]") {
  // Sizes and rates drawn by a fixed rule over twelve and eight orders of magnitude.
  std::uint64_t state = 20261126;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  };
  for (int i = 0; i < 40; ++i) {
    const double n = std::floor(std::pow(10.0, static_cast<double>(draw(1200)) / 100.0));
    const double p = std::pow(10.0, -static_cast<double>(1 + draw(800)) / 100.0);
    std::ostringstream goal;
    goal << "--items " << static_cast<std::uint64_t>(n) << " --fpr " << p;
    INFO(goal.str());
    const Said said = plan_says(goal.str());
    REQUIRE(said.status == 0);
    const std::string command = line_of(in_one_line(said.out), "check it");
    REQUIRE(command.starts_with("bloomlab judge "));
    const Said judged = bloomlab_says(command.substr(9));
    INFO(judged.err << judged.out);
    CHECK(judged.status == 0);
    CHECK_THAT(judged.out, Catch::Contains("The requested rate is kept."));
    CHECK(line_of(judged.out, "rate") == line_of(said.out, "rate"));
  }
}

TEST_CASE("plan takes no filter where none has so many bits", "[cli][plan]") {
  for (const char* goal : {"--items 1e15 --fpr 1%", "--items 1e14 --fpr 1%"}) {
    INFO(goal);
    const Said said = plan_says(goal);
    CHECK(said.status == 0);
    CHECK(said.out.starts_with("No filter of the catalogue takes so many keys.\n"));
    CHECK_THAT(said.out,
               Catch::Contains("\nwarning: no filter of this program takes more than 2^48 bits\n"));
    CHECK_THAT(said.out, !Catch::Contains("\nIf\n"));
    CHECK(plan_of(goal).at("recommendation").at("filter").is_null());
  }
  CHECK(line_of(plan_says("--items 1e15 --fpr 1%").out, "standard") ==
        "m=9592954717083110 k=7: 9.59 bits per key, 1.065 PiB, rate 0.0100");
}

TEST_CASE("plan speaks of one thing in the singular, and of no rate below 1 as 1", "[cli][plan]") {
  CHECK_THAT(plan_says("--items 1M --fpr 1% --batch 1").out,
             Catch::Contains(" chance of at least one among 1 key that is absent\n"));
  CHECK_THAT(plan_says("--items 10 --fpr 99.9999999999999%").out,
             Catch::Contains("with a rate of at most 0.999999999999999"));
}

TEST_CASE("plan answers for memory that no rate needs", "[cli][plan]") {
  for (const char* goal : {"--items 1M --memory 1GiB", "--items 1000 --memory 1MiB",
                           "--items 1M --fpr 1% --memory 1GiB"}) {
    const Json json = plan_of(goal);
    CHECK(json.at("rate").get<double>() >= 1e-300);
    CHECK(json.at("rate").get<double>() < 1e-280);
    const std::string k = json.at("k").dump();
    CHECK(json.at("warnings").at(0) ==
          "k = " + k +
              " is enough: at k = 256 the rate is below 10^-323, which no number here "
              "distinguishes from 0");
  }
  CHECK_THAT(plan_says("--items 3 --fpr 1e-310").out, Catch::Contains(", 1 in 10^310\n"));
}

TEST_CASE("the years and the levels are said to be of standard filters", "[cli][plan]") {
  CHECK_THAT(plan_says("--items 1M --fpr 1% --growth 50%/year").out,
             Catch::Contains("\nOver the years, of a standard filter with m=9592957 k=7\n"
                             "  The budget lasts no time: the filter is made for the n of today "
                             "(give --memory with more"));
  CHECK_THAT(plan_says("--items 1M --memory 2MiB --growth 50%/year").out,
             Catch::Contains("\n  The budget lasts no time: the filter is made for the n of today "
                             "(give --fpr, the rate that is to\n    be kept; +50.0 % a year)\n"));
  CHECK_THAT(
      plan_says("--items 1M --fpr 1% --levels 5").out,
      Catch::Contains("\nOver the levels of an LSM tree, standard filters, the smallest first\n"));
}

TEST_CASE("many lookups, batches and filters in turn add up", "[cli][plan]") {
  const std::string goal = "--items 1M --fpr 1% --lookups 20k/s --batch 100 --shards 12";
  const Json json = plan_of(goal);
  const double rate = json.at("recommendation").at("rate");
  CHECK(json.at("false_positives_per_second").get<double>() == Approx(2e4 * rate));
  CHECK(json.at("any_in_batch").get<double>() == Approx(1.0 - std::pow(1.0 - rate, 100)));
  CHECK(json.at("any_of_shards").get<double>() == Approx(1.0 - std::pow(1.0 - rate, 12)));
  const double each = json.at("fpr_of_a_shard");
  CHECK(1.0 - std::pow(1.0 - each, 12) == Approx(0.01));
  const Said said = plan_says(goal);
  CHECK(line_of(said.out, "at that rate") ==
        "200 false positives a second, if all 20000 lookups a second are of absent keys");
  CHECK(
      line_of(said.out, "in a batch").starts_with("63.4 % chance of at least one among 100 keys"));
  CHECK(line_of(said.out, "in turn").starts_with("11.4 % chance that one of 12 such filters"));
  // So small a rate that 1 - (1 - p)^12 would be lost in rounding.
  CHECK(
      plan_of("--items 10 --fpr 1e-30 --shards 12").at("any_of_shards").get<double>() ==
      Approx(12 * plan_of("--items 10 --fpr 1e-30").at("recommendation").at("rate").get<double>()));
  is_refused("--items 10 --fpr 0.1 --batch 0",
             "--batch: found \"0\"; a whole number of keys from 1 to 2^63 is allowed, such as "
             "10000000, 1e7 or 10M");
}

TEST_CASE("a range of keys is planned for its end, and its beginning has a rate too",
          "[cli][plan]") {
  const Json range = plan_of("--items 1M..5M --fpr 1%");
  CHECK(range.at("n") == 5'000'000);
  CHECK(range.at("fewest_items") == 1'000'000);
  const Json& taken = range.at("recommendation").at("parameters");
  const Said judged = bloomlab_says("judge --json filter=blocked n=1M m=" + taken.at("m").dump() +
                                    " k=" + taken.at("k").dump() + " block_bits=512");
  CHECK(range.at("rate_at_fewest_items").get<double>() ==
        Approx(Json::parse(judged.out).at("rate").get<double>()));
  CHECK(line_of(plan_says("--items 1M..5M --fpr 1%").out, "fewer keys")
            .ends_with(", with 1 000 000 keys"));
  CHECK_FALSE(plan_of("--items 5M --fpr 1%").contains("fewest_items"));
  CHECK(plan_of("--items 7..7 --fpr 1%").at("n") == 7);
  is_refused("--items 5M..1M --fpr 1%",
             "--items: found \"5M..1M\"; the fewest keys come first, such as 1M..5M");
  for (const std::string part : {"", "x", "0"}) {
    is_refused("--items " + part + "..5M --fpr 1%",
               "--items: found \"" + part +
                   "\"; a whole number of keys from 1 to 2^63 is allowed, such as 10000000, 1e7 or "
                   "10M");
  }
}

TEST_CASE("keys in a window take filters in turn", "[cli][plan]") {
  const Json json = plan_of("--items 1M --fpr 1% --window 4").at("rotation");
  CHECK(json.at("filters") == 5);
  CHECK(json.at("keys") == 250'000);
  CHECK(json.at("known") == 1'250'000);
  const double each = json.at("rate_of_each");
  CHECK(each <= 1.0 - std::pow(1.0 - 0.01, 1.0 / 5));
  CHECK(json.at("rate").get<double>() <= 0.01);
  CHECK(json.at("rate").get<double>() == Approx(1.0 - std::pow(1.0 - each, 5)));
  // With one bit less each, the window would miss its rate.
  const Json less = Json::parse(
      bloomlab_says("judge --json n=250000 m=" + std::to_string(json.at("m").get<int>() - 1)).out);
  CHECK(1.0 - std::pow(1.0 - less.at("rate").get<double>(), 5) > 0.01);
  CHECK(line_of(plan_says("--items 1M --fpr 1% --window 4").out, "window")
            .starts_with("5 standard filters in turn, each m="));
  CHECK(plan_of("--items 10 --fpr 1% --window 3").at("rotation").at("keys") == 4);
  is_refused("--items 1M --fpr 1% --window 0",
             "--window: found \"0\"; a whole number of filters from 1 to 1000 is allowed");
}
