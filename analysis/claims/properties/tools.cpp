// Properties of the planner, of the way quantities are read, and of what is no Bloom filter.

#include <vector>

#include "analysis/claims/properties.hpp"
#include "analysis/claims/properties/subject.hpp"
#include "analysis/format/number.hpp"
#include "analysis/planner/plan.hpp"
#include "analysis/planner/units.hpp"

namespace bloomlab::analysis::claims {

Observed planner_needs_n_and_p() {
  planner::Request request;
  request.n = 4000;
  request.p = 1e-7;
  const planner::Plan plan = planner::plan(request);
  return {plan.rate <= 1e-7 && plan.m > 0 && plan.k > 0, "m = " + std::to_string(plan.m) +
                                                             ", k = " + std::to_string(plan.k) +
                                                             ", rate " + significant(plan.rate, 6)};
}

Observed units_are_understood() {
  using namespace planner;
  const bool holds =
      parse_count("n", "10M", "keys") == 10'000'000 && parse_count("n", "1.5k", "keys") == 1500 &&
      parse_probability("p", "1 in 1000000") == 1e-6 && parse_memory("m", "1KB") == 8000 &&
      parse_memory("m", "1KiB") == 8192 && parse_memory("m", "1MB") == 8'000'000 &&
      parse_memory("m", "1Mb") == 1'000'000 && parse_memory("m", "1GiB") == std::uint64_t{8} << 30;
  return {holds, "10M, 1.5k, 1 in 1000000, KB, KiB, MB, Mb, GiB"};
}

Observed md5_has_128_bits() {
  return {Md5::digest_bits == 128 && sizeof(Md5::Digest) == 16,
          std::to_string(Md5::digest_bits) + " bits, " + std::to_string(Md5::digest_bits / 4) +
              " hexadecimal digits"};
}

Observed bitmap_is_exact() {
  constexpr std::uint64_t range = 10000;
  DirectBitmap bitmap({range});
  std::vector<std::uint64_t> members;
  std::vector<std::uint64_t> strangers;
  for (std::uint64_t key = 0; key < range; ++key)
    (key % 3 == 0 ? members : strangers).push_back(key);
  bitmap.insert(KeyBatch::integers(members, 8));
  const std::uint64_t found = bitmap.count_contained(KeyBatch::integers(members, 8));
  const std::uint64_t wrong = bitmap.count_contained(KeyBatch::integers(strangers, 8));
  return {found == members.size() && wrong == 0 && bitmap.state().bits == range,
          share_text(wrong, strangers.size(), "strangers reported")};
}

}  // namespace bloomlab::analysis::claims
