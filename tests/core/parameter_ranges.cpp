// What every filter of the catalogue says of parameters at and beyond the ends of their ranges.

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <set>
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

TEMPLATE_LIST_TEST_CASE("parameters that are not given are zero, or their field's fallback",
                        "[core][filters]", RangedFilters) {
  typename TestType::Parameters p;
  auto visit = []<class Field, class Value>(const Field& field, Value& value) {
    INFO(TestType::name << ": " << field.name);
    if constexpr (std::is_same_v<Field, IntegerField> || std::is_same_v<Field, RealField>) {
      const bool is_fallback = field.fallback && value == static_cast<Value>(*field.fallback);
      CHECK((value == 0 || is_fallback));
    }
  };
  TestType::describe(visit, p);
}

TEMPLATE_LIST_TEST_CASE("examples are faultless", "[core][filters]", Filters) {
  for (const auto& p : TestType::examples()) {
    const auto fault = TestType::check(p);
    INFO((fault ? *fault : std::string()));
    CHECK_FALSE(fault.has_value());
  }
}

TEST_CASE("the smallest filters that are useful are allowed", "[parameters]") {
  CHECK_FALSE(Standard::check({.m = 1, .k = 1}));
  CHECK_FALSE(Partitioned::check({.m = 1, .k = 1}));
  CHECK_FALSE(Counting::check({.m = 1, .k = 1, .counter_bits = 2}));
  CHECK_FALSE(Spectral::check({.m = 1, .k = 1, .counter_bits = 2}));
  CHECK_FALSE(Folded::check({.m = 1, .k = 1, .folded_to = 1}));
  CHECK_FALSE(Blocked::check({.m = 64, .k = 1, .block_bits = 64}));
  CHECK_FALSE(RegisterBlocked::check({.m = 32, .k = 1, .word_bits = 32}));
  CHECK_FALSE(SplitBlock::check({.m = 256}));
  CHECK_FALSE(Multiblock::check({.m = 64, .k = 1}));
  CHECK_FALSE(DirectBitmap::check({.range = 1}));
  CHECK_FALSE(Cuckoo::check({.fingerprint_bits = 2, .bucket_size = 1, .buckets = 1}));
  CHECK_FALSE(BinaryFuse::check({.arity = 3, .fingerprint_bits = 2}));
  CHECK_FALSE(Dynamic::check({.m = 1, .k = 1, .capacity = 1}));
  CHECK_FALSE(ScalableUntightened::check({.m = 1, .k = 1, .fp = 0.5}));
  CHECK_FALSE(
      Scalable::check({.target = 0.5, .tightening = 0.5, .growth = 1, .first_capacity = 1}));
  CHECK_FALSE(Ribbon::check({.width = 64, .result_bits = 2, .overhead = 0.1}));
}

TEST_CASE("a lookup reads the lines that its filter's layout says", "[parameters]") {
  const auto reads = [](const LinesRead& lines, double absent, double present) {
    CHECK(lines.absent == Approx(absent).epsilon(1e-12));
    CHECK(lines.present == Approx(present).epsilon(1e-12));
  };
  // A row reaches over three blocks of 64 slots: 1536 bits at multiples of 512, 192 at multiples
  // of 64.
  reads(Ribbon::lines({.width = 64, .result_bits = 8, .overhead = 0.1}, 1000), 3.0, 3.0);
  reads(Ribbon::lines({.width = 64, .result_bits = 1, .overhead = 0.1}, 1000), 1.25, 1.25);
  // Two buckets of 64 bits at multiples of 64, and of 128 at multiples of 128.
  reads(Cuckoo::lines({.fingerprint_bits = 16, .bucket_size = 4, .buckets = 64}, 100), 2.0, 2.0);
  reads(Cuckoo::lines({.fingerprint_bits = 16, .bucket_size = 8, .buckets = 64}, 100), 2.0, 2.0);
  reads(Blocked::lines({.m = 51200, .k = 6, .block_bits = 512}, 1000), 1.0, 1.0);
  reads(SplitBlock::lines({.m = 51200}, 1000), 1.0, 1.0);
  // One line holds it all; of ten, those that probes meet, which end at the first empty bit.
  reads(Standard::lines({.m = 512, .k = 7}, 50), 1.0, 1.0);
  const double fill = 1.0 - std::pow(1.0 - 1.0 / 5120, 7 * 512);
  reads(Standard::lines({.m = 5120, .k = 7}, 512),
        (1.0 - std::pow(0.9 * fill, 7)) / (1.0 - 0.9 * fill), 10.0 * (1.0 - std::pow(0.9, 7)));
  reads(Standard::lines({.m = 1024, .k = 3}, 1'000'000), 2.0 * (1.0 - std::pow(0.5, 3)),
        2.0 * (1.0 - std::pow(0.5, 3)));
  // A line for each filter that the keys have filled or begun, from the newest to one that reports
  // the key: half of the keys are in the newest, the others are taken for one of its keys at r.
  const Dynamic::Parameters dynamic{.m = 512, .k = 4, .capacity = 100};
  const double r = std::pow(1.0 - std::pow(1.0 - 1.0 / 512, 400), 4);
  reads(Dynamic::lines(dynamic, 0), 1.0, 1.0);
  reads(Dynamic::lines(dynamic, 100), 1.0, 1.0);
  reads(Dynamic::lines(dynamic, 200), 2.0 - r, 0.5 + 0.5 * (2.0 - r));
  CHECK(Dynamic::lines(dynamic, 201).absent == Approx(3.0 - r).epsilon(1e-7));
  CHECK(Dynamic::lines({.m = 1, .k = 1, .capacity = 1}, std::uint64_t{1} << 60).present == 1.0);
}

TEST_CASE("a lookup of a growing filter reads as many lines as are counted", "[parameters]") {
  const auto check = [](const LinesRead& lines, const std::vector<theory::Layer>& layers) {
    std::mt19937_64 random(20261201);
    const auto position = [&](std::uint64_t m) { return random() % m; };
    const auto key = [&](const theory::Layer& layer) {
      std::vector<std::uint64_t> probes(layer.k);
      for (std::uint64_t& probe : probes) probe = position(layer.m);
      return probes;
    };
    double absent = 0.0;
    double present = 0.0;
    double keys = 0.0;
    const int fills = 20;
    for (int fill = 0; fill < fills; ++fill) {
      std::vector<std::vector<bool>> bits;
      std::vector<std::vector<std::vector<std::uint64_t>>> held(layers.size());
      for (std::size_t i = 0; i < layers.size(); ++i) {
        bits.emplace_back(layers[i].m);
        for (std::uint64_t n = 0; n < layers[i].n; ++n) {
          held[i].push_back(key(layers[i]));
          for (const std::uint64_t probe : held[i].back()) bits[i][probe] = true;
        }
      }
      // A key that is in one layer, or in none.
      const auto lookup = [&](std::size_t in, const std::vector<std::uint64_t>& own) {
        std::size_t read = 0;
        for (std::size_t i = layers.size(); i-- > 0;) {
          std::set<std::uint64_t> met;
          bool reported = true;
          for (const std::uint64_t probe : i == in ? own : key(layers[i])) {
            met.insert(probe / 512);
            reported = reported && bits[i][probe];
            if (!reported) break;
          }
          read += met.size();
          if (reported) break;
        }
        return static_cast<double>(read);
      };
      for (int query = 0; query < 2000; ++query) absent += lookup(layers.size(), {}) / 2000;
      for (std::size_t i = 0; i < layers.size(); ++i) {
        for (const auto& own : held[i]) present += lookup(i, own);
        keys += static_cast<double>(held[i].size());
      }
    }
    CHECK(lines.absent == Approx(absent / fills).epsilon(0.03));
    CHECK(lines.present == Approx(present / keys).epsilon(0.03));
  };
  check(Dynamic::lines({.m = 2048, .k = 4, .capacity = 400}, 1100),
        {{2048, 4, 400}, {2048, 4, 400}, {2048, 4, 300}});
  const Scalable::Parameters grows{
      .target = 0.3, .tightening = 0.6, .growth = 3, .first_capacity = 500};
  check(Scalable::lines(grows, 5000), theory::scalable_layers(0.3, 0.6, 3, 500, 5000));
}
