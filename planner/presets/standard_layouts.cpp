// Systems whose filter is a standard one: RedisBloom, Guava, Cassandra, Boost.Bloom's default.

#include <algorithm>

#include "planner/presets/shared.hpp"

namespace bloomlab::planner {
namespace {

using detail::ideal_bits_per_key;
using detail::preset_bits;
using detail::preset_probes;
using detail::standard_preset;

/// Rate of whole bits per key, as Cassandra's table holds it (there rounded to three digits).
double rate_of_buckets(std::uint64_t buckets, std::uint64_t k) {
  return theory::approx_fpr(buckets, 1, k);
}

std::uint64_t best_probes_of_buckets(std::uint64_t buckets) {
  std::uint64_t best = 1;
  for (std::uint64_t k = 2; k <= buckets; ++k) {
    if (rate_of_buckets(buckets, k) < rate_of_buckets(buckets, best)) best = k;
  }
  return best;
}

}  // namespace

PresetFilter size_redis(const PresetRequest& request) {
  constexpr double first_layer_share = 0.5;
  const double bits_per_key = ideal_bits_per_key(*request.p * first_layer_share);
  const std::uint64_t m = std::max<std::uint64_t>(
      preset_bits(std::floor(static_cast<double>(request.n) * bits_per_key)), 1);
  const std::uint64_t k = preset_probes(std::ceil(std::numbers::ln2 * bits_per_key));
  PresetFilter filter = standard_preset(request, whole_words(m), k, *request.p * first_layer_share);
  filter.remark =
      "beyond n a further layer opens, twice as large and at half the rate: all layers together "
      "stay near p; with NONSCALING the first layer has the rate p itself";
  return filter;
}

PresetFilter size_guava(const PresetRequest& request) {
  const auto keys = static_cast<double>(request.n);
  const std::uint64_t m =
      std::max<std::uint64_t>(preset_bits(std::floor(keys * ideal_bits_per_key(*request.p))), 1);
  const double k = std::round(static_cast<double>(m) / keys * std::numbers::ln2);
  PresetFilter filter = standard_preset(request, whole_words(m), preset_probes(k), *request.p);
  filter.remark = "k is rounded after m was chosen for a real k: the rate can be above p";
  return filter;
}

PresetFilter size_cassandra(const PresetRequest& request) {
  constexpr std::uint64_t fewest = 2;
  constexpr std::uint64_t most = 20;
  constexpr std::uint64_t excess = 20;
  std::uint64_t buckets = fewest;
  std::uint64_t k = 1;
  if (*request.p < rate_of_buckets(fewest, 1)) {
    k = best_probes_of_buckets(buckets);
    while (buckets <= most && rate_of_buckets(buckets, k) > *request.p) {
      k = best_probes_of_buckets(++buckets);
    }
    if (buckets > most) {
      throw record::InputError(
          "--preset cassandra: p is below 6.71e-05, the lowest bloom_filter_fp_chance that its "
          "table reaches; give a higher rate");
    }
    while (k > 1 && rate_of_buckets(buckets, k - 1) <= *request.p) --k;
  }
  const double bits = static_cast<double>(request.n) * static_cast<double>(buckets);
  const std::uint64_t m = whole_words(preset_bits(bits) + excess);
  PresetFilter filter = standard_preset(request, m, k, rate_of_buckets(buckets, k));
  filter.remark = "whole bits per key: " + std::to_string(buckets) + "; no rate below 6.71e-05";
  return filter;
}

PresetFilter size_boost(const PresetRequest& request) {
  constexpr std::uint64_t byte = 8;
  const std::uint64_t k =
      request.k ? *request.k : preset_probes(std::round(-std::log2(*request.p)));
  const auto probes = static_cast<double>(k);
  const double load = -std::log(-std::expm1(std::log(*request.p) / probes));
  const std::uint64_t least =
      preset_bits(std::ceil(probes * static_cast<double>(request.n) / load));
  const std::uint64_t m = (least + byte - 1) / byte * byte;
  PresetFilter filter = standard_preset(request, m, k, theory::approx_fpr(m, request.n, k));
  filter.remark = "K is part of the type filter<T, K>: the owner chooses it";
  return filter;
}

}  // namespace bloomlab::planner
