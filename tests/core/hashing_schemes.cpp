// The rates of the hashing schemes against their closed forms, under ideal hashing: the words are
// random numbers, so that only the derivation of the positions is judged.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/probe/fingerprint.hpp"
#include "core/probe/products.hpp"
#include "core/reduction/mask.hpp"
#include "core/reduction/modulo.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

struct Design {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
  std::size_t filters;
  std::size_t queries;  // per filter
};

/// Mean rate over filters, with its standard error from their spread.
struct MeanRate {
  double value;
  double error;
};

MeanRate measure(const Probe& probe, const Design& design) {
  const auto width = static_cast<std::size_t>(probe.need(static_cast<int>(design.k)).words);
  std::mt19937_64 random(20040615);
  std::vector<std::uint64_t> words(width * std::max<std::size_t>(design.n, design.queries));
  const auto draw = [&](std::size_t size) {
    for (std::size_t i = 0; i < width * size; ++i) words[i] = random();
    return DigestBatch{words.data(), size, size, static_cast<int>(width)};
  };
  Standard filter({.m = design.m, .k = design.k}, probe);
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t f = 0; f < design.filters; ++f) {
    filter.clear();
    filter.insert(draw(design.n));
    const double rate = static_cast<double>(filter.count_contained(draw(design.queries))) /
                        static_cast<double>(design.queries);
    sum += rate;
    squares += rate * rate;
  }
  const auto count = static_cast<double>(design.filters);
  const double mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / (count - 1.0))};
}

double predicted(const Probe& probe, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const std::optional<theory::Query> query = probe.prediction(m, n, k);
  REQUIRE(query);
  return theory::evaluate(*query).number();
}

std::string stride_of(const theory::Query& query) {
  for (const theory::Argument& argument : query.arguments) {
    if (argument.name == "stride") return std::get<std::string>(argument.value);
  }
  return "";
}

}  // namespace

// Means of 10000 filters are normal; five standard errors, two-sided, fail by chance with
// probability 6e-7 a cell. The seed is fixed.
TEST_CASE("the strides of double hashing have their exact rates", "[core][probe]") {
  constexpr std::uint64_t k = 7;
  for (const auto& [m, n] : {std::pair{1024U, 102U}, std::pair{1009U, 102U}, std::pair{64U, 6U}}) {
    std::vector<double> rates;
    double error = 0.0;
    for (const char* family : {"double_hashing", "double_hashing_nz", "double_hashing_odd"}) {
      const Probe probe = make_probe(family, "multiply_shift");
      if (!probe.prediction(m, n, k)) continue;
      INFO(family << ", m = " << m);
      const double exact = predicted(probe, m, n, k);
      const MeanRate mean = measure(probe, {m, n, k, 10000, 500});
      INFO("exact " << exact << ", measured " << mean.value << " +- " << mean.error);
      CHECK(std::abs(mean.value - exact) <= 5.0 * mean.error);
      rates.push_back(exact);
      error = std::max(error, mean.error);
    }
    REQUIRE(rates.size() == (m == 1009 ? 2U : 3U));
    // The design distinguishes any stride from the others everywhere, and all three from each other
    // at 64.
    CHECK(rates[0] - rates[1] > 9.0 * error);
    if (m == 64) CHECK(rates[1] - rates[2] > 9.0 * error);
  }
}

TEST_CASE("the other reductions draw the same strides", "[core][probe]") {
  constexpr std::uint64_t m = 1024;
  for (const Probe& probe :
       {make_probe("double_hashing", "mask"), make_probe("double_hashing_odd", "mask"),
        make_probe("double_hashing_nz", "modulo"), make_probe("double_hashing_odd", "modulo_32")}) {
    INFO(bloomlab::test::label(probe));
    const double exact = predicted(probe, m, 102, 7);
    const MeanRate mean = measure(probe, {m, 102, 7, 4000, 1000});
    INFO("exact " << exact << ", measured " << mean.value << " +- " << mean.error);
    CHECK(std::abs(mean.value - exact) <= 5.0 * mean.error);
  }
}

// One word of 64 bits is as good as k independent ones: 5 million pairs resolve 3 % at five errors.
TEST_CASE("remixed words have the rate of independent probes", "[core][probe]") {
  for (const char* reduction : {"multiply_shift", "modulo", "mask", "modulo_32"}) {
    INFO(reduction);
    const double exact = theory::exact_fpr(1024, 102, 7);
    const MeanRate mean = measure(make_probe("remix", reduction), {1024, 102, 7, 10000, 500});
    INFO("exact " << exact << ", measured " << mean.value << " +- " << mean.error);
    CHECK(mean.error < 0.006 * exact);
    CHECK(std::abs(mean.value - exact) <= 5.0 * mean.error);
  }
}

TEST_CASE("products of a word have the rate of independent probes", "[core][probe]") {
  for (const Design& design : {Design{64, 8, 4, 10000, 500}, Design{1000, 100, 7, 10000, 500},
                               Design{4096, 300, 10, 10000, 500}}) {
    const double exact = theory::exact_fpr(design.m, design.n, design.k);
    const MeanRate mean = measure(make_probe("products", "multiply_shift"), design);
    INFO("m " << design.m << ", exact " << exact << ", measured " << mean.value << " +- "
              << mean.error);
    CHECK(mean.error < 0.02 * exact);
    CHECK(std::abs(mean.value - exact) <= 5.0 * mean.error);
  }
}

TEST_CASE("products take no reduction by low bits", "[core][probe]") {
  CHECK_FALSE(Products::allows<Modulo>);
  CHECK_FALSE(Products::allows<Mask>);
  CHECK(Products::allows<MultiplyShift>);
}

TEST_CASE("a family names its closed form only where that is computed", "[core][probe]") {
  const auto form = [](const char* family, std::uint64_t m, std::uint64_t k) {
    const auto query = make_probe(family, "multiply_shift").prediction(m, 10, k);
    return query ? query->model + "/" + stride_of(*query) : std::string("none");
  };
  CHECK(form("double_hashing", 1000, 16) == "double_hashing_exact/any");
  CHECK(form("double_hashing", 1, 1) == "double_hashing_exact/any");
  CHECK(form("double_hashing", 32768, 3) == "double_hashing_exact/any");
  CHECK(form("double_hashing", 32769, 3) == "none");
  CHECK(form("double_hashing", 1000, 17) == "none");
  CHECK(form("double_hashing_nz", 1009, 3) == "double_hashing_exact/nz");
  CHECK(form("double_hashing_nz", 2, 3) == "double_hashing_exact/nz");
  CHECK(form("double_hashing_nz", 1, 3) == "none");
  CHECK(form("double_hashing_odd", 1024, 3) == "double_hashing_exact/odd");
  CHECK(form("double_hashing_odd", 1000, 3) == "none");
  CHECK(form("double_hashing_odd", 1, 3) == "none");
  for (const char* family :
       {"independent", "enhanced_double_hashing", "triple_hashing", "remix", "products"}) {
    CHECK(form(family, 1024, 3) == "none");
  }
}

TEST_CASE("what a family predicts can be evaluated", "[core][probe]") {
  for (const Probe& probe : bloomlab::test::probes()) {
    for (const std::uint64_t m : {1U, 2U, 3U, 64U, 100U}) {
      for (const std::uint64_t k : {1U, 2U, 5U}) {
        const auto query = probe.prediction(m, 4, k);
        if (!query) continue;
        INFO(bloomlab::test::label(probe) << ", m = " << m << ", k = " << k);
        CHECK(theory::evaluate(*query).number() <= 1.0);
        CHECK(theory::evaluate(*query).number() > 0.0);
      }
    }
  }
}

TEST_CASE("a key's fingerprint is as long as the words that its positions need", "[core][probe]") {
  const auto bits = [](const char* hash, const char* family, int k) {
    return fingerprint_bits(make_hasher(hash), make_probe(family, "modulo"), k);
  };
  CHECK(bits("truncated_32", "remix", 7) == 32);
  CHECK(bits("xxhash3_64", "remix", 7) == 64);
  CHECK(bits("sha256", "remix", 7) == 64);
  CHECK(bits("truncated_32", "double_hashing", 7) == 64);
  CHECK(bits("truncated_32", "double_hashing_odd", 1) == 32);
  CHECK(bits("xxhash3_64", "double_hashing_nz", 2) == 128);
  CHECK(bits("murmur3_128", "enhanced_double_hashing", 7) == 128);
  CHECK(bits("truncated_32", "triple_hashing", 2) == 64);
  CHECK(bits("truncated_32", "triple_hashing", 7) == 96);
  CHECK(bits("truncated_32", "independent", 7) == 0);
  CHECK(bits("identity", "lab_shift_xor", 5) == 0);
}

TEST_CASE("keys with one fingerprint have one set of positions", "[core][probe]") {
  for (const Probe& probe : bloomlab::test::probes()) {
    const int k = probe.only_k().value_or(6);
    const int words = probe.need(k).words;
    const int used = probe.fingerprint_words(k);
    if (used == 0) continue;
    REQUIRE(used <= words);
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> plane_words(static_cast<std::size_t>(words) * 2);
    for (std::uint64_t& word : plane_words) word = random();
    for (int i = 0; i < used; ++i) {  // two keys, alike in the words used
      plane_words[static_cast<std::size_t>(2 * i + 1)] =
          plane_words[static_cast<std::size_t>(2 * i)];
    }
    PositionBuffer buffer;
    const PositionBatch positions =
        probe.positions({plane_words.data(), 2, 2, words}, 65536, k, buffer);
    for (int i = 0; i < k; ++i) CHECK(positions.probe(i)[0] == positions.probe(i)[1]);
  }
}
