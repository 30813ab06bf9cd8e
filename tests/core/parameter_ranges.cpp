// What every filter of the catalogue says of parameters at and beyond the ends of their ranges.

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "core/probe/probe.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

/// Changes the field number `target` of the parameters to what the visitor is told.
template <class Change>
struct FieldChanger {
  std::size_t target;
  Change change;
  std::size_t seen = 0;
  template <class Field, class Value>
  void operator()(const Field& field, Value& value) {
    if (seen++ == target) change(field, value);
  }
};

template <class Filter>
std::size_t count_fields() {
  std::size_t fields = 0;
  auto visit = [&](const auto&, auto&) { ++fields; };
  typename Filter::Parameters p{};
  Filter::describe(visit, p);
  return fields;
}

struct Altered {
  bool is_altered = false;
  std::string what = {};
};

/// Sets a number to the nearest value that its field does not allow: below, or above.
template <class Filter>
Altered leave_range(typename Filter::Parameters& p, std::size_t target, bool below) {
  Altered altered;
  const auto change = [&]<class Field, class Value>(const Field& field, Value& value) {
    if constexpr (std::is_same_v<Field, IntegerField>) {
      if (below ? field.min == 0 : field.max == std::numeric_limits<std::uint64_t>::max()) return;
      value = static_cast<Value>(below ? field.min - 1 : field.max + 1);
      altered = {true, std::string(field.name)};
    } else if constexpr (std::is_same_v<Field, RealField>) {
      const bool excluded = below ? field.min_excluded : field.max_excluded;
      const double end = below ? field.min : field.max;
      value = excluded ? end : below ? end - 0.5 : end + 0.5;
      altered = {true, std::string(field.name)};
    }
  };
  FieldChanger<decltype(change)> changer{target, change};
  Filter::describe(changer, p);
  return altered;
}

template <class Filter>
void construct(const typename Filter::Parameters& p) {
  if constexpr (Probed<Filter>) {
    static_cast<void>(Filter(p, Probe::of<EnhancedDoubleHashing, MultiplyShift>()));
  } else if constexpr (SelfPositioned<Filter>) {
    static_cast<void>(Filter(p));
  } else if constexpr (Built<Filter>) {
    static_cast<void>(Filter::build(p, DigestBatch{}));
  } else {
    static_cast<void>(Filter(p));
  }
}

}  // namespace

namespace {

template <class T>
using HasRanges = std::bool_constant<!ExactSet<T>>;
using RangedFilters = bloomlab::test::Only<Filters, HasRanges>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("a parameter outside its range is refused by name", "[core][filters]",
                        RangedFilters) {
  for (std::size_t field = 0; field < count_fields<TestType>(); ++field) {
    for (const bool below : {true, false}) {
      for (auto p : TestType::examples()) {
        const Altered altered = leave_range<TestType>(p, field, below);
        if (!altered.is_altered) continue;
        INFO(TestType::name << ": " << altered.what << (below ? " too small" : " too large"));
        const auto fault = TestType::check(p);
        REQUIRE(fault.has_value());
        CHECK(fault->starts_with(std::string(TestType::name) + ": "));
        CHECK(fault->find(altered.what) != std::string::npos);
        CHECK_THROWS_AS(construct<TestType>(p), std::invalid_argument);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("examples are faultless", "[core][filters]", Filters) {
  for (const auto& p : TestType::examples()) {
    const auto fault = TestType::check(p);
    INFO((fault ? *fault : std::string()));
    CHECK_FALSE(fault.has_value());
  }
}
