// Model of the counters of a counting filter.

#include "core/theory/catalogue.hpp"
#include "core/theory/counting.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_counting_overflow(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t hashes = arguments.integer(1);
  const std::uint64_t j = arguments.integer(2);
  return {counter_reaches(m, hashes, j),
          {{"union_bound", counter_reaches_union_bound(m, hashes, j)},
           {"fan_bound", counter_reaches_fan_bound(m, hashes, j)}}};
}

}  // namespace

Model counting_overflow() {
  return {"counting_overflow",
          "probability that some counter reaches j, 1 - N!/m^N [x^N] (sum_{i<j} x^i/i!)^m",
          "probability",
          "the multinomial maximum, exact for ideal hashing; fan_bound: Fan, Cao, Almeida, Broder "
          "2000, Summary cache",
          {integer_argument("m", "counters", "counters of the filter", 1),
           integer_argument("N_hashes", "hashes", "counter increments, k times the keys", 0),
           integer_argument("j", "", "count to reach; a counter of w bits overflows at 2^w", 1,
                            static_cast<double>(most_count))},
          {"union_bound", "fan_bound"},
          evaluate_counting_overflow};
}

}  // namespace bloomlab::theory::catalogue
