// Filters that grow: when layers open, what they hold, and what is refused.

#include "core/filters/scalable.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "core/filters/capacity.hpp"
#include "core/filters/scalable_untightened.hpp"
#include "tests/core/named_probes.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::enhanced;
using bloomlab::test::Implementation;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

std::vector<std::uint64_t> layer_keys(const FilterState& state) {
  std::vector<std::uint64_t> keys;
  for (const LayerState& layer : state.layers) keys.push_back(layer.keys);
  return keys;
}

}  // namespace

TEST_CASE("a layer opens when a key comes and the last layer is full", "[core][scalable]") {
  Implementation<Scalable> implementation({0.01, 0.5, 2, 100, InsertPolicy::always}, enhanced,
                                          1000);
  implementation.insert(keys(0, 100));
  CHECK(layer_keys(implementation.filter().state()) == std::vector<std::uint64_t>{100});
  implementation.insert(keys(100, 1));
  CHECK(layer_keys(implementation.filter().state()) == std::vector<std::uint64_t>{100, 1});
  implementation.insert(keys(101, 599));
  CHECK(layer_keys(implementation.filter().state()) == std::vector<std::uint64_t>{100, 200, 400});
  implementation.insert(keys(700, 1));
  CHECK(layer_keys(implementation.filter().state()) ==
        std::vector<std::uint64_t>{100, 200, 400, 1});
}

TEST_CASE("a key stored again takes capacity, unless reported keys are skipped",
          "[core][scalable]") {
  const auto inserted_keys = keys(0, 60);
  for (const bool skip : {false, true}) {
    const auto policy = skip ? InsertPolicy::skip_reported : InsertPolicy::always;
    Implementation<Scalable> implementation({0.01, 0.5, 2, 100, policy}, enhanced, 200);
    implementation.insert(inserted_keys);
    implementation.insert(inserted_keys);
    const auto expected =
        skip ? std::vector<std::uint64_t>{60} : std::vector<std::uint64_t>{100, 20};
    CHECK(layer_keys(implementation.filter().state()) == expected);
  }
}

TEST_CASE("skipping reported keys follows its definition key by key", "[core][scalable]") {
  // Repeated keys, near and far, and a filter small and poor enough to skip new keys too.
  auto inserted_keys = keys(0, 4000);
  for (std::size_t i = 0; i < inserted_keys.size(); i += 3) inserted_keys[i] = inserted_keys[i / 2];
  const Scalable::Parameters parameters{0.2, 0.5, 2, 50, InsertPolicy::skip_reported};
  Implementation<Scalable> batch(parameters, enhanced, inserted_keys.size());
  batch.insert(inserted_keys);

  Implementation<Scalable> defined(parameters, enhanced, inserted_keys.size());
  std::uint64_t stored = 0;
  for (std::size_t i = 0; i < inserted_keys.size(); ++i) {
    const auto one = std::span(inserted_keys).subspan(i, 1);
    if (defined.count_contained(one) == 1) continue;
    defined.insert(one);
    ++stored;
  }
  CHECK(batch.filter().state() == defined.filter().state());
  std::uint64_t kept = 0;
  for (const std::uint64_t count : layer_keys(batch.filter().state())) kept += count;
  CHECK(kept == stored);
  CHECK(stored < 4000);
}

TEST_CASE("a skipped key opens no layer", "[core][scalable]") {
  Implementation<Scalable> implementation({0.01, 0.5, 2, 100, InsertPolicy::skip_reported},
                                          enhanced, 200);
  implementation.insert(keys(0, 101));  // one may be skipped, a hundred fill the layer
  while (layer_keys(implementation.filter().state()) == std::vector<std::uint64_t>{99}) {
    implementation.insert(keys(500, 1));
  }
  const auto before = implementation.filter().state();
  implementation.insert(keys(0, 100));
  CHECK(implementation.filter().state() == before);
}

TEST_CASE("the lab report's filter stores every key and doubles", "[core][scalable]") {
  // m = 50000 at fp = 0.01 takes 5077, 10154, 20308, 40615, then the rest of 100000.
  Implementation<ScalableUntightened> implementation({.m = 50000, .k = 5, .fp = 0.01}, enhanced,
                                                     100000);
  implementation.insert(keys(0, 100000));
  const FilterState state = implementation.filter().state();
  CHECK(layer_keys(state) == std::vector<std::uint64_t>{5077, 10154, 20308, 40615, 23846});
  CHECK(state.bits == 1550000);
}

TEST_CASE("bad parameters of filters that grow are refused", "[core][scalable]") {
  const auto fault = [](double target, double tightening, std::uint64_t growth,
                        std::uint64_t first_capacity) {
    return Scalable::check({target, tightening, growth, first_capacity, InsertPolicy::always});
  };
  CHECK_FALSE(fault(0.01, 0.5, 2, 100).has_value());
  CHECK(fault(0.0, 0.5, 2, 100) == "scalable: target is 0; it must be above 0 and below 1");
  CHECK(fault(1.0, 0.5, 2, 100) == "scalable: target is 1; it must be above 0 and below 1");
  CHECK(fault(0.01, 1.0, 2, 100) == "scalable: tightening is 1; it must be above 0 and below 1");
  CHECK(fault(0.01, 0.5, 0, 100) == "scalable: growth is 0; it must be from 1 to 1024");
  CHECK(fault(0.01, 0.5, 2, 0) ==
        "scalable: first_capacity is 0; it must be from 1 to 281474976710656");
  CHECK(fault(0.01, 0.5, 2, max_filter_bits) ==
        "scalable: the first layer would need more than 281474976710656 bits or more than 256 "
        "probes; choose a smaller one or a higher rate");
  CHECK(ScalableUntightened::check({.m = 100, .k = 5, .fp = 0.0}) ==
        "scalable_untightened: fp is 0; it must be above 0 and below 1");
  CHECK(Scalable::check({0.01, 0.5, 2, 100, InsertPolicy::always},
                        make_probe("double_hashing", "mask")) ==
        "scalable: the reduction mask does not take layers of any size; choose multiply_shift or "
        "modulo");
  CHECK(Scalable::check({0.01, 0.5, 2, 100, InsertPolicy::always},
                        make_probe("lab_shift_xor", "modulo")) ==
        "scalable: the probe lab_shift_xor has one k only and the layers differ in theirs; choose "
        "another probe");
  CHECK_THROWS_AS(Scalable({1.5, 0.5, 2, 100, InsertPolicy::always}, enhanced),
                  std::invalid_argument);
}

TEST_CASE("growth beyond the limits is refused, the keys before it are kept", "[core][scalable]") {
  // Growth 1 and tightening 1e-30 add a hundred probes a layer: the fourth would pass 256.
  const Scalable::Parameters parameters{0.5, 1e-30, 1, 10, InsertPolicy::always};
  Implementation<Scalable> implementation(parameters, enhanced, 20);
  CHECK_THROWS_MATCHES(implementation.insert(keys(0, 100)), std::length_error,
                       Message("scalable: layer 3 cannot be opened: it would pass the largest "
                               "size, number of probes or number of layers; start with a larger "
                               "first layer"));
  CHECK(implementation.count_contained(keys(0, 30)) == 30);
  CHECK(Scalable::memory_bits(parameters, 100) == ~std::uint64_t{0});
  // Its rate stays below 0.6 for ever; keys end with the last layer.
  CHECK(capacity_for<Scalable>(parameters, 0.6) == 30);
}
