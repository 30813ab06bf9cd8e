#include "core/theory/peers.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/detail/domain.hpp"

namespace bloomlab::theory {

double cuckoo_fpr(std::uint64_t f_bits, std::uint64_t slots, double load) {
  detail::require(f_bits >= 2 && f_bits <= 64, "cuckoo", "f_bits is outside 2 to 64");
  detail::require(slots >= 1, "cuckoo", "a bucket has at least 1 slot");
  detail::require(load > 0.0 && load <= 1.0, "cuckoo", "load is outside (0, 1]");
  const double values = std::ldexp(1.0, static_cast<int>(f_bits)) - 1.0;
  return -std::expm1(2.0 * static_cast<double>(slots) * load * std::log1p(-1.0 / values));
}

double fingerprint_fpr(std::uint64_t f_bits) {
  detail::require(f_bits >= 1 && f_bits <= 64, "fingerprint", "f_bits is outside 1 to 64");
  return std::ldexp(1.0, -static_cast<int>(f_bits));
}

double cuckoo_load(std::uint64_t slots, std::uint64_t buckets, std::uint64_t n) {
  const double places = static_cast<double>(slots) * static_cast<double>(buckets);
  return std::min(1.0, static_cast<double>(n) / places);
}

double cuckoo_fpr_of_keys(std::uint64_t f_bits, std::uint64_t slots, std::uint64_t buckets,
                          std::uint64_t n) {
  detail::require(f_bits >= 2 && f_bits <= 64, "cuckoo", "f_bits is outside 2 to 64");
  detail::require(slots >= 1 && buckets >= 1, "cuckoo", "there is no bucket, or no slot in it");
  const auto all = static_cast<double>(buckets);
  const double places = all * (std::ldexp(1.0, static_cast<int>(f_bits)) - 1.0);
  const double keys = std::min(static_cast<double>(n), all * static_cast<double>(slots));
  const auto met = [&](double own) { return -std::expm1(keys * std::log1p(-own / places)); };
  return met(1.0) / all + (1.0 - 1.0 / all) * met(2.0);
}

double fingerprint_fpr_of_keys(std::uint64_t f_bits, std::uint64_t n) {
  return n == 0 ? 0.0 : fingerprint_fpr(f_bits);
}

}  // namespace bloomlab::theory
