// Scalable filters of partitioned layers, and what becomes of keys when the last layer is full.

#include "core/filters/scalable_partitioned.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "core/bits/conditional_rate.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/saved_filter.hpp"
#include "core/theory/models.hpp"
#include "tests/core/named_probes.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::enhanced;
using bloomlab::test::Implementation;
using bloomlab::test::independent;
using bloomlab::test::keys;

namespace {

ScalablePartitioned::Parameters parameters(CapacityPolicy capacity,
                                           InsertPolicy insert = InsertPolicy::always) {
  return {0.01, 0.5, 2, 100, insert, capacity};
}

}  // namespace

TEST_CASE("layers of slices have the sizes of layers of standard filters", "[core][scalable]") {
  Implementation<ScalablePartitioned> slices({0.01, 0.5, 2, 100}, enhanced, 3000);
  Implementation<Scalable> standard({0.01, 0.5, 2, 100}, enhanced, 3000);
  slices.insert(keys(0, 3000));
  standard.insert(keys(0, 3000));
  const FilterState one = slices.filter().state();
  const FilterState other = standard.filter().state();
  REQUIRE(one.layers.size() == other.layers.size());
  for (std::size_t i = 0; i < one.layers.size(); ++i) {
    CHECK(one.layers[i].bits == other.layers[i].bits);
    CHECK(one.layers[i].probes == other.layers[i].probes);
    CHECK(one.layers[i].keys == other.layers[i].keys);
  }
  CHECK(one.memory_bits == other.memory_bits);
  CHECK(one.bits_set != other.bits_set);
}

TEST_CASE("a layer is the partitioned filter of its keys", "[core][scalable]") {
  Implementation<ScalablePartitioned> implementation({0.01, 0.5, 2, 100}, enhanced, 300);
  implementation.insert(keys(0, 300));
  const FilterState state = implementation.filter().state();
  REQUIRE(state.layers.size() == 2);
  double rate = 0.0;
  std::uint64_t first = 0;
  for (const LayerState& layer : state.layers) {
    Implementation<Partitioned> alone({layer.bits, layer.probes}, enhanced, 300);
    alone.insert(keys(first, layer.keys));
    first += layer.keys;
    CHECK(alone.filter().state().bits_set == layer.bits_set);
    rate = either_rate(rate, alone.filter().state().conditional_rate);
  }
  CHECK(state.conditional_rate == rate);
}

// Hits of all trials against the closed form: means of 200 filters, six standard errors of which
// the form's own deviation is a part; fails by chance with probability 2e-9, fixed seeds.
TEST_CASE("the closed form of layers of slices predicts the measured rate", "[core][scalable]") {
  constexpr std::size_t n = 700;
  constexpr std::size_t q = 5000;
  constexpr int trials = 200;
  const ScalablePartitioned::Parameters p{0.2, 0.8, 2, 100};
  const auto evaluation = theory::evaluate(ScalablePartitioned::prediction(p, n));
  const double expected = evaluation.number();
  const double sd = evaluation.number("sd_conditional_fpr");
  double hits = 0;
  double rates = 0;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    Implementation<ScalablePartitioned> implementation(p, independent, n, seed);
    implementation.insert(keys(0, n));
    hits += static_cast<double>(implementation.count_contained(keys(50000, q)));
    rates += implementation.filter().state().conditional_rate;
  }
  const double by_fill = sd / std::sqrt(trials);
  CHECK(std::abs(rates / trials - expected) <= 6 * by_fill);
  const double asked = static_cast<double>(trials * q);
  const double by_hits = std::sqrt(expected * (1 - expected) / asked + by_fill * by_fill);
  CHECK(std::abs(hits / asked - expected) <= 6 * by_hits);
}

TEST_CASE("a filter that rejects keeps its rate and loses the keys beyond its capacity",
          "[core][scalable]") {
  Implementation<ScalablePartitioned> implementation(parameters(CapacityPolicy::reject), enhanced,
                                                     1000);
  implementation.insert(keys(0, 100));
  const FilterState full = implementation.filter().state();
  CHECK(full.refused == 0);
  implementation.insert(keys(100, 900));
  FilterState after = implementation.filter().state();
  CHECK(after.refused == 900);
  after.refused = 0;
  CHECK(after == full);
  CHECK(implementation.count_contained(keys(0, 100)) == 100);
  CHECK(implementation.count_contained(keys(100, 900)) < 50);
  implementation.filter().clear();
  CHECK(implementation.filter().state().refused == 0);
}

TEST_CASE("a filter that overfills is one partitioned filter of all keys", "[core][scalable]") {
  Implementation<ScalablePartitioned> implementation(parameters(CapacityPolicy::overfill), enhanced,
                                                     1000);
  implementation.insert(keys(0, 1000));
  const FilterState state = implementation.filter().state();
  REQUIRE(state.layers.size() == 1);
  CHECK(state.layers.front().keys == 1000);
  CHECK(state.refused == 0);
  Implementation<Partitioned> alone({state.bits, state.layers.front().probes}, enhanced, 1000);
  alone.insert(keys(0, 1000));
  CHECK(state == alone.filter().state());
  CHECK(state.conditional_rate > 0.5);
}

TEST_CASE("a known key is no reason to turn one away", "[core][scalable]") {
  for (const auto capacity : {CapacityPolicy::reject, CapacityPolicy::overfill}) {
    Implementation<ScalablePartitioned> batch(parameters(capacity, InsertPolicy::skip_reported),
                                              enhanced, 2000);
    Implementation<ScalablePartitioned> single(parameters(capacity, InsertPolicy::skip_reported),
                                               enhanced, 2000);
    auto inserted_keys = keys(0, 130);
    inserted_keys.insert(inserted_keys.end(), inserted_keys.begin(), inserted_keys.begin() + 90);
    batch.insert(inserted_keys);
    single.insert_one_by_one(inserted_keys);
    CHECK(batch.filter().state() == single.filter().state());
    const FilterState state = batch.filter().state();
    // An absent key may pass for known; a known key never counts as turned away.
    CHECK(state.refused <= 30);
    CHECK((state.refused > 0) == (capacity == CapacityPolicy::reject));
    CHECK(state.layers.front().keys >= 100);
  }
}

TEST_CASE("sizes and closed forms follow the capacity policy", "[core][scalable]") {
  const auto grow = parameters(CapacityPolicy::grow);
  const auto reject = parameters(CapacityPolicy::reject);
  const auto overfill = parameters(CapacityPolicy::overfill);
  CHECK(ScalablePartitioned::memory_bits(grow, 1000) >
        ScalablePartitioned::memory_bits(reject, 1000));
  CHECK(ScalablePartitioned::memory_bits(reject, 1000) ==
        ScalablePartitioned::memory_bits(grow, 100));
  CHECK(ScalablePartitioned::probes(overfill, 1000) == ScalablePartitioned::probes(grow, 100));
  CHECK(ScalablePartitioned::prediction(grow, 1000).model == "scalable_partitioned");
  const auto rate = [](const ScalablePartitioned::Parameters& p, std::uint64_t n) {
    return theory::evaluate(ScalablePartitioned::prediction(p, n)).number();
  };
  CHECK(rate(reject, 1000) == rate(reject, 100));
  CHECK(rate(reject, 100) == Approx(rate(grow, 100)).epsilon(1e-12));
  CHECK(rate(overfill, 1000) > 100 * rate(reject, 1000));
}

TEST_CASE("refused keys are still counted after a filter came back from bytes",
          "[core][scalable][saved]") {
  for (const auto capacity : {CapacityPolicy::reject, CapacityPolicy::overfill}) {
    KeyedFilter<XxHash3_64, ScalablePartitioned> filter(parameters(capacity));
    static_cast<void>(filter.insert(keys(0, 250)));
    const auto back = load_bytes<decltype(filter)>(saved_bytes(filter));
    CHECK(back.filter().state() == filter.filter().state());
    CHECK(back.filter().refused() == (capacity == CapacityPolicy::reject ? 150 : 0));
  }
}
