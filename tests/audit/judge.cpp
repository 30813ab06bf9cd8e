// What is said of counts that are given: rates of key forms beside those of random integers, and
// intervals where hits are few.
#include <catch2/catch.hpp>
#include <cmath>

#include "audit/audit.hpp"
#include "audit/expected_layout.hpp"

namespace {

using namespace bloomlab;
using namespace bloomlab::audit;

RateCell cell(std::uint64_t hits, std::uint64_t queries, std::string keys = RateCell{}.keys) {
  return {.keys = std::move(keys),
          .size = 1000,
          .inserted = 1000,
          .memory_bits = 30'000,
          .filters = 10,
          .queries = queries,
          .hits = hits};
}

/// Of a filter that is asked for a rate; declared is a layout whose causes need no simulation.
Report judged(std::vector<RateCell> random, std::vector<RateCell> forms, double fpr,
              bool is_declared) {
  Examined examined{.name = "counts", .start = {}, .fpr = fpr};
  if (is_declared) {
    examined.expected = [fpr](std::uint64_t size, std::uint64_t memory_bits) {
      return layout_of({{"kind", "scalable"}, {"target", fpr}, {"first_capacity", 1000}}, size,
                       size, memory_bits);
    };
  }
  Evidence evidence;
  evidence.rates = std::move(random);
  evidence.sources = std::move(forms);
  return judge(std::move(evidence), examined, quick_plan(0));
}

const Finding* weak_hash(const Report& report) {
  const auto found = std::ranges::find(report.findings, Class::weak_hash, &Finding::kind);
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a key form that is worse than random integers is a finding where those are off, too",
          "[audit]") {
  const Report report =
      judged({cell(40, 1'000'000)}, {cell(2480, 200'000, "integers from 0 on")}, 1e-6, true);
  CHECK(report.rates.front().off);
  const Finding* const finding = weak_hash(report);
  REQUIRE(finding != nullptr);
  CHECK(finding->breaks_promise);
  CHECK_THAT(finding->text, Catch::StartsWith("Reports 0.0124 [0.01") &&
                                Catch::Contains("] of integers from 0 on where ") &&
                                Catch::Contains(" is right, of random integers 4.00×10⁻⁵ [2.") &&
                                Catch::EndsWith("] (95 % confidence intervals)."));
}

TEST_CASE("a key form that is off as random integers are is no finding of its own", "[audit]") {
  const Report report =
      judged({cell(4000, 1'000'000)}, {cell(815, 200'000, "integers from 0 on")}, 1e-6, true);
  CHECK(report.rates.back().off);
  CHECK(weak_hash(report) == nullptr);
}

TEST_CASE(
    "a key form whose rate is another one than that of random integers is a finding where "
    "it keeps what is requested",
    "[audit]") {
  for (const bool is_better : {true, false}) {
    const auto random = cell(is_better ? 9900 : 500, 1'000'000);
    const auto form = cell(is_better ? 0 : 1800, 200'000, "multiples of 1024");
    const Report report = judged({random}, {form}, 0.01, false);
    CAPTURE(is_better);
    const Finding* const finding = weak_hash(report);
    REQUIRE(finding != nullptr);
    CHECK_FALSE(finding->breaks_promise);
    CHECK(report.holds());
    CHECK_THAT(finding->text, Catch::Contains("] of multiples of 1024, of random integers "));
  }
}

TEST_CASE("a key form that chance may set apart from random integers is no finding", "[audit]") {
  // Three standard errors of the counts: beyond one 95 % interval, and not beyond all tests.
  const Report report =
      judged({cell(5000, 1'000'000)}, {cell(1135, 200'000, "numbers as text")}, 0.01, false);
  CHECK(report.rates.front().high < report.rates.back().low);
  CHECK(report.findings.empty());
}

TEST_CASE("the rates of few hits have exact intervals", "[audit]") {
  // Hits and their 95 % limits by Clopper and Pearson of 10^5 queries, in hits: of a Poisson count
  // Garwood 1936, table 1.
  struct Known {
    std::uint64_t hits;
    double low, high;
  };
  for (const Known& known :
       {Known{0, 0.0, 3.689}, {1, 0.0253, 5.572}, {3, 0.619, 8.767}, {10, 4.795, 18.390}}) {
    CAPTURE(known.hits);
    const Report report = judged({cell(known.hits, 100'000)}, {}, 1e-4, true);
    REQUIRE(report.rates.size() == 1);
    const Judged& rate = report.rates.front();
    CHECK(rate.low * 1e5 == Approx(known.low).epsilon(2e-3).margin(1e-9));
    CHECK(rate.high * 1e5 == Approx(known.high).epsilon(2e-3));
  }
}

TEST_CASE("rates of no query and of every query have intervals with a width", "[audit]") {
  for (const std::uint64_t hits : {0U, 20'000U}) {
    const Judged rate = judged({cell(hits, 20'000)}, {}, 0.01, true).rates.front();
    CHECK(rate.low <= rate.cell.rate());
    CHECK(rate.high >= rate.cell.rate());
    CHECK(rate.high - rate.low > 1e-4);
    CHECK((rate.low >= 0.0 && rate.high <= 1.0));
  }
}
