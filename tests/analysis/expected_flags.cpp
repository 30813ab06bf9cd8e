// What becomes of the deviations that a config expects: certain ones must be seen in every cell
// that their entry matches, possible ones may be.

#include <catch2/catch.hpp>

#include "analysis/data/measurement.hpp"
#include "analysis/pages/tables.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

/// Two sizes and two k; the cells with k = 5 have a rate that is a fifth too high.
synthetic::Plan plan_with_fault(const Json& entry) {
  synthetic::Plan plan{.trials = 20, .queries = 200000, .seed = 5};
  plan.factor = [](const Json& cell) { return cell.at("filter").at("k") == 5 ? 1.2 : 1.0; };
  plan.expected_flags = Json::array({entry});
  return plan;
}

Json entry_for(const Json& filter, const std::string& occurrence) {
  return {{"cell", {{"filter", filter}}}, {"reason", "injected"}, {"occurrence", occurrence}};
}

}  // namespace

TEST_CASE("one entry may expect the flags of several cells", "[analysis][flags]") {
  const auto flags = synthetic::experiment(plan_with_fault(entry_for({{"k", 5}}, "certain"))).flags;
  CHECK(flags.flagged.size() == 2);
  CHECK(flags.as_expected());
}

TEST_CASE("a certain flag that is missing in one of its cells is named with that cell",
          "[analysis][flags]") {
  // k = 3 is right, so only two of the four cells of n = 1000 are flagged.
  const auto flags =
      synthetic::experiment(plan_with_fault(entry_for({{"kind", "standard"}}, "certain"))).flags;
  CHECK_FALSE(flags.as_expected());
  REQUIRE(flags.unseen.size() == 2);
  for (const ExpectedFlag& missed : flags.unseen) CHECK(missed.cell.at("filter").at("k") == 3);
}

TEST_CASE("a possible flag may be seen or not", "[analysis][flags]") {
  const auto flags =
      synthetic::experiment(plan_with_fault(entry_for({{"kind", "standard"}}, "possible"))).flags;
  CHECK(flags.flagged.size() == 2);
  CHECK(flags.unseen.empty());
  CHECK(flags.as_expected());
}

TEST_CASE("a possible flag of other cells excuses nothing", "[analysis][flags]") {
  const auto flags =
      synthetic::experiment(plan_with_fault(entry_for({{"k", 3}}, "possible"))).flags;
  CHECK_FALSE(flags.as_expected());
  for (const FlaggedCell& flag : flags.flagged) CHECK_FALSE(flag.expected);
}

TEST_CASE("the table of flags says of each whether it was expected", "[analysis][flags]") {
  const auto statuses = [](const Json& entry) {
    const auto flags =
        pages::relation_of(pages::add_flags, synthetic::experiment(plan_with_fault(entry)));
    std::vector<std::string> found;
    for (const auto& row : flags.rows) {
      found.push_back(std::get<std::string>(row[flags.index_of("status", "test")]));
    }
    return found;
  };
  using Statuses = std::vector<std::string>;
  CHECK(statuses(entry_for({{"k", 5}}, "certain")) == Statuses{"expected", "expected"});
  CHECK(statuses(entry_for({{"k", 5}}, "possible")) == Statuses{"possible", "possible"});
  CHECK(statuses(entry_for({{"k", 3}}, "certain")) ==
        Statuses{"unexpected", "unexpected", "unseen", "unseen"});
}
