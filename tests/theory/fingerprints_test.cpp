// The models that tell the rate of fingerprint filters from the keys they hold.

#include <catch2/catch.hpp>

#include "core/theory/models.hpp"

using namespace bloomlab::theory;

namespace {

double cuckoo(std::uint64_t bits, std::uint64_t slots, std::uint64_t buckets, std::uint64_t n) {
  return evaluate({"cuckoo", {{"f_bits", bits}, {"slots", slots}, {"buckets", buckets}, {"n", n}}})
      .number();
}

}  // namespace

TEST_CASE("a cuckoo filter told by its keys has nearly the rate told by its load",
          "[theory][peers]") {
  const auto by_load = [](std::uint64_t bits, double load) {
    return evaluate({"peers", {{"filter", "cuckoo_b4"}, {"f_bits", bits}, {"load", load}}})
        .number();
  };
  for (const std::uint64_t n : {1000ULL, 100'000ULL, 262'144ULL}) {
    const double load = static_cast<double>(n) / 262'144.0;
    CHECK(cuckoo(16, 4, 65'536, n) == Approx(by_load(16, load)).epsilon(3e-5));
    // ln(1 - 1/F) is 1/(2F) more than 1/F, of which the rate has its share.
    CHECK(cuckoo(6, 4, 65'536, n) < by_load(6, load) * (1.0 - 0.3 / 63.0));
  }
  // Two buckets, one key: in half of the pairs of buckets and fingerprints both buckets are one.
  CHECK(cuckoo(2, 4, 2, 1) == Approx(0.5 / 6.0 + 0.5 * 2.0 / 6.0));
  CHECK(cuckoo(12, 4, 64, 0) == 0.0);
  CHECK(cuckoo(12, 4, 64, 1000) == cuckoo(12, 4, 64, 256));  // more than full it cannot be
}

TEST_CASE("a fingerprint of f bits has the rate 2^-f, without keys 0", "[theory][peers]") {
  const auto rate = [](std::uint64_t bits, std::uint64_t n) {
    return evaluate({"fingerprint", {{"f_bits", bits}, {"n", n}}}).number();
  };
  CHECK(rate(8, 1) == 1.0 / 256.0);
  CHECK(rate(32, 1000000) == 0x1p-32);
  CHECK(rate(8, 0) == 0.0);
}

TEST_CASE("an exact set never errs", "[theory][peers]") {
  for (const std::uint64_t n : {0ULL, 1ULL, 1000000000ULL}) {
    CHECK(evaluate({"exact_set", {{"n", n}}}).number() == 0.0);
  }
}
