// RedisBloom's dump: little-endian and packed. A header of 20 bytes (keys, layers, options, growth)
// and 53 bytes a layer (bytes, bits, keys, rate, bits per key, probes, capacity, log2 of the bits).

#include <bit>
#include <cmath>

#include "formats/big_endian.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {
namespace {

constexpr std::uint64_t layer_bytes = 53;
constexpr std::uint64_t not_rounded = 1;   // else to a power of two
constexpr std::uint64_t size_is_log2 = 2;  // of the bits, instead of keys
constexpr std::uint64_t force_64 = 4;      // else Murmur2 of 32 bits
constexpr std::uint64_t known_options = 15;

struct DumpedLayer {
  StoredBits bits;
  std::uint64_t bytes = 0;
};

/// What RedisBloom works out of a layer's rate and of its keys, and stores beside them.
void check_derived(const StoredBits& bits, double per_key, std::uint64_t log2_bits,
                   std::uint64_t options) {
  constexpr double word_bits = 64.0;
  const double by_rate = -std::log(*bits.stated_rate) / (std::log(2.0) * std::log(2.0));
  if (!(std::abs(per_key - by_rate) <= 1e-6 * by_rate)) {
    refuse_bytes("layer", "its bits per key do not follow from its rate; one was altered");
  }
  // What decides how many probes there are.
  if (std::ceil(std::log(2.0) * per_key) != static_cast<double>(bits.k)) {
    refuse_bytes("layer", "k = " + std::to_string(bits.k) + " does not follow from its bits per " +
                              "key; it was altered");
  }
  // Bits are rounded to words, or keys down to whole ones.
  const double needed = static_cast<double>(*bits.capacity) * per_key;
  if (!(std::abs(static_cast<double>(bits.m) - needed) <= word_bits + per_key + 1e-9 * needed)) {
    refuse_bytes("layer", std::to_string(bits.m) + " bits are not those of " +
                              std::to_string(*bits.capacity) + " keys at its rate; it was altered");
  }
  if (*bits.recorded_keys > *bits.capacity) {
    refuse_bytes("layer", "it counts " + std::to_string(*bits.recorded_keys) + " keys, and takes " +
                              std::to_string(*bits.capacity));
  }
  if (((options & not_rounded) != 0 && (options & size_is_log2) == 0) != (log2_bits == 0)) {
    refuse_bytes("layer", "log2 of its bits is " + std::to_string(log2_bits) +
                              ", which its options do not give");
  }
}

DumpedLayer read_layer(ByteReader& in, std::uint64_t options) {
  DumpedLayer layer;
  StoredBits& bits = layer.bits;
  layer.bytes = in.number(8, "bytes of a layer");
  bits.m = in.number(8, "bits of a layer");
  bits.recorded_keys = in.number(8, "keys of a layer");
  bits.stated_rate = std::bit_cast<double>(in.number(8, "rate of a layer"));
  const auto per_key = std::bit_cast<double>(in.number(8, "bits per key"));
  bits.k = checked_probes(in.number(4, "k"));
  bits.capacity = in.number(8, "capacity of a layer");
  const std::uint64_t log2_bits = in.number(1, "log2 of the bits");
  if (bits.m == 0 || bits.m % 8 != 0 || bits.m / 8 != layer.bytes) {
    refuse_bytes("layer", "found " + std::to_string(bits.m) + " bits in " +
                              std::to_string(layer.bytes) + " bytes");
  }
  if (log2_bits > 63 || (log2_bits != 0 && bits.m >> log2_bits != 1)) {
    refuse_bytes("layer", "found 2^" + std::to_string(log2_bits) + " for " +
                              std::to_string(bits.m) + " bits");
  }
  if (!(*bits.stated_rate > 0.0 && *bits.stated_rate < 1.0)) {
    refuse_bytes("layer", "its rate is not between 0 and 1");
  }
  check_derived(bits, per_key, log2_bits, options);
  return layer;
}

}  // namespace

StoredFilter read_redisbloom(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const std::uint64_t keys = in.number(8, "number of keys");
  const std::uint64_t layers = in.number(4, "number of layers");
  const std::uint64_t options = in.number(4, "options");
  const std::uint64_t growth = in.number(4, "growth");
  if (layers == 0 || layers > in.left() / layer_bytes) {
    refuse_bytes("number of layers", "found " + std::to_string(layers) + ", " +
                                         std::to_string(in.left()) + " bytes follow");
  }
  if (options > known_options) {
    refuse_bytes("options", "found " + std::to_string(options) + "; at most 15");
  }
  StoredFilter filter{.format = "redisbloom",
                      .version = "growth " + std::to_string(growth),
                      .hash = (options & force_64) != 0 ? "murmur2_64a" : "murmur2_32"};
  std::vector<std::uint64_t> sizes;
  std::uint64_t counted = 0;
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < layers; ++i) {
    DumpedLayer layer = read_layer(in, options);
    counted += *layer.bits.recorded_keys;
    if (*layer.bits.recorded_keys > keys || expected + layer.bytes < expected) {
      refuse_bytes("layer", "it is larger than the filter");
    }
    expected += layer.bytes;
    sizes.push_back(layer.bytes);
    filter.layers.push_back(std::move(layer.bits));
  }
  if (counted != keys) {
    refuse_bytes("number of keys",
                 "found " + std::to_string(keys) + ", its layers have " + std::to_string(counted));
  }
  if (in.left() == 0) return filter;
  if (in.left() != expected) {
    refuse_bytes("bits", std::to_string(expected) + " bytes are expected, " +
                             std::to_string(in.left()) + " are there; give the chunks in their " +
                             "order, or the first one alone");
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    filter.layers[i].words = {in.take(sizes[i], "bits"), std::endian::little};
  }
  return filter;
}

}  // namespace bloomlab::formats
