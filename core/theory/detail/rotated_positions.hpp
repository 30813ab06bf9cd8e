// Where a stride that is its first position turned sets bits, for core/theory/strides.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/theory/detail/stride_sampler.hpp"

namespace bloomlab::theory::detail {

/// Where the probes of a key land for a stride that is the first position turned left by `rotation`
/// of 32 bits, whatever the number of keys.
///
/// With b = 2^rotation a modulo 2^32 - 1, probe i is a (1 + i 2^rotation) - w_i modulo every
/// divisor of 2^32 - 1; w_i = floor(u + i v) are its wraps, u and v the fractions a/2^32 and
/// b/2^32. So it takes 2^32/g values per wrap, g = gcd(1 + i 2^rotation, 2^32 - 1). Where g has a
/// divisor in common with m, classes of residues are reached unevenly; where g is large (65537 for
/// i = 2 and LevelDB's 15), single positions are, and the other probes of a query meet them
/// together.
class RotatedPlaces {
 public:
  RotatedPlaces(unsigned rotation, std::uint64_t m, std::uint64_t k) : m_(m) {
    for (std::uint64_t i = 0; i < k; ++i) {
      const std::uint64_t factor = (1 + (i << rotation)) % whole;
      const std::uint64_t common = std::gcd(factor == 0 ? whole : factor, whole);
      common_.push_back(common);
      if (common < sparse) classes_ = std::lcm(classes_, std::gcd(common, m));
    }
    for (std::uint64_t i = 0; i < k; ++i) common_[i] >= sparse ? add_places(i) : add_classes(i);
    merge_places();
    may_be_.assign(std::bit_ceil(places_.size() / 4 + 1), 0);
    for (const Place& place : places_) {
      const std::uint64_t bit = place.first & (64 * may_be_.size() - 1);
      may_be_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }

  /// By class of residues the load that the dense probes of a key put on a position, times m.
  [[nodiscard]] const std::vector<double>& loads() const { return loads_; }
  /// The chance that a sparse probe of a key takes the position; 0 for most.
  [[nodiscard]] double share(std::uint64_t position) const {
    const std::uint64_t bit = position & (64 * may_be_.size() - 1);
    if ((may_be_[bit / 64] >> (bit % 64) & 1) == 0) return 0.0;
    const std::uint64_t bucket = position >> bucket_bits();
    const auto end = places_.begin() + starts_[bucket + 1];
    const auto at = std::ranges::lower_bound(places_.begin() + starts_[bucket], end, position, {},
                                             &Place::first);
    return at != end && at->first == position ? at->second : 0.0;
  }

 private:
  static constexpr std::uint64_t whole = 0xffffffffU;
  static constexpr std::uint64_t sparse = 4096;  ///< g from which single positions count

  using Place = std::pair<std::uint64_t, double>;

  /// P(w_i = wraps): u + i v is a sum of two uniform parts.
  static double share_of(std::uint64_t i, std::uint64_t wraps) {
    if (i == 0) return 1.0;
    return (wraps == 0 || wraps == i ? 0.5 : 1.0) / static_cast<double>(i);
  }

  /// Probe i takes multiples of g less its wraps: its load on each class, times m.
  void add_classes(std::uint64_t i) {
    loads_.resize(classes_, 0.0);
    const std::uint64_t common = std::gcd(common_[i], classes_);
    for (std::uint64_t wraps = 0; wraps <= i; ++wraps) {
      for (std::uint64_t c = 0; c < classes_; ++c) {
        if ((c + wraps) % common == 0)
          loads_[c] += share_of(i, wraps) * static_cast<double>(common);
      }
    }
  }

  /// Probe i takes few values: each with its probability.
  void add_places(std::uint64_t i) {
    const auto width = static_cast<double>(i);
    const double share = static_cast<double>(common_[i]) * 0x1p-32 / width;
    for (std::uint64_t word = 0; word <= (i + 1) * whole; word += common_[i]) {
      const double turns = static_cast<double>(word) * 0x1p-32;
      const double density = std::clamp(std::min(turns, width + 1.0 - turns), 0.0, 1.0);
      places_.emplace_back((word & whole) % m_, density * share);
    }
  }

  /// Numbers of the first place in each bucket, and of the end, by the places as they are.
  void count_starts() {
    starts_.assign((m_ >> bucket_bits()) + 2, 0);
    for (const Place& place : places_) ++starts_[(place.first >> bucket_bits()) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  }

  /// Sorts by position, and by share where that is equal: into buckets first, as there are many.
  void sort_places() {
    count_starts();
    std::vector<Place> sorted(places_.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (const Place& place : places_) sorted[next[place.first >> bucket_bits()]++] = place;
    for (std::size_t bucket = 0; bucket < next.size(); ++bucket) {
      if (next[bucket] - starts_[bucket] < 2) continue;
      std::sort(sorted.begin() + starts_[bucket], sorted.begin() + next[bucket]);
    }
    places_ = std::move(sorted);
  }

  /// Equal positions made one.
  void merge_places() {
    if (places_.empty()) return count_starts();
    sort_places();
    std::size_t kept = 0;
    for (const auto& [position, share] : places_) {
      if (kept > 0 && places_[kept - 1].first == position) {
        places_[kept - 1].second += share;
      } else {
        places_[kept++] = {position, share};
      }
    }
    places_.resize(kept);
    count_starts();
  }

  /// Positions in a bucket of the index of places, log2: about 2^18 buckets.
  [[nodiscard]] unsigned bucket_bits() const {
    const auto width = static_cast<unsigned>(std::bit_width(m_));
    return width > 18 ? width - 18 : 0;
  }

  std::uint64_t m_;
  std::uint64_t classes_ = 1;
  std::vector<std::uint64_t> common_;
  std::vector<double> loads_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> starts_;
  /// A Bloom filter of the places, of 16 to 32 bits a place and one probe, the low bits: most
  /// positions are told by one bit to be none.
  std::vector<std::uint64_t> may_be_;
};

/// Fill and query rate of n keys that land there, with every position's own chance to be set.
class RotatedPositions {
 public:
  RotatedPositions(std::shared_ptr<const RotatedPlaces> places, unsigned rotation, std::uint64_t m,
                   std::uint64_t n, std::uint64_t k)
      : places_(std::move(places)),
        rotation_(rotation),
        m_(m),
        k_(k),
        keys_(static_cast<double>(n)),
        missed_by_dense_(places_->loads()) {
    for (double& load : missed_by_dense_) load = std::exp(-load * keys_ / static_cast<double>(m_));
  }

  /// The mean over fixed hashes that fill the square of (u, v) evenly: as many as their spread asks
  /// for, to that relative standard error.
  [[nodiscard]] double rate(double error) {
    constexpr std::uint64_t batch = 1U << 13U;
    constexpr std::uint64_t most = 1U << 19U;
    // Roberts's sequence: powers of the root of x^3 = x + 1.
    constexpr std::uint64_t first = 0xc13fa9a902a6328f;
    constexpr std::uint64_t second = 0x91e10da5c79e7b1c;
    const auto enough = [error](const GrowingSums::Sums& sums) {
      return sums.count == most || sums.squares <= error * error * sums.sum * sums.sum;
    };
    const auto grow = [this](GrowingSums::Sums& sums) {
      for (std::uint64_t i = 0; i < batch; ++i) {
        const std::uint64_t at = sums.count + 1;
        const std::uint64_t high = first * at >> 49U << 17U;
        sums.add(of_hash(static_cast<std::uint32_t>(high | second * at >> 47U)));
      }
    };
    return sums_.until(enough, grow).mean();
  }

 private:
  /// P(no key sets the position).
  [[nodiscard]] double missed(std::uint32_t position) const {
    const auto classes = static_cast<std::uint32_t>(missed_by_dense_.size());
    const double dense = missed_by_dense_[classes == 1 ? 0 : position % classes];
    const double share = places_->share(position);
    return share > 0.0 ? dense * std::exp(-keys_ * share) : dense;
  }
  /// hash mod m; numbers of 32 bits are divided in a third of the time of those of 64.
  [[nodiscard]] std::uint32_t position_of(std::uint32_t hash) const {
    return m_ >> 32U == 0 ? hash % static_cast<std::uint32_t>(m_) : hash;
  }

  [[nodiscard]] double of_hash(std::uint32_t hash) const {
    const std::uint32_t stride = std::rotl(hash, static_cast<int>(rotation_));
    double product = 1.0;
    for (std::uint64_t i = 0; i < k_; ++i, hash += stride)
      product *= 1.0 - missed(position_of(hash));
    return product;
  }

  std::shared_ptr<const RotatedPlaces> places_;
  unsigned rotation_;
  std::uint64_t m_;
  std::uint64_t k_;
  double keys_;
  std::vector<double> missed_by_dense_;  ///< P(a position of the class is missed by dense probes)
  GrowingSums sums_;
};

}  // namespace bloomlab::theory::detail
