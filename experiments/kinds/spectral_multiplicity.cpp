#include "experiments/kinds/spectral_multiplicity.hpp"

#include <algorithm>
#include <utility>

#include "experiments/applications/draws.hpp"
#include "experiments/kinds/uniform_digests.hpp"

namespace bloomlab::experiments {
namespace {

using SpectralPoint = SpectralMultiplicity::Point::Parameters;
using Law = SpectralMultiplicity::Point::Law;

/// Sums over the filters of a trial.
struct SpectralSums {
  std::uint64_t above = 0;
  std::uint64_t below = 0;
  std::uint64_t excess = 0;
  std::uint64_t shortfall = 0;
};

/// Every order equally likely (Durstenfeld 1964, "Algorithm 235: random permutation").
void shuffle(std::vector<std::uint64_t>& numbers, KeyedDraws& draws) {
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[static_cast<std::size_t>(draws.below(i))]);
  }
}

/// The numbers 0 .. n - 1, each as often as it comes.
std::vector<std::uint64_t> repeated(const std::vector<std::uint64_t>& times) {
  std::vector<std::uint64_t> stream;
  for (std::size_t key = 0; key < times.size(); ++key) stream.insert(stream.end(), times[key], key);
  return stream;
}

void compare(const Spectral& filter, UniformDigests& keys, std::uint64_t first,
             const std::vector<std::uint64_t>& times, SpectralSums& sums) {
  std::size_t rank = 0;
  std::vector<std::uint64_t> estimates;
  keys.range(first, times.size(), [&](const DigestBatch& digests) {
    estimates.resize(digests.size);
    filter.frequency(digests, estimates);
    for (const std::uint64_t estimate : estimates) {
      const std::uint64_t truth = times[rank++];
      if (estimate > truth) {
        ++sums.above;
        sums.excess += estimate - truth;
      } else if (estimate < truth) {
        ++sums.below;
        sums.shortfall += truth - estimate;
      }
    }
  });
}

/// How often the key of this rank comes when the first one would come `most` times.
std::uint64_t zipf_times(std::uint64_t most, std::uint64_t rank) {
  return std::max<std::uint64_t>(1, most / rank);
}

std::uint64_t zipf_inserts(std::uint64_t most, std::uint64_t n) {
  std::uint64_t sum = 0;
  for (std::uint64_t rank = 1; rank <= n; ++rank) sum += zipf_times(most, rank);
  return sum;
}

/// The largest number of times for the first key with at most n copies inserts.
std::uint64_t most_frequent(const SpectralPoint& at) {
  std::uint64_t enough = 1;
  std::uint64_t too_many = at.n * at.copies + 1;
  while (too_many - enough > 1) {
    const std::uint64_t middle = enough + (too_many - enough) / 2;
    (zipf_inserts(middle, at.n) <= at.n * at.copies ? enough : too_many) = middle;
  }
  return enough;
}

}  // namespace

std::optional<std::string> SpectralMultiplicity::check(const Parameters& /*p*/,
                                                       const Point::Parameters& at) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  if (at.n * at.copies > most) {
    return "n copies = " + std::to_string(at.n * at.copies) +
           " inserts are more than 2^28; fewer keys or copies";
  }
  return Spectral::check({at.m, at.k, at.method, at.counter_bits}, ideal_probe());
}

std::uint64_t SpectralMultiplicity::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 20;
  const std::uint64_t filter =
      Spectral::memory_bits({at.m, at.k, at.method, at.counter_bits}, at.n) / 8;
  return filter + 16 * at.n * (at.copies + 1) + buffers;
}

double SpectralMultiplicity::seconds(const Parameters& p, const Point::Parameters& at) {
  // Some 20 ns per probe of an insert, and as much for a key that is asked.
  const double keys = static_cast<double>(at.n * (at.copies + 1));
  return 2e-8 * keys * static_cast<double>(at.k) * static_cast<double>(p.filters);
}

std::vector<std::uint64_t> SpectralMultiplicity::frequencies(const Point::Parameters& at) {
  std::vector<std::uint64_t> times(static_cast<std::size_t>(at.n), at.copies);
  if (at.law == Law::equal) return times;
  const std::uint64_t most = most_frequent(at);
  for (std::uint64_t rank = 1; rank <= at.n; ++rank) {
    times[static_cast<std::size_t>(rank - 1)] = zipf_times(most, rank);
  }
  return times;
}

std::vector<Measurement> SpectralMultiplicity::measure(const Parameters& p,
                                                       const Point::Parameters& at,
                                                       std::uint64_t seed) {
  const std::vector<std::uint64_t> times = frequencies(at);
  UniformDigests keys(seed, at.k);
  KeyedDraws draws(seed);
  std::vector<std::uint64_t> stream = repeated(times);
  SpectralSums sums;
  for (std::uint64_t i = 0; i < p.filters; ++i) {
    Spectral filter({at.m, at.k, at.method, at.counter_bits}, ideal_probe());
    shuffle(stream, draws);
    keys.of(stream, [&](const DigestBatch& digests) { filter.insert(digests); });
    compare(filter, keys, i * at.n, times, sums);
    for (std::uint64_t& number : stream) number += at.n;  // the next filter has new keys
  }
  return {{std::nullopt,
           {{"filters", p.filters},
            {"inserted", p.filters * stream.size()},
            {"distinct", p.filters * at.n},
            {"above", sums.above},
            {"below", sums.below},
            {"excess", sums.excess},
            {"shortfall", sums.shortfall}},
           record::Json::object()}};
}

}  // namespace bloomlab::experiments
