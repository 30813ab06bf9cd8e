// What the tests say of filters with defects: from the fewest keys and queries on, by which test.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "analysis/data/measurement.hpp"
#include "analysis/kinds/mutation_verdicts.hpp"
#include "analysis/pages/derived/derivations.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"
#include "tests/lifetime.hpp"

using namespace bloomlab;
using namespace bloomlab::analysis;

namespace {

/// How a mutant deviates from theory.
struct Deviating {
  std::string defect = "none_standard";
  double hits = 1.0;              ///< times those of theory
  double set_bits = 1.0;          ///< times those of theory; the filter's own rate follows them
  std::uint64_t denied = 0;       ///< members
  std::uint64_t only_from_n = 0;  ///< as theory has it below
};

record::Observation observed(const Deviating& what, std::uint64_t n, std::uint64_t step) {
  const std::uint64_t m = 10 * n;
  const bool deviates = n >= what.only_from_n;
  const auto set = static_cast<std::uint64_t>(
      std::llround(theory::mean_set_bits(m, n, 7) * (deviates ? what.set_bits : 1.0)));
  const double own = std::pow(static_cast<double>(set) / static_cast<double>(m), 7);
  const auto queries = static_cast<std::uint64_t>(std::llround(std::pow(10, 2 + step)));
  const auto hits = static_cast<std::uint64_t>(
      std::llround(own * static_cast<double>(queries) * (deviates ? what.hits : 1.0)));
  const std::uint64_t denied = deviates ? what.denied : 0;
  record::Observation result;
  result.cell = Json{{"defect", what.defect}, {"n", n}};
  result.step = step;
  result.measured = Json{{"true_positives", n - denied},
                         {"false_positives", hits},
                         {"true_negatives", queries - hits},
                         {"false_negatives", denied},
                         {"inserted", n},
                         {"bits", m},
                         {"bits_set", set},
                         {"conditional_rate", own},
                         {"control", "none_standard"},
                         {"filter", Json{{"kind", "standard"}, {"m", m}, {"k", 7}}},
                         {"probe", "independent"}};
  return result;
}

/// 1000 and 10 000 keys, 10^3 to 10^6 absent keys.
std::vector<record::Observation> observations(const std::vector<Deviating>& mutants) {
  std::vector<record::Observation> all;
  for (const Deviating& mutant : mutants) {
    for (const std::uint64_t n : {1000U, 10000U}) {
      for (std::uint64_t step = 1; step <= 4; ++step) all.push_back(observed(mutant, n, step));
    }
  }
  return all;
}

std::vector<MutantVerdict> judge(const Deviating& mutant) {
  return judge_mutants(observations({{}, mutant}), "file");
}

}  // namespace

TEST_CASE("a denied inserted key is caught where it first happens, without an absent key",
          "[mutants]") {
  const auto verdicts = judge({.defect = "deaf", .denied = 3, .only_from_n = 10000});
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].is_control);
  CHECK(verdicts[0].first_catch() == nullptr);
  const MutantTest* const first = verdicts[1].first_catch();
  REQUIRE(first != nullptr);
  CHECK(first->kind == MutantTestKind::false_negatives);
  CHECK(first->n == 10000);
  CHECK(first->queries == 0);
  CHECK(first->effect == Approx(3e-4));
}

TEST_CASE("a filter with too few set bits is caught by them, without an absent key", "[mutants]") {
  // 5 % of 5000 set bits are nine standard deviations at 1000 keys.
  const auto verdicts = judge({.defect = "thin", .set_bits = 0.95});
  const MutantTest* const first = verdicts[1].first_catch();
  REQUIRE(first != nullptr);
  CHECK(first->kind == MutantTestKind::set_bits);
  CHECK(first->n == 1000);
  CHECK(first->queries == 0);
  CHECK(first->effect == Approx(-0.05).epsilon(0.01));
}

TEST_CASE("hits too many are caught by the fewest queries that can show them", "[mutants]") {
  // A tenth more of 820 hits are three standard deviations, of 8200 nine. Filters of 1000 keys have
  // rates that differ by 4.6 %: there only the filter's own bits tell.
  const auto verdicts = judge({.defect = "loud", .hits = 1.1});
  const MutantTest* const first = verdicts[1].first_catch();
  REQUIRE(first != nullptr);
  CHECK(first->kind == MutantTestKind::own_rate);
  CHECK(first->n == 1000);
  CHECK(first->queries == 1'000'000);
  CHECK(first->effect == Approx(0.1).epsilon(0.01));
}

TEST_CASE("a defect that nothing catches says what its tests would notice", "[mutants]") {
  const auto verdicts = judge({.defect = "faint", .hits = 1.01});
  CHECK(verdicts[1].first_catch() == nullptr);
  CHECK_FALSE(verdicts[1].equals_control);
  const auto closest = std::find_if(
      verdicts[1].tests.rbegin(), verdicts[1].tests.rend(), [](const MutantTest& test) {
        return test.kind == MutantTestKind::own_rate && std::isfinite(test.detectable);
      });
  REQUIRE(closest != verdicts[1].tests.rend());
  CHECK(closest->kind == MutantTestKind::own_rate);
  CHECK(closest->queries == 1'000'000);
  CHECK(closest->effect == Approx(0.01).epsilon(0.01));
  CHECK(std::abs(closest->effect) < closest->detectable);
  CHECK(closest->detectable < 0.1);
}

TEST_CASE("a mutant with the counts of its control is said to equal it", "[mutants]") {
  CHECK(judge({.defect = "twin"})[1].equals_control);
  CHECK_FALSE(judge_mutants(observations({{.defect = "twin"}}), "file")[0].equals_control);
}

TEST_CASE("pages see every test of every mutant", "[mutants][pages]") {
  Experiment experiment;
  experiment.kind = "mutation_matrix";
  experiment.file_name = "mutation_matrix.json";
  experiment.observations = observations({{}, {.defect = "equal_salts", .denied = 1}});
  const pages::Relation rows = pages::mutants_of(experiment);
  const auto place = [&](const char* column) { return rows.index_of(column, "test"); };
  std::size_t tests = 0;
  for (const MutantVerdict& verdict : judge_mutants(experiment.observations, "file")) {
    tests += verdict.tests.size();
  }
  REQUIRE(rows.rows.size() == tests);
  const auto caught = std::find_if(rows.rows.begin(), rows.rows.end(), [&](const auto& row) {
    return pages::number_of(row[place("caught")]) == 1;
  });
  REQUIRE(caught != rows.rows.end());
  CHECK(std::get<std::string>((*caught)[place("defect")]) == "equal_salts");
  CHECK(std::get<std::string>((*caught)[place("test")]) == "false negatives");
}

TEST_CASE("a right filter's law is that of its layout and its probes", "[mutants][theory]") {
  const Json slices = {{"kind", "partitioned"}, {"m", 1003}, {"k", 4}};
  const RightLaw partitioned = right_law(slices, "independent", 100, "file");
  CHECK(partitioned.rate == Approx(theory::partitioned_fpr(1003, 100, 4)).epsilon(1e-12));
  REQUIRE(partitioned.set_bits);
  CHECK(partitioned.set_bits->mean ==
        Approx(3 * theory::mean_set_bits(251, 100, 1) + theory::mean_set_bits(250, 100, 1)));
  // One slice is a standard filter with one probe.
  const Json slice = {{"kind", "partitioned"}, {"m", 1000}, {"k", 1}};
  const RightLaw one = right_law(slice, "independent", 100, "file");
  REQUIRE(one.rates);
  CHECK(std::sqrt(one.rates->variance) ==
        Approx(theory::sd_conditional_fpr(1000, 100, 1)).epsilon(1e-6));

  const Json strided = {{"kind", "standard"}, {"m", 4096}, {"k", 5}};
  const RightLaw odd = right_law(strided, "double_hashing_odd", 300, "file");
  CHECK(odd.rate == theory::double_hashing_fpr(4096, 300, 5, theory::Stride::odd).rate);
  CHECK_FALSE(odd.set_bits);
  CHECK_FALSE(odd.own_rate);
  CHECK(odd.rates);

  const Json blocked = {{"kind", "blocked"}, {"m", 5120}, {"k", 7}, {"block_bits", 512}};
  const RightLaw blocks = right_law(blocked, "", 500, "file");
  CHECK(blocks.own_rate);
  CHECK_FALSE(blocks.rates);
  CHECK_FALSE(blocks.set_bits);
}

TEST_CASE("observations of another kind are refused by name", "[mutants]") {
  auto some = observations({{}});
  some[3].measured.erase("control");
  some[3].cell["n"] = 77;
  CHECK_THROWS_WITH(judge_mutants(some, "a.json"),
                    Catch::StartsWith("a.json: {\"defect\":\"none_standard\",\"n\":77} is no "
                                      "observation of a mutation matrix"));
}

TEST_CASE("no pointer into a verdict or an estimate that is a temporary can be had",
          "[mutants][lifetime]") {
  using bloomlab::test::check_lends_only_named;
  check_lends_only_named<MutantVerdict>(BLOOMLAB_VIEW(first_catch()));
  check_lends_only_named<Estimate>(BLOOMLAB_VIEW(lowest_accepted()));
  check_lends_only_named<Estimate>(BLOOMLAB_VIEW(lowest_true()));
}
