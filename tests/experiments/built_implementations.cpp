// Implementations that do not take digests one batch after the other: filters that are built at
// once, and structures that keep the keys.

#include <catch2/catch.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "experiments/cells/implementation_of.hpp"

namespace bloomlab::experiments {
namespace {

std::vector<std::uint64_t> numbers(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> out(count);
  std::iota(out.begin(), out.end(), first);
  return out;
}

template <class Filter>
BuiltImplementation<Filter> implementation(const typename Filter::Parameters& p) {
  return {p, HashStage(make_hasher("xxhash3_64"), Filter::need(p), 7)};
}

}  // namespace

TEST_CASE("a built implementation is built from all keys that came before it is asked",
          "[experiments][implementation]") {
  auto ribbon = implementation<Ribbon>({.width = 64, .result_bits = 16, .overhead = 0.25});
  const auto first = numbers(0, 3000);
  const auto second = numbers(3000, 2000);
  ribbon.insert(KeyBatch::integers(first, 8));
  CHECK(ribbon.count_contained(KeyBatch::integers(first, 8)) == 3000);
  CHECK(ribbon.count_contained(KeyBatch::integers(second, 8)) < 100);
  ribbon.insert(KeyBatch::integers(second, 8));
  CHECK(ribbon.count_contained(KeyBatch::integers(first, 8)) == 3000);
  CHECK(ribbon.count_contained(KeyBatch::integers(second, 8)) == 2000);
  CHECK(ribbon.state().layers.front().keys == 5000);
  CHECK(ribbon.grows());
}

TEST_CASE("an implementation that cannot be built says so in one line",
          "[experiments][implementation]") {
  auto ribbon = implementation<Ribbon>({.width = 64, .result_bits = 8, .overhead = 0.0});
  ribbon.insert(KeyBatch::integers(numbers(0, 100000), 8));
  CHECK_THROWS_MATCHES(
      ribbon.count_contained({}), std::runtime_error,
      Catch::Matchers::Message("ribbon: building from 100000 keys failed with every hash function "
                               "tried; give it more slots per key"));
}

TEST_CASE("an exact implementation is handed the keys themselves",
          "[experiments][implementation]") {
  ExactImplementation<UnorderedSet> exact{UnorderedSet::Parameters{}};
  exact.insert(KeyBatch::integers(numbers(0, 1000), 8));
  CHECK(exact.count_contained(KeyBatch::integers(numbers(500, 1000), 8)) == 500);
  CHECK(exact.state().layers.front().keys == 1000);
}

}  // namespace bloomlab::experiments
