// The law of the hits that T filters of Q queries each show, when theory gives the mean and the
// variance of a filter's own rate. Filters differ: given its bits, a filter has a rate F of its
// own (for ideal probes (X/m)^k), and its hits are binomial with that rate. Over filters, F has
// mean f and variance VarF, hence for N = TQ queries the pooled rate has
//     Var = VarF / T + (f (1 - f) - VarF) / N
// (the variance of a two-stage sample: Cochran 1977, Sampling Techniques, chapter 10). Every
// interval, test and plan of this module uses this one variance, written as
//     Var(hits) = mu + B mu^2,   mu = N g,   B = (VarF (Q - 1) / g^2 - 1) / N
// where g is the rate of the rarer outcome, min(f, 1 - f). B, the dispersion, does not change with
// g while the coefficient of variation of a filter's rate stays what theory says. B = -1/N is
// binomial, B = 0 Poisson, B > 0 a Poisson count with a gamma distributed mean (Greenwood and Yule
// 1920): the gamma's skewness, twice the coefficient of variation, is close to the true one of
// (X/m)^k, 3 (k-1)/k times it.
#pragma once

#include <cstdint>

namespace bloomlab::statistics {

/// How much was measured. trials * queries is at most 2^53.
struct Sampling {
  std::uint64_t trials = 1;   ///< T, filters drawn independently, >= 1
  std::uint64_t queries = 1;  ///< Q, queries asked of each filter, >= 1

  /// N = TQ.
  [[nodiscard]] double total() const noexcept {
    return static_cast<double>(trials) * static_cast<double>(queries);
  }
};

/// What theory says of a filter's own rate F, over filters.
struct RateLaw {
  double rate = 0.0;      ///< f, its mean, in [0, 1]
  double variance = 0.0;  ///< VarF, its variance, in [0, f (1 - f)]; 0: all filters are alike
};

/// Throws std::invalid_argument, naming `where`, unless both are in their domains.
void require_valid(const char* where, const RateLaw& law);
void require_valid(const char* where, const Sampling& sampling);

/// Ratio of the variance of hits / N over filters and queries to the binomial one, 1 + (Q - 1) VarF
/// / (f (1 - f)) (Kish 1965, Survey Sampling); 1 for f = 0 and f = 1.
[[nodiscard]] double design_effect(const RateLaw& law, std::uint64_t queries);

/// B above, of the rarer outcome; -1/N, binomial, for f = 0 and f = 1.
[[nodiscard]] double dispersion(const RateLaw& law, const Sampling& sampling);

/// Which formula gives a probability of hits.
enum class HitLawKind {
  certain,        ///< f is 0 or 1: the hits are known
  binomial,       ///< exact for filters that are alike
  gamma_poisson,  ///< gamma-mixed Poisson (negative binomial) with the right mean and variance
  normal,         ///< counts so many that skewness does not matter
};

/// Distribution of the total hits H over T filters with Q queries each.
class HitLaw {
 public:
  /// The law that theory predicts. The kind is chosen thus, in this order: `certain` for f = 0 or
  /// 1; `normal` when the skewness of H is at most thresholds::normal_skewness; `binomial` when
  /// the design effect is at most thresholds::binomial_design_effect; else `gamma_poisson` (with
  /// B < 0, short trials at rates near 1/2, raised to 0, which errs to the safe side). Skewness
  /// is taken as (1 + 2 max(B, 0) mu) / sd: that of small rates, an upper bound at others, so
  /// that a symmetric but coarse law (ten draws at 1/2) does not pass for normal.
  /// Throws std::invalid_argument for arguments out of their domain.
  HitLaw(const RateLaw& law, const Sampling& sampling);

  /// N draws with one common rate.
  [[nodiscard]] static HitLaw binomial(double draws, double rate);
  /// The gamma mixture for N draws; `dispersion` >= 0 is B of the hits (not of the misses).
  [[nodiscard]] static HitLaw gamma_poisson(double draws, double rate, double dispersion);

  [[nodiscard]] HitLawKind kind() const noexcept { return kind_; }
  /// N.
  [[nodiscard]] double draws() const noexcept { return draws_; }
  /// Expected hits.
  [[nodiscard]] double mean() const noexcept;
  /// Standard deviation of the hits, by the two-stage variance, whatever the kind.
  [[nodiscard]] double standard_deviation() const noexcept;
  /// Smaller one of the expected hits and the expected misses.
  [[nodiscard]] double rare_mean() const noexcept { return draws_ * rare_rate_; }

  /// P(H <= hits).
  [[nodiscard]] double at_most(double hits) const;
  /// P(H >= hits).
  [[nodiscard]] double at_least(double hits) const;

  /// The same law with another rate: same draws, dispersion and kind (`certain` becomes
  /// `binomial`), and hits stay the rarer or commoner side that they were. @param rate in [0, 1]
  [[nodiscard]] HitLaw with_rate(double rate) const;

  /// Smallest number c with P(H >= c) <= tail: a whole number for exact kinds, N + 1 where no
  /// possible count is so rare. @param tail in (0, 1/2)
  [[nodiscard]] double critical_high(double tail) const;
  /// Largest number c with P(H <= c) <= tail, -1 where no possible count is so rare.
  [[nodiscard]] double critical_low(double tail) const;

 private:
  HitLaw(HitLawKind kind, double draws, double rate, double dispersion, bool counts_misses);
  [[nodiscard]] double rare_at_most(double count) const;
  [[nodiscard]] double rare_at_least(double count) const;
  [[nodiscard]] double skewness_bound() const noexcept;

  HitLawKind kind_;
  double draws_;        // N
  double rare_rate_;    // of misses where counts_misses_, else of hits
  double dispersion_;   // B of the rare outcome, true even where the kind raises it to 0
  bool counts_misses_;  // the law is one of misses, H = N - misses
};

}  // namespace bloomlab::statistics
