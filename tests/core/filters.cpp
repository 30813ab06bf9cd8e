// The properties that every filter of the catalogue has, with every probe that it takes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::for_each_setting;
using bloomlab::test::GrowingFilters;
using bloomlab::test::Implementation;
using bloomlab::test::keys;
using bloomlab::test::property_keys;

namespace {

template <class Filter>
Implementation<Filter> filled_implementation(const typename Filter::Parameters& parameters,
                                             const Probe& probe, std::uint64_t seed = 1) {
  Implementation<Filter> implementation(parameters, probe, property_keys, seed);
  implementation.insert(keys(0, property_keys));
  return implementation;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every filter is what the concepts ask for", "[core][filters]",
                        GrowingFilters) {
  STATIC_REQUIRE(Probed<TestType> != SelfPositioned<TestType>);
  std::size_t settings = 0;
  for_each_setting<TestType>([&](const auto&, const Probe&) { ++settings; });
  INFO(TestType::name << ": examples() gives " << TestType::examples().size()
                      << " parameters; the property tests want four or more "
                         "(docs/add_a_filter.md)");
  REQUIRE(settings >= (Probed<TestType> ? 8 : 4));
}

TEMPLATE_LIST_TEST_CASE("a filter contains every key it was given", "[core][filters]",
                        GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    const auto implementation = filled_implementation<TestType>(parameters, probe);
    const auto inserted_keys = keys(0, property_keys);
    const auto answers = implementation.contains(inserted_keys);
    CHECK(std::ranges::count(answers, Answer::maybe) == static_cast<std::ptrdiff_t>(property_keys));
    CHECK(implementation.count_contained(inserted_keys) == property_keys);
  });
}

TEMPLATE_LIST_TEST_CASE("an empty filter answers absent", "[core][filters]", GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    const Implementation<TestType> implementation(parameters, probe, property_keys);
    CHECK(implementation.count_contained(keys(0, 700)) == 0);
    CHECK(implementation.filter().state().bits_set == 0);
    CHECK(implementation.filter().state().conditional_rate == 0.0);
  });
}

TEMPLATE_LIST_TEST_CASE("batches give the bits and answers of single keys", "[core][filters]",
                        GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    // Every key twice, so that equal keys share a batch.
    auto inserted_keys = keys(0, property_keys);
    inserted_keys.insert(inserted_keys.begin() + 300, inserted_keys.begin(),
                         inserted_keys.begin() + 700);
    Implementation<TestType> batch(parameters, probe, inserted_keys.size());
    Implementation<TestType> single(parameters, probe, inserted_keys.size());
    batch.insert(inserted_keys);
    single.insert_one_by_one(inserted_keys);
    CHECK(batch.filter().state() == single.filter().state());

    const auto asked = keys(property_keys - 400, 1000);
    const auto answers = batch.contains(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (single.contains(std::span(asked).subspan(i, 1)).front() != answers[i]) FAIL("key " << i);
    }
    CHECK(batch.count_contained(asked) ==
          static_cast<std::uint64_t>(std::ranges::count(answers, Answer::maybe)));
  });
}

TEMPLATE_LIST_TEST_CASE("a cleared filter is as a new one", "[core][filters]", GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    auto used = filled_implementation<TestType>(parameters, probe);
    used.filter().clear();
    const Implementation<TestType> fresh(parameters, probe, property_keys);
    CHECK(used.filter().state() == fresh.filter().state());
    CHECK(used.count_contained(keys(0, property_keys)) == 0);
    used.insert(keys(0, property_keys));
    CHECK(used.filter().state() ==
          filled_implementation<TestType>(parameters, probe).filter().state());
  });
}

TEMPLATE_LIST_TEST_CASE("a moved filter keeps its keys", "[core][filters]", GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    auto first = filled_implementation<TestType>(parameters, probe);
    const FilterState before = first.filter().state();
    TestType moved(std::move(first.filter()));
    CHECK(moved.state() == before);
    Implementation<TestType> second(parameters, probe, property_keys);
    second.filter() = std::move(moved);
    CHECK(second.filter().state() == before);
    CHECK(second.count_contained(keys(0, property_keys)) == property_keys);
  });
}

TEMPLATE_LIST_TEST_CASE("two seeds give two filters", "[core][filters]", GrowingFilters) {
  const auto parameters = TestType::examples();
  const Probe probe = Probe::of<EnhancedDoubleHashing, MultiplyShift>();
  bool differ = false;
  for (const auto& p : parameters) {
    const auto absent_keys = keys(10 * property_keys, 4000);
    const auto one = filled_implementation<TestType>(p, probe, 1);
    const auto other = filled_implementation<TestType>(p, probe, 2);
    differ = differ || one.contains(absent_keys) != other.contains(absent_keys);
    // Long fingerprints report no absent key under any seed; the bits they set differ.
    if (KeepsFingerprints<TestType>) {
      differ = differ || one.filter().state() != other.filter().state();
    }
  }
  CHECK(differ);
}

TEMPLATE_LIST_TEST_CASE("set bits never exceed probes times keys, nor the memory",
                        "[core][filters]", GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    const auto implementation = filled_implementation<TestType>(parameters, probe);
    const FilterState state = implementation.filter().state();
    std::uint64_t bits = 0;
    std::uint64_t bits_set = 0;
    for (const LayerState& layer : state.layers) {
      CHECK(layer.bits_set <= layer.bits);
      if (!KeepsFingerprints<TestType>) CHECK(layer.bits_set <= layer.probes * layer.keys);
      CHECK(layer.probes <=
            static_cast<std::uint64_t>(TestType::probes(parameters, property_keys)));
      bits += layer.bits;
      bits_set += layer.bits_set;
    }
    CHECK(state.bits == bits);
    CHECK(state.bits_set == bits_set);
    CHECK(state.memory_bits >= state.bits);
    CHECK(state.memory_bits <= TestType::memory_bits(parameters, property_keys));
  });
}

namespace {

template <class T>
using HasOnlyBits = std::bool_constant<!KeepsFingerprints<T>>;
using FiltersOfBits = bloomlab::test::Only<GrowingFilters, HasOnlyBits>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("inserting a second time sets no bit", "[core][filters]", FiltersOfBits) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    // Fewer keys than any first layer but the smallest: those grow, and new layers take new bits.
    Implementation<TestType> implementation(parameters, probe, 80);
    implementation.insert(keys(0, 40));
    const FilterState before = implementation.filter().state();
    implementation.insert(keys(0, 40));
    const FilterState after = implementation.filter().state();
    if (after.layers.size() == before.layers.size()) CHECK(after.bits_set == before.bits_set);
  });
}

TEMPLATE_LIST_TEST_CASE("the conditional rate is that of the set bits", "[core][filters]",
                        GrowingFilters) {
  for_each_setting<TestType>([](const auto& parameters, const Probe& probe) {
    const FilterState state = filled_implementation<TestType>(parameters, probe).filter().state();
    CHECK(state.conditional_rate > 0.0);
    CHECK(state.conditional_rate <= 1.0);
    // Layers of single bits: exactly their compound rate. Slices and blocks have tests of their
    // own.
    const std::string model = TestType::prediction(parameters, property_keys).model;
    if (!model.starts_with("standard") && model != "scalable" && model != "scalable_untightened") {
      return;
    }
    double rate = 0.0;
    for (const LayerState& layer : state.layers) {
      rate = either_rate(rate, conditional_rate(layer.bits_set, layer.bits, layer.probes));
    }
    CHECK(state.conditional_rate == rate);
  });
}

// A key is reported with the conditional rate, if the probes are ideal: hits are binomial. Five
// standard deviations, two-sided, fail by chance with probability 6e-7; the seed is fixed.
TEMPLATE_LIST_TEST_CASE("absent keys are reported at the conditional rate", "[core][filters]",
                        GrowingFilters) {
  constexpr std::size_t q = 100000;
  const auto absent_keys = keys(1'000'000, q);
  for_each_setting<TestType>([&](const auto& parameters, const Probe& probe) {
    if (probe.family() != Independent::name) return;  // ideal whatever the size of a layer
    const auto implementation = filled_implementation<TestType>(parameters, probe);
    const double rate = implementation.filter().state().conditional_rate;
    const double hits = static_cast<double>(implementation.count_contained(absent_keys));
    const double expected = rate * static_cast<double>(q);
    CHECK(std::abs(hits - expected) <= 5.0 * std::sqrt(expected * (1.0 - rate)) + 5.0);
  });
}

TEMPLATE_LIST_TEST_CASE("the prediction names the parameters and n, and has the filter's rate",
                        "[core][filters]", GrowingFilters) {
  for (const auto& parameters : TestType::examples()) {
    const theory::Query query = TestType::prediction(parameters, 1234);
    CHECK_FALSE(query.model.empty());
    const auto found = std::ranges::find(query.arguments, "n", &theory::Argument::name);
    REQUIRE(found != query.arguments.end());
    CHECK(std::get<std::uint64_t>(found->value) == 1234);
    const theory::Evaluation by_name{theory::evaluate_value(query), {}};
    CHECK(predicted_rate<TestType>(parameters, 1234) == by_name.number());
  }
}

TEMPLATE_LIST_TEST_CASE("a filter describes each of its parameters once", "[core][filters]",
                        GrowingFilters) {
  std::set<std::string_view> names;
  std::size_t fields = 0;
  auto visit = [&](const auto& field, auto&) {
    names.insert(field.name);
    ++fields;
    CHECK_FALSE(field.meaning.empty());
  };
  typename TestType::Parameters parameters;
  TestType::describe(visit, parameters);
  CHECK(fields >= 1);
  CHECK(names.size() == fields);
}
