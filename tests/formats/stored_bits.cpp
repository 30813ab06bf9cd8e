// What an inspection says of stored bits, held against the same counted bit by bit.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/filters/standard.hpp"
#include "formats/evenness.hpp"
#include "formats/inspection.hpp"
#include "formats/stored_filter.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;

namespace {

StoredBits empty_bits(Layout layout, std::uint64_t m, std::uint64_t k) {
  StoredBits bits{.layout = layout, .m = m, .k = k};
  bits.words = StoredWords((m + 63) / 64);
  return bits;
}

void set_bit(StoredBits& bits, std::uint64_t position) {
  bits.words.own()[position / 64] |= std::uint64_t{1} << (position % 64);
}

bool has_bit(const StoredBits& bits, std::uint64_t position) {
  return (bits.words[position / 64] >> (position % 64) & 1) != 0;
}

/// Each position below `end` set with the probability `fill`.
StoredBits random_bits(Layout layout, std::uint64_t m, std::uint64_t k, double fill,
                       std::uint64_t seed, std::uint64_t end) {
  StoredBits bits = empty_bits(layout, m, k);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < end; ++i) {
    if (static_cast<double>(random() >> 11) * 0x1p-53 < fill) set_bit(bits, i);
  }
  return bits;
}

StoredBits random_bits(Layout layout, std::uint64_t m, std::uint64_t k, double fill) {
  return random_bits(layout, m, k, fill, m + k, m);
}

StoredFilter filter_of(std::string format, std::vector<StoredBits> layers) {
  return {.format = std::move(format), .hash = "a hash", .layers = std::move(layers)};
}

std::uint64_t counted(const StoredBits& bits) {
  std::uint64_t set = 0;
  for (std::uint64_t i = 0; i < bits.m; ++i) set += has_bit(bits, i) ? 1 : 0;
  return set;
}

/// The share of absent keys that find all their bits set.
double rate_of(const StoredBits& bits) {
  if (bits.layout == Layout::standard) {
    const std::uint64_t positions = bits.reachable != 0 ? bits.reachable : bits.m;
    return std::pow(static_cast<double>(counted(bits)) / static_cast<double>(positions),
                    static_cast<double>(bits.k));
  }
  double sum = 0.0;
  for (std::uint64_t block = 0; block < bits.m; block += 256) {
    double product = 1.0;
    for (std::uint64_t lane = block; lane < block + 256; lane += 32) {
      double set = 0.0;
      for (std::uint64_t i = lane; i < lane + 32; ++i) set += has_bit(bits, i) ? 1.0 : 0.0;
      product *= set / 32.0;
    }
    sum += product;
  }
  return sum / (static_cast<double>(bits.m) / 256.0);
}

StoredBits folded(const StoredBits& bits) {
  StoredBits half = empty_bits(bits.layout, bits.m / 2, bits.k);
  for (std::uint64_t i = 0; i < bits.m; ++i) {
    if (!has_bit(bits, i)) continue;
    set_bit(half, bits.layout == Layout::standard ? i % half.m : i / 512 * 256 + i % 256);
  }
  return half;
}

}  // namespace

TEST_CASE("of stored bits are told what is counted bit by bit", "[formats][inspection]") {
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    for (const std::uint64_t m : {256U, 512U, 768U, 4096U, 8448U}) {
      const StoredBits bits = random_bits(layout, m, 8, 0.4);
      INFO(m << " bits, layout " << static_cast<int>(layout));
      const Inspection one = inspect(filter_of("a format", {bits}), 0.01);
      CHECK(one.m == m);
      CHECK(one.k == 8);
      CHECK(one.layers == 1);
      CHECK(one.bits_set == counted(bits));
      CHECK(one.fill == static_cast<double>(counted(bits)) / static_cast<double>(m));
      CHECK(one.rate == Approx(rate_of(bits)).epsilon(1e-12));
      CHECK_FALSE(one.saturated);
      CHECK(one.folds);
      const bool folds = layout == Layout::standard ? m % 128 == 0 : m % 512 == 0;
      REQUIRE(one.fold.has_value() == folds);
      if (folds) {
        CHECK(one.fold->m == m / 2);
        CHECK(one.fold->rate == Approx(rate_of(folded(bits))).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("bits that the hash cannot reach count for nothing, and such a filter does not fold",
          "[formats][inspection]") {
  StoredBits bits = random_bits(Layout::standard, 1024, 5, 0.3, 1, 512);
  bits.reachable = 512;
  const auto set = static_cast<double>(counted(bits));
  const Inspection one = inspect(filter_of("a format", {bits}), 0.01);
  CHECK(one.fill == set / 512.0);
  CHECK(one.rate == Approx(std::pow(set / 512.0, 5.0)));
  REQUIRE(one.keys);
  CHECK(one.keys->keys == Approx(std::log1p(-set / 512.0) / (5.0 * std::log1p(-1.0 / 512.0))));
  CHECK(one.capacity == capacity_for<Standard>({.m = 512, .k = 5}, 0.01));
  CHECK_FALSE(one.fold);
  for (std::uint64_t i = 0; i < 512; ++i) set_bit(bits, i);
  CHECK(inspect(filter_of("a format", {bits}), 0.01).faults.front() ==
        "every bit is set: it reports every key");
  set_bit(bits, 512);
  CHECK(inspect(filter_of("a format", {bits}), 0.01).faults.front() ==
        "bits are set that the hash cannot reach");
}

TEST_CASE("layers report as one filter, and their keys add up", "[formats][inspection]") {
  std::vector<StoredBits> layers;
  double kept = 1.0;
  double keys = 0.0;
  double variance = 0.0;
  std::uint64_t set = 0;
  for (const auto& [m, k, fill] : {std::tuple(1024, 5, 0.5), {4096, 6, 0.4}, {8192, 7, 0.3}}) {
    StoredBits layer = random_bits(Layout::standard, static_cast<std::uint64_t>(m),
                                   static_cast<std::uint64_t>(k), fill);
    const std::uint64_t held = counted(layer);
    const auto estimate = keys_of(layer, held);
    REQUIRE(estimate);
    layer.recorded_keys = static_cast<std::uint64_t>(std::llround(estimate->keys)) + 2;
    layer.capacity = *layer.recorded_keys + 11;
    kept *= 1.0 - rate_of(layer);
    keys += estimate->keys;
    variance += std::pow(estimate->high - estimate->keys, 2.0);
    set += held;
    layers.push_back(std::move(layer));
  }
  const std::uint64_t first = *layers[0].recorded_keys + *layers[1].recorded_keys;
  const std::uint64_t last = *layers[2].recorded_keys;
  const Inspection one = inspect(filter_of("redisbloom", layers), 0.1);
  CHECK(one.layers == 3);
  CHECK(one.m == 13312);
  CHECK(one.bits_set == set);
  CHECK(one.fill == Approx(static_cast<double>(set) / 13312.0));
  CHECK(one.rate == Approx(1.0 - kept).epsilon(1e-12));
  REQUIRE(one.keys);
  CHECK(one.keys->keys == Approx(keys));
  CHECK(one.keys->high == Approx(keys + std::sqrt(variance)));
  CHECK(one.keys->low == Approx(keys - std::sqrt(variance)));
  CHECK(one.recorded_keys == first + last);
  CHECK(one.capacity == first + last + 11);
  CHECK(one.keys_left == 11);
  CHECK(one.goal == 0.1);
  CHECK_FALSE(one.folds);
  CHECK(one.faults.empty());

  CHECK(inspect(filter_of("redisbloom", layers), std::nullopt).goal == std::nullopt);
  layers[1].recorded_keys = *layers[1].recorded_keys + 500;
  const Inspection other = inspect(filter_of("redisbloom", layers), 1e-6);
  REQUIRE(other.faults.size() == 2);
  CHECK_THAT(other.faults[0], Catch::StartsWith("layer 2: the file counts "));
  CHECK(other.faults[1] == "its rate is above what it shall keep");
}

TEST_CASE("a layer of which every bit is set saturates the filter", "[formats][inspection]") {
  std::vector<StoredBits> layers{random_bits(Layout::standard, 1024, 5, 0.3),
                                 random_bits(Layout::standard, 128, 5, 1.0)};
  for (StoredBits& layer : layers) {
    layer.recorded_keys = 77;
    layer.capacity = 1000;
  }
  const Inspection one = inspect(filter_of("redisbloom", layers), std::nullopt);
  CHECK(one.saturated);
  CHECK(one.rate == 1.0);
  CHECK_FALSE(one.keys);
  CHECK(one.keys_left == 0);
  CHECK(one.faults == std::vector<std::string>{"layer 2: every bit is set: it reports every key"});
}

TEST_CASE("a count of keys is a fault from five standard deviations and two keys on",
          "[formats][inspection]") {
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    StoredBits bits = random_bits(layout, 8192, 8, 0.4);
    const auto keys = keys_of(bits, counted(bits));
    REQUIRE(keys);
    const double most = 5.0 * (keys->high - keys->keys) / 1.959964 + 2.0;
    for (const double from : {-1.0, 1.0}) {
      const auto faults = [&](double distance) {
        bits.recorded_keys = static_cast<std::uint64_t>(std::llround(keys->keys + from * distance));
        return inspect(filter_of("a format", {bits}), std::nullopt).faults;
      };
      INFO("distance " << from * most << " from " << keys->keys);
      CHECK(faults(most - 1.0).empty());
      const auto beyond = faults(most + 1.0);
      CHECK(beyond == std::vector<std::string>{
                          "the file counts " + std::to_string(*bits.recorded_keys) +
                          " keys, its bits tell of " + std::to_string(std::llround(keys->keys)) +
                          ": damage, or a hash that is not as ideal"});
    }
  }
}

namespace {

/// Chi-squared of classes of positions against the common fill, as a standard normal variate
/// (Wilson and Hilferty 1931), and the least and the largest share of set positions in a class [%].
struct Evenness {
  double surprise;
  std::string fills;
};

Evenness evenness(const std::vector<double>& set, const std::vector<double>& all, double fill,
                  double spread) {
  double sum = 0.0;
  double low = 1.0;
  double high = 0.0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    sum += std::pow(set[i] - all[i] * fill, 2.0) / (all[i] * fill * (1.0 - fill) * spread);
    low = std::min(low, set[i] / all[i]);
    high = std::max(high, set[i] / all[i]);
  }
  const double freedom = static_cast<double>(set.size() - 1);
  const auto percent = [](double share) {
    return std::to_string(std::lround(100.0 * share)) + " %";
  };
  return {
      (std::cbrt(sum / freedom) - (1.0 - 2.0 / (9.0 * freedom))) / std::sqrt(2.0 / (9.0 * freedom)),
      percent(low) + " to " + percent(high)};
}

/// By the remainder of the position.
Evenness by_remainder(const StoredBits& bits, std::uint64_t classes, double spread) {
  std::vector<double> set(classes);
  std::vector<double> all(classes, static_cast<double>(bits.m / classes));
  for (std::uint64_t i = 0; i < bits.m / classes * classes; ++i) {
    set[i % classes] += has_bit(bits, i) ? 1.0 : 0.0;
  }
  return evenness(set, all, static_cast<double>(counted(bits)) / static_cast<double>(bits.m),
                  spread);
}

/// By 64 parts of the filter, of whole units; what units vary more than single bits would is
/// allowed.
Evenness by_part(const StoredBits& bits, std::uint64_t unit) {
  const std::uint64_t units = bits.m / unit;
  std::vector<double> set(64);
  std::vector<double> all(64);
  double squares = 0.0;
  double sum = 0.0;
  for (std::uint64_t i = 0; i < units; ++i) {
    double here = 0.0;
    for (std::uint64_t j = i * unit; j < (i + 1) * unit; ++j) here += has_bit(bits, j) ? 1.0 : 0.0;
    set[i * 64 / units] += here;
    all[i * 64 / units] += static_cast<double>(unit);
    squares += here * here;
    sum += here;
  }
  const double mean = sum / static_cast<double>(units);
  const double fill = mean / static_cast<double>(unit);
  const double spread = std::max(1.0, (squares / static_cast<double>(units) - mean * mean) /
                                          (static_cast<double>(unit) * fill * (1.0 - fill)));
  return evenness(set, all, static_cast<double>(counted(bits)) / static_cast<double>(bits.m),
                  spread);
}

}  // namespace

TEST_CASE("unevenness by remainders is told from six standard deviations on", "[formats][even]") {
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    for (const std::uint64_t k : {1U, 8U, 30U}) {
      const std::uint64_t classes = layout == Layout::standard ? 64 : 256;
      // Of a standard filter also a last word, and a last turn of remainders, that are not whole.
      const std::uint64_t m = 256 * 1000 + (layout == Layout::standard ? 37 * k : 0);
      const double spread =
          layout == Layout::standard ? 1.0 + 3.0 * static_cast<double>(k - 1) / 64.0 : 1.0;
      StoredBits bits = random_bits(layout, m, k, 0.3);
      int told = 0;
      int untold = 0;
      // More and more positions of one remainder.
      for (std::uint64_t block = 0; block < m / classes; block += 4) {
        for (std::uint64_t i = block; i < block + 4; ++i) set_bit(bits, i * classes + 5);
        const Evenness even = by_remainder(bits, classes, spread);
        if (std::abs(even.surprise - 6.0) > 3.0 && told > 3) break;
        if (std::abs(even.surprise - 6.0) > 3.0) continue;
        const auto fault = unevenness(bits);
        INFO(k << " probes, surprise " << even.surprise << ", told " << fault.value_or(""));
        if (even.surprise > 6.0) {
          CHECK(fault == "positions are uneven: by their remainder modulo " +
                             std::to_string(classes) + " their fill is " + even.fills +
                             "; a wrong step of the hash, or damage");
          ++told;
        } else {
          CHECK_FALSE(fault);
          ++untold;
        }
      }
      CHECK(told > 0);
      CHECK(untold > 0);
    }
  }
}

TEST_CASE("unevenness by parts is told from six standard deviations on", "[formats][even]") {
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    for (const std::uint64_t m : {256U * 1024U, 256U * 1000U}) {
      const std::uint64_t unit = layout == Layout::standard ? 64 : 256;
      StoredBits bits = random_bits(layout, m, 8, 0.4);
      int told = 0;
      int untold = 0;
      // More and more positions in the tenth of 64 parts, of all remainders alike.
      for (std::uint64_t i = m * 10 / 64; i < m * 11 / 64 && told < 20; i += 1) {
        set_bit(bits, i);
        if (i % 64 != 0) continue;
        const Evenness even = by_part(bits, unit);
        if (std::abs(even.surprise - 6.0) > 3.0) continue;
        const auto fault = unevenness(bits);
        INFO(m << " bits, surprise " << even.surprise << ", told " << fault.value_or(""));
        if (even.surprise > 6.0) {
          CHECK(fault == "positions are uneven: in 64 parts of the filter their fill is " +
                             even.fills + "; damage, or a hash that prefers some positions");
          ++told;
        } else {
          CHECK_FALSE(fault);
          ++untold;
        }
      }
      CHECK(told > 0);
      CHECK(untold > 0);
    }
  }
}

TEST_CASE("an end without a bit is told where chance would set thirty", "[formats][even]") {
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    const double draws = layout == Layout::standard ? 1.0 : 8.0;
    int told = 0;
    for (std::uint64_t end = 1; end <= 200; ++end) {
      const std::uint64_t m = 16384;
      StoredBits bits = random_bits(layout, m, 8, 0.4, 5, m - 64 * end);
      set_bit(bits, m - 64 * end - 1);
      const auto set = static_cast<double>(counted(bits));
      const double expected =
          set / static_cast<double>(m) * 64.0 * static_cast<double>(end) / draws;
      if (layout == Layout::split_block && end % 4 != 0) continue;
      const auto fault = unevenness(bits);
      const std::string text = "no bit is set from position " + std::to_string(m - 64 * end) +
                               " on: the hash does not reach it, or the end was lost";
      INFO(end << " words, " << expected << " expected");
      CHECK((fault == text) == (expected >= 30.0));
      told += fault == text ? 1 : 0;
    }
    CHECK(told > 0);
  }
}

TEST_CASE("blocks that are all equal are told, and small, empty or full filters are not judged",
          "[formats][even]") {
  for (const std::uint64_t m : {512U, 4096U}) {
    StoredBits bits = empty_bits(Layout::split_block, m, 8);
    for (std::uint64_t i = 0; i < m; ++i) {
      if (i % 256 % 5 == 0) set_bit(bits, i);
    }
    CHECK(unevenness(bits) == "all blocks are equal: its writer has one block for all");
    bits.words.own()[m / 64 - 1] ^= std::uint64_t{1} << 60;
    CHECK_FALSE(unevenness(bits));
  }
  CHECK_FALSE(unevenness(random_bits(Layout::split_block, 256, 8, 0.5)));
  CHECK_FALSE(unevenness(empty_bits(Layout::standard, 1 << 20, 8)));
  CHECK_FALSE(unevenness(random_bits(Layout::standard, 1 << 20, 8, 1.0)));
  // Half of the positions: of a class at least 40 are wanted, 20 set and 20 not.
  for (const std::uint64_t m : {64U * 39U, 64U * 40U}) {
    StoredBits bits = empty_bits(Layout::standard, m, 1);
    for (std::uint64_t i = 0; i < m; i += 2) set_bit(bits, i);
    CHECK(unevenness(bits).has_value() == (m == 64 * 40));
  }
}

TEST_CASE("classes are judged that have twenty positions set and twenty not, no smaller ones",
          "[formats][even]") {
  struct Judged {
    Layout layout;
    std::uint64_t words;  ///< of the filter
    std::uint64_t set;
    bool judged;
  };
  // 64 parts of 8 units at least: 512 words, or 512 blocks of 4 words.
  const Judged cases[] = {
      {Layout::standard, 512, 64 * 20, true},      {Layout::standard, 512, 64 * 20 - 1, false},
      {Layout::standard, 511, 64 * 60, false},     {Layout::standard, 513, 64 * 60, true},
      {Layout::split_block, 2048, 64 * 20, true},  {Layout::split_block, 2048, 64 * 20 - 1, false},
      {Layout::split_block, 2044, 64 * 60, false}, {Layout::split_block, 2052, 64 * 60, true},
  };
  for (const Judged& one : cases) {
    for (const bool most : {false, true}) {  // of the bits are set
      INFO(one.words << " words, " << one.set << " set or not set: " << most);
      const std::uint64_t m = 64 * one.words;
      StoredBits bits = empty_bits(one.layout, m, 1);
      // In the second half alone, where each remainder has its turn.
      const std::uint64_t unit = one.layout == Layout::standard ? 64 : 256;
      const std::uint64_t units = m / unit;
      const std::uint64_t first = units / 2;
      for (std::uint64_t i = 0; i < one.set; ++i) {
        const std::uint64_t at = first + i % (units - first);
        set_bit(bits, unit * (units - 1 - (at - first)) + (i + i / (units - first)) % unit);
      }
      if (most) {
        for (std::uint64_t& word : bits.words.own()) word = ~word;
      }
      REQUIRE(counted(bits) == (most ? m - one.set : one.set));
      const auto fault = unevenness(bits);
      CHECK(fault.has_value() == one.judged);
      if (fault) CHECK_THAT(*fault, Catch::StartsWith("positions are uneven: in 64 parts"));
    }
  }
}

TEST_CASE("remainders of blocks are judged from forty of a class on where half are set",
          "[formats][even]") {
  for (const std::uint64_t blocks : {39U, 40U}) {
    StoredBits bits = empty_bits(Layout::split_block, 256 * blocks, 8);
    for (std::uint64_t i = 0; i < bits.m; i += 2) set_bit(bits, i);
    bits.words.own()[5] ^= 0b11;  // as equal blocks are another fault
    CHECK(unevenness(bits).has_value() == (blocks == 40));
  }
}

TEST_CASE("keys left of a filter are by its bits, and by the count of a layer that others follow",
          "[formats][inspection]") {
  StoredBits bits = random_bits(Layout::standard, 4096, 5, 0.4);
  const auto keys = keys_of(bits, counted(bits));
  REQUIRE(keys);
  const auto estimate = static_cast<std::uint64_t>(std::llround(keys->keys));
  const std::uint64_t capacity = capacity_for<Standard>({.m = 4096, .k = 5}, 0.1);
  REQUIRE(capacity > estimate + 10);
  const auto left = [&](std::optional<std::uint64_t> recorded, std::uint64_t layers) {
    bits.recorded_keys = recorded;
    bits.capacity = capacity;
    return inspect(filter_of("redisbloom", std::vector<StoredBits>(layers, bits)), 0.1).keys_left;
  };
  CHECK(left(std::nullopt, 1) == capacity - estimate);
  // Fewer keys than the bits tell of are believed down to the interval's end; more were repeated.
  CHECK(left(estimate + 10, 1) == capacity - estimate);
  CHECK(left(estimate - 1, 1) == capacity - estimate + 1);
  CHECK(left(1, 1) == capacity - static_cast<std::uint64_t>(std::llround(keys->low)));
  CHECK(left(estimate + 10, 2) == capacity - estimate - 10);
  CHECK(left(estimate - 10, 3) == capacity - estimate + 10);
  CHECK(left(capacity, 2) == 0);
  CHECK(left(capacity + 5, 1) == capacity - estimate);
}

TEST_CASE("a full filter takes no more keys, whatever it counts", "[formats][inspection]") {
  for (const auto& recorded : {std::optional<std::uint64_t>(), {0}, {7}}) {
    StoredBits bits = random_bits(Layout::standard, 128, 5, 1.0);
    bits.recorded_keys = recorded;
    const Inspection one = inspect(filter_of("a format", {bits}), 0.01);
    CHECK(one.keys_left == 0);
    CHECK(one.saturated);
    CHECK_FALSE(one.fold);
    CHECK_FALSE(one.keys);
    CHECK(one.recorded_keys == recorded);
  }
}
