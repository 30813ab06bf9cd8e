// Causes without a closed form: small filters with the defect, filled and queried by chance.

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "audit/causes.hpp"
#include "core/theory/double_hashing.hpp"

namespace bloomlab::audit::detail {
namespace {

constexpr int most_probes = 64;

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

/// Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d0'49bb'1331'11ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64U);
}

struct Shape {
  std::uint64_t m = 1;
  int k = 1;
  std::uint64_t block_bits = 512;
};

/// Writes the k positions of a random key.
using Positions = void (*)(const Shape&, Random&, int parameter, std::uint64_t* out);

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
  progression(shape, at, high_product(random(), strides) * step % shape.m, out);
}
void odd_strides(const Shape& shape, Random& random, int /*none*/, std::uint64_t* out) {
  const std::uint64_t at = high_product(random(), shape.m);
  progression(shape, at, (high_product(random(), shape.m / 2) * 2 + 1) % shape.m, out);
}
void fixed_stride(const Shape& shape, Random& random, int stride, std::uint64_t* out) {
  progression(shape, high_product(random(), shape.m), static_cast<std::uint64_t>(stride) % shape.m,
              out);
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
  for (int i = 0; i < shape.k; ++i) out[i] = (digest >> (shift * i % 64)) % shape.m;
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

/// Simulated rates by size and keys.
using Rates = std::map<std::pair<std::uint64_t, std::uint64_t>, Predicted>;

/// The mean over filters of one size at every load, and its standard error.
void simulate_size(std::span<const Place> places, std::uint64_t size, Positions positions,
                   int parameter, const Effort& effort, Rates& rates) {
  std::vector<const Place*> loads;
  for (const Place& at : places) {
    if (at.cell.size == size) loads.push_back(&at);
  }
  const Layout& layout = loads.front()->layout;
  const Shape shape{static_cast<std::uint64_t>(layout.bits), std::min(layout.k, most_probes),
                    static_cast<std::uint64_t>(layout.block_bits)};
  std::vector<double> sums(loads.size());
  std::vector<double> squares(loads.size());
  std::vector<std::uint64_t> words(shape.m / 64 + 1);
  std::uint64_t at[most_probes];
  for (int filter = 0; filter < effort.filters; ++filter) {
    Random random((size << 32U) + static_cast<std::uint64_t>(filter) * 0x1000'0001U);
    std::ranges::fill(words, 0);
    std::uint64_t inserted = 0;
    for (std::size_t load = 0; load < loads.size(); ++load) {
      for (; inserted < loads[load]->cell.inserted; ++inserted) {
        positions(shape, random, parameter, at);
        for (int i = 0; i < shape.k; ++i) words[at[i] / 64] |= std::uint64_t{1} << at[i] % 64;
      }
      int hits = 0;
      const bool is_full = inserted == size;
      const int queries = is_full ? effort.full_queries : effort.queries;
      for (int query = 0; query < queries; ++query) {
        positions(shape, random, parameter, at);
        int i = 0;
        while (i < shape.k && (words[at[i] / 64] >> at[i] % 64 & 1U) != 0) ++i;
        hits += i == shape.k ? 1 : 0;
      }
      const double rate = static_cast<double>(hits) / queries;
      sums[load] += rate;
      squares[load] += rate * rate;
    }
  }
  for (std::size_t load = 0; load < loads.size(); ++load) {
    const bool is_full = loads[load]->cell.inserted == size;
    const double mean = sums[load] / effort.filters;
    const double hits = mean * effort.filters * (is_full ? effort.full_queries : effort.queries);
    if (hits < 20.0) continue;  // says nothing
    const double shown =
        effort.filters >= 20
            ? std::max(squares[load] / effort.filters - mean * mean, 0.0) / mean / mean
            : loads[load]->spread;
    rates[{size, loads[load]->cell.inserted}] = {
        mean, std::sqrt(shown / effort.filters + (1.0 - mean) / hits)};
  }
}

/// A scheme of positions that a defect may use.
struct Scheme {
  Class kind;
  const char* text;
  Positions positions;
  int parameter = 0;
};

Cause simulated(std::span<const Place> places, const Scheme& scheme,
                Effort (*effort)(std::uint64_t)) {
  auto rates = std::make_shared<Rates>();
  std::uint64_t last = 0;
  for (const Place& at : places) {
    if (at.cell.size == last) continue;
    last = at.cell.size;
    simulate_size(places, last, scheme.positions, scheme.parameter, effort(last), *rates);
  }
  return {scheme.kind, scheme.text, 1,
          [rates](const Place& at) -> std::optional<Predicted> {
            const auto found = rates->find({at.cell.size, at.cell.inserted});
            if (found == rates->end()) return std::nullopt;
            return found->second;
          },
          [](const Place&) { return std::optional(0.0); }};
}

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
      {Class::strides, "the offset as stride", offset_as_stride},
      {Class::shared_bits, "one digest, turned by 4 bits a probe", turned_digest, 4},
      {Class::shared_bits, "one digest, turned by 8 bits a probe", turned_digest, 8},
      {Class::shared_bits, "one digest, shifted by 4 bits a probe", shifted_digest, 4},
      {Class::shared_bits, "one digest, shifted by 8 bits a probe", shifted_digest, 8},
  };
  if (!layout.odd_strides) schemes.push_back({Class::strides, "odd strides", odd_strides});
  return schemes;
}

}  // namespace

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
