#include "core/theory/alternating_strides.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/theory/detail/alternating_filter.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {

using detail::GrowingSums;

/// One filter, and what was sampled of it.
class AlternatingRate::Samples {
 public:
  Samples(std::uint64_t m, std::uint64_t n, std::uint64_t k) : m_(m), n_(n), k_(k) {}

  double rate(double error) { return until(error, 1.0); }

  /// The rate, or, from where no further sample takes it down to the limit, a lower one above it.
  double until(double error, double limit) {
    constexpr double empty = 40.0;  // e^-40 of the bits are left
    require_domain();
    if (n_ == 0) return 0.0;
    if (static_cast<double>(k_) * static_cast<double>(n_) > empty * static_cast<double>(m_)) {
      return 1.0;
    }
    return sampled(error, limit);
  }

 private:
  struct Size {
    std::uint64_t m;
    std::uint64_t n;
  };
  static constexpr double large = 0x1p23;  ///< bits

  /// A filter of at most `most` keys with the same load, and the same m modulo 128. It has some
  /// hundred bits at least: most keys are 2^14 with a 40th of a bit each, or have 2^22 bits.
  static Size stand_in(std::uint64_t m, std::uint64_t n, std::uint64_t most) {
    constexpr std::uint64_t modulus = 128;
    if (n <= most) return {m, n};
    const double scaled =
        static_cast<double>(m) * (static_cast<double>(most) / static_cast<double>(n));
    const auto turns = static_cast<std::uint64_t>(scaled / modulus);
    return {turns * modulus + m % modulus, most};
  }

  [[nodiscard]] double bits_per_key() const {
    return static_cast<double>(m_) / static_cast<double>(n_);
  }

  void require_domain() const {
    detail::require_filter("alternating strides", m_, k_);
    detail::require(k_ <= max_exact_probes, "alternating strides", "more than 256 probes");
    detail::require(m_ <= std::uint64_t{1} << 62U, "alternating strides", "m is above 2^62");
    detail::require(n_ == 0 || bits_per_key() <= large, "alternating strides",
                    "more than 2^23 bits per key");
  }

  double sampled(double error, double limit) {
    constexpr std::uint64_t most_keys = 1U << 14U;
    constexpr std::uint64_t all_queries = 1U << 23U;
    constexpr std::uint64_t least_queries = 64;
    constexpr std::uint64_t least = 8;
    const Size size =
        stand_in(m_, n_,
                 std::clamp<std::uint64_t>(static_cast<std::uint64_t>(large / bits_per_key()), 1,
                                           most_keys));
    const std::uint64_t queries = std::max(size.n * (k_ + 1) / 2, least_queries);
    const std::uint64_t most = std::max((all_queries + queries - 1) / queries, least);
    const double near = static_cast<double>(size.m) / static_cast<double>(m_);
    std::optional<detail::AlternatingFilter> filter;
    double lowest = 0.0;
    const GrowingSums::Sums sums = sums_.until(
        [&](const GrowingSums::Sums& now) {
          lowest = now.sum / static_cast<double>(most);
          return lowest > limit ||
                 (now.count >= least &&
                  (now.count >= most ||
                   (now.sum > 0.0 &&
                    !(now.squares - now.sum * now.sum / static_cast<double>(now.count) >
                      std::pow(error * now.sum, 2)))));
        },
        [&](GrowingSums::Sums& now) {
          if (!filter) filter.emplace(size.m, k_);
          filter->fill(samples_, size.n);
          now.add(filter->rate(samples_, queries, near));
        });
    return std::clamp(lowest > limit ? lowest : sums.mean(), 0.0, 1.0);
  }

  std::uint64_t m_;
  std::uint64_t n_;
  std::uint64_t k_;
  detail::Samples samples_;
  GrowingSums sums_;
};

AlternatingRate::AlternatingRate(std::uint64_t m, std::uint64_t n, std::uint64_t k)
    : samples_(std::make_shared<Samples>(m, n, k)) {}

double AlternatingRate::operator()(double error) const { return samples_->rate(error); }

bool AlternatingRate::above(double error, double limit) const {
  return limit < 1.0 && samples_->until(error, limit) > limit;
}

double alternating_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k, double error) {
  return AlternatingRate(m, n, k)(error);
}

}  // namespace bloomlab::theory
