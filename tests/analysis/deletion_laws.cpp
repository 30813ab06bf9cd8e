// Deleting keys: the models of the counters.
#include "analysis/kinds/deletion_laws.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace bloomlab::analysis;

TEST_CASE("clearing with one probe loses those who share the bit", "[analysis][deletion]") {
  // (n - e) (1 - (1 - 1/m)^e).
  CHECK(lost_by_clearing({50, 20, 1, 3}) == Approx(17 * (1 - std::pow(0.98, 3))).epsilon(1e-12));
  CHECK(lost_by_clearing({1000, 100, 7, 0}) == Approx(0).margin(1e-12));
  CHECK(lost_by_clearing({1, 10, 4, 1}) == Approx(9));
  // Two probes of four positions: P(kept) = 1/4 (3/4)^2 + 3/4 (1/2)^2.
  CHECK(lost_by_clearing({4, 2, 2, 1}) == Approx(1 - (0.25 * 0.5625 + 0.75 * 0.25)));
}

TEST_CASE("a wrong deletion loses what simulations of another make lost", "[analysis][deletion]") {
  // Simulated: 4.73, 2.17 and 4.04 (two standard errors 0.02 to 0.03).
  CHECK(lost_by_wrong_deletions({1000, 100, 7, 0}, 1) == Approx(4.73).margin(0.04));
  CHECK(lost_by_wrong_deletions({5000, 1000, 3, 0}, 1) == Approx(2.18).margin(0.04));
  CHECK(lost_by_wrong_deletions({4096, 512, 6, 0}, 1) == Approx(4.03).margin(0.04));
  CHECK(lost_by_wrong_deletions({4096, 512, 6, 0}, 0) == Approx(0).margin(1e-9));
}

TEST_CASE("more wrong deletions lose more, each a little less or more", "[analysis][deletion]") {
  const FilterAfterDeletions filter{10000, 1000, 7, 0};
  const double one = lost_by_wrong_deletions(filter, 1);
  const double ten = lost_by_wrong_deletions(filter, 10);
  CHECK(ten == Approx(10 * one).epsilon(0.05));
  CHECK(lost_by_wrong_deletions(filter, 1.5) == Approx(1.5 * one).epsilon(0.01));
  CHECK(lost_by_clearing_absent_keys(filter, 1) > one);
  CHECK(lost_by_clearing_absent_keys(filter, 1e4) == Approx(1000).epsilon(0.01));
}

TEST_CASE("the rate after deleting is that of the keys left, and of counters that stuck",
          "[analysis][deletion]") {
  // Counters of 16 bits: exactly the filter of 50 keys; rate (1 - e^(-0.35))^7 = 2.0e-4.
  const auto wide = rate_after_deleting({1000, 100, 7, 50}, 65535);
  CHECK(wide.rate == Approx(1.96e-4).epsilon(0.05));
  CHECK(wide.variance > 0);
  // Two bits: of the counters that no key left raised, P(Poisson(0.35) >= 3) = 0.0055 stuck.
  const auto narrow = rate_after_deleting({1000, 100, 7, 50}, 3);
  const double more = 1 + 0.7047 * 0.0055 / (1 - 0.7047);
  CHECK(narrow.rate / wide.rate == Approx(std::pow(more, 7)).epsilon(0.005));
}
