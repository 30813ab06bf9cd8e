// Causes without a closed form: small filters with the defect, filled and queried by chance.
#include "audit/schemes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include "core/theory/double_hashing.hpp"
#include "core/theory/standard.hpp"
#include "core/theory/strides.hpp"

namespace bloomlab::audit::detail {
namespace {

std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64U);
}

void progression(const Shape& shape, std::uint64_t at, std::uint64_t stride, std::uint64_t* out) {
  for (int i = 0; i < shape.k; ++i) {
    out[i] = at;
    at += stride;
    if (at >= shape.m) at -= shape.m;
  }
}
void multiple_strides(const Shape& shape, Random& random, int factor, std::uint64_t* out) {
  const auto step = static_cast<std::uint64_t>(factor);
  const std::uint64_t at = high_product(random(), shape.m);
  const std::uint64_t strides = std::max<std::uint64_t>(1, (shape.m + step - 1) / step);
  progression(shape, at, shape.remainder(high_product(random(), strides) * step), out);
}
void odd_strides(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t at = high_product(random(), shape.m);
  progression(shape, at, shape.remainder(high_product(random(), shape.m / 2) * 2 + 1), out);
}
void nonzero_strides(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t at = high_product(random(), shape.m);
  progression(shape, at, shape.m == 1 ? 0 : 1 + high_product(random(), shape.m - 1), out);
}
/// Dillinger and Manolios 2004: the stride grows by 1, 2, ...
void growing_strides(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  std::uint64_t at = high_product(random(), shape.m);
  std::uint64_t stride = high_product(random(), shape.m);
  for (int i = 0; i < shape.k; ++i) {
    out[i] = at;
    at = shape.remainder(at + stride);
    stride = shape.remainder(stride + static_cast<std::uint64_t>(i) + 1);
  }
}
/// The same authors: the stride has a stride of its own.
void strides_of_strides(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  std::uint64_t at = high_product(random(), shape.m);
  std::uint64_t stride = high_product(random(), shape.m);
  const std::uint64_t growth = high_product(random(), shape.m);
  for (int i = 0; i < shape.k; ++i) {
    out[i] = at;
    at = shape.remainder(at + stride);
    stride = shape.remainder(stride + growth);
  }
}
void fixed_stride(const Shape& shape, Random& random, int stride, std::uint64_t* out) {
  progression(shape, high_product(random(), shape.m),
              shape.remainder(static_cast<std::uint64_t>(stride)), out);
}
void offset_as_stride(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t at = high_product(random(), shape.m);
  progression(shape, at, at, out);
}
void turned_digest(const Shape& shape, Random& random, int turn, std::uint64_t* out) {
  const std::uint64_t digest = random();
  for (int i = 0; i < shape.k; ++i) {
    out[i] = high_product(std::rotl(digest, turn * i), shape.m);
  }
}
void shifted_digest(const Shape& shape, Random& random, int shift, std::uint64_t* out) {
  const std::uint64_t digest = random();
  for (int i = 0; i < shape.k; ++i) out[i] = shape.remainder(digest >> (shift * i % 64));
}
/// Offset and stride that agree in their lowest bits: two hashes that hardly differ.
void agreeing_strides(const Shape& shape, Random& random, int bits, std::uint64_t* out) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t offset = random();
  const std::uint64_t stride = (random() & ~mask) | (offset & mask);
  progression(shape, shape.remainder(offset), shape.remainder(stride), out);
}
/// The stride is a hash of the first position: as many progressions as bits.
void hash_of_offset(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t at = high_product(random(), shape.m);
  progression(shape, at, high_product(Random(at)(), shape.m), out);
}
/// x, c x, c^2 x, ...: where c is odd, the lowest bits of the first are those of all.
void multiplied(const Shape& shape, Random& random, int rest, std::uint64_t* out) {
  const std::uint64_t factor = 0x2545'f491'4f6c'dd18U + static_cast<std::uint64_t>(rest);
  std::uint64_t number = random();
  for (int i = 0; i < shape.k; ++i) {
    number *= factor;
    out[i] = shape.remainder(number);
  }
}
/// The block from the highest bits, the positions in it from the highest bits downwards.
void block_from_top(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t digest = random();
  const int width = static_cast<int>(std::bit_width(shape.block_bits)) - 1;
  const std::uint64_t block = high_product(digest, shape.m / shape.block_bits) * shape.block_bits;
  for (int i = 0; i < shape.k; ++i) {
    const int shift = std::max(0, 64 - width * (i + 1));
    out[i] = block + (digest >> shift) % shape.block_bits;
  }
}
/// Block and positions by remainders of the same number.
void block_by_remainder(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t digest = random();
  const int width = static_cast<int>(std::bit_width(shape.block_bits)) - 1;
  const std::uint64_t block = digest % (shape.m / shape.block_bits) * shape.block_bits;
  for (int i = 0; i < shape.k; ++i) {
    out[i] = block + (digest >> (width * i % 64)) % shape.block_bits;
  }
}

/// How many filters and queries of one size are simulated.
struct Effort {
  int filters = 1;
  int queries = 1;
  int full_queries = 1;  ///< at load 1
};

/// Enough to tell what does not fit at all, of filters of at most this size.
constexpr std::uint64_t most_rough = 100'000;
Effort rough_effort(std::uint64_t size) { return {size <= 1000 ? 40 : 2, 2000, 2000}; }

/// As exact as the measurement, nearly.
Effort fine_effort(std::uint64_t size) {
  if (size <= 100) return {400, 5000, 5000};
  if (size <= 3000) return {600, 10'000, 30'000};
  if (size <= 100'000) return {24, 100'000, 1'000'000};
  return {1, 200'000, 500'000};
}

/// Simulated rates by size and keys.
using Rates = std::map<std::pair<std::uint64_t, std::uint64_t>, Predicted>;

/// The mean over filters whose rates have this sum, and its standard error; nothing where it says
/// nothing. `spread` is the least relative variance between filters: that of the layout.
std::optional<Predicted> mean_rate(double sum, double squares, int filters, int queries,
                                   double spread) {
  const double mean = sum / filters;
  const double hits = mean * filters * queries;
  if (hits < 20.0) return std::nullopt;
  if (filters < 20) {
    return Predicted{mean, std::sqrt(spread / filters + (1.0 - mean) / hits)};
  }
  // Of the rates that were counted; that of the filters' own is less by what counting adds.
  const double shown = std::max(squares / filters - mean * mean, 0.0) / mean / mean;
  const double own = std::max(spread, shown - (1.0 - mean) / (mean * queries));
  return Predicted{mean, std::sqrt(shown / filters + (1.0 - mean) / hits), own};
}

/// Whether more filters would tell no more, by a count that is far less exact.
bool is_exact_enough(const Predicted& predicted, const Place& at) {
  constexpr double part = 0.25;
  const double hits = std::max(1.0, static_cast<double>(at.cell.hits));
  const double counted = 1.0 / hits + at.spread / static_cast<double>(at.cell.filters);
  return predicted.error * predicted.error <= part * part * counted;
}

/// The mean over filters of one size and memory at each of its loads, and its standard error: of as
/// many as the effort is, or as are enough. Loads from the least on.
void simulate_filters(std::span<const Place* const> loads, const Scheme& scheme,
                      const Effort& effort, Rates& rates) {
  const std::uint64_t size = loads.front()->cell.size;
  const Layout& layout = loads.front()->layout;
  const Shape shape{static_cast<std::uint64_t>(layout.bits), std::min(layout.k, most_probes),
                    static_cast<std::uint64_t>(layout.block_bits)};
  std::vector<double> sums(loads.size());
  std::vector<double> squares(loads.size());
  std::vector<std::uint64_t> words(shape.m / 64 + 1);
  std::uint64_t at[most_probes];
  const auto queries_at = [&](std::size_t load) {
    return loads[load]->cell.inserted == size ? effort.full_queries : effort.queries;
  };
  const auto mean_at = [&](std::size_t load, int filters) {
    return mean_rate(sums[load], squares[load], filters, queries_at(load), loads[load]->spread);
  };
  constexpr int fewest = 40;
  int filters = 0;
  for (bool more = true; more && filters < effort.filters;) {
    Random random((size << 32U) + static_cast<std::uint64_t>(filters) * 0x1000'0001U);
    std::ranges::fill(words, 0);
    std::uint64_t inserted = 0;
    for (std::size_t load = 0; load < loads.size(); ++load) {
      for (; inserted < loads[load]->cell.inserted; ++inserted) {
        scheme.positions(shape, random, scheme.parameter, at);
        for (int i = 0; i < shape.k; ++i) words[at[i] / 64] |= std::uint64_t{1} << at[i] % 64;
      }
      int hits = 0;
      const int queries = queries_at(load);
      for (int query = 0; query < queries; ++query) {
        scheme.positions(shape, random, scheme.parameter, at);
        int i = 0;
        while (i < shape.k && (words[at[i] / 64] >> at[i] % 64 & 1U) != 0) ++i;
        hits += i == shape.k ? 1 : 0;
      }
      const double rate = static_cast<double>(hits) / queries;
      sums[load] += rate;
      squares[load] += rate * rate;
    }
    ++filters;
    more = filters < fewest;
    for (std::size_t load = 0; load < loads.size() && !more; ++load) {
      const auto mean = mean_at(load, filters);
      more = !mean || !is_exact_enough(*mean, *loads[load]);
    }
  }
  for (std::size_t load = 0; load < loads.size(); ++load) {
    if (const auto mean = mean_at(load, filters)) {
      rates[{size, loads[load]->cell.inserted}] = *mean;
    }
  }
}

Cause simulated(std::span<const Place> places, const Scheme& scheme,
                Effort (*effort)(std::uint64_t)) {
  auto rates = std::make_shared<Rates>();
  // A filter that is built for what it holds has another memory at every load.
  std::map<std::pair<std::uint64_t, double>, std::vector<const Place*>> loads;
  for (const Place& at : places) loads[{at.cell.size, at.layout.bits}].push_back(&at);
  for (auto& [of, at] : loads) {
    std::ranges::sort(at, {}, [](const Place* place) { return place->cell.inserted; });
    simulate_filters(at, scheme, effort(of.first), *rates);
  }
  return {scheme.kind, scheme.text, 1,
          [rates](const Place& at) -> std::optional<Predicted> {
            const auto found = rates->find({at.cell.size, at.cell.inserted});
            if (found == rates->end()) return std::nullopt;
            return found->second;
          },
          [](const Place&) { return std::optional(0.0); }};
}

/// Schemes of the catalogue (core/probe) whose positions are no independent ones.
struct SaidScheme {
  std::string_view name;
  std::optional<theory::Stride> stride;  ///< of those whose rate has a closed form
  Scheme scheme;
};

constexpr std::array said_schemes = {
    SaidScheme{"double_hashing", theory::Stride::any, {Class::none, "", multiple_strides, 1}},
    SaidScheme{"double_hashing_nz", theory::Stride::nonzero, {Class::none, "", nonzero_strides}},
    SaidScheme{"double_hashing_odd", theory::Stride::odd, {Class::none, "", odd_strides}},
    SaidScheme{"enhanced_double_hashing", std::nullopt, {Class::none, "", growing_strides}},
    SaidScheme{"triple_hashing", std::nullopt, {Class::none, "", strides_of_strides}}};

/// Whether the closed form takes such a filter, and no longer than a second.
bool has_closed_form(theory::Stride stride, std::uint64_t m, std::uint64_t k) {
  constexpr std::uint64_t most_steps = 2'000'000;
  if (m > theory::most_double_hashing_bits || k > theory::most_double_hashing_probes ||
      m * k * k + (k << k) > most_steps) {
    return false;
  }
  return stride == theory::Stride::any ||
         (m > 1 && (stride != theory::Stride::odd || std::has_single_bit(m)));
}

/// Whether keys seldom meet a query in two positions: else theory::strided_fpr may be far below the
/// rate of a large filter.
bool meets_seldom(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const auto bits = static_cast<double>(m);
  const auto pairs = static_cast<double>(k) * static_cast<double>(k - 1);
  return static_cast<double>(n) * pairs * pairs <= 2.0 * bits * bits;
}

/// Within 2 %; nothing where so few queries are reported, or the filters so large, that it takes
/// longer than about a second.
std::optional<Predicted> simulated_rate(const Scheme& scheme, std::uint64_t m, std::uint64_t n,
                                        std::uint64_t k) {
  constexpr double worst_error = 0.02;
  constexpr std::uint64_t most_steps = 150'000'000;
  constexpr std::uint64_t fewest_filters = 20;
  constexpr std::uint64_t most_filters = 2000;
  constexpr std::uint64_t most_queries = 200'000;
  if (k > most_probes || n > most_steps || m > (std::uint64_t{1} << 32U)) return std::nullopt;
  const std::uint64_t queries = std::clamp<std::uint64_t>(8 * n, 2000, most_queries);
  const std::uint64_t filters = std::min(most_filters, most_steps / ((n + queries) * k));
  if (filters < fewest_filters) return std::nullopt;
  Place at;
  at.layout.bits = static_cast<double>(m);
  at.layout.k = static_cast<int>(k);
  at.cell.size = at.cell.inserted = n;
  at.cell.filters = 1;
  at.cell.hits = 4000;  // an error of a quarter of that of such a count is exact enough
  const std::array<const Place*, 1> loads = {&at};
  const auto count = static_cast<int>(queries);
  Rates rates;
  simulate_filters(loads, scheme, {static_cast<int>(filters), count, count}, rates);
  const auto found = rates.find({n, n});
  if (found == rates.end() || found->second.error > worst_error) return std::nullopt;
  return found->second;
}

}  // namespace

std::vector<Scheme> schemes_of(const Layout& layout) {
  if (layout.kind == Layout::Kind::blocked) {
    return {{Class::shared_bits, "block and positions from the highest bits", block_from_top},
            {Class::shared_bits, "block and positions by remainders of one number",
             block_by_remainder}};
  }
  if (layout.kind != Layout::Kind::standard) return {};
  std::vector<Scheme> schemes = {
      {Class::strides, "strides of any size, zero too", multiple_strides, 1},
      {Class::strides, "even strides", multiple_strides, 2},
      {Class::strides, "strides that are multiples of 4", multiple_strides, 4},
      {Class::strides, "strides that are multiples of 8", multiple_strides, 8},
      {Class::strides, "the stride 1", fixed_stride, 1},
      {Class::derived_stride, "the offset as stride", offset_as_stride},
      {Class::derived_stride, "a hash of the first position as stride", hash_of_offset},
      {Class::strides, "offset and stride agree in their lowest bit", agreeing_strides, 1},
      {Class::strides, "offset and stride agree in their lowest 2 bits", agreeing_strides, 2},
      {Class::strides, "offset and stride agree in their lowest 3 bits", agreeing_strides, 3},
      {Class::strides, "offset and stride agree in their lowest 8 bits", agreeing_strides, 8},
      {Class::shared_bits, "one digest, turned by 4 bits a probe", turned_digest, 4},
      {Class::shared_bits, "one digest, turned by 8 bits a probe", turned_digest, 8},
      {Class::shared_bits, "one digest, shifted by 4 bits a probe", shifted_digest, 4},
      {Class::shared_bits, "one digest, shifted by 8 bits a probe", shifted_digest, 8},
      {Class::shared_bits, "each position is the one before, times a constant", multiplied, 1},
      {Class::shared_bits, "each position is the one before, times a constant", multiplied, 3},
      {Class::shared_bits, "each position is the one before, times a constant", multiplied, 5},
      {Class::shared_bits, "each position is the one before, times a constant", multiplied, 7},
  };
  if (!layout.odd_strides) schemes.push_back({Class::strides, "odd strides", odd_strides});
  return schemes;
}

void for_each_simulated_cause(std::span<const Place> places,
                              const std::function<void(const Cause&)>& use) {
  constexpr double hopeless = 1e-12;
  std::vector<Place> small;
  std::ranges::copy_if(places, std::back_inserter(small),
                       [](const Place& at) { return at.cell.size <= most_rough; });
  for (const Scheme& scheme : schemes_of(places.front().layout)) {
    const Cause rough = simulated(small, scheme, rough_effort);
    const bool fits = fit(rough, places).p_value > hopeless;
    use(fits ? simulated(places, scheme, fine_effort) : rough);
  }
}

}  // namespace bloomlab::audit::detail

namespace bloomlab::audit {

SchemeRate scheme_rate(std::string_view scheme, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  using detail::said_schemes;
  const auto* const said = std::ranges::find(said_schemes, scheme, &detail::SaidScheme::name);
  if (said == said_schemes.end()) return {{theory::exact_fpr(m, n, k)}, "independent"};
  if (k == 1 || n == 0) return {{theory::exact_fpr(m, n, k)}, "exact"};
  if (said->stride && detail::has_closed_form(*said->stride, m, k)) {
    return {{theory::double_hashing_fpr(m, n, k, *said->stride).rate}, "exact"};
  }
  const bool is_sampled = said->stride == theory::Stride::any && detail::meets_seldom(m, n, k);
  const auto sampled = [&](double stated) -> SchemeRate {
    constexpr double error = 0.003;
    return {{theory::strided_fpr({.word_bits = 0}, m, n, k, error), stated}, "sampled"};
  };
  constexpr std::uint64_t few = 64;  // keys, of which the samples end before they are so exact
  if (is_sampled && n > few) return sampled(0.006);
  if (const auto simulated = detail::simulated_rate(said->scheme, m, n, k)) {
    return {*simulated, "simulated"};
  }
  if (is_sampled) return sampled(0.1);
  return {{theory::exact_fpr(m, n, k)}, "unknown"};
}

}  // namespace bloomlab::audit
