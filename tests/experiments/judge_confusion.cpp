// Filters with known causes: they show the rates that their causes give, and what the judge says of
// them is recorded as it was said.
#include "experiments/kinds/judge_confusion.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "audit/causes.hpp"
#include "core/theory/standard.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<JudgeConfusion>);

std::size_t number_of(std::string_view defect) {
  const auto names = judged_defect_names();
  const auto found = std::ranges::find(names, defect);
  REQUIRE(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

JudgedFilter drawn(std::string_view defect, std::uint64_t seed) {
  KeyedDraws draws(seed);
  return judged_defects()[number_of(defect)].draw(draws);
}

record::Json judged(std::string_view defect, std::uint64_t seed, std::uint64_t most_queries) {
  const auto at = static_cast<JudgeConfusion::Point::Defect>(number_of(defect));
  const auto all = JudgeConfusion::measure({most_queries}, {at}, seed);
  REQUIRE(all.size() == 1);
  return all.front().measured;
}

double exact(const JudgedFilter& filter, double keys, std::uint64_t m, std::uint64_t k) {
  return theory::exact_fpr(m, static_cast<std::uint64_t>(static_cast<double>(filter.n) * keys), k);
}

double as_said(const JudgedFilter& filter, double keys) {
  return exact(filter, keys, filter.said.m, filter.said.k);
}

double keys_of(const JudgedFilter& filter) {
  return static_cast<double>(filter.keys.per_hundred) / 100.0;
}

/// Six standard deviations of hits and of the fill.
void check_rate(const JudgedFilter& filter, std::uint64_t seed, double expected) {
  constexpr std::uint64_t queries = 200'000;
  const auto hits = static_cast<double>(count_reported(filter, filter.n, queries, seed));
  const auto m = static_cast<double>(filter.said.m);
  const double spread = static_cast<double>(filter.said.k) * expected / std::sqrt(m);
  const double mean = expected * static_cast<double>(queries);
  CAPTURE(filter.n, filter.said.m, filter.said.k, mean);
  CHECK(std::abs(hits - mean) <
        6.0 * (std::sqrt(mean + 1.0) + spread * static_cast<double>(queries)));
}

}  // namespace

TEST_CASE("filters for the judge show the rates of their causes", "[judge_confusion]") {
  using Law = std::function<double(const JudgedFilter&)>;
  const std::vector<std::pair<std::string, Law>> laws = {
      {"more_keys", [](const JudgedFilter& f) { return as_said(f, keys_of(f)); }},
      {"merged_filters", [](const JudgedFilter& f) { return as_said(f, keys_of(f)); }},
      {"fewer_keys", [](const JudgedFilter& f) { return as_said(f, keys_of(f)); }},
      {"several_filters",
       [](const JudgedFilter& f) { return 1.0 - std::pow(1.0 - as_said(f, 1.0), keys_of(f)); }},
      {"confused_keys",
       [](const JudgedFilter& f) {
         const double twins = 1.0 / static_cast<double>(f.keys.twin_in);
         return twins + (1.0 - twins) * as_said(f, 1.0);
       }},
      {"half_of_bits", [](const JudgedFilter& f) { return exact(f, 1.0, f.said.m / 2, f.said.k); }},
      {"whole_words",
       [](const JudgedFilter& f) { return exact(f, 1.0, (f.said.m + 63) / 64 * 64, f.said.k); }}};
  for (const auto& [defect, law] : laws) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(defect, seed);
      const JudgedFilter filter = drawn(defect, seed);
      check_rate(filter, seed, law(filter));
    }
  }
}

TEST_CASE("a short hash makes equal keys of an inserted and an absent one", "[judge_confusion]") {
  // n of 2^32 hash values: at 40 bits per key nothing else is reported.
  const JudgedFilter filter = drawn("hash_of_32_bits", 1);
  const std::uint64_t queries = 4'000'000;
  const double expected = static_cast<double>(filter.n) * static_cast<double>(queries) * 0x1p-32;
  const auto hits = static_cast<double>(count_reported(filter, filter.n, queries, 7));
  CHECK(std::abs(hits - expected) < 6.0 * std::sqrt(expected));
}

TEST_CASE("causes of filters for the judge are classes that it has", "[judge_confusion]") {
  std::set<std::string_view> classes;
  for (int i = 0; i <= static_cast<int>(audit::Class::unknown); ++i) {
    classes.insert(audit::name(static_cast<audit::Class>(i)));
  }
  std::set<std::string_view> names;
  for (const JudgedDefect& defect : judged_defects()) {
    CAPTURE(defect.name);
    CHECK(names.insert(defect.name).second);
    CHECK(classes.contains(defect.cause));
  }
}

TEST_CASE("sizes, defects and keys are drawn by the trial's seed", "[judge_confusion]") {
  for (const JudgedDefect& defect : judged_defects()) {
    CAPTURE(defect.name);
    const JudgedFilter one = drawn(defect.name, 5);
    const JudgedFilter same = drawn(defect.name, 5);
    CHECK(one.n == same.n);
    CHECK(one.said.m == same.said.m);
    CHECK(count_reported(one, one.n, 20'000, 3) == count_reported(same, same.n, 20'000, 3));
    const JudgedFilter other = drawn(defect.name, 6);
    CHECK((one.n != other.n || one.said.m != other.said.m || one.queries != other.queries));
  }
  const JudgedFilter filter = drawn("merged_filters", 5);
  CHECK(count_reported(filter, filter.n, 100'000, 3) !=
        count_reported(filter, filter.n, 100'000, 4));
}

TEST_CASE("what the judge says is recorded as it was said", "[judge_confusion]") {
  int seconds = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const record::Json json = judged("merged_filters", seed, 500'000);
    CAPTURE(json.dump());
    CHECK(json.at("class") == "more_keys");
    for (const std::string prefix : {"", "second_"}) {
      std::istringstream words(json.at(prefix + "named").get<std::string>());
      const std::vector<std::string> named{std::istream_iterator<std::string>(words), {}};
      CHECK(json.at(prefix + "size") == named.size());
      const auto found = std::ranges::find(named, "more_keys");
      CHECK(json.at(prefix + "place") ==
            (found == named.end() ? 0 : static_cast<std::uint64_t>(found - named.begin()) + 1));
      CHECK((named.empty() || json.at(prefix + "off") == 1));
    }
    const bool is_second = json.at("second_counted") == 1;
    CHECK(is_second == (json.at("second_queries") > 0 && json.at("second_queries") <= 500'000));
    seconds += is_second ? 1 : 0;
    const record::Json alone = judged("merged_filters", seed, 1);
    CHECK(alone.at("hits") == json.at("hits"));
    CHECK(alone.at("named") == json.at("named"));
    CHECK(alone.at("second_counted") == 0);
    CHECK(alone.at("second_size") == 0);
  }
  CHECK(seconds > 0);
}

TEST_CASE("right filters are seldom off, whatever their layout", "[judge_confusion]") {
  // Off at a p-value of 1 %: more than three of 40 with probability 0.001, and the seeds are fixed.
  std::set<std::string> kinds;
  int off = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const record::Json json = judged("none", seed, 1);
    kinds.insert(json.at("layout").get<std::string>());
    off += json.at("off").get<int>();
  }
  CHECK(kinds.size() == 4);
  CHECK(off <= 3);
}

}  // namespace bloomlab::experiments
