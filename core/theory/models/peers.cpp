// Model of the filters that compete with Bloom's.

#include "core/theory/peers.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

/// Slots per bucket of the cuckoo filters among the words; 0 for the others.
std::uint64_t cuckoo_slots(const std::string& filter) {
  return filter == "cuckoo_b2" ? 2 : filter == "cuckoo_b4" ? 4 : filter == "cuckoo_b8" ? 8 : 0;
}

Evaluation evaluate_peers(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::string& filter = arguments.word(0);
  const std::uint64_t f_bits = arguments.integer(1);
  const double load = arguments.real(2);
  const double overhead = arguments.real(3);
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
       integer_argument("f_bits", "bits", "size of a fingerprint", 2, 64), load, overhead},
      {"bits_per_key", "upper_bound"},
      evaluate_peers};
}

}  // namespace bloomlab::theory::catalogue
