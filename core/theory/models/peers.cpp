// Models of the filters that keep fingerprints: by the load that `peers` asks for, or by their
// keys.

#include "core/theory/peers.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

ArgumentInfo width_argument() {
  return integer_argument("f_bits", "bits", "size of a fingerprint", 2, 64);
}

Evaluation evaluate_cuckoo(std::uint64_t f_bits, std::uint64_t slots, std::uint64_t buckets,
                           std::uint64_t n) {
  const double load = cuckoo_load(slots, buckets, n);
  return {cuckoo_fpr_of_keys(f_bits, slots, buckets, n), {{"load", load}}};
}

/// Slots per bucket of the cuckoo filters among the words; 0 for the others.
std::uint64_t cuckoo_slots(const std::string& filter) {
  return filter == "cuckoo_b2" ? 2 : filter == "cuckoo_b4" ? 4 : filter == "cuckoo_b8" ? 8 : 0;
}

Evaluation evaluate_peers(const std::string& filter, std::uint64_t f_bits, double load,
                          double overhead) {
  const auto bits = static_cast<double>(f_bits);
  const std::string where = "peers: " + filter;
  if (const std::uint64_t slots = cuckoo_slots(filter); slots > 0) {
    detail::require(!std::isnan(load) && std::isnan(overhead), where,
                    "argument \"load\" is needed, and \"overhead\" is not allowed");
    const double bound = 2.0 * static_cast<double>(slots) * fingerprint_fpr(f_bits);
    return {cuckoo_fpr(f_bits, slots, load),
            {{"bits_per_key", bits / load}, {"upper_bound", bound}}};
  }
  detail::require(std::isnan(load) && !std::isnan(overhead), where,
                  "argument \"overhead\" is needed, and \"load\" is not allowed");
  const double rate = fingerprint_fpr(f_bits);
  return {rate, {{"bits_per_key", bits * overhead}, {"upper_bound", rate}}};
}

}  // namespace

Model peers() {
  ArgumentInfo load = closed_argument("load", "", "cuckoo: share of slots in use", 0.0, 1.0);
  load.min_excluded = true;
  load.optional = true;
  ArgumentInfo overhead =
      closed_argument("overhead", "", "others: slots per key, such as 1.23 for xor", 1.0, 100.0);
  overhead.optional = true;
  return {
      "peers",
      "rate of a rival filter with fingerprints of f bits: cuckoo 1 - (1 - 1/(2^f - 1))^(2 b "
      "load), others 2^-f",
      "probability",
      "cuckoo: Fan et al. 2014 (random buckets, fingerprint 0 reserved); xor: Graf, Lemire 2020; "
      "binary fuse: Graf, Lemire 2022; ribbon: Dillinger, Walzer 2021",
      {word_argument("filter", "the rival; b2, b4, b8: slots per bucket",
                     {"cuckoo_b2", "cuckoo_b4", "cuckoo_b8", "xor", "binary_fuse3", "binary_fuse4",
                      "ribbon_w128_approx"}),
       width_argument(), load, overhead},
      {"bits_per_key", "upper_bound"},
      of_arguments<evaluate_peers>};
}

Model cuckoo() {
  return {
      "cuckoo",
      "rate of a cuckoo filter, 1 - (1 - 2/(buckets (2^f - 1)))^n, and of the one pair of buckets "
      "in buckets that is one bucket 1 - (1 - 1/(buckets (2^f - 1)))^n; n at most slots buckets",
      "probability",
      "derived here for the filter of Fan, Andersen, Kaminsky, Mitzenmacher 2014, Cuckoo filter: a "
      "key is met where one of its fingerprint has its two buckets; exact for ideal hashing, "
      "fingerprint 0 reserved, no key inserted twice; load: n / (slots buckets)",
      {width_argument(), integer_argument("slots", "slots", "slots of a bucket", 1, 64),
       integer_argument("buckets", "buckets", "buckets of the filter", 1, 0x1p48), n_argument()},
      {"load"},
      of_arguments<evaluate_cuckoo>};
}

Model fingerprint() {
  return {"fingerprint",
          "rate of a filter that compares one fingerprint of f bits, 2^-f",
          "probability",
          "Graf, Lemire 2020, Xor filters; Graf, Lemire 2022, Binary fuse filters; Dillinger, "
          "Walzer 2021, Ribbon filter; exact for ideal hashing",
          {width_argument(), n_argument()},
          {},
          value_of<fingerprint_fpr_of_keys>};
}

}  // namespace bloomlab::theory::catalogue
