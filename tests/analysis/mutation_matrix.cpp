// What the tests say of filters with defects: from the fewest keys and queries on, by which test.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/pages/tables.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"

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

Experiment matrix_of(std::vector<record::Observation> some) {
  Experiment experiment;
  experiment.kind = "mutation_matrix";
  experiment.file_name = "file";
  experiment.observations = std::move(some);
  return experiment;
}

/// The tests of one mutant beside its control, in the order in which they are named.
class Tests {
 public:
  explicit Tests(std::vector<record::Observation> some, std::string defect)
      : rows_(pages::relation_of(pages::add_mutants, matrix_of(std::move(some)))),
        defect_(std::move(defect)) {}
  explicit Tests(const Deviating& mutant) : Tests(observations({{}, mutant}), mutant.defect) {}

  [[nodiscard]] double number(std::size_t row, const char* column) const {
    return pages::number_of(rows_.rows.at(row)[rows_.index_of(column, "test")]);
  }
  [[nodiscard]] std::string text(std::size_t row, const char* column) const {
    return std::get<std::string>(rows_.rows.at(row)[rows_.index_of(column, "test")]);
  }
  [[nodiscard]] std::size_t size() const { return rows_.rows.size(); }

  /// The row that catches the mutant with the fewest keys, there with the fewest queries.
  [[nodiscard]] std::optional<std::size_t> first_catch() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < size(); ++i) {
      if (text(i, "defect") != defect_ || number(i, "caught") == 0) continue;
      const auto effort = [&](std::size_t row) {
        return std::pair(number(row, "n"), number(row, "queries"));
      };
      if (!first || effort(i) < effort(*first)) first = i;
    }
    return first;
  }

  /// The last row of the mutant's test of this name; size() where there is none.
  [[nodiscard]] std::size_t last(const std::string& name) const {
    std::size_t found = size();
    for (std::size_t i = 0; i < size(); ++i) {
      if (text(i, "defect") == defect_ && text(i, "test") == name) found = i;
    }
    return found;
  }

 private:
  pages::Relation rows_;
  std::string defect_;
};

/// One filter with so many of its bits set, and so many hits among 10 000 absent keys.
Tests tests_of(const Json& filter, const std::string& probe, std::uint64_t n) {
  record::Observation one = observed({}, n, 2);
  one.measured["filter"] = filter;
  one.measured["probe"] = probe;
  one.measured["bits"] = filter.at("m");
  return Tests({one}, "none_standard");
}

}  // namespace

TEST_CASE("a denied inserted key is caught where it first happens, without an absent key",
          "[mutants]") {
  const Deviating deaf{.defect = "deaf", .denied = 3, .only_from_n = 10000};
  const Tests tests(deaf);
  CHECK_FALSE(Tests(observations({{}, deaf}), "none_standard").first_catch());
  const auto first = tests.first_catch();
  REQUIRE(first);
  CHECK(tests.text(*first, "test") == "false negatives");
  CHECK(tests.number(*first, "n") == 10000);
  CHECK(tests.number(*first, "queries") == 0);
  CHECK(tests.number(*first, "effect") == Approx(3e-4));
  CHECK(tests.number(*first, "is_control") == 0);
  CHECK(tests.number(0, "is_control") == 1);
}

TEST_CASE("a filter with too few set bits is caught by them, without an absent key", "[mutants]") {
  // 5 % of 5000 set bits are nine standard deviations at 1000 keys.
  const Tests tests({.defect = "thin", .set_bits = 0.95});
  const auto first = tests.first_catch();
  REQUIRE(first);
  CHECK(tests.text(*first, "test") == "set bits");
  CHECK(tests.number(*first, "n") == 1000);
  CHECK(tests.number(*first, "queries") == 0);
  CHECK(tests.number(*first, "effect") == Approx(-0.05).epsilon(0.01));
}

TEST_CASE("hits too many are caught by the fewest queries that can show them", "[mutants]") {
  // A tenth more of 820 hits are three standard deviations, of 8200 nine. Filters of 1000 keys have
  // rates that differ by 4.6 %: there only the filter's own bits tell.
  const Tests tests({.defect = "loud", .hits = 1.1});
  const auto first = tests.first_catch();
  REQUIRE(first);
  CHECK(tests.text(*first, "test") == "hits by fill");
  CHECK(tests.number(*first, "n") == 1000);
  CHECK(tests.number(*first, "queries") == 1'000'000);
  CHECK(tests.number(*first, "effect") == Approx(0.1).epsilon(0.01));
}

TEST_CASE("a defect that nothing catches says what its tests would notice", "[mutants]") {
  const Tests tests({.defect = "faint", .hits = 1.01});
  CHECK_FALSE(tests.first_catch());
  const std::size_t closest = tests.last("hits by fill");
  REQUIRE(closest < tests.size());
  CHECK(tests.number(closest, "equals_control") == 0);
  CHECK(tests.number(closest, "queries") == 1'000'000);
  CHECK(tests.number(closest, "effect") == Approx(0.01).epsilon(0.01));
  CHECK(tests.number(closest, "effect") < tests.number(closest, "detectable"));
  CHECK(tests.number(closest, "detectable") < 0.1);
  CHECK(std::isnan(tests.number(closest - 2, "detectable")));  // with fewer queries
  CHECK(std::isnan(tests.number(tests.last("false negatives"), "detectable")));
}

TEST_CASE("a mutant with the counts of its control is said to equal it", "[mutants]") {
  const Tests twin({.defect = "twin"});
  CHECK(twin.number(twin.last("hits"), "equals_control") == 1);
  const Tests alone(observations({{.defect = "twin"}}), "twin");
  CHECK(alone.number(alone.last("hits"), "equals_control") == 0);
}

TEST_CASE("a right filter's law is that of its layout and its probes", "[mutants][theory]") {
  const auto set = static_cast<double>(std::llround(theory::mean_set_bits(1000, 100, 7)));
  const Tests slices =
      tests_of({{"kind", "partitioned"}, {"m", 1003}, {"k", 4}}, "independent", 100);
  const double mean = 3 * theory::mean_set_bits(251, 100, 1) + theory::mean_set_bits(250, 100, 1);
  CHECK(slices.number(slices.last("set bits"), "effect") == Approx(set / mean - 1));
  const double hits = std::round(1e4 * std::pow(set / 1000, 7));
  CHECK(slices.number(slices.last("hits"), "effect") ==
        Approx(hits / (1e4 * theory::partitioned_fpr(1003, 100, 4)) - 1));
  // One slice is a standard filter with one probe: the same test, variance included.
  const Tests one = tests_of({{"kind", "partitioned"}, {"m", 1000}, {"k", 1}}, "independent", 100);
  const Tests whole = tests_of({{"kind", "standard"}, {"m", 1000}, {"k", 1}}, "independent", 100);
  CHECK(one.number(one.last("hits"), "p") ==
        Approx(whole.number(whole.last("hits"), "p")).epsilon(1e-6));

  const Tests odd =
      tests_of({{"kind", "standard"}, {"m", 4096}, {"k", 5}}, "double_hashing_odd", 300);
  const double rate = theory::double_hashing_fpr(4096, 300, 5, theory::Stride::odd).rate;
  const double own = static_cast<double>(std::llround(theory::mean_set_bits(3000, 300, 7))) / 3000;
  CHECK(odd.number(odd.last("hits"), "effect") ==
        Approx(static_cast<double>(std::llround(1e4 * std::pow(own, 7))) / (1e4 * rate) - 1));
  CHECK(odd.last("set bits") == odd.size());
  CHECK(odd.last("hits by fill") == odd.size());

  const Tests blocks =
      tests_of({{"kind", "blocked"}, {"m", 5120}, {"k", 7}, {"block_bits", 512}}, "", 500);
  CHECK(blocks.last("hits by fill") < blocks.size());
  CHECK(blocks.last("hits") == blocks.size());
  CHECK(blocks.last("set bits") == blocks.size());
}

TEST_CASE("observations of another kind are refused by name", "[mutants]") {
  auto some = observations({{}});
  some[3].measured.erase("control");
  some[3].cell["n"] = 77;
  CHECK_THROWS_WITH(pages::relation_of(pages::add_mutants, matrix_of(some)),
                    Catch::StartsWith("file: {\"defect\":\"none_standard\",\"n\":77} is no "
                                      "observation of a mutation matrix"));
}
