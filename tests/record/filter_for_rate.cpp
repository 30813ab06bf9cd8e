// Filters that are named by the rate they are to keep.
#include "record/filter_for_rate.hpp"

#include <catch2/catch.hpp>

#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
#include "record/parameters_json.hpp"

using namespace bloomlab;
using namespace bloomlab::record;

namespace {

constexpr std::uint64_t n = 2048;
constexpr double rate = 0.01;

/// The rate of a filter of one bit, block or fingerprint bit less than `parameters`, or 1.
template <class Filter>
double rate_below(const Sizing<typename Filter::Parameters>& sizing,
                  const typename Filter::Parameters& parameters) {
  const std::uint64_t memory = Filter::memory_bits(parameters, n);
  double lowest = 1.0;
  for (const auto& shape : sizing.shapes) {
    std::uint64_t low = shape.least;
    std::uint64_t high = std::min<std::uint64_t>(shape.most, 1 << 20);
    while (low < high) {  // the largest below this memory
      const std::uint64_t middle = low + (high - low + 1) / 2;
      if (Filter::memory_bits(shape.make(middle), n) < memory) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (Filter::memory_bits(shape.make(low), n) >= memory) continue;
    lowest = std::min(lowest, predicted_rate<Filter>(shape.make(low), n));
  }
  return lowest;
}

}  // namespace

TEST_CASE("every filter that can be sized keeps the rate, and a smaller one does not",
          "[record][filter_for_rate]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    INFO(Filter::name);
    static_assert(Sized<Filter>);
    const auto sizing = Filter::sizing({.n = n, .rate = rate});
    const FilterForRate sized = filter_for_rate(std::string(Filter::name), rate, n);
    CHECK(sized.fault.empty() == sizing.unavailable.empty());
    if (!sizing.unavailable.empty()) return;
    const auto parameters = parameters_of<Filter>(sized.filter, "kind");
    CHECK_FALSE(Filter::check(parameters));
    CHECK(predicted_rate<Filter>(parameters, n) <= rate);
    // Whole words hide a bit or two: only memory that is a word less must miss the rate.
    CHECK(rate_below<Filter>(sizing, parameters) > rate * (1.0 - 1e-12));
  });
}

TEST_CASE("the filters that a list does not name", "[record][filter_for_rate]") {
  const auto expanded = [](const char* axis) {
    return with_other_filters({{"n", 1}, {"filter", Json::parse(axis)}}).at("filter");
  };
  const Json all = expanded(R"([{"kind": "others", "for_rate": 0.1}])");
  CHECK(all.size() + 1 == Filters::size);  // direct_bitmap knows no n
  CHECK(all.front() == Json::parse(R"({"kind": "standard", "for_rate": 0.1})"));
  const Json others = expanded(R"([{"kind": "others", "for_rate": 0.1},
                                   {"kind": ["standard", "ribbon"], "x": 1}])");
  CHECK(others.size() == all.size() - 2 + 1);
  CHECK(others.front() == Json::parse(R"({"kind": "partitioned", "for_rate": 0.1})"));
  CHECK(others.back() == Json::parse(R"({"kind": ["standard", "ribbon"], "x": 1})"));
  CHECK(expanded(R"({"kind": "x"})") == Json::parse(R"({"kind": "x"})"));
}

TEST_CASE("a filter that cannot be sized is said", "[record][filter_for_rate]") {
  CHECK(filter_for_rate("direct_bitmap", rate, n).fault ==
        "direct_bitmap needs integer keys below a known bound: one bit for each possible key");
  CHECK(filter_for_rate("cuckoo", 1e-14, n).fault ==
        "cuckoo does not reach this rate at any size that it takes");
}

TEST_CASE("a size that hangs on the last digits of a closed form is refused",
          "[record][filter_for_rate]") {
  const FilterForRate blocked = filter_for_rate("blocked", rate, n);
  const double edge = predicted_rate<Blocked>(parameters_of<Blocked>(blocked.filter, "kind"), n);
  CHECK(filter_for_rate("blocked", edge, n).fault ==
        "blocked: at this rate its size hangs on the last digits of the closed form; choose "
        "another rate");
  CHECK(filter_for_rate("blocked", edge * (1.0 + 1e-8), n).filter == blocked.filter);
}
