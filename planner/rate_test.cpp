#include "planner/rate_test.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <set>

#include "core/theory/rate_bound.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {
namespace {

struct Snippet {
  std::string_view name;
  std::string_view text;  ///< with {N}, {BOUND}, {COMMENT}
};

constexpr std::array snippets = {Snippet{"cpp", R"(// {COMMENT}
#include <bloomlab/core/theory/check_rate.hpp>

TEST(Filter, KeepsItsFalsePositiveRate) {
  const auto check = bloomlab::check_rate(
      absent_keys({N}), [&](const auto& key) { return filter.contains(key); },
      {.fpr = {P}, .alpha = {ALPHA}, .items = {ITEMS}});
  EXPECT_TRUE(check.passed()) << check.message();  // at most {BOUND}
}
)"},
                                 Snippet{"go", R"(// {COMMENT}
func TestKeepsItsFalsePositiveRate(t *testing.T) {
	const trials, maxFalsePositives = {N}, {BOUND}
	falsePositives := 0
	for i := 0; i < trials; i++ {
		if filter.TestString(fmt.Sprintf("absent-%d", i)) {
			falsePositives++
		}
	}
	if falsePositives > maxFalsePositives {
		t.Errorf("%d false positives in %d absent keys; at most %d are allowed", falsePositives, trials, maxFalsePositives)
	}
}
)"},
                                 Snippet{"jest", R"(// {COMMENT}
test('keeps its false-positive rate', () => {
  const trials = {N};
  const maxFalsePositives = {BOUND};
  let falsePositives = 0;
  for (let i = 0; i < trials; i++) {
    if (filter.has(`absent-${i}`)) falsePositives++;
  }
  expect(falsePositives).toBeLessThanOrEqual(maxFalsePositives);
});
)"},
                                 Snippet{"junit", R"(// {COMMENT}
@Test
void keepsItsFalsePositiveRate() {
  final long trials = {N}L;
  final long maxFalsePositives = {BOUND}L;
  long falsePositives = 0;
  for (long i = 0; i < trials; i++) {
    if (filter.mightContain("absent-" + i)) falsePositives++;
  }
  assertTrue(falsePositives <= maxFalsePositives,
      falsePositives + " false positives in " + trials + " absent keys; at most " + maxFalsePositives + " are allowed");
}
)"},
                                 Snippet{"pytest", R"(# {COMMENT}
def test_keeps_its_false_positive_rate():
    trials = {N}
    max_false_positives = {BOUND}
    false_positives = sum(f"absent-{i}" in bloom for i in range(trials))
    assert false_positives <= max_false_positives
)"}};

/// Probabilities of a false alarm that tests are made for, and those of a suite of many.
constexpr std::array<double, 2> usual_alphas = {1e-3, 1e-6};

constexpr std::array<double, 5> deviations = {0.05, 0.1, 0.2, 0.5, 1.0};

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

void fill(std::string& text, std::string_view mark, const std::string& value) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), value);
    at += value.size();
  }
}

}  // namespace

RateTestPlan plan_rate_test(const RateTest& test) {
  const auto rates = theory::own_rate_law_at(test.fpr, test.items);
  const theory::FalsePositiveLaw law(rates, test.trials);
  RateTestPlan plan;
  plan.max_false_positives = law.smallest_bound(test.alpha);
  plan.false_alarm = law.above(plan.max_false_positives);
  plan.detected_factor = law.detected_factor(plan.max_false_positives, test.power);
  if (plan.detected_factor) plan.detected_rate = std::min(*plan.detected_factor * test.fpr, 1.0);
  for (const double deviation : deviations) {
    if (test.fpr * (1.0 + deviation) >= 1.0) continue;
    plan.trials_needed.push_back(
        {deviation, theory::trials_for(rates, test.alpha, 1.0 + deviation, test.power)});
  }
  return plan;
}

LimitVerdict judge_limit(const RateTest& test, std::uint64_t limit) {
  const theory::FalsePositiveLaw law(theory::own_rate_law_at(test.fpr, test.items), test.trials);
  LimitVerdict verdict{.false_alarm = law.above(limit),
                       .detected_factor = law.detected_factor(limit, test.power),
                       .detected_rate = {},
                       .least_limits = {}};
  if (verdict.detected_factor) {
    verdict.detected_rate = std::min(*verdict.detected_factor * test.fpr, 1.0);
  }
  std::set<double, std::greater<>> alphas(usual_alphas.begin(), usual_alphas.end());
  alphas.insert(test.alpha);
  for (const double alpha : alphas) {
    const std::uint64_t least = law.smallest_bound(alpha);
    verdict.least_limits.push_back({alpha, least, law.above(least)});
  }
  return verdict;
}

std::span<const std::string_view> snippet_names() {
  static constexpr std::array<std::string_view, 5> names = {"cpp", "go", "jest", "junit", "pytest"};
  return names;
}

std::string snippet(std::string_view name, const RateTest& test, const RateTestPlan& plan) {
  for (const Snippet& one : snippets) {
    if (one.name != name) continue;
    std::string comment = "A filter of rate " + number_text(test.fpr) +
                          " fails this with probability " + number_text(plan.false_alarm);
    if (plan.detected_factor) {
      comment += "; one of " + number_text(*plan.detected_factor) + " times that rate with " +
                 number_text(test.power);
    }
    std::string text(one.text);
    fill(text, "{COMMENT}", comment + ".");
    fill(text, "{N}", std::to_string(test.trials));
    fill(text, "{BOUND}", std::to_string(plan.max_false_positives));
    fill(text, "{P}", number_text(test.fpr));
    fill(text, "{ALPHA}", number_text(test.alpha));
    fill(text, "{ITEMS}", std::to_string(test.items));
    return text;
  }
  throw record::InputError("--snippet: unknown language \"" + std::string(name) + "\"; " +
                           record::suggestion(name, snippet_names()));
}

}  // namespace bloomlab::planner
