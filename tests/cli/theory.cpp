#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

using bloomlab::tests::bloomlab_says;
using bloomlab::tests::Said;

TEST_CASE("theory prints the exact rate at full precision, on one line", "[cli][theory]") {
  const Said said = bloomlab_says("theory standard_exact m=1024 n=102 k=7");
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  REQUIRE(said.out.ends_with('\n'));
  CHECK(std::count(said.out.begin(), said.out.end(), '\n') == 1);
  // 50-digit arithmetic gives 0.00811001...; the classic form 0.00804...
  CHECK(std::strtod(said.out.c_str(), nullptr) == Approx(0.008110).epsilon(1e-4));
}

TEST_CASE("theory --json holds the model, its parameters, the value and further columns",
          "[cli][theory]") {
  const Said said = bloomlab_says("theory standard_exact m=1024 n=102 k=7 --json");
  REQUIRE(said.status == 0);
  const auto json = nlohmann::json::parse(said.out);
  CHECK(json.at("model") == "standard_exact");
  CHECK(json.at("parameters") == nlohmann::json({{"m", 1024}, {"n", 102}, {"k", 7}}));
  CHECK(json.at("value").get<double>() > json.at("classic").get<double>());
  CHECK(json.at("classic").get<double>() > json.at("approx").get<double>());
}

TEST_CASE("a 0 of theory has no sign", "[cli][theory]") {
  for (const char* model : {"scalable P=0.01 r=0.5 s=2 n0=1000 n=0",
                            "scalable_partitioned P=0.01 r=0.5 s=2 n0=1000 n=0",
                            "scalable_untightened m=1000 k=7 fp=0.01 n=0",
                            "lower_bound n=1000 eps=1", "dynamic m=1000 k=7 c=100 n=0"}) {
    INFO(model);
    CHECK(bloomlab_says("theory " + std::string(model)).out == "0\n");
    const Said json = bloomlab_says("theory " + std::string(model) + " --json");
    CHECK(json.status == 0);
    CHECK(json.out.find("-0.0") == std::string::npos);
  }
}

TEST_CASE("integers of theory may be written as plan reads them", "[cli][theory]") {
  const Said digits = bloomlab_says("theory standard_exact m=10000 n=1000 k=7");
  const Said power = bloomlab_says("theory standard_exact m=1e4 n=1e3 k=7");
  CHECK(digits.status == 0);
  CHECK(digits.out == power.out);
  for (const char* counts :
       {"m=10k n=1k", "m=0.01m n=1K", "'m=10 000' 'n=1,000'", "'m=10\u202f000' n=1×10³"}) {
    INFO(counts);
    CHECK(bloomlab_says("theory standard_exact k=7 " + std::string(counts)).out == digits.out);
  }
  for (const char* m : {"9e18", "9E+18", "90e17", "0.9e19", "9000000000000000000.0", "9.0e18"}) {
    INFO(m);
    CHECK(bloomlab_says("theory standard_exact n=1 k=1 m=" + std::string(m)).out ==
          bloomlab_says("theory standard_exact n=1 k=1 m=9000000000000000000").out);
  }
  CHECK(bloomlab_says("theory standard_exact n=1 k=1 m=2^20").out ==
        bloomlab_says("theory standard_exact n=1 k=1 m=1048576").out);
  // No double lies between 2^53 and 2^53 + 2.
  CHECK(bloomlab_says("theory standard_exact n=1 k=1 --json m=9.007199254740993e15")
            .out.find("\"m\":9007199254740993") != std::string::npos);
}

TEST_CASE("every argument of theory in bits or bytes may have a unit of memory", "[cli][theory]") {
  const auto list = nlohmann::json::parse(bloomlab_says("theory --list --json").out);
  int arguments = 0;
  for (const auto& model : list) {
    for (const auto& argument : model.at("parameters")) {
      const std::string unit = argument.at("unit");
      if (unit != "bits" && unit != "bytes") continue;
      ++arguments;
      const std::string question = "theory " + model.at("name").get<std::string>() + " " +
                                   argument.at("name").get<std::string>() + "=";
      INFO(question);
      // All of them are read before one is missed.
      const Said plain = bloomlab_says(question + (unit == "bits" ? "64" : "8"));
      for (const char* size : {"8B", "64bits"}) {
        const Said same = bloomlab_says(question + size);
        CHECK(same.err == plain.err);
        CHECK(same.out == plain.out);
      }
      const Said none = bloomlab_says(question + "8XB");
      CHECK(none.err.find("found \"8XB\"") != std::string::npos);
    }
  }
  CHECK(arguments >= 29);
  CHECK(bloomlab_says("theory split_block nblocks=4 lanes=8 lane_bits=4B n=102 position_bits=4B")
            .out ==
        bloomlab_says("theory split_block nblocks=4 lanes=8 lane_bits=32 n=102 position_bits=32")
            .out);
}

TEST_CASE("integers of theory that are none, or too large, are refused", "[cli][theory]") {
  for (const char* m : {"9223372036854775809", "9223372036854775809e0", "1e19", "1e99", "1e999999",
                        "10e2147483647", "1e-3", "1e", "e3", ".", "''", "1.25e1", "-0", "+5"}) {
    INFO(m);
    const Said said = bloomlab_says("theory standard_exact n=1 k=1 m=" + std::string(m));
    CHECK(said.status == 2);
    CHECK(said.out.empty());
  }
  CHECK(bloomlab_says("theory standard_exact n=1 k=1 m=1e20").err ==
        "bloomlab: argument m: found \"1e20\"; an integer from 0 to 2^64 - 1 is allowed, written "
        "like 1000, 1e3, 1k or 1 000\n");
  CHECK(bloomlab_says("theory optimal_sizing n=1 p=1e-400").err ==
        "bloomlab: argument p: found \"1e-400\"; a number within the range of double is allowed, "
        "written like 0.01 or 1e-2\n");
}

TEST_CASE("a complaint is one line whatever was found", "[cli][theory]") {
  const Said said = bloomlab_says("theory standard_exact n=1 k=1 'm=1\n2\t3'");
  CHECK(said.status == 2);
  CHECK(said.err ==
        "bloomlab: argument m: found \"1 2 3\"; an integer from 0 to 2^64 - 1 is allowed, written "
        "like 1000, 1e3, 1k or 1 000\n");
}

TEST_CASE("theory refuses bad arguments with one line and status 2", "[cli][theory]") {
  for (const char* arguments :
       {"theory", "theory no_such_model m=1", "theory standard_exact m=1024 n=102",
        "theory standard_exact m=1024 n=102 k=7 k=7", "theory standard_exact m=1024 n=102 k=7 q=1",
        "theory standard_exact m=1024 n=102 k=0", "theory standard_exact m=0 n=102 k=7",
        "theory standard_exact m=-5 n=102 k=7", "theory standard_exact m=10.5 n=102 k=7",
        "theory standard_exact m=x n=102 k=7", "theory standard_exact 1024 102 7",
        "theory standard_exact m=nan n=102 k=7", "theory --no-such-option"}) {
    INFO(arguments);
    const Said said = bloomlab_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK(said.err.starts_with("bloomlab: "));
  }
}

TEST_CASE("theory names the nearest model", "[cli][theory]") {
  CHECK(bloomlab_says("theory standard_exakt m=1 n=1 k=1").err.find("standard_exact") !=
        std::string::npos);
}

TEST_CASE("theory --list takes no model", "[cli][theory][errors]") {
  const Said said = bloomlab_says("theory --list extra");
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err ==
        "bloomlab: --list: found \"extra\"; it lists every model and takes no name; leave out one "
        "of the two\n");
}

TEST_CASE("theory --list names every model with parameters, unit and source", "[cli][theory]") {
  const auto list = nlohmann::json::parse(bloomlab_says("theory --list --json").out);
  REQUIRE(list.size() >= 8);
  for (const auto& model : list) {
    INFO(model.at("name"));
    CHECK_FALSE(model.at("unit").get<std::string>().empty());
    CHECK_FALSE(model.at("source").get<std::string>().empty());
    CHECK_FALSE(model.at("parameters").empty());
  }
  const Said plain = bloomlab_says("theory --list");
  for (const auto& model : list) {
    CHECK(plain.out.find(model.at("name").get<std::string>()) != std::string::npos);
  }
}
