// The fair study: who plays which part, by the measured bits; what follows; and a grid without some
// of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/data/with_theory.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/fair_study.hpp"
#include "core/theory/scalable.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t planned_keys = 1000;
constexpr std::uint64_t most = 4000;
constexpr std::uint64_t asked = 1'000'000;

Json plain_cell(std::uint64_t m) { return synthetic::standard_cell(most, m, 7, "independent"); }

Json growing_cell(double tightening) {
  Json cell = plain_cell(1);
  cell["filter"] = Json{{"kind", "scalable"},
                        {"target", 0.01},
                        {"tightening", tightening},
                        {"growth", 2},
                        {"first_capacity", planned_keys},
                        {"insert_policy", "always"}};
  return cell;
}

std::uint64_t bits_of_layers(double tightening, std::uint64_t n) {
  std::uint64_t bits = 0;
  for (const auto& layer :
       bloomlab::theory::scalable_layers(0.01, tightening, 2, planned_keys, n)) {
    bits += layer.m;
  }
  return bits;
}

/// Eight steps of 500 keys in six trials, each with the hits that theory expects, give or take one.
template <class Bits>
void add_grown(bloomlab::record::ResultFile& file, const Json& cell, Bits&& bits_at) {
  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    for (std::uint64_t step = 1; step <= 8; ++step) {
      const std::uint64_t n = step * 500;
      const double rate = predict(cell, n, "test").rate;
      Json measured_cell = plain_cell(bits_at(n));
      measured_cell["n"] = n;
      const auto hits = static_cast<std::uint64_t>(std::llround(rate * asked)) + trial % 3;
      auto observation = synthetic::observation(measured_cell, trial, std::min(hits, asked - 3),
                                                asked, bits_at(n) / 2, rate);
      observation.cell = cell;
      observation.step = step;
      observation.timing = Json{{"strangers_ns", 30 * asked}};
      file.observations.push_back(observation);
    }
  }
}

/// Plain filters for the plan and for the most keys; two that grow, each with a plain one of as
/// many bits.
bloomlab::record::ResultFile fair_file() {
  auto file = synthetic::results({.trials = 1});
  file.observations.clear();
  const auto add_plain = [&](std::uint64_t m) {
    add_grown(file, plain_cell(m), [m](std::uint64_t) { return m; });
  };
  add_plain(9600);
  add_plain(38400);
  for (const double tightening : {0.5, 0.85}) {
    add_grown(file, growing_cell(tightening),
              [&](std::uint64_t n) { return bits_of_layers(tightening, n); });
  }
  for (const double tightening : {0.5, 0.85}) add_plain(bits_of_layers(tightening, most));
  // By cell, then trial, then step, as results are; the trials above are so already.
  return file;
}

Experiment fair_experiment(bloomlab::record::ResultFile file) {
  return analyse({.stem = "scalable_fair",
                  .file_name = "scalable_fair.json",
                  .file = std::move(file),
                  .confirmation = {}});
}

}  // namespace

TEST_CASE("the parts of the fair study are found by their bits", "[analysis][exhibits][fair]") {
  const Experiment experiment = fair_experiment(fair_file());
  const FairStudy study(experiment);
  REQUIRE(study.is_complete());
  CHECK(study.plan == planned_keys);
  CHECK(study.target == 0.01);
  CHECK(study.planned->bits() == 9600);
  CHECK(study.largest->bits() == 38400);
  REQUIRE(study.scalable.size() == 2);
  for (const Grown* grown : study.scalable) {
    REQUIRE(study.equal_to(*grown) != nullptr);
    CHECK(study.equal_to(*grown)->bits() == grown->bits());
    CHECK(study.twin_of(*study.equal_to(*grown)) == grown);
    CHECK(study.twin_of(*grown) == nullptr);
  }
  CHECK(study.lab == nullptr);
  CHECK(study.count_kept() == 2);
}

TEST_CASE("a plain filter keeps its target up to what it was sized for",
          "[analysis][exhibits][fair]") {
  const Experiment experiment = fair_experiment(fair_file());
  const FairStudy study(experiment);
  CHECK(study.keeps_target_to(*study.planned) == Approx(1.0).epsilon(0.01));
  CHECK(study.keeps_target_to(*study.largest) == Approx(4.0).epsilon(0.01));
  CHECK(std::isinf(study.keeps_target_to(*study.scalable.front())));
}

TEST_CASE("equal terms and the price of not knowing n follow from bits and rates",
          "[analysis][exhibits][fair]") {
  const Experiment experiment = fair_experiment(fair_file());
  const FairStudy study(experiment);
  const EqualTerms terms = equal_terms(study);
  CHECK(terms.pairs == 2);
  CHECK(terms.better == 2);
  const double right = 38400.0 / most;
  for (const Grown* grown : study.scalable) {
    const double held = study.keeps_target_to(*study.equal_to(*grown));
    CHECK(held == Approx(static_cast<double>(grown->bits()) / right / planned_keys).epsilon(0.01));
    CHECK(terms.least_to <= held);
    CHECK(held <= terms.most_to);
  }
  const PriceOfNotKnowing price = price_of_not_knowing(study);
  // At the plan the first layer is full: its bits a key are the least. They are the most when a
  // layer was opened for 500 keys: the second at 1500, the third at 3500.
  const double opened = std::max(static_cast<double>(bits_of_layers(0.85, 1500)) / 1500,
                                 static_cast<double>(bits_of_layers(0.85, 3500)) / 3500);
  CHECK(price.least ==
        Approx(static_cast<double>(bits_of_layers(0.5, planned_keys)) / planned_keys / right));
  CHECK(price.most == Approx(opened / right));
  CHECK(price.least < price.best_worst);
  CHECK(price.best_worst <= price.most);
}

TEST_CASE("equal memory is what was measured, not what a config says",
          "[analysis][exhibits][fair]") {
  auto file = fair_file();
  for (auto& observation : file.observations) {
    if (observation.cell.at("filter").at("kind") == "scalable") {
      observation.measured["bits"] = observation.measured.at("bits").get<std::uint64_t>() + 1;
    }
  }
  const Experiment experiment = fair_experiment(std::move(file));
  const FairStudy study(experiment);
  CHECK(equal_terms(study).pairs == 0);
}

TEST_CASE("the section of the fair study has its tables and both figures",
          "[analysis][exhibits][fair]") {
  const Content content = scalable_fair_exhibit(fair_experiment(fair_file()), Words("en"));
  CHECK(content.values.at("pairs") == "2");
  CHECK(content.values.at("better") == "2");
  CHECK(content.values.at("cells") == "2");
  CHECK_THAT(content.values.at("scalable_ns"), Catch::Contains("30"));
  REQUIRE(content.tables.size() == 3);
  const Table& rates = content.tables.front();
  CHECK(rates.rows.size() == 6);
  CHECK(rates.columns.size() == 5);  // filter; at 0.5, 1, 2 and 3 times the plan
  CHECK(rates.rows[0].front().text == "plain, sized for the plan");
  CHECK(rates.rows[0].back().marked);        // three times too many keys
  CHECK_FALSE(rates.rows[2].back().marked);  // a scalable filter keeps its target
  REQUIRE(content.figures.size() == 2);
  CHECK(content.figures[0].name == "scalable_fair");
  CHECK(content.figures[1].name == "scalable_fair_memory");
  // Two plain ones, the cheapest scalable one of its growth and the plain one of as many bits.
  CHECK(content.figures[1].series.size() == 4);
  for (const auto& series : content.figures[0].series) {
    for (const auto& point : series.points) CHECK(point.x <= 4.0);
  }
}

TEST_CASE("a grid without scalable filters leaves the fair study unanswered",
          "[analysis][exhibits][fair]") {
  auto file = fair_file();
  std::erase_if(file.observations, [](const auto& observation) {
    return observation.cell.at("filter").at("kind") == "scalable";
  });
  const Content content = scalable_fair_exhibit(fair_experiment(std::move(file)), Words("en"));
  for (const auto& [tag, text] : content.values) CHECK(text == "–");
  CHECK(content.tables.size() == 3);
  CHECK(content.figures.size() == 2);
}
