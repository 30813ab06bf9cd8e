#include "core/theory/strides.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/filled_filter.hpp"
#include "core/theory/detail/rotated_positions.hpp"
#include "core/theory/detail/stride_sampler.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using detail::FewKeys;
using detail::GrowingSums;
using detail::modulo;
using detail::place;
using detail::Probe;
using detail::probe_at;
using detail::Repeats;
using detail::repeats_in;
using detail::RotatedPlaces;
using detail::RotatedPositions;
using detail::Sampler;
using detail::two_of;
using detail::Whole;

/// A filter of independent positions to which the excess of an arithmetic is related.
struct Even {
  double keys;
  double bits;
  double probes;
  double fill;
  double odds;  ///< (1 - fill) / fill

  std::vector<double> powers;  ///< of the fill, from the k-th down

  Even(std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : keys(static_cast<double>(n)),
        bits(static_cast<double>(m)),
        probes(static_cast<double>(k)),
        fill(-std::expm1(-probes * keys / bits)),
        odds((1.0 - fill) / fill) {
    for (double covered = 0.0; covered <= probes; covered += 1.0) {
      powers.push_back(std::pow(fill, probes - covered));
    }
  }

  /// P(the other positions of a query are set) where so many are covered; 1 beyond all.
  [[nodiscard]] double others(double covered) const {
    return powers[std::min(static_cast<std::size_t>(covered), powers.size() - 1)];
  }

  /// Keys that are expected to meet a query of independent positions in two of them.
  [[nodiscard]] double pairs() const {
    const double ways = probes * (probes - 1.0) / bits;
    return keys * ways * ways / 2.0;
  }

  /// What a key that covers so many positions of a query adds to its rate, over what it adds by
  /// single ones.
  [[nodiscard]] double gain(double covered) const {
    return others(covered) - others(0.0) * (1.0 + covered * odds);
  }

  /// The second difference: what two keys that cover one and two positions, `both` of them in
  /// common, add over the gains of each.
  [[nodiscard]] double gain(double one, double two, double both) const {
    return others(one + two - both) - others(one) * (1.0 + odds * (two - both)) -
           others(two) * (1.0 + odds * (one - both)) +
           others(0.0) * (1.0 + odds * (one + two - both) + odds * odds * (one * two - both));
  }
};

/// What coinciding positions of one key change, for a query and for the fill, in one sample.
class OwnRepeats {
 public:
  OwnRepeats(Sampler& sampler, const Even& even) : sampler_(sampler), even_(even) {}

  double sample() {
    const Whole m = sampler_.m();
    sampler_.draw(probes_);
    const auto [i, j] = two_of(sampler_);
    const Probe& one = probe_at(probes_, i);
    const Probe& two = probe_at(probes_, j);
    const Whole of_a = one.sign * one.from_a - two.sign * two.from_a;
    const Whole of_b = one.sign * one.from_b - two.sign * two.from_b;
    const Whole value = one.sign * one.away + one.flip - two.sign * two.away - two.flip;
    Whole a = sampler_.samples().below(m);
    Whole b = sampler_.samples().below(m);
    const Whole ways = of_a != 0 ? sampler_.solve(of_a, modulo(value - of_b * b, m), a)
                                 : sampler_.solve(of_b, modulo(value, m), b);
    if (ways == 0) return 0.0;
    const auto weight = static_cast<double>(ways * sampler_.weight(a, b));
    if (weight == 0.0) return 0.0;
    place(probes_, a, b, m, at_);
    const Repeats repeats = repeats_in(at_);
    return pairs() * weight / static_cast<double>(repeats.pairs) *
           change(static_cast<double>(repeats.positions));
  }

  /// The same for independent positions, of which pairs coincide.
  [[nodiscard]] double of_independent() const { return pairs() * change(1.0); }

 private:
  [[nodiscard]] double pairs() const {
    return even_.probes * (even_.probes - 1.0) / 2.0 / even_.bits;
  }
  [[nodiscard]] double change(double repeats) const {
    const double load = even_.keys * repeats / even_.bits;
    return even_.others(repeats) - even_.others(0.0) * (1.0 + load * even_.probes * even_.odds);
  }

  Sampler& sampler_;
  const Even& even_;
  std::vector<Probe> probes_;
  std::vector<Whole> at_;
};

/// What keys that cover several positions of one query add, in one sample: one of them to the first
/// order in its probability, two of them to the second.
class Meetings {
 public:
  Meetings(Sampler& sampler, const Even& even)
      : sampler_(sampler), even_(even), pairs_(even.pairs()) {}

  double sample() {
    sampler_.draw(query_);
    const Whole at = sampler_.samples().below(sampler_.m());
    place(query_, at, sampler_.stride_for(at), sampler_.m(), asked_);
    const Key one = meet();
    const Key two = meet();
    const double first = alone(one) + alone(two);
    if (one.expected == 0.0 || two.expected == 0.0) return first / 2.0;
    const auto both = static_cast<double>((one.covered & two.covered).count());
    return (first + one.expected * two.expected * even_.gain(size(one), size(two), both)) / 2.0;
  }

  /// What of this independent positions add, which their rate has already.
  [[nodiscard]] double of_independent() const {
    const double k = even_.probes;
    double expected = even_.keys;
    double sum = 0.0;
    for (double met = 1.0; met <= std::min(k, 6.0); met += 1.0) {
      expected *= (k - met + 1.0) * (k - met + 1.0) / met / even_.bits;
      if (met > 1.0) sum += expected * even_.gain(met);
    }
    return sum - pairs_ * beside_pair(2.0) / 2.0;
  }

 private:
  /// Which of the query's positions a key covers, and how many such keys stand for this sample.
  struct Key {
    std::bitset<max_exact_probes> covered;
    double expected = 0.0;
  };

  /// Probes of the key that are to meet those of the query, and how much likelier they were drawn
  /// than at random.
  struct Drawn {
    Whole i, j, p, q;
    double likelier;
  };

  static double size(const Key& key) { return static_cast<double>(key.covered.count()); }

  /// A key that so many positions are covered by, beside one that covers two anywhere.
  [[nodiscard]] double beside_pair(double covered) const {
    const double k = even_.probes;
    const double ways = k * (k - 1.0) / 2.0;
    const double in_two = covered * (covered - 1.0) / 2.0;
    const double in_one = covered * (k - covered);
    return (in_two * even_.gain(covered, 2.0, 2.0) + in_one * even_.gain(covered, 2.0, 1.0) +
            (ways - in_two - in_one) * even_.gain(covered, 2.0, 0.0)) /
           ways;
  }

  /// A key alone; the pairs that independent positions have are counted off beside it.
  [[nodiscard]] double alone(const Key& key) const {
    if (key.expected == 0.0) return 0.0;
    return key.expected * (even_.gain(size(key)) - pairs_ * beside_pair(size(key)));
  }

  /// Half of them at random; half with the query's own distance, so that the key is the query
  /// shifted by some strides or turned round, the closer the likelier: these cover most.
  Drawn draw_probes() {
    const auto [i, j] = two_of(sampler_);
    auto [p, q] = two_of(sampler_);
    const Whole last = sampler_.k() - 1;
    if (sampler_.samples().below(2) == 0) {
      const bool turned = sampler_.samples().below(2) == 0;
      const Whole from = turned ? last - i : i;
      const Whole to = turned ? last - j : j;
      double left = sampler_.samples().fraction() * shifts(from, to);
      Whole shift = -std::min(from, to);
      while ((left -= std::ldexp(1.0, static_cast<int>(-std::abs(shift)))) > 0.0 &&
             std::max(from, to) + shift < last) {
        ++shift;
      }
      p = from + shift;
      q = to + shift;
    }
    return {i, j, p, q, 0.5 + 0.25 * (density(i, j, p, q) + density(last - i, last - j, p, q))};
  }

  /// Sum of 2^-|shift| over the shifts that two probes can take.
  [[nodiscard]] double shifts(Whole from, Whole to) const {
    const auto down = static_cast<int>(std::min(from, to));
    const auto up = static_cast<int>(sampler_.k() - 1 - std::max(from, to));
    return 3.0 - std::ldexp(1.0, -down) - std::ldexp(1.0, -up);
  }

  [[nodiscard]] double density(Whole from, Whole to, Whole p, Whole q) const {
    if (p - from != q - to) return 0.0;
    return even_.probes * (even_.probes - 1.0) *
           std::ldexp(1.0, static_cast<int>(-std::abs(p - from))) / shifts(from, to);
  }

  Key meet() {
    const Whole m = sampler_.m();
    const Drawn drawn = draw_probes();
    sampler_.draw(key_);
    const Probe& one = probe_at(key_, drawn.p);
    const Probe& two = probe_at(key_, drawn.q);
    const Whole first = one.sum_for(asked_[static_cast<std::size_t>(drawn.i)], m);
    const Whole second = two.sum_for(asked_[static_cast<std::size_t>(drawn.j)], m);
    const Whole of_b = one.from_a * two.from_b - two.from_a * one.from_b;
    Whole b = 0;
    const Whole ways = sampler_.solve(of_b, modulo(one.from_a * second - two.from_a * first, m), b);
    if (ways == 0) return {};
    const Whole a =
        one.from_a != 0 ? modulo(first - one.from_b * b, m) : modulo(second - two.from_b * b, m);
    const Whole weight = ways * sampler_.weight(a, b);
    if (weight == 0) return {};
    place(key_, a, b, m, set_);
    Key key;
    const double pairs = cover(key);
    const double combinations = even_.probes * (even_.probes - 1.0) / even_.bits;
    key.expected = even_.keys * combinations * combinations * static_cast<double>(weight) /
                   (pairs * drawn.likelier);
    return key;
  }

  /// The positions in common; returns how many ordered pairs of meetings have different probes on
  /// both sides, as they were drawn.
  double cover(Key& key) {
    double meetings = 0.0;
    double shared = 0.0;
    // Few positions are in common: most of the others are told by their lowest bits.
    constexpr std::size_t lowest = 2048;
    std::bitset<lowest> near;
    for (const Whole at : set_) near.set(static_cast<std::size_t>(at) % lowest);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (!near.test(static_cast<std::size_t>(asked_[i]) % lowest)) continue;
      const auto hits = static_cast<double>(std::ranges::count(set_, asked_[i]));
      if (hits == 0.0) continue;
      const auto again = static_cast<double>(std::ranges::count(asked_, asked_[i]));
      meetings += hits;
      shared += hits * (hits - 1.0) + hits * (again - 1.0);
      const auto before = std::ranges::find(asked_, asked_[i]);
      key.covered.set(static_cast<std::size_t>(before - asked_.begin()));
    }
    return meetings * (meetings - 1.0) - shared;
  }

  Sampler& sampler_;
  const Even& even_;
  double pairs_;  ///< expected keys that cover two positions of a query of independent ones
  std::vector<Probe> query_;
  std::vector<Probe> key_;
  std::vector<Whole> asked_;
  std::vector<Whole> set_;
};

/// Where a query meets a key in two positions more often than not: the mean over queries by their
/// different positions, and keys that have the query's own a and b. It may be far too low.
double few_keys_fpr(Sampler& sampler, std::uint64_t n) {
  constexpr int rounds = 2048;
  const Whole m = sampler.m();
  std::vector<Probe> probes;
  std::vector<Whole> query;
  std::vector<Whole> key;
  std::vector<double> with(static_cast<std::size_t>(sampler.k()) + 1, 0.0);
  double different = 0.0;
  double equal = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const Whole a = sampler.samples().below(m);
    const Whole b = sampler.stride_for(a);
    sampler.draw(probes);
    place(probes, a, b, m, query);
    sampler.draw(probes);
    place(probes, a, b, m, key);
    const auto positions = sampler.k() - repeats_in(query).positions;
    std::ranges::sort(key);
    equal += std::ranges::includes(key, query) ? 1.0 / rounds : 0.0;
    with[static_cast<std::size_t>(positions)] += 1.0 / rounds;
    different += static_cast<double>(positions) / rounds;
  }
  const auto bits = static_cast<double>(m);
  const double fill = -std::expm1(static_cast<double>(n) * std::log1p(-different / bits));
  double rate = 0.0;
  for (std::size_t i = 1; i < with.size(); ++i) rate += with[i] * std::pow(fill, i);
  const double none = std::exp(static_cast<double>(n) * std::log1p(-equal / bits / bits));
  return 1.0 - none + none * rate;
}

/// What an arithmetic changes at the rate of independent positions. The samples end at the standard
/// error, relatively, or at their most.
class Excess {
 public:
  Excess(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : n_(n),
        most_(std::clamp<std::uint64_t>((1U << 18U) / k, batch, 16384)),
        even_(m, n, k),
        sampler_(strides, m, k),
        own_(sampler_, even_),
        meetings_(sampler_, even_) {}
  Excess(const Excess&) = delete;
  Excess& operator=(const Excess&) = delete;

  /// Whether there is any.
  static bool of(std::uint64_t m, std::uint64_t k) {
    constexpr std::uint64_t large = std::uint64_t{1} << 50;
    return k >= 2 && m >= 2 && m <= large;
  }

  [[nodiscard]] double added_to(double rate, double error) {
    if (even_.pairs() > 1.0) {
      if (!few_keys_) few_keys_ = few_keys_fpr(sampler_, n_);
      return *few_keys_;
    }
    const double plain = even_.others(0.0);
    const auto enough = [&](const GrowingSums::Sums& sums) {
      const auto rounds = static_cast<double>(sums.count);
      return sums.count >= most_ || !(sums.squares - sums.sum * sums.sum / rounds >
                                      std::pow(error * (plain * rounds + sums.sum), 2.0));
    };
    const auto grow = [this](GrowingSums::Sums& sums) {
      for (std::uint64_t i = 0; i < batch; ++i) sums.add(own_.sample() + meetings_.sample());
    };
    const double mean = sums_.until(enough, grow).mean();
    const double independent = own_.of_independent() + meetings_.of_independent();
    const double scale = rate > 0.0 && plain > 0.0 ? rate / plain : 1.0;
    return rate + (mean - independent) * scale;
  }

 private:
  static constexpr std::uint64_t batch = 512;

  std::uint64_t n_;
  std::uint64_t most_;
  Even even_;
  Sampler sampler_;
  OwnRepeats own_;
  Meetings meetings_;
  GrowingSums sums_;
  std::optional<double> few_keys_;
};

/// Excess::added_to, without the name of a class that only this file has.
std::function<double(double, double)> excess_of(const StrideArithmetic& strides, std::uint64_t m,
                                                std::uint64_t n, std::uint64_t k) {
  return [excess = std::make_shared<Excess>(strides, m, n, k)](double rate, double error) {
    return excess->added_to(rate, error);
  };
}

}  // namespace

/// One filter, and what was sampled of it.
class StridedRate::Samples {
 public:
  Samples(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : strides_(strides), m_(m), n_(n), k_(k) {}

  [[nodiscard]] std::shared_ptr<Samples> for_keys(std::uint64_t n) {
    require_domain();
    auto other = std::make_shared<Samples>(strides_, m_, n, k_);
    if (strides_.rotation > 0) other->places_ = places();
    return other;
  }

  double rate(double error) {
    require_domain();
    if (n_ == 0) return 0.0;
    if (strides_.rotation > 0) return rotated(error);
    if (FewKeys::of(m_, n_, k_)) return of_few_keys(error);
    if (!even_) even_ = independent_rate();
    return std::clamp(with_excess(n_, *even_, error), 0.0, 1.0);
  }

  /// The rate by equal hashes alone, which a rate is never below.
  [[nodiscard]] double of_equal_hashes() const {
    return strides_.rotation > 0 ? -std::expm1(static_cast<double>(n_) * std::log1p(-1.0 / hashes))
                                 : 0.0;
  }

 private:
  static constexpr double hashes = 0x1p32;

  void require_domain() const {
    detail::require_filter("strides", m_, k_);
    detail::require(k_ <= max_exact_probes, "strides", "more than 256 probes");
    detail::require(strides_.word_bits <= 64 && strides_.rotation < 32, "strides",
                    "words of more than 64 bits, or turned by more than 31");
  }

  /// A signed word of which the sign is folded leaves 2^(W-1) values.
  [[nodiscard]] double independent_rate() const {
    const bool folded = strides_.fold != SignFold::unsigned_word;
    return strides_.word_bits == 32
               ? reduced_range_fpr(std::uint64_t{1} << (folded ? 31U : 32U), m_, n_, k_)
               : exact_fpr(m_, n_, k_);
  }

  /// Exactly where that is textbook double hashing and takes no second.
  double of_few_keys(double error) {
    constexpr std::uint64_t most_steps = 500'000;
    if (detail::is_textbook(strides_, m_) && m_ <= most_double_hashing_bits &&
        k_ <= most_double_hashing_probes && m_ * k_ * k_ + (k_ << k_) <= most_steps) {
      return double_hashing_fpr(m_, n_, k_, Stride::any).rate;
    }
    if (!few_keys_) few_keys_ = std::make_unique<FewKeys>(strides_, m_, n_, k_);
    return few_keys_->rate(error);
  }

  double with_excess(std::uint64_t n, double rate, double error) {
    if (!Excess::of(m_, k_)) return rate;
    if (!excess_) excess_ = excess_of(strides_, m_, n, k_);
    return excess_(rate, error);
  }

  const std::shared_ptr<const RotatedPlaces>& places() {
    if (!places_) places_ = std::make_shared<RotatedPlaces>(strides_.rotation, m_, k_);
    return places_;
  }

  double rotated(double error) {
    constexpr double least_error = 0.005;
    const double equal = of_equal_hashes();
    const auto different = static_cast<std::uint64_t>(
        std::clamp(std::round(equal * hashes), 1.0, static_cast<double>(n_)));
    if (FewKeys::of(m_, n_, k_)) return equal + (1.0 - equal) * of_few_keys(error);
    if (!even_) {
      positions_ =
          std::make_unique<RotatedPositions>(places(), strides_.rotation, m_, different, k_);
      even_ = reduced_range_fpr(std::uint64_t{1} << 32U, m_, different, k_);
    }
    const double crowded = positions_->rate(std::max(error, least_error)) /
                           std::max(approx_fpr(m_, different, k_), 1e-300);
    const double inner = std::max(with_excess(different, crowded * *even_, error), 0.0);
    return std::clamp(equal + (1.0 - equal) * inner, 0.0, 1.0);
  }

  StrideArithmetic strides_;
  std::uint64_t m_;
  std::uint64_t n_;
  std::uint64_t k_;
  std::optional<double> even_;                    ///< rate of independent positions
  std::function<double(double, double)> excess_;  ///< the rate with it, of a rate and an error
  std::shared_ptr<const RotatedPlaces> places_;
  std::unique_ptr<RotatedPositions> positions_;
  std::unique_ptr<FewKeys> few_keys_;
};

StridedRate::StridedRate(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                         std::uint64_t k)
    : samples_(std::make_shared<Samples>(strides, m, n, k)) {}

StridedRate StridedRate::for_keys(std::uint64_t n) const {
  return StridedRate(samples_->for_keys(n));
}

double StridedRate::operator()(double error) const { return samples_->rate(error); }

bool StridedRate::above(double error, double limit) const {
  return samples_->of_equal_hashes() > limit || samples_->rate(error) > limit;
}

double strided_fpr(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k, double error) {
  return StridedRate(strides, m, n, k)(error);
}

}  // namespace bloomlab::theory
