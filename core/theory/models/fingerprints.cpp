// Models of the filters that keep fingerprints, by the keys they hold (`peers` asks for the load).

#include <algorithm>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/peers.hpp"

namespace bloomlab::theory::catalogue {
namespace {

ArgumentInfo width_argument() {
  return integer_argument("f_bits", "bits", "size of a fingerprint", 2, 64);
}

Evaluation evaluate_cuckoo(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t slots = arguments.integer(1);
  const double places = static_cast<double>(slots) * static_cast<double>(arguments.integer(2));
  const double load = std::min(1.0, static_cast<double>(arguments.integer(3)) / places);
  const double rate = load > 0.0 ? cuckoo_fpr(arguments.integer(0), slots, load) : 0.0;
  return {rate, {{"load", load}}};
}

Evaluation evaluate_fingerprint(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const bool empty = arguments.integer(1) == 0;
  return {empty ? 0.0 : fingerprint_fpr(arguments.integer(0)), {}};
}

}  // namespace

Model cuckoo() {
  return {
      "cuckoo",
      "rate of a cuckoo filter, 1 - (1 - 1/(2^f - 1))^(2 slots load) with load = n / (slots "
      "buckets), at most 1",
      "probability",
      "Fan, Andersen, Kaminsky, Mitzenmacher 2014, Cuckoo filter; random buckets, equally full, "
      "fingerprint 0 reserved; at half load buckets differ and the rate is up to a few percent "
      "lower",
      {width_argument(), integer_argument("slots", "slots", "slots of a bucket", 1, 64),
       integer_argument("buckets", "buckets", "buckets of the filter", 1, 0x1p48), n_argument()},
      {"load"},
      evaluate_cuckoo};
}

Model fingerprint() {
  return {"fingerprint",
          "rate of a filter that compares one fingerprint of f bits, 2^-f",
          "probability",
          "Graf, Lemire 2020, Xor filters; Graf, Lemire 2022, Binary fuse filters; Dillinger, "
          "Walzer 2021, Ribbon filter; exact for ideal hashing",
          {width_argument(), n_argument()},
          {},
          evaluate_fingerprint};
}

}  // namespace bloomlab::theory::catalogue
