#include "core/theory/counting.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/cardinality.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/peers.hpp"
#include "core/theory/standard.hpp"
#include "tests/theory/golden_file.hpp"
#include "tests/theory/reference.hpp"

using namespace bloomlab::theory;

TEST_CASE("the largest counter equals the count of all outcomes", "[theory][counting]") {
  for (const int m : {1, 2, 3, 4}) {
    for (const int hashes : {1, 2, 4, 6}) {
      int outcomes = 1;
      for (int i = 0; i < hashes; ++i) outcomes *= m;
      for (int j = 1; j <= hashes + 1; ++j) {
        int reached = 0;
        for (int outcome = 0; outcome < outcomes; ++outcome) {
          int counters[4] = {};
          int largest = 0;
          for (int left = outcome, i = 0; i < hashes; ++i, left /= m) {
            largest = std::max(largest, ++counters[left % m]);
          }
          reached += largest >= j ? 1 : 0;
        }
        CAPTURE(m, hashes, j);
        CHECK(relative_error(
                  counter_reaches(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(hashes),
                                  static_cast<std::uint64_t>(j)),
                  static_cast<double>(reached) / outcomes) < 1e-13);
      }
    }
  }
}

TEST_CASE("the largest counter equals the polynomial's power in 200 digits", "[theory][counting]") {
  for (const std::uint64_t m : {2ULL, 5ULL, 16ULL, 100ULL, 1949ULL, 1ULL << 30}) {
    for (const std::uint64_t hashes : {3ULL, 11ULL, 40ULL, 100ULL}) {
      for (const std::uint64_t j : {2ULL, 3ULL, 4ULL, 8ULL, 16ULL, 40ULL, 90ULL}) {
        CAPTURE(m, hashes, j);
        const double expected = reference::counter_reaches(m, hashes, j);
        if (expected < 1e-180) continue;
        CHECK(relative_error(counter_reaches(m, hashes, j), expected) < 1e-10);
      }
    }
  }
}

TEST_CASE("few counters under many hashes equal the sum of binomial coefficients",
          "[theory][counting]") {
  struct Row {
    std::uint64_t m, hashes, j;
    double rate;
  };
  // Sums over all divisions of the hashes among 2 or 3 counters, in Python integers.
  for (const auto& [m, hashes, j, rate] :
       {Row{2, 3000, 1550, 0.070669044811757741}, Row{2, 5051, 2715, 1.0315855500659601e-07},
        Row{2, 4000, 2100, 0.0016492663751356998}, Row{2, 195, 195, 3.9827297778311307e-59},
        Row{2, 286, 284, 6.6020643308420888e-82}, Row{3, 300, 120, 0.027377821628986838},
        Row{3, 900, 340, 0.0084402956659482391}, Row{3, 2000, 700, 0.18004577095770282}}) {
    CAPTURE(m, hashes, j);
    CHECK(relative_error(counter_reaches(m, hashes, j), rate) < 1e-10);
  }
}

TEST_CASE("the largest counter's law falls from 1 below its union bound", "[theory][counting]") {
  for (const std::uint64_t m : {2ULL, 7ULL, 9ULL, 60ULL, 1000ULL}) {
    for (const std::uint64_t load : {30ULL, 430ULL, 2400ULL, 30000ULL}) {
      double above = 1.0;
      for (std::uint64_t j = load; j < load + load / 4; j += 1 + load / 16) {
        CAPTURE(m, load, j);
        const double rate = counter_reaches(m, load * m, j);
        const double bound = counter_reaches_union_bound(m, load * m, j);
        CHECK(rate <= above);
        CHECK(rate <= bound * (1.0 + 1e-9));
        // Two counters hinder each other, so pairs take at most bound^2/2 off (Bonferroni 1936).
        if (bound < 1.0) CHECK(rate >= (bound - 0.5 * bound * bound) * (1.0 - 1e-9));
        above = rate * (1.0 + 1e-12);
      }
    }
  }
}

TEST_CASE("rare overflows meet the union bound, certain ones are 1", "[theory][counting]") {
  // The union bound is right to a relative error of its own size.
  for (const auto& [m, hashes, j] :
       std::initializer_list<std::array<std::uint64_t, 3>>{{1000000, 693147, 16},
                                                           {1ULL << 33, 1ULL << 32, 20},
                                                           {1ULL << 48, 1ULL << 40, 7},
                                                           {100, 50, 30},
                                                           {1ULL << 20, 1ULL << 20, 64},
                                                           {65536, 655360000, 12000},
                                                           {10, 300000, 40000},
                                                           {3, 190000, 65536},
                                                           {2, 120000, 61500}}) {
    CAPTURE(m, hashes, j);
    const double bound = counter_reaches_union_bound(m, hashes, j);
    REQUIRE(bound < 1e-6);
    CHECK(relative_error(counter_reaches(m, hashes, j), bound) < 1e-9 + bound);
    CHECK(bound <= counter_reaches_fan_bound(m, hashes, j));
  }
  CHECK(counter_reaches(1000, 1000000000000, 16) == 1.0);  // pigeons
  CHECK(counter_reaches(1ULL << 40, 1ULL << 40, 2) == Approx(1.0).epsilon(1e-12));
  CHECK(counter_reaches(7, 3, 4) == 0.0);
  CHECK(counter_reaches(7, 3, 1) == 1.0);
  CHECK(counter_reaches(7, 0, 1) == 0.0);
  CHECK(counter_reaches(1, 65536, 65536) == 1.0);
}

TEST_CASE("four bits overflow as rarely as Fan et al. say", "[theory][counting]") {
  // N/m = ln 2, j = 16: their bound is 1.37e-15 a counter; the truth 7.07e-17, 19 times less.
  const std::uint64_t m = 1000000000;
  const std::uint64_t hashes = 693147181;
  CHECK(counter_reaches_fan_bound(m, hashes, 16) / 1e9 == Approx(1.36773e-15).epsilon(1e-4));
  CHECK(counter_reaches(m, hashes, 16) / 1e9 == Approx(7.07e-17).epsilon(1e-3));
}

TEST_CASE("the mean of the largest counter has its known values", "[theory][counting]") {
  const auto mean_of_largest = [](std::uint64_t m, std::uint64_t hashes) {
    double mean = 0.0;
    for (std::uint64_t j = 1; j < 60; ++j) mean += counter_reaches(m, hashes, j);
    return mean;
  };
  CHECK(mean_of_largest(1000, 693) == Approx(4.61486).margin(5e-6));
  CHECK(mean_of_largest(1024, 2048) == Approx(7.93796).margin(5e-6));
  CHECK(mean_of_largest(64, 44) == Approx(3.23683).margin(5e-6));
}

TEST_CASE("counters refuse what is no counter", "[theory][counting]") {
  CHECK_THROWS_WITH(counter_reaches(0, 1, 1),
                    "counting_overflow: m is 0; there is at least 1 counter");
  CHECK_THROWS_WITH(counter_reaches(1, 1, 0), "counting_overflow: j is outside 1 to 65536");
  CHECK_THROWS_AS(counter_reaches(1, 1, 65537), DomainError);
}

TEST_CASE("the estimate of keys inverts the mean of set bits", "[theory][counting]") {
  for (const std::uint64_t n : {1ULL, 10ULL, 500ULL, 3000ULL}) {
    const std::uint64_t m = 1ULL << 30;
    const auto set_bits = static_cast<std::uint64_t>(std::llround(mean_set_bits(m, n, 5)));
    CHECK(*estimated_keys(m, 5, set_bits) ==
          Approx(static_cast<double>(n)).epsilon(0.2 / static_cast<double>(n)));
  }
  CHECK(estimated_keys(100, 3, 0) == 0.0);
  CHECK(estimated_keys(1, 3, 0) == 0.0);
  CHECK_FALSE(estimated_keys(100, 3, 100));
  CHECK_FALSE(swamidass_baldi_keys(100, 3, 100));
  // One bit from saturation: ln(1/m) without loss.
  CHECK(relative_error(*swamidass_baldi_keys(1ULL << 40, 1, (1ULL << 40) - 1),
                       0x1p40 * 40 * std::log(2.0)) < 1e-14);
  CHECK_THROWS_WITH(estimated_keys(10, 3, 11),
                    "cardinality: popcount is above m; a filter has at most m set bits");
  // m = 2000, k = 7: simulation gave 3.579 at n = 200 and 5.743 at n = 300.
  CHECK(sd_estimated_keys(2000, 7, 200) == Approx(3.578).margin(5e-4));
  CHECK(sd_estimated_keys(2000, 7, 300) == Approx(5.742).margin(5e-4));
}

TEST_CASE("the bits for the keys of a filter are those that a plan for them asks for",
          "[theory][cardinality]") {
  // 95 851 bits and 7 probes are planned for 10 000 keys at 1 %; 2500 keys set a bit with
  // 1 - e^(-7 * 2500 / 95851) = .16688 on average, 15 995 bits.
  const SmallerFilter smaller = smaller_filter(95851, 7, 15995, 0.01);
  CHECK(smaller.keys == Approx(2500).epsilon(1e-4));
  CHECK(smaller.bits == Approx(2500 * 9.585058).epsilon(1e-4));
  CHECK(smaller.rate == Approx(std::pow(15995.0 / 95851.0, 7)));
  CHECK(smaller_filter(95851, 7, 0, 0.01).bits == 1);
  // A filter that is half full holds what it was planned for; one that is fuller asks for more.
  CHECK(smaller_filter(95851, 7, 47926, 0.0078125).bits == Approx(95851).epsilon(1e-3));
  CHECK(smaller_filter(95851, 7, 80000, 0.01).bits > 95851);
  CHECK_THROWS_AS(smaller_filter(100, 3, 100, 0.01), DomainError);
  CHECK_THROWS_AS(smaller_filter(100, 3, 101, 0.01), DomainError);
  CHECK_THROWS_AS(smaller_filter(100, 3, 10, 0.0), DomainError);
  CHECK_THROWS_AS(smaller_filter(100, 3, 10, 1.0), DomainError);
}

TEST_CASE("a short hash puts a floor under the rate", "[theory][counting]") {
  // 32 bits: 2.3e-4 at 10^6 keys, 2.3e-3 at 10^7, 2.3e-2 at 10^8, 0.21 at 10^9.
  CHECK(hash_width_rate(32, 1000000, 1ULL << 40, 10).rate == Approx(2.3e-4).epsilon(0.02));
  CHECK(hash_width_rate(32, 10000000, 1ULL << 44, 10).rate == Approx(2.3e-3).epsilon(0.02));
  CHECK(hash_width_rate(32, 100000000, 1ULL << 44, 10).rate == Approx(2.3e-2).epsilon(0.02));
  CHECK(hash_width_rate(32, 1000000000, 1ULL << 48, 10).rate == Approx(0.21).epsilon(0.02));
  CHECK(hash_width_rate(64, 1000, 1ULL << 40, 10).collision ==
        Approx(1000 * 5.421e-20).epsilon(1e-3));
  CHECK(hash_width_rate(256, 1000, 10000, 7).rate == approx_fpr(10000, 1000, 7));
  CHECK(hash_width_rate(32, 0, 100, 7).rate == 0.0);
  CHECK(different_hashes(8, 300) == 177);
  CHECK(different_hashes(1, 1) == 1);
  CHECK(different_hashes(8, 1ULL << 60) == 256);
  CHECK(different_hashes(256, 1ULL << 60) == 1ULL << 60);
  CHECK(different_hashes(512, 1ULL << 60) == 1ULL << 60);
  CHECK(different_hashes(32, 0) == 0);
  CHECK(hash_width_rate(1, 1ULL << 60, 100, 7).rate == 1.0);
  CHECK_THROWS_AS(hash_width_rate(0, 1, 1, 1), DomainError);
  CHECK_THROWS_AS(hash_width_rate(513, 1, 1, 1), DomainError);
}

TEST_CASE("rivals have their published rates", "[theory][counting]") {
  for (const std::uint64_t f : {4ULL, 8ULL, 12ULL, 20ULL, 64ULL}) {
    CHECK(cuckoo_fpr(f, 4, 0.95) < 8.0 * std::pow(2.0, -static_cast<double>(f)));
    CHECK(relative_error(fingerprint_fpr(f), std::pow(2.0, -static_cast<double>(f))) == 0.0);
  }
  // Cuckoo (b = 4, 95 %) takes fewer bits than an ideal Bloom filter below 0.37 %.
  const auto saved = [](double p) { return 1.4427 * -std::log2(p) - (-std::log2(p) + 3) / 0.95; };
  CHECK(saved(0.0036) > 0.0);
  CHECK(saved(0.0038) < 0.0);
  CHECK(relative_error(cuckoo_fpr(8, 4, 1.0), 1 - std::pow(254.0 / 255.0, 8)) < 1e-14);
  CHECK_THROWS_AS(cuckoo_fpr(8, 4, 1.01), DomainError);
  CHECK_THROWS_AS(cuckoo_fpr(8, 4, 0.0), DomainError);
  CHECK_THROWS_AS(cuckoo_fpr(1, 4, 0.5), DomainError);
  CHECK_THROWS_AS(cuckoo_fpr(65, 4, 0.5), DomainError);
  CHECK_THROWS_AS(cuckoo_fpr(8, 0, 0.5), DomainError);
  CHECK_NOTHROW(cuckoo_fpr(2, 1, 1.0));
  CHECK_NOTHROW(cuckoo_fpr(64, 1, 1e-9));
  CHECK_THROWS_AS(fingerprint_fpr(65), DomainError);
}
