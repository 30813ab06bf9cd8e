// Systems whose filter grows by layers: RedisBloom, valkey-bloom, and Hudi's dynamic filter; and
// HBase's chunks of equal size, each for the keys of a range, the last one folded in half while it
// is less than half full.

#include <utility>

#include "core/theory/dynamic.hpp"
#include "core/theory/loads.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

using theory::Layer;

/// A layer as sized: bits by the formula, bits after rounding, probes.
struct Sized {
  std::uint64_t unrounded;
  std::uint64_t m;
  std::uint64_t k;
};

/// -log p / ln^2 2, by the constant of RedisBloom.
double redis_bits_per_key(double p) { return -(std::log(p) / 0.480453013918201); }

Sized redis_layer(const SystemRequest& request, std::uint64_t keys, double p) {
  const double bits_per_key = redis_bits_per_key(p);
  const std::uint64_t bits = std::max<std::uint64_t>(
      detail::whole_bits(request, static_cast<double>(keys) * bits_per_key), 1);
  return {bits, whole_words(bits),
          detail::whole_probes(request, std::ceil(0.693147180559945 * bits_per_key))};
}

Sized valkey_layer(const SystemRequest& request, std::uint64_t keys, double p) {
  const double real = static_cast<double>(keys) * std::log(p) / -(detail::ln2 * detail::ln2);
  const std::uint64_t bytes = std::max<std::uint64_t>(
      detail::whole_bits(request, std::ceil(static_cast<double>(keys) * std::log(p) /
                                            (-8.0 * detail::ln2 * detail::ln2)) *
                                      8.0) /
          8,
      1);
  const double k =
      detail::java_round(static_cast<double>(8 * bytes) / static_cast<double>(keys) * detail::ln2);
  return {std::max<std::uint64_t>(static_cast<std::uint64_t>(real), 1), 8 * bytes,
          detail::whole_probes(request, k)};
}

/// What both have in common.
struct Growth {
  Sized (*layer)(const SystemRequest&, std::uint64_t keys, double p);
  double first = 1.0;  ///< rate of the first layer over p
  double tightening = 0.5;
  theory::StrideArithmetic strides = {};
};

/// 1 - prod(1 - rate of the layer), each by its own positions.
std::function<double(double error)> compound(const std::vector<Layer>& layers,
                                             const theory::StrideArithmetic& strides) {
  std::vector<theory::StridedRate> rates;
  for (const Layer& layer : layers) rates.emplace_back(strides, layer.m, layer.n, layer.k);
  return [rates = std::move(rates)](double error) {
    double passed = 0.0;
    for (const theory::StridedRate& rate : rates) passed += std::log1p(-rate(error));
    return -std::expm1(passed);
  };
}

std::uint64_t times(const SystemRequest& request, std::uint64_t a, std::uint64_t b) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  return detail::whole_bits(request, product);
}

SystemFilter size_layers(const SystemRequest& request, const Growth& growth) {
  constexpr std::size_t most_layers = 1024;
  const std::uint64_t expansion = request.count("expansion");
  std::uint64_t capacity =
      request.word("capacity").empty() ? request.n() : request.count("capacity");
  double p = request.p() * growth.first;
  std::uint64_t left = request.n();
  SystemFilter filter;
  std::vector<Layer> unrounded;
  while (left > 0) {
    if (filter.layers.size() == most_layers) {
      throw detail::no_answer(request, "more than 1024 layers; give a larger capacity");
    }
    const Sized sized = growth.layer(request, capacity, p);
    const std::uint64_t keys = std::min(left, capacity);
    filter.layers.push_back({sized.m, sized.k, keys});
    unrounded.push_back({sized.unrounded, sized.k, keys});
    filter.m += sized.m;
    left -= keys;
    capacity = times(request, capacity, expansion);
    p *= growth.tightening;
  }
  filter.k = filter.layers.front().k;
  filter.layout = filter.layers.size() == 1 ? "standard" : "scalable";
  // The errors of several layers level each other out.
  const double error = filter.layers.size() == 1 ? detail::fine_error : 3.0 * detail::fine_error;
  filter.rate_within = compound(filter.layers, growth.strides);
  filter.rate = [within = filter.rate_within, error] { return within(error); };
  filter.rate_unrounded = [within = compound(unrounded, growth.strides), error] {
    return within(error);
  };
  filter.stated_rate = request.p();
  filter.double_hashing = filter.layers.size() == 1;
  filter.next_layer_bits = growth.layer(request, capacity, p).m;
  return filter;
}

/// A chunk: bits, and the keys that it takes.
struct Chunk {
  std::uint64_t m;
  std::uint64_t keys;
};

Chunk folded(Chunk chunk, std::uint64_t keys) {
  while (chunk.m / 8 % 2 == 0 && chunk.keys > 2 * keys) {
    chunk.m /= 2;
    chunk.keys /= 2;
  }
  return chunk;
}

}  // namespace

SystemFilter size_redis(const SystemRequest& request) {
  SystemFilter filter = size_layers(request, {redis_layer, 0.5, 0.5});
  filter.remark =
      "the first layer is made for half of p, every further one for half of that: p in all by "
      "its formula; in layers of few keys double hashing has more";
  return filter;
}

SystemFilter size_redis_nonscaling(const SystemRequest& request) {
  const std::uint64_t capacity =
      request.word("capacity").empty() ? request.n() : request.count("capacity");
  const std::uint64_t keys = std::min(request.n(), capacity);
  const Sized sized = redis_layer(request, capacity, request.p());
  SystemFilter filter{.m = sized.m, .k = sized.k};
  detail::take_strides(filter, {}, sized.unrounded, keys);
  filter.stated_rate = request.p();
  filter.remark = "one layer at p itself; more keys than its capacity are an error";
  if (request.n() > capacity) {
    filter.refused = "keys beyond its capacity of " + std::to_string(capacity) +
                     " are refused; the rate is that of the full filter";
  }
  return filter;
}

SystemFilter size_valkey(const SystemRequest& request) {
  const double tightening = request.number("tightening-ratio");
  if (!(tightening < 1.0)) throw detail::no_answer(request, "tightening-ratio is not below 1");
  // From i = 2 on a + i b wraps at 2^64 and is then taken modulo 2^64 - 59, which changes 59 of
  // 2^64 words: the law of words of 64 bits holds.
  SystemFilter filter =
      size_layers(request, {valkey_layer, 1.0, tightening, {.stride_alone = true}});
  filter.remark =
      "the first layer has the rate p itself: by its formula all layers together may "
      "reach " +
      detail::setting_text(1.0 / (1.0 - tightening)) +
      " p; in layers of few keys double hashing has more";
  if (filter.m / 8 > request.count("bloom-memory-usage-limit")) {
    filter.refused =
        "above bloom-memory-usage-limit of " + request.word("bloom-memory-usage-limit") + " bytes";
  }
  return filter;
}

SystemFilter size_hudi(const SystemRequest& request) {
  constexpr std::uint64_t range = std::uint64_t{1} << 31;  // Math.abs of a 32-bit hash % m
  const std::uint64_t n = request.n();
  const std::uint64_t entries =
      request.word("num_entries").empty() ? n : request.count("num_entries");
  const double real = std::ceil(static_cast<double>(entries) *
                                (-std::log(request.p()) / (detail::ln2 * detail::ln2)));
  const bool capped = real > static_cast<double>(detail::largest_int);
  const std::uint64_t m =
      std::max<std::uint64_t>(capped ? detail::largest_int : static_cast<std::uint64_t>(real), 1);
  const std::uint64_t k = detail::whole_probes(
      request, std::ceil(detail::ln2 * static_cast<double>(m) / static_cast<double>(entries)));
  const bool dynamic = request.word("type") == "DYNAMIC_V0";
  if (!dynamic && request.word("type") != "SIMPLE") {
    throw detail::no_answer(
        request, "type: found \"" + request.word("type") + "\"; DYNAMIC_V0 or SIMPLE is allowed");
  }
  const std::uint64_t most = std::max(request.count("max_entries"), entries);
  // A new equal layer every `entries` keys while the layers hold fewer than `most`.
  const std::uint64_t needed = (n + entries - 1) / entries;
  const std::uint64_t allowed = (most + entries - 1) / entries;
  const std::uint64_t layers = dynamic ? std::min(needed, allowed) : 1;
  SystemFilter filter{.m = m, .k = k};
  filter.m = detail::whole_bits(request, static_cast<double>(m) * static_cast<double>(layers));
  if (layers > 1) filter.layout = "dynamic";
  const auto rate_of_one = [=](std::uint64_t keys) {
    return theory::reduced_range_fpr(range, m, keys, k);
  };
  // Full, the layers are filled on in turn.
  const bool overfull = needed > layers;
  filter.rate = [=] {
    const std::uint64_t full = overfull ? n / layers : entries;
    const double full_layers = static_cast<double>(overfull ? layers : n / entries);
    const std::uint64_t last = overfull ? 0 : n % entries;
    double passed = full_layers * std::log1p(-rate_of_one(full));
    if (last > 0) passed += std::log1p(-rate_of_one(last));
    return -std::expm1(passed);
  };
  filter.rate_unrounded = filter.rate;
  filter.stated_rate = request.p();
  if (capped) filter.remark = "the number of bits is an int: cut at 2^31 - 1";
  if (layers > 1) filter.remark = std::to_string(layers) + " equal layers, none tightened";
  if (overfull) {
    filter.remark = layers > 1 ? "full: further keys go into its layers in turn, above p"
                               : "full: it takes further keys all the same, above p";
  }
  if (n > detail::largest_int) filter.refused = "numEntries is an int";
  return filter;
}

SystemFilter size_hbase(const SystemRequest& request) {
  constexpr std::uint64_t fold = 128;  // the size is made a multiple of 2^7 bytes
  const std::uint64_t n = request.n();
  const double p = request.p();
  const std::uint64_t asked = request.count("block_size");
  if (asked > std::uint64_t{1} << 30U) {
    throw detail::no_answer(request, "block_size is above 2^30 bytes; give 131072");
  }
  const std::uint64_t m = (asked + fold - 1) / fold * fold * 8;
  const double ideal =
      std::floor(static_cast<double>(m) * (detail::ln2 * detail::ln2 / -std::log(p)));
  const double k_real =
      ideal > 0.0
          ? std::ceil(detail::ln2 * std::floor(static_cast<double>(m) / std::max(ideal, 1.0)))
          : 0.0;
  if (k_real < 1.0) {
    throw detail::no_answer(request,
                            "for rates above 0.618 its rule gives 0 probes; give a lower rate");
  }
  const std::uint64_t k = detail::whole_probes(request, k_real);
  const auto probes = static_cast<double>(k);
  const auto most = static_cast<std::uint64_t>(-static_cast<double>(m) / probes *
                                               std::log(1.0 - std::exp(std::log(p) / probes)));
  if (most == 0) throw detail::no_answer(request, "a chunk would take no key; give a higher rate");
  const std::uint64_t full = n / most;
  const std::uint64_t last = n % most;
  const Chunk rest = folded({m, most}, last);
  SystemFilter filter{.m = 0, .k = k, .layout = "chunks"};
  filter.m = detail::whole_bits(request, static_cast<double>(full) * static_cast<double>(m)) +
             (last > 0 ? rest.m : 0);
  // Positions of the whole chunk fold onto the same ones as its own: their signs are folded first.
  constexpr theory::StrideArithmetic strides{.word_bits = 32, .fold = theory::SignFold::absolute};
  const theory::StridedRate of_full(strides, m, most, k);
  const theory::StridedRate of_rest(strides, rest.m, last, k);
  // A lookup goes to the chunk of its range: chunks count by their keys.
  filter.rate_within = [=](double error) {
    const double full_rate = full > 0 ? of_full(error) : 0.0;
    const double rest_rate = last > 0 ? of_rest(error) : 0.0;
    return (static_cast<double>(n - last) * full_rate + static_cast<double>(last) * rest_rate) /
           static_cast<double>(n);
  };
  filter.rate = [within = filter.rate_within] { return within(detail::fine_error); };
  filter.rate_unrounded = [of_full] { return of_full(detail::fine_error); };
  filter.stated_rate = p;
  filter.double_hashing = true;
  filter.remark = std::to_string(most) + " keys per chunk of " + std::to_string(m / 8) + " bytes";
  return filter;
}

}  // namespace bloomlab::planner
