#include "core/theory/strides.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/filled_filter.hpp"
#include "core/theory/detail/rotated_positions.hpp"
#include "core/theory/detail/stride_meetings.hpp"
#include "core/theory/detail/stride_sampler.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using detail::Even;
using detail::FewKeys;
using detail::GrowingSums;
using detail::Meetings;
using detail::OwnRepeats;
using detail::place;
using detail::Probe;
using detail::repeats_in;
using detail::RotatedPlaces;
using detail::RotatedPositions;
using detail::Sampler;
using detail::Whole;

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
