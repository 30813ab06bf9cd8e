#include "planner/judgement.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

TEST_CASE("a filter of layers is compared with a standard one of all its bits",
          "[planner][judgement]") {
  const Judgement layers = judge(
      {.n = 1000, .m = 10240, .k = 4, .filter = "dynamic", .layered_bits = 102400, .rate = 2.2e-5});
  CHECK(layers.best_k == theory::optimal_k(102400, 1000).k);
  CHECK(layers.best_rate == theory::optimal_k(102400, 1000).rate);
  CHECK(layers.loss > 1.0);
  // The first layer's k is not that of all layers.
  CHECK(layers.warnings.empty());
}

TEST_CASE("good parameters are judged without a warning", "[planner][judgement]") {
  const Judgement judgement = judge({.n = 1000,
                                     .m = 10000,
                                     .k = 7,
                                     .rate = theory::exact_fpr(10000, 1000, 7),
                                     .requested_rate = 0.01,
                                     .hash_bits = 64});
  CHECK(judgement.warnings.empty());
  CHECK(judgement.best_k == 7);
  CHECK(judgement.loss == Approx(1.0));
  CHECK(judgement.smallest_m <= 10000);
  CHECK(*judgement.keeps);
}

TEST_CASE("a rate below what hashes of 64 bits allow is told, unless the hash or scheme is said",
          "[planner][judgement]") {
  Configured low{.n = 10'000'000, .m = 718'881'979, .k = 50, .rate = 1e-15};
  REQUIRE(judge(low).warnings.size() == 1);
  CHECK(judge(low).warnings.front().find("equal hashes alone give a rate of 5.42×10⁻¹³") !=
        std::string::npos);
  low.scheme = "independent";
  CHECK(judge(low).warnings.empty());
  low.hash_bits = 128;
  CHECK(judge(low).warnings.empty());
}

TEST_CASE("a wrong k, a full filter, a short hash and a missed rate are told",
          "[planner][judgement]") {
  const Judgement wrong_k =
      judge({.n = 1000, .m = 10000, .k = 2, .rate = theory::exact_fpr(10000, 1000, 2)});
  REQUIRE(wrong_k.warnings.size() == 1);
  CHECK(wrong_k.warnings.front() ==
        "k = 2 has 4.01 times the rate of k = 7, the best for this m and n");
  const Judgement full =
      judge({.n = 10000, .m = 10000, .k = 3, .rate = theory::exact_fpr(10000, 10000, 3)});
  CHECK(full.warnings.back() ==
        "95 % of the bits are set: the filter holds more keys than it can distinguish");
  const Judgement short_hash = judge({.n = 40'000'000,
                                      .m = 400'000'000,
                                      .k = 7,
                                      .rate = theory::exact_fpr(400'000'000, 40'000'000, 7),
                                      .requested_rate = 0.01,
                                      .hash_bits = 32});
  CHECK(*short_hash.hash_floor == Approx(0.00927).margin(1e-5));
  CHECK_FALSE(*short_hash.keeps);
  REQUIRE(short_hash.warnings.size() == 2);
  CHECK(short_hash.warnings[0] ==
        "a hash of 32 bits is too short for so many keys: equal hashes alone give a rate of "
        "0.00927");
  CHECK(short_hash.warnings[1].starts_with("misses the requested rate 0.01 by +7"));
}
