#include "planner/comparison.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/lines_read.hpp"
#include "core/theory/blocked.hpp"
#include "planner/plan.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

namespace {

const Candidate& candidate(const planner::Comparison& comparison, const std::string& name) {
  const auto found = std::ranges::find(comparison.candidates, name, &Candidate::filter);
  REQUIRE(found != comparison.candidates.end());
  return *found;
}

std::uint64_t whole(const Candidate& one, const std::string& name) {
  const auto found = std::ranges::find(one.parameters, name, &ParameterValue::name);
  REQUIRE(found != one.parameters.end());
  return std::get<std::uint64_t>(found->value);
}

}  // namespace

TEST_CASE("every filter of the catalogue is compared, in its order", "[planner][comparison]") {
  std::vector<std::string> known;
  for_each_type<Filters>(
      [&]<class Filter>(std::type_identity<Filter>) { known.emplace_back(Filter::name); });
  std::vector<std::string> compared;
  for (const Candidate& one : planner::compare({.n = 1000, .rate = 0.01}).candidates) {
    compared.push_back(one.filter);
  }
  std::ranges::sort(known);
  std::ranges::sort(compared);
  CHECK(compared == known);
}

TEST_CASE("every candidate keeps the rate, and says what it can do", "[planner][comparison]") {
  for (const std::uint64_t n : {1ULL, 10ULL, 1000ULL, 1'000'000ULL, 1'000'000'000'000ULL}) {
    for (const double p : {0.3, 0.01, 1e-6}) {
      CAPTURE(n, p);
      const planner::Comparison comparison = planner::compare({.n = n, .rate = p});
      REQUIRE(comparison.recommended);
      CHECK(comparison.candidates[*comparison.recommended].available());
      for (const Candidate& one : comparison.candidates) {
        CAPTURE(one.filter);
        CHECK(one.available() == one.unavailable.empty());
        if (!one.available()) continue;
        CHECK(one.rate <= p);
        CHECK(one.memory_bits > 0);
        CHECK(one.bits_per_key ==
              Approx(static_cast<double>(one.memory_bits) / static_cast<double>(n)));
        CHECK(one.lines.absent > 0.0);
        CHECK(one.lines.present > 0.0);
      }
      const Candidate& standard = candidate(comparison, "standard");
      const Plan made = plan({.n = n, .p = p});
      if (!standard.available()) continue;
      CHECK(whole(standard, "m") == made.m);
      CHECK(whole(standard, "k") == made.k);
    }
  }
}

TEST_CASE("a blocked filter is the smallest of all k that keeps the rate",
          "[planner][comparison]") {
  const double p = 0.002;
  const std::uint64_t n = 20000;
  const Candidate blocked = candidate(planner::compare({.n = n, .rate = p}), "blocked");
  const std::uint64_t blocks = whole(blocked, "m") / 512;
  CHECK(theory::blocked_fpr(blocks, 512, n, whole(blocked, "k")) <= p);
  for (std::uint64_t k = 1; k <= 30; ++k) CHECK(theory::blocked_fpr(blocks - 1, 512, n, k) > p);
}

TEST_CASE("at ten bits per key the layouts have the rates of the literature's mixtures",
          "[planner][comparison]") {
  const planner::Comparison comparison =
      planner::compare({.n = 1'000'000, .memory_bits = 10'000'000});
  const std::map<std::string, double> rates = {{"standard", 0.00819},
                                               {"blocked", 0.00966},
                                               {"register_blocked", 0.0178},
                                               {"split_block", 0.01265}};
  for (const auto& [name, rate] : rates) {
    CAPTURE(name);
    const Candidate& one = candidate(comparison, name);
    CHECK(one.rate == Approx(rate).epsilon(0.005));
    CHECK(one.memory_bits <= 10'000'000);
  }
  CHECK(candidate(comparison, "std_set").unavailable == "does not fit into this memory");
  CHECK(candidate(comparison, "direct_bitmap").unavailable ==
        "needs integer keys below a known bound: one bit for each possible key");
}

TEST_CASE("a counting filter fits into given memory", "[planner][comparison]") {
  const Candidate counting =
      candidate(planner::compare({.n = 1000, .memory_bits = 40000}), "counting");
  REQUIRE(counting.available());
  CHECK(counting.memory_bits <= 40000);
  CHECK(counting.traits.deletes);
  CHECK(counting.false_negatives == "after deleting a key that was never inserted");
}

TEST_CASE("nobody dominates a marked candidate, and somebody every other one",
          "[planner][comparison]") {
  const planner::Comparison comparison = planner::compare({.n = 1'000'000, .rate = 0.001});
  const auto clearly_better = [](const Candidate& a, const Candidate& b) {
    const bool able = (a.traits.takes_keys_later || !b.traits.takes_keys_later) &&
                      (a.traits.deletes || !b.traits.deletes) &&
                      (a.traits.grows || !b.traits.grows);
    return able && a.memory_bits < b.memory_bits && a.rate < b.rate &&
           a.lines.absent < b.lines.absent;
  };
  for (const Candidate& one : comparison.candidates) {
    if (!one.available()) continue;
    CAPTURE(one.filter);
    if (one.pareto) {
      for (const Candidate& other : comparison.candidates) {
        CHECK_FALSE((other.available() && clearly_better(other, one)));
      }
    }
  }
  for (const char* name : {"standard", "blocked", "binary_fuse", "counting", "scalable"}) {
    CHECK(candidate(comparison, name).pareto);
  }
  for (const char* name : {"register_blocked", "spectral", "std_set", "linear_list", "folded"}) {
    CHECK_FALSE(candidate(comparison, name).pareto);
  }
}

TEST_CASE("small filters are recommended for size, large ones for their one cache line",
          "[planner][recommendation]") {
  const planner::Comparison small = planner::compare({.n = 1000, .rate = 0.01});
  CHECK(small.candidates[*small.recommended].filter == "standard");
  CHECK(small.recommendation.starts_with(
      "Take standard: the smallest filter that takes keys one by one, and at this size it stays "
      "in a cache"));
  const planner::Comparison large = planner::compare({.n = 100'000'000, .rate = 0.01});
  CHECK(large.candidates[*large.recommended].filter == "blocked");
  CHECK(large.recommendation.starts_with("Take blocked: one cache line a lookup instead of"));
  CHECK(large.recommendation.find("If all keys are known beforehand, take binary_fuse") !=
        std::string::npos);
  CHECK(large.recommendation.find("If keys are deleted, take cuckoo") != std::string::npos);
  CHECK(large.recommendation.find("If n is not known, take scalable") != std::string::npos);
  const planner::Comparison none =
      planner::compare({.n = 1'000'000'000'000'000, .memory_bits = 64});
  CHECK(none.recommended);  // some filter always fits, however bad its rate
}

TEST_CASE("measured times take the place of cache lines", "[planner][comparison]") {
  // A made-up machine on which reading many lines costs nothing and blocks are slow.
  const auto timing = [](const Candidate& one) -> std::optional<Timing> {
    if (one.filter == "standard") return Timing{5.0, 2.0, 4.0};
    if (one.filter == "blocked") return Timing{9.0, 8.0, 8.0};
    return std::nullopt;
  };
  const planner::Comparison comparison = planner::compare({.n = 1'000'000, .rate = 0.001}, timing);
  CHECK(candidate(comparison, "standard").timing->absent_ns == 2.0);
  CHECK(candidate(comparison, "standard").pareto);
  CHECK_FALSE(candidate(comparison, "blocked").pareto);
  CHECK_FALSE(candidate(comparison, "split_block").timing);
}

TEST_CASE("the cache lines of a lookup follow from fill, k and layout", "[planner][lines]") {
  // At half fill an absent key is stopped by its second probe on average.
  const LinesRead read = probed_lines(100'000'000, 9'902'103, 7);
  CHECK(read.absent == Approx(2.0).margin(0.03));
  CHECK(read.present == Approx(7.0).margin(0.01));
  CHECK(probed_lines(512, 50, 7).present == 1.0);
  CHECK(run_lines(512, 512) == 1.0);
  CHECK(run_lines(256, 256) == 1.0);
  CHECK(run_lines(320, 320) == Approx(1.5));
  CHECK(run_lines(1, 1) == 1.0);
}
