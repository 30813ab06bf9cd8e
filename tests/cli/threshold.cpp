#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

nlohmann::json threshold_json(const std::string& arguments) {
  const Said said = bloomlab_says("threshold " + arguments + " --json");
  INFO(arguments << "\n" << said.err);
  CHECK(said.status == 0);
  return nlohmann::json::parse(said.out);
}

}  // namespace

TEST_CASE("threshold gives the bound, its false alarm and what it detects", "[cli][threshold]") {
  // 100 expected in 10 000: P(count > 148) = 2.0e-6, P(count > 150) < 1e-6.
  const auto plain = threshold_json("--fpr 1% --trials 10k --alpha 1e-6");
  CHECK(plain.at("max_false_positives") == 151);
  CHECK(plain.at("false_alarm").get<double>() <= 1e-6);
  CHECK(plain.at("detected_factor").get<double>() > 1.5);
  CHECK(plain.at("items").is_null());
  CHECK(plain.at("trials_needed").size() == 5);
  const auto spread = threshold_json("--fpr 1% --trials 10k --alpha 1e-6 --items 100");
  CHECK(spread.at("max_false_positives") > plain.at("max_false_positives"));
  CHECK(spread.at("trials_needed").at(0).at("trials").is_null());
}

TEST_CASE("threshold speaks of one thing in the singular", "[cli][threshold]") {
  CHECK(bloomlab_says("threshold --limit 1 --fpr 1% --queries 1")
            .out.starts_with("\"At most 1 false positive in 1 absent key\"\n"));
}

TEST_CASE("threshold names the number of absent keys for a low rate, or why there is none",
          "[cli][threshold]") {
  // 5 % of 14 700 expected false positives are 6.1 standard deviations: 4.75 + 1.28 sqrt(1.05).
  const auto low = threshold_json("--fpr 1e-6 --trials 1M");
  CHECK(low.at("trials_needed").at(0).at("trials").get<double>() == Approx(1.47e10).epsilon(0.02));
  const Said rare = bloomlab_says("threshold --fpr 1e-30 --trials 1M");
  CHECK_THAT(rare.out,
             Catch::Contains("for +5.0 %     more than 4 503 599 627 370 496 absent keys\n"));
  const Said spread = bloomlab_says("threshold --fpr 1% --trials 10k --items 100");
  CHECK_THAT(spread.out, Catch::Contains("for +5.0 %     no number is enough: filters differ by "
                                         "more; test several, or a larger one\n"));
}

TEST_CASE("a rate that threshold detects is a probability, or it detects nothing",
          "[cli][threshold]") {
  for (const char* asked :
       {"--fpr 10% --trials 10 --items 10", "--fpr 40% --trials 30 --items 3",
        "--fpr 90% --trials 50", "--fpr 60% --trials 20 --items 1 --alpha 5%"}) {
    CAPTURE(asked);
    const auto plan = threshold_json(asked);
    if (plan.at("detected_fpr").is_null()) {
      CHECK(plan.at("max_false_positives") == plan.at("trials"));
      continue;
    }
    CHECK(plan.at("detected_fpr") <= 1.0);
    CHECK(plan.at("detected_fpr") > plan.at("fpr"));
    CHECK(plan.at("detected_factor").get<double>() ==
          Approx(plan.at("detected_fpr").get<double>() / plan.at("fpr").get<double>()));
  }
  const Said nothing = bloomlab_says("threshold --fpr 90% --trials 5");
  CHECK(nothing.status == 0);
  CHECK(nothing.out.find("detects      nothing") != std::string::npos);
}

TEST_CASE("threshold prints tests for five languages", "[cli][threshold]") {
  const std::string bound =
      threshold_json("--fpr 2% --trials 5k --alpha 1e-4").at("max_false_positives").dump();
  for (const char* name : {"junit", "go", "pytest", "jest", "cpp"}) {
    CAPTURE(name);
    const Said said =
        bloomlab_says("threshold --fpr 2% --trials 5k --alpha 1e-4 --snippet " + std::string(name));
    CHECK(said.status == 0);
    CHECK(said.out.find("5000") != std::string::npos);
    CHECK(said.out.find(bound) != std::string::npos);
    CHECK(said.out.find("{BOUND}") == std::string::npos);
  }
}

TEST_CASE("a generated pytest runs", "[cli][threshold]") {
  const Said run = shell(
      "{ echo 'bloom = {\"absent-%d\" % i for i in range(20)}'; $BLOOMLAB threshold --fpr 1% "
      "--trials "
      "1000 --alpha 1e-3 --snippet pytest; echo 'test_keeps_its_false_positive_rate()'; } | "
      "python3 -");
  if (run.err.find("not found") != std::string::npos) {
    WARN("python3 is missing: the generated test was not run");
    return;
  }
  CHECK(run.status == 0);
}

TEST_CASE("threshold refuses nonsense with one line", "[cli][threshold]") {
  const Said rate = bloomlab_says("threshold --fpr 2 --trials 10");
  CHECK(rate.status == 2);
  CHECK(rate.err.find("--fpr: found \"2\"") != std::string::npos);
  const Said none = bloomlab_says("threshold --fpr 1%");
  CHECK(none.status == 2);
  const Said language = bloomlab_says("threshold --fpr 1% --trials 10 --snippet jnit");
  CHECK(language.status == 2);
  CHECK(language.err ==
        "bloomlab: --snippet: unknown language \"jnit\"; did you mean \"junit\"?\n");
}

TEST_CASE("threshold judges a bound that a test has already", "[cli][threshold]") {
  // Binomial of 300 trials and 0.01: P(X > 9) = 1.02e-3, P(X > 13) = 2.8e-6.
  const auto three = threshold_json("--limit 3 --fpr 1% --queries 300");
  CHECK(three.at("limit") == 3);
  CHECK(three.at("trials") == 300);
  CHECK(three.at("false_alarm").get<double>() == Approx(0.35276622535745905));
  CHECK(three.at("least_limits").size() == 2);
  CHECK(three.at("least_limits").at(0).at("alpha") == 1e-3);
  CHECK(three.at("least_limits").at(0).at("limit") == 10);
  CHECK(three.at("least_limits").at(0).at("false_alarm").get<double>() == Approx(2.6484370533e-4));
  CHECK(three.at("least_limits").at(1).at("alpha") == 1e-6);
  CHECK(three.at("least_limits").at(1).at("limit") == 14);
  // What is judged as detected is what the same bound detects forwards.
  const auto forwards = threshold_json("--fpr 1% --trials 300 --alpha 1e-6");
  const auto bound = forwards.at("max_false_positives");
  const auto back = threshold_json("--limit " + bound.dump() + " --fpr 1% --trials 300");
  CHECK(three.at("least_limits").at(1).at("limit") == bound);
  for (const char* same : {"false_alarm", "detected_factor", "detected_fpr", "power", "items"}) {
    CHECK(back.at(same) == forwards.at(same));
  }
  CHECK(threshold_json("--limit 0 --fpr 1% --queries 300").at("false_alarm").get<double>() ==
        Approx(1.0 - std::pow(0.99, 300)));
  const auto own = threshold_json("--limit 9 --fpr 1% --queries 300 --alpha 1e-4 --items 50");
  CHECK(own.at("least_limits").size() == 3);
  CHECK(own.at("items") == 50);
}

TEST_CASE("the judgement of a bound is one short screen", "[cli][threshold]") {
  const Said said = bloomlab_says("threshold --limit 3 --fpr 1% --queries 300");
  CHECK(said.status == 0);
  CHECK(said.out ==
        "\"At most 3 false positives in 300 absent keys\"\n"
        "  false alarm  a filter of rate 0.01 fails with probability 0.353, 35.3 %\n"
        "  detects      2.213 times that rate, 0.0221, with probability 0.9\n"
        "  least limit  10 for alpha = 0.001: fails with probability 0.000265\n"
        "  least limit  14 for alpha = 1×10⁻⁶: fails with probability 5.33×10⁻⁷\n");
  CHECK_THAT(bloomlab_says("threshold --limit 300 --fpr 1% --queries 300").out,
             Catch::Contains("detects      nothing"));
}

TEST_CASE("a bound that cannot be judged is refused with one line", "[cli][threshold]") {
  const auto refused = [](const std::string& arguments) {
    const Said said = bloomlab_says("threshold --fpr 1% --queries 300 " + arguments);
    CHECK(said.status == 2);
    return said.err;
  };
  for (const char* limit : {"301", "three", "-1", "2.5"}) {
    CHECK(refused("--limit " + std::string(limit)) ==
          "bloomlab: --limit: found \"" + std::string(limit) +
              "\"; a whole number of false positives from 0 to 300, the absent keys, is allowed\n");
  }
  CHECK(refused("--limit 3 --snippet go") ==
        "bloomlab: threshold: --snippet prints the bound for --alpha; leave out --limit\n");
}
