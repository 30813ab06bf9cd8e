#include "experiments/kinds/counting_overflow.hpp"

#include <algorithm>

#include "experiments/kinds/uniform_digests.hpp"

namespace bloomlab::experiments {
namespace {

using OverflowPoint = CountingOverflow::Point::Parameters;

/// Sums over the filters of a trial; extremes of the first overflow, 0 for none.
struct OverflowSums {
  std::uint64_t overflowed = 0;
  std::uint64_t overflows = 0;
  std::uint64_t full = 0;
  std::uint64_t others_denied = 0;
  std::uint64_t repeated_denied = 0;
  std::uint64_t deleted = 0;
  std::uint64_t others_lost = 0;
  std::uint64_t repeated_left = 0;
  std::vector<std::uint64_t> first_overflows;
};

std::uint64_t full_counters(const Counting& filter) {
  const PackedArray& counters = filter.counters();
  const std::uint64_t largest_load = (std::uint64_t{1} << counters.width()) - 1;
  std::uint64_t full = 0;
  for (std::uint64_t i = 0; i < counters.size(); ++i)
    full += counters.get(i) == largest_load ? 1 : 0;
  return full;
}

/// Inserts the first key again and again; the number of the copy that overflowed first, or 0.
std::uint64_t insert_copies(Counting& filter, UniformDigests& keys, std::uint64_t key,
                            std::uint64_t copies) {
  std::uint64_t first_overflow = 0;
  keys.range(key, 1, [&](const DigestBatch& digests) {
    for (std::uint64_t copy = 1; copy <= copies; ++copy) {
      filter.insert(digests);
      if (first_overflow == 0 && filter.overflows() > 0) first_overflow = copy;
    }
  });
  return first_overflow;
}

/// One filter: its keys have the numbers from `first` on, and the first one is repeated.
void measure_filter(const OverflowPoint& at, UniformDigests& keys, std::uint64_t first,
                    OverflowSums& sums) {
  Counting filter({at.m, at.k, at.counter_bits, at.overflow}, ideal_probe());
  const std::uint64_t others = at.keys() - 1;
  sums.first_overflows.push_back(insert_copies(filter, keys, first, at.copies));
  keys.range(first + 1, others, [&](const DigestBatch& digests) { filter.insert(digests); });
  sums.overflowed += filter.overflows() > 0 ? 1 : 0;
  sums.overflows += filter.overflows();
  sums.full += full_counters(filter);
  sums.others_denied += others - keys.count_contained(filter, first + 1, others);
  sums.repeated_denied += 1 - keys.count_contained(filter, first, 1);
  keys.range(first, 1, [&](const DigestBatch& digests) {
    for (std::uint64_t copy = 0; copy < at.copies; ++copy) sums.deleted += filter.remove(digests);
  });
  sums.others_lost += others - keys.count_contained(filter, first + 1, others);
  sums.repeated_left += keys.count_contained(filter, first, 1);
}

record::Json json_of(std::uint64_t filters, const OverflowPoint& at, const OverflowSums& sums) {
  record::Json json = {{"filters", filters},
                       {"overflowed", sums.overflowed},
                       {"overflows", sums.overflows},
                       {"full", sums.full},
                       {"others", filters * (at.keys() - 1)},
                       {"others_denied", sums.others_denied},
                       {"repeated_denied", sums.repeated_denied},
                       {"deleted", sums.deleted},
                       {"others_lost", sums.others_lost},
                       {"repeated_left", sums.repeated_left}};
  if (at.copies == 1) return json;
  const auto [earliest, latest] =
      std::minmax_element(sums.first_overflows.begin(), sums.first_overflows.end());
  json["earliest_overflow"] = *earliest;
  json["latest_overflow"] = *latest;
  return json;
}

}  // namespace

std::optional<std::string> CountingOverflow::check(const Parameters& /*p*/,
                                                   const Point::Parameters& at) {
  if (at.keys() == 0) {
    return "counters_per_key = " + std::to_string(at.counters_per_key) +
           " leaves no key in m = " + std::to_string(at.m) + " counters; fewer counters per key";
  }
  return Counting::check({at.m, at.k, at.counter_bits, at.overflow}, ideal_probe());
}

std::uint64_t CountingOverflow::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 20;
  return at.m * at.counter_bits / 8 + buffers;
}

double CountingOverflow::seconds(const Parameters& p, const Point::Parameters& at) {
  // Some 6 ns per probe of a key that is inserted, asked or deleted, and 3 ns per counter looked
  // over.
  const double keys = static_cast<double>(3 * at.keys() + 2 * at.copies);
  const double one = 6e-9 * keys * static_cast<double>(at.k) + 3e-9 * static_cast<double>(at.m);
  return one * static_cast<double>(p.filters);
}

std::vector<Measurement> CountingOverflow::measure(const Parameters& p, const Point::Parameters& at,
                                                   std::uint64_t seed) {
  UniformDigests keys(seed, at.k);
  OverflowSums sums;
  for (std::uint64_t i = 0; i < p.filters; ++i) measure_filter(at, keys, i * at.keys(), sums);
  return {{std::nullopt, json_of(p.filters, at, sums), record::Json::object()}};
}

}  // namespace bloomlab::experiments
