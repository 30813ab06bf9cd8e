#include "formats/inspection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "core/theory/cardinality.hpp"
#include "formats/evenness.hpp"

namespace bloomlab::formats {
namespace {

constexpr theory::BlockShape split_shape(std::uint64_t m) {
  return {.blocks = m / 256, .groups = 8, .choices = 1, .sector_bits = 32, .bits_per_group = 1};
}

std::uint64_t reachable_of(const StoredBits& bits) {
  return bits.reachable != 0 ? bits.reachable : bits.m;
}

/// @param word_at the word of an index, as those below
template <class WordAt>
std::uint64_t set_bits(std::size_t words, const WordAt& word_at) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < words; ++i) {
    set += static_cast<std::uint64_t>(std::popcount(std::uint64_t{word_at(i)}));
  }
  return set;
}

/// The mean over blocks of the product over their lanes of X/32.
template <class WordAt>
double split_block_rate(std::size_t words, const WordAt& word_at) {
  double sum = 0.0;
  double product = 1.0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = word_at(i);
    for (const std::uint64_t lane : {word & 0xffffffffU, word >> 32}) {
      product *= std::popcount(lane) / 32.0;
    }
    if (i % 4 != 3) continue;
    sum += product;
    product = 1.0;
  }
  return sum / (static_cast<double>(words) / 4.0);
}

double standard_rate(double set, double positions, std::uint64_t k) {
  return std::pow(set / positions, static_cast<double>(k));
}

double rate_of(const StoredBits& bits) {
  if (bits.layout == Layout::split_block) {
    return split_block_rate(bits.words.size(), [&](std::size_t i) { return bits.words[i]; });
  }
  return standard_rate(static_cast<double>(set_bits_of(bits)),
                       static_cast<double>(reachable_of(bits)), bits.k);
}

std::uint64_t capacity_of(const StoredBits& bits, double p) {
  if (bits.layout == Layout::split_block) return capacity_for<SplitBlock>({.m = bits.m}, p);
  return capacity_for<Standard>({.m = reachable_of(bits), .k = bits.k}, p);
}

std::optional<Fold> fold_of(const StoredBits& bits) {
  const std::size_t words = bits.words.size() / 2;
  const std::uint64_t m = bits.m / 2;
  if (bits.layout == Layout::split_block) {
    if (bits.m / 256 % 2 != 0) return std::nullopt;
    return Fold{m, split_block_rate(words, [&](std::size_t i) {
                  const std::size_t first = i / 4 * 8 + i % 4;
                  return bits.words[first] | bits.words[first + 4];
                })};
  }
  if (bits.m % 128 != 0 || reachable_of(bits) != bits.m) return std::nullopt;
  const std::uint64_t set =
      set_bits(words, [&](std::size_t i) { return bits.words[i] | bits.words[words + i]; });
  return Fold{m, standard_rate(static_cast<double>(set), static_cast<double>(m), bits.k)};
}

/// Whether keys that a file counts cannot be those that its bits tell of. A bit too many or too few
/// in a small filter is no fault: five standard deviations.
bool disagree(std::uint64_t recorded, const KeyEstimate& keys) {
  const double sd = (keys.high - keys.keys) / 1.959964;
  return std::abs(static_cast<double>(recorded) - keys.keys) > 5.0 * sd + 2.0;
}

/// @param keys that the layer's bits tell of
void add_layer_faults(const StoredBits& bits, const std::optional<KeyEstimate>& keys,
                      const std::string& where, Inspection& found) {
  if (const auto uneven = unevenness(bits)) found.faults.push_back(where + *uneven);
  if (!keys) {
    found.faults.push_back(where + (set_bits_of(bits) > reachable_of(bits)
                                        ? "bits are set that the hash cannot reach"
                                        : "every bit is set: it reports every key"));
  } else if (bits.recorded_keys && disagree(*bits.recorded_keys, *keys)) {
    found.faults.push_back(where + "the file counts " + std::to_string(*bits.recorded_keys) +
                           " keys, its bits tell of " + std::to_string(std::llround(keys->keys)) +
                           ": damage, or a hash that is not as ideal");
  }
}

/// Over all layers, for those that have bits.
void add_bits(const StoredFilter& filter, Inspection& found) {
  double kept = 1.0;
  double variance = 0.0;
  double positions = 0.0;
  KeyEstimate sum;
  bool known = true;
  for (std::size_t i = 0; i < filter.layers.size(); ++i) {
    const StoredBits& layer = filter.layers[i];
    const std::uint64_t set = set_bits_of(layer);
    found.bits_set += set;
    positions += static_cast<double>(reachable_of(layer));
    kept *= 1.0 - std::min(1.0, rate_of(layer));
    const auto keys = keys_of(layer, set);
    known = known && keys;
    if (keys) {
      sum.keys += keys->keys;
      variance += (keys->high - keys->keys) * (keys->high - keys->keys);
    }
    add_layer_faults(layer, keys,
                     filter.layers.size() > 1 ? "layer " + std::to_string(i + 1) + ": " : "",
                     found);
  }
  found.rate = filter.layers.size() == 1 ? rate_of(filter.layers[0]) : 1.0 - kept;
  found.fill = static_cast<double>(found.bits_set) / positions;
  found.saturated = !known;
  if (known) {
    found.keys = KeyEstimate{sum.keys, std::max(0.0, sum.keys - std::sqrt(variance)),
                             sum.keys + std::sqrt(variance)};
  }
}

void add_goal(const StoredFilter& filter, std::optional<double> p, Inspection& found) {
  const StoredBits& last = filter.layers.back();
  if (filter.layers.size() == 1) {
    found.goal = p ? p : last.stated_rate;
    if (found.goal) found.capacity = capacity_of(last, *found.goal);
  } else if (last.capacity) {
    // A filter that grows: keys until the next layer.
    std::uint64_t before = 0;
    for (const StoredBits& layer : filter.layers) before += *layer.recorded_keys;
    found.capacity = before - *last.recorded_keys + *last.capacity;
    found.goal = p;
  }
  // A layer that others follow takes keys by its own count; else the bits know better than a count
  // of calls.
  std::optional<std::uint64_t> held = found.recorded_keys;
  if (found.keys && filter.layers.size() == 1) {
    held = static_cast<std::uint64_t>(
        std::llround(held ? *distinct_held(*held, found.keys) : found.keys->keys));
  }
  if (found.capacity && held) found.keys_left = *found.capacity - std::min(*found.capacity, *held);
  if (found.saturated && found.capacity) found.keys_left = 0;
  if (found.goal && found.has_bits && found.rate > *found.goal) {
    found.faults.emplace_back("its rate is above what it shall keep");
  }
}

}  // namespace

std::uint64_t set_bits_of(const StoredBits& bits) {
  return set_bits(bits.words.size(), [&](std::size_t i) { return bits.words[i]; });
}

std::optional<KeyEstimate> keys_of(const StoredBits& bits, std::uint64_t set) {
  const std::uint64_t m = reachable_of(bits);
  if (set > m) return std::nullopt;
  if (bits.layout == Layout::split_block) {
    const auto keys = theory::estimated_keys(split_shape(m), set);
    if (!keys) return std::nullopt;
    return detail::with_interval(*keys, theory::sd_estimated_keys(split_shape(m), *keys));
  }
  const auto keys = theory::estimated_keys(m, bits.k, set);
  if (!keys) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(std::llround(*keys));
  return detail::with_interval(*keys, theory::sd_estimated_keys(m, bits.k, whole));
}

Inspection inspect(const StoredFilter& filter, std::optional<double> p) {
  const StoredBits& first = filter.layers.front();
  Inspection found{.format = filter.format,
                   .version = filter.version,
                   .place = filter.place,
                   .hash = filter.hash,
                   .layout = first.layout == Layout::standard ? "standard" : "split_block",
                   .layers = filter.layers.size(),
                   .k = first.k};
  std::uint64_t recorded = 0;
  for (const StoredBits& layer : filter.layers) {
    found.m += layer.m;
    found.has_bits = found.has_bits && !layer.words.empty();
    recorded += layer.recorded_keys.value_or(0);
  }
  if (first.recorded_keys) found.recorded_keys = recorded;
  found.stated_rate = first.stated_rate;
  if (!filter.fault.empty()) found.faults.push_back(filter.fault);
  if (found.has_bits) add_bits(filter, found);
  add_goal(filter, p, found);
  // Of raw bits the hash is not known, nor so whether it folds.
  if (filter.layers.size() == 1 && filter.format != "raw") {
    if (found.has_bits && !found.saturated) found.fold = fold_of(first);
    if (filter.format != "redisbloom") {
      found.folds = true;
      found.same_kind = filter.format + (filter.version.empty() ? "" : " " + filter.version) +
                        ", m = " + std::to_string(found.m) + ", k = " + std::to_string(found.k) +
                        ", " + filter.hash;
    }
  }
  if (found.has_bits && found.bits_set == 0 && filter.layers.back().capacity == std::nullopt &&
      filter.values.value_or(0) > 0) {
    found.faults.push_back("no bit is set, and the column has " + std::to_string(*filter.values) +
                           " values: every lookup would be a false negative");
  }
  return found;
}

}  // namespace bloomlab::formats
