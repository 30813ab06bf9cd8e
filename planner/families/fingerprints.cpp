// Filters of fingerprints.

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/filters/binary_fuse.hpp"
#include "core/filters/cuckoo.hpp"
#include "core/filters/digest_set.hpp"
#include "core/filters/fingerprint_table.hpp"
#include "core/filters/ribbon.hpp"
#include "core/filters/xor_filter.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::uint64_t narrowest = 2;
constexpr Traits built_once = {.takes_keys_later = false};

/// Buckets of `slots` slots and the share of slots that can be filled.
/// Source: Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo filter".
struct Buckets {
  std::uint64_t slots = 0;
  double load = 0.0;
};
constexpr Buckets bucket_sizes[] = {{2, 0.84}, {4, 0.95}, {8, 0.98}};

/// The smallest power of two of buckets that n keys fit into; 0 beyond the largest table.
std::uint64_t buckets_for(std::uint64_t n, const Buckets& size) {
  const double least = static_cast<double>(n) / (static_cast<double>(size.slots) * size.load);
  if (least > static_cast<double>(Cuckoo::max_buckets)) return 0;
  return std::bit_ceil(static_cast<std::uint64_t>(std::max(std::ceil(least), 1.0)));
}

/// Reads of separate places, all of them whatever the answer.
template <class Parameters>
auto separate_lines(double places) {
  return [places](const Parameters& /*p*/) { return LinesRead{places, places}; };
}

/// A table of digests, at most half full: the place of a key and, now and then, the next line.
template <class Filter>
Family table_family(const Goal& goal, std::string note) {
  const auto make = [n = goal.n](std::uint64_t /*units*/) {
    return typename Filter::Parameters{.capacity = n};
  };
  Family family{.filter = std::string(Filter::name),
                .traits = {.grows = true, .whole_hashes = true},
                .note = std::move(note)};
  if (Filter::check(make(1))) {
    family.unavailable = "takes fewer keys";
    return family;
  }
  constexpr double lines = 1.1;
  family.shapes = {
      shape_of<Filter>(goal.n, 1, 1, make, separate_lines<typename Filter::Parameters>(lines))};
  return family;
}

}  // namespace

Family cuckoo_family(const Goal& goal) {
  Family family{.filter = std::string(Cuckoo::name),
                .false_negatives = "once it is full it refuses keys",
                .note = "a power of two of buckets"};
  for (const Buckets& size : bucket_sizes) {
    const std::uint64_t buckets = buckets_for(goal.n, size);
    if (buckets == 0) continue;
    const auto make = [slots = size.slots, buckets](std::uint64_t width) {
      return Cuckoo::Parameters{
          .fingerprint_bits = width, .bucket_size = slots, .buckets = buckets};
    };
    const auto lines = [](const Cuckoo::Parameters& p) {
      const std::uint64_t bucket = p.bucket_size * p.fingerprint_bits;
      const double one = run_lines(bucket, bucket);
      constexpr double buckets_read = 1.5;  // a present key is found in the first one half the time
      return LinesRead{2.0 * one, buckets_read * one};
    };
    family.shapes.push_back(
        shape_of<Cuckoo>(goal.n, narrowest, Cuckoo::max_fingerprint_bits, make, lines));
  }
  if (family.shapes.empty()) family.unavailable = "takes fewer keys";
  return family;
}

Family xor_family(const Goal& goal) {
  const auto make = [](std::uint64_t width) {
    return XorFilter::Parameters{.fingerprint_bits = width};
  };
  return {.filter = std::string(XorFilter::name),
          .traits = built_once,
          .shapes = {shape_of<XorFilter>(goal.n, narrowest, XorFilter::max_fingerprint_bits, make,
                                         separate_lines<XorFilter::Parameters>(3.0))}};
}

Family binary_fuse_family(const Goal& goal) {
  Family family{.filter = std::string(BinaryFuse::name), .traits = built_once};
  for (const std::uint64_t arity : {4U, 3U}) {
    const auto make = [arity](std::uint64_t width) {
      return BinaryFuse::Parameters{.arity = arity, .fingerprint_bits = width};
    };
    family.shapes.push_back(
        shape_of<BinaryFuse>(goal.n, narrowest, BinaryFuse::max_fingerprint_bits, make,
                             separate_lines<BinaryFuse::Parameters>(static_cast<double>(arity))));
  }
  return family;
}

Family ribbon_family(const Goal& goal) {
  constexpr std::uint64_t width = 128;
  constexpr double spare = 0.1;
  constexpr std::uint64_t word = 64;
  const auto make = [](std::uint64_t result) {
    return Ribbon::Parameters{.width = width, .result_bits = result, .overhead = spare};
  };
  const auto lines = [](const Ribbon::Parameters& p) {
    // A row reaches over three blocks of 64 slots, each result_bits words.
    const double one = run_lines(3 * word * p.result_bits, word * p.result_bits);
    return LinesRead{one, one};
  };
  return {.filter = std::string(Ribbon::name),
          .traits = built_once,
          .shapes = {shape_of<Ribbon>(goal.n, narrowest, Ribbon::max_result_bits, make, lines)}};
}

Family fingerprint_table_family(const Goal& goal) {
  return table_family<FingerprintTable>(goal, "8 bytes of a hash for each key");
}

Family digest_set_family(const Goal& goal) {
  return table_family<DigestSet>(goal, "16 bytes of a hash for each key");
}

}  // namespace bloomlab::planner
