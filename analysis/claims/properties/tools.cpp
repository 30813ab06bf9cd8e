// Properties of the planner, of the way quantities are read, and of what is no Bloom filter.

#include <array>
#include <span>
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

Observed md5_collides() {
  // Wang, Feng, Lai, Yu 2004, "Collisions for hash functions MD4, MD5, HAVAL-128 and RIPEMD": the
  // second text differs from the first in the highest bit of six bytes.
  constexpr std::array<std::uint64_t, 16> words = {
      0xd131dd02c5e6eec4, 0x693d9a0698aff95c, 0x2fcab58712467eab, 0x4004583eb8fb7f89,
      0x55ad340609f4b302, 0x83e488832571415a, 0x085125e8f7cdc99f, 0xd91dbdf280373c5b,
      0xd8823e3156348f5b, 0xae6dacd436c919c6, 0xdd53e2b487da03fd, 0x02396306d248cda0,
      0xe99f33420f577ee8, 0xce54b67080a80d1e, 0xc69821bcb6a88393, 0x96f9652b6ff72a70};
  constexpr std::array<std::size_t, 6> differing = {19, 45, 59, 83, 109, 123};
  std::array<std::byte, 128> text{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = static_cast<std::byte>(words[i / 8] >> (56 - 8 * (i % 8)));
  }
  std::array<std::byte, 128> other = text;
  for (const std::size_t at : differing) other[at] ^= std::byte{0x80};
  const bool equal = Md5::digest(text, 0) == Md5::digest(other, 0);
  const bool tells_others = Md5::digest(text, 0) != Md5::digest(std::span(text).first(127), 0);
  return {equal && text != other && tells_others,
          "two texts of 128 bytes, different in 6, with one MD5"};
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
