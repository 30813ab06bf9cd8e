// The properties of the operations that only some filters have: inserts that tell what was known,
// set algebra, erasing.

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "core/filters/concepts.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::for_each_setting;
using bloomlab::test::GrowingFilters;
using bloomlab::test::keys;
using bloomlab::test::label;
using bloomlab::test::property_keys;
using bloomlab::test::Subject;
using Catch::Matchers::Message;

TEMPLATE_LIST_TEST_CASE("an insert that tells what was known gives the sequential answers",
                        "[core][filters]", GrowingFilters) {
  if constexpr (ReportsNew<TestType>) {
    for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
      INFO(label(probe));
      // Equal keys in one batch, near and far from each other.
      auto members = keys(0, property_keys);
      members.insert(members.begin() + 300, members.begin(), members.begin() + 700);
      Subject<TestType> batch(parameters, probe, members.size());
      const auto before = batch.insert_reporting(members);
      Subject<TestType> sequential(parameters, probe, members.size());
      for (std::size_t i = 0; i < members.size(); ++i) {
        const auto one = std::span(members).subspan(i, 1);
        if (sequential.contains(one).front() != before[i]) FAIL("key " << i);
        sequential.insert(one);
      }
      CHECK(before[300] == Answer::maybe);
      CHECK(batch.filter().state() == sequential.filter().state());
      Subject<TestType> silent(parameters, probe, members.size());
      silent.insert(members);
      CHECK(batch.filter().state() == silent.filter().state());
    });
  }
}

TEMPLATE_LIST_TEST_CASE("the union of two filters is the filter of both sets of keys",
                        "[core][filters]", GrowingFilters) {
  if constexpr (Mergeable<TestType>) {
    for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
      INFO(label(probe));
      Subject<TestType> one(parameters, probe, property_keys);
      Subject<TestType> other(parameters, probe, property_keys);
      Subject<TestType> both(parameters, probe, property_keys);
      one.insert(keys(0, 900));
      other.insert(keys(600, 900));
      both.insert(keys(0, 900));
      both.insert(keys(600, 900));
      const FilterState apart = one.filter().state();
      const bool changed = one.filter().unite(other.filter());
      CHECK(one.filter().state() == both.filter().state());
      if (one.filter().state().bits_set != apart.bits_set) CHECK(changed);
      CHECK(one.count_contained(keys(0, property_keys)) == property_keys);
      const auto asked = keys(5000, 2000);
      CHECK(one.contains(asked) == both.contains(asked));
    });
  }
}

TEMPLATE_LIST_TEST_CASE("the intersection of two filters contains the keys of both",
                        "[core][filters]", GrowingFilters) {
  if constexpr (Mergeable<TestType>) {
    for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
      INFO(label(probe));
      Subject<TestType> one(parameters, probe, property_keys);
      Subject<TestType> other(parameters, probe, property_keys);
      one.insert(keys(0, 900));
      other.insert(keys(600, 900));
      const FilterState before = one.filter().state();
      const auto asked = keys(5000, 2000);
      const auto by_one = one.contains(asked);
      const auto by_other = other.contains(asked);
      const bool changed = one.filter().intersect(other.filter());
      CHECK(one.count_contained(keys(600, 300)) == 300);
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
}

TEMPLATE_LIST_TEST_CASE("filters of other parameters are not merged", "[core][filters]",
                        GrowingFilters) {
  if constexpr (Mergeable<TestType>) {
    const Probe probe = Probe::of<EnhancedDoubleHashing, MultiplyShift>();
    const auto examples = TestType::examples();
    Subject<TestType> one(examples.at(0), probe, property_keys);
    const Subject<TestType> other(examples.at(1), probe, property_keys);
    std::string text(TestType::name);
    text +=
        ": only filters of the same parameters and the same probe can be merged; make both alike, "
        "with one hash and seed";
    CHECK_THROWS_MATCHES(one.filter().unite(other.filter()), std::invalid_argument, Message(text));
    CHECK_THROWS_MATCHES(one.filter().intersect(other.filter()), std::invalid_argument,
                         Message(text));
  }
}

TEMPLATE_LIST_TEST_CASE("keys that are erased are as if they had never been there",
                        "[core][filters]", GrowingFilters) {
  if constexpr (Counts<TestType>) {
    for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
      INFO(label(probe));
      Subject<TestType> subject(parameters, probe, property_keys);
      subject.insert(keys(0, 60));
      const FilterState before = subject.filter().state();
      subject.insert(keys(100, 30));
      CHECK(subject.erase(keys(100, 30)) == 30);
      CHECK(subject.filter().state() == before);
      CHECK(subject.count_contained(keys(0, 60)) == 60);
      for (const std::uint64_t times : subject.multiplicity(keys(0, 60))) CHECK(times >= 1);
    });
  }
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
  Subject<TestType> subject(parameters, probe, property_keys);
  std::vector<Answer> answers(6, Answer::maybe);
  subject.with_digests(five, [&](const DigestBatch& digests) {
    const TestType& filter = subject.filter();
    CHECK_THROWS_MATCHES(filter.contains(digests, std::span(answers).first(4)),
                         std::invalid_argument, places_fault("4"));
    CHECK_THROWS_MATCHES(filter.contains(digests, std::span(answers).first(0)),
                         std::invalid_argument, places_fault("0"));
    CHECK_THROWS_MATCHES(filter.contains(digests, answers), std::invalid_argument,
                         places_fault("6"));
    if constexpr (ReportsNew<TestType>) {
      CHECK_THROWS_MATCHES(subject.filter().insert(digests, std::span(answers).first(4)),
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
  CHECK(subject.filter().state() == Subject<TestType>(parameters, probe, 1).filter().state());
}
