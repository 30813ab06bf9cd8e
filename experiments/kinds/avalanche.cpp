#include "experiments/kinds/avalanche.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/catalogue.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "experiments/sources/key_buffer.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using ChangeCounts = std::array<std::uint64_t, Avalanche::bits>;

std::string_view name_of(const Avalanche::Point::Parameters& at) {
  return Avalanche::hash_names()[static_cast<std::size_t>(at.hash)];
}

/// How often each bit changes between values of the same place.
ChangeCounts changes_between(std::span<const std::uint64_t> before,
                             std::span<const std::uint64_t> after) {
  ChangeCounts counts{};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::uint64_t changed = before[i] ^ after[i];
    for (std::size_t bit = 0; bit < counts.size(); ++bit) counts[bit] += changed >> bit & 1;
  }
  return counts;
}

}  // namespace

std::span<const std::string_view> Avalanche::hash_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = record::hash_names();
    std::erase_if(all,
                  [](std::string_view name) { return record::make_hasher(name).passes_through(); });
    return all;
  }();
  return names;
}

std::uint64_t Avalanche::memory_bytes(const Point::Parameters& /*at*/) {
  constexpr std::uint64_t buffers = std::uint64_t{64} << 20;  // of the most keys, with room
  return buffers;
}

double Avalanche::seconds(const Parameters& p, const Point::Parameters& at) {
  const bool slow = name_of(at).starts_with("md5") || name_of(at).starts_with("sha");
  const double each = (slow ? 200e-9 : 10e-9) + 60e-9;  // a hash, and the counts of 64 bits
  return 1e-4 + each * static_cast<double>(bits * p.keys);
}

std::vector<Measurement> Avalanche::measure(const Parameters& p, const Point::Parameters& at,
                                            std::uint64_t seed) {
  const Hasher hasher = record::make_hasher(name_of(at));
  std::vector<std::uint64_t> keys(p.keys);
  KeyedPermutation(seed).apply_range(0, keys);
  DigestBuffer buffer;
  const auto values_of = [&](std::span<const std::uint64_t> of) {
    const DigestBatch digests =
        hasher.digest(KeyBatch::integers(of, 8), hash_seed(seed), {.words = 1}, buffer);
    return std::vector<std::uint64_t>(digests.word(0).begin(), digests.word(0).end());
  };
  const std::vector<std::uint64_t> before = values_of(keys);
  std::vector<Measurement> measurements;
  for (std::uint64_t bit = 0; bit < bits; ++bit) {
    const auto change = [&] {
      for (std::uint64_t& key : keys) key ^= std::uint64_t{1} << bit;
    };
    change();
    const ChangeCounts counts = changes_between(before, values_of(keys));
    change();
    const auto [least, most] = std::ranges::minmax(counts);
    measurements.push_back(
        {bit + 1,
         {{"keys", p.keys},
          {"least", least},
          {"most", most},
          {"flips", std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})}},
         {}});
  }
  return measurements;
}

}  // namespace bloomlab::experiments
