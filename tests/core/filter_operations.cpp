// The properties of the operations that only some filters have: inserts that tell what was known,
// set algebra, deleting.

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "core/filters/concepts.hpp"
#include "core/filters/health.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::for_each_setting;
using bloomlab::test::GrowingFilters;
using bloomlab::test::Implementation;
using bloomlab::test::keys;
using bloomlab::test::property_keys;
using Catch::Matchers::Message;

namespace {

template <class T>
using IsReportingNew = std::bool_constant<ReportsNew<T>>;
template <class T>
using IsMergeable = std::bool_constant<Mergeable<T>>;
template <class T>
using IsCounting = std::bool_constant<Counts<T>>;
using ReportingFilters = bloomlab::test::Only<GrowingFilters, IsReportingNew>;
using MergeableFilters = bloomlab::test::Only<GrowingFilters, IsMergeable>;
using CountingFilters = bloomlab::test::Only<GrowingFilters, IsCounting>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("an insert that tells what was known gives the sequential answers",
                        "[core][filters]", ReportingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    // Equal keys in one batch, near and far from each other.
    auto inserted_keys = keys(0, property_keys);
    inserted_keys.insert(inserted_keys.begin() + 300, inserted_keys.begin(),
                         inserted_keys.begin() + 700);
    Implementation<TestType> batch(parameters, probe, inserted_keys.size());
    const auto before = batch.insert_reporting(inserted_keys);
    Implementation<TestType> sequential(parameters, probe, inserted_keys.size());
    for (std::size_t i = 0; i < inserted_keys.size(); ++i) {
      const auto one = std::span(inserted_keys).subspan(i, 1);
      if (sequential.contains(one).front() != before[i]) FAIL("key " << i);
      sequential.insert(one);
    }
    CHECK(before[300] == Answer::maybe);
    CHECK(batch.filter().state() == sequential.filter().state());
    Implementation<TestType> silent(parameters, probe, inserted_keys.size());
    silent.insert(inserted_keys);
    CHECK(batch.filter().state() == silent.filter().state());
  });
}

TEMPLATE_LIST_TEST_CASE("the merge of two filters is the filter of both sets of keys",
                        "[core][filters]", MergeableFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    Implementation<TestType> one(parameters, probe, property_keys);
    Implementation<TestType> other(parameters, probe, property_keys);
    Implementation<TestType> both(parameters, probe, property_keys);
    one.insert(keys(0, 900));
    other.insert(keys(600, 900));
    both.insert(keys(0, 900));
    both.insert(keys(600, 900));
    const FilterState apart = one.filter().state();
    const bool changed = one.filter().merge(other.filter());
    CHECK(one.filter().state() == both.filter().state());
    if (one.filter().state().bits_set != apart.bits_set) CHECK(changed);
    CHECK(one.count_contained(keys(0, property_keys)) == property_keys);
    const auto asked = keys(5000, 2000);
    CHECK(one.contains(asked) == both.contains(asked));
  });
}

TEMPLATE_LIST_TEST_CASE("the intersection of two filters contains the keys of both",
                        "[core][filters]", MergeableFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    Implementation<TestType> one(parameters, probe, property_keys);
    Implementation<TestType> other(parameters, probe, property_keys);
    one.insert(keys(0, 900));
    other.insert(keys(600, 700));
    const FilterState before = one.filter().state();
    const auto asked = keys(5000, 2000);
    const auto by_one = one.contains(asked);
    const auto by_other = other.contains(asked);
    const bool changed = one.filter().intersect(other.filter());
    CHECK(one.count_contained(keys(600, 300)) == 300);
    CHECK(keys_held(one.filter()) == 700);  // the smaller of the two
    CHECK(one.filter().state().bits_set <= before.bits_set);
    if (one.filter().state().bits_set != before.bits_set) CHECK(changed);
    const auto answers = one.contains(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const bool by_both = by_one[i] == Answer::maybe && by_other[i] == Answer::maybe;
      // Slices, blocks and bits alike: a position is kept if and only if both have it.
      if ((answers[i] == Answer::maybe) != by_both) FAIL("key " << i);
    }
  });
}

TEMPLATE_LIST_TEST_CASE("filters of other parameters are not merged", "[core][filters]",
                        MergeableFilters) {
  const Probe probe = Probe::of<EnhancedDoubleHashing, MultiplyShift>();
  const auto examples = TestType::examples();
  Implementation<TestType> one(examples.at(0), probe, property_keys);
  const Implementation<TestType> other(examples.at(1), probe, property_keys);
  std::string text(TestType::name);
  text +=
      ": only filters of the same parameters and the same probe can be merged; make both alike, "
      "with one hash and seed";
  CHECK_THROWS_MATCHES(one.filter().merge(other.filter()), std::invalid_argument, Message(text));
  CHECK_THROWS_MATCHES(one.filter().intersect(other.filter()), std::invalid_argument,
                       Message(text));
  if constexpr (Probed<TestType>) {
    const Probe other_probe = Probe::of<DoubleHashing, MultiplyShift>();
    const Implementation<TestType> elsewhere(examples.at(0), other_probe, property_keys);
    CHECK_THROWS_MATCHES(one.filter().merge(elsewhere.filter()), std::invalid_argument,
                         Message(text));
    CHECK_THROWS_MATCHES(one.filter().intersect(elsewhere.filter()), std::invalid_argument,
                         Message(text));
  }
}

TEMPLATE_LIST_TEST_CASE("keys that are deleted are as if they had never been there",
                        "[core][filters]", CountingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    Implementation<TestType> implementation(parameters, probe, property_keys);
    implementation.insert(keys(0, 60));
    const FilterState before = implementation.filter().state();
    implementation.insert(keys(100, 30));
    CHECK(implementation.remove(keys(100, 30)) == 30);
    CHECK(implementation.filter().state() == before);
    CHECK(implementation.count_contained(keys(0, 60)) == 60);
    for (const std::uint64_t times : implementation.multiplicity(keys(0, 60))) CHECK(times >= 1);
  });
}

namespace {

/// The text for 5 keys and this many places.
auto places_fault(const char* places) {
  return Message("an output span of " + std::string(places) +
                 " places was given for 5 keys; give one place per key");
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("an output span without a place per key is refused before it is written",
                        "[core][filters]", GrowingFilters) {
  const auto five = keys(0, 5);
  const auto parameters = TestType::examples().front();
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  Implementation<TestType> implementation(parameters, probe, property_keys);
  std::vector<Answer> answers(6, Answer::maybe);
  implementation.with_digests(five, [&](const DigestBatch& digests) {
    const TestType& filter = implementation.filter();
    CHECK_THROWS_MATCHES(filter.contains(digests, std::span(answers).first(4)),
                         std::invalid_argument, places_fault("4"));
    CHECK_THROWS_MATCHES(filter.contains(digests, std::span(answers).first(0)),
                         std::invalid_argument, places_fault("0"));
    CHECK_THROWS_MATCHES(filter.contains(digests, answers), std::invalid_argument,
                         places_fault("6"));
    if constexpr (ReportsNew<TestType>) {
      CHECK_THROWS_MATCHES(implementation.filter().insert(digests, std::span(answers).first(4)),
                           std::invalid_argument, places_fault("4"));
    }
    if constexpr (Counts<TestType>) {
      std::vector<std::uint64_t> times(4, 7);
      CHECK_THROWS_MATCHES(filter.multiplicity(digests, times), std::invalid_argument,
                           places_fault("4"));
      CHECK(times == std::vector<std::uint64_t>(4, 7));
    }
  });
  CHECK(answers == std::vector<Answer>(6, Answer::maybe));
  CHECK(implementation.filter().state() ==
        Implementation<TestType>(parameters, probe, 1).filter().state());
}
