#include "tests/theory/reference.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

namespace bloomlab::theory::reference {
namespace {

template <unsigned digits>
using Digits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<digits>,
                                             boost::multiprecision::et_off>;
using Real = Digits<200>;

/// Calls compute with a number of 200 digits, or of 700 where q positions cancel that far.
template <class Compute>
double with_enough_digits(std::uint64_t m, std::uint64_t balls, int q, Compute&& compute) {
  const double load = static_cast<double>(balls) / static_cast<double>(m);
  const double digits = q * std::log10(2.0 / -std::expm1(-load)) + load;
  return digits < 150.0 ? compute(Digits<200>()) : compute(Digits<700>());
}

/// (1 - i/m)^power.
template <class Real>
Real missed(std::uint64_t m, std::uint64_t i, std::uint64_t power) {
  if (power == 0) return Real(1);
  return i >= m ? Real(0) : pow(Real(m - i) / Real(m), power);
}

template <class Real>
Real exact_moment(std::uint64_t m, std::uint64_t balls, int q) {
  const int most = static_cast<int>(std::min<std::uint64_t>(m, static_cast<std::uint64_t>(q)));
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<Real> distinct(at(most) + 1, Real(0));
  distinct[0] = 1;
  for (int draw = 1; draw <= q; ++draw) {
    for (int j = std::min(draw, most); j > 0; --j) {
      distinct[at(j)] = (distinct[at(j)] * j + distinct[at(j - 1)] * (Real(m) - (j - 1))) / Real(m);
    }
    distinct[0] = 0;
  }
  std::vector<Real> miss;
  for (int i = 0; i <= most; ++i)
    miss.push_back(missed<Real>(m, static_cast<std::uint64_t>(i), balls));
  Real sum(0);
  for (int j = 1; j <= most; ++j) {
    Real choose(1);
    Real covered(0);
    for (int i = 0; i <= j; ++i) {
      covered += i % 2 == 0 ? choose * miss[at(i)] : -choose * miss[at(i)];
      choose = choose * (j - i) / (i + 1);
    }
    sum += distinct[at(j)] * covered;
  }
  return sum;
}

}  // namespace

double moment(std::uint64_t m, std::uint64_t balls, int q) {
  return with_enough_digits(m, balls, q, [&](auto number) {
    return static_cast<double>(exact_moment<decltype(number)>(m, balls, q));
  });
}

double log2_moment(std::uint64_t m, std::uint64_t balls, int q) {
  return with_enough_digits(m, balls, q, [&](auto number) {
    number = exact_moment<decltype(number)>(m, balls, q);
    number = log(number);
    return static_cast<double>(number) / std::log(2.0);
  });
}

double sd_rate(std::uint64_t m, std::uint64_t n, int k) {
  const std::uint64_t balls = n * static_cast<std::uint64_t>(k);
  return with_enough_digits(m, balls, 2 * k, [&](auto mean) {
    mean = exact_moment<decltype(mean)>(m, balls, k);
    decltype(mean) variance = exact_moment<decltype(mean)>(m, balls, 2 * k) - mean * mean;
    variance = sqrt(variance);
    return static_cast<double>(variance);
  });
}

double var_set_bits(std::uint64_t m, std::uint64_t n, int k) {
  const std::uint64_t balls = n * static_cast<std::uint64_t>(k);
  const Real bits(m);
  const Real one = missed<Real>(m, 1, balls);
  return static_cast<double>(
      Real(bits * (bits - 1) * missed<Real>(m, 2, balls) + bits * one - bits * bits * one * one));
}

double without_replacement(std::uint64_t m, std::uint64_t n, int k) {
  const std::uint64_t balls = n * static_cast<std::uint64_t>(k);
  return with_enough_digits(m, balls, k, [&](auto sum) {
    using Number = decltype(sum);
    Number choose(1);
    Number miss(1);
    for (int i = 0; i <= k; ++i) {
      const Number power = miss == 0 ? Number(0) : Number(exp(Number(n) * log(miss)));
      sum += i % 2 == 0 ? choose * power : -choose * power;
      choose = choose * (k - i) / (i + 1);
      // C(m-i-1,k) / C(m-i,k)
      miss = miss * (Number(m) - i - k) / (Number(m) - i);
      if (miss < 0) miss = 0;
    }
    return static_cast<double>(sum);
  });
}

double approx(std::uint64_t m, std::uint64_t n, int k) {
  return static_cast<double>(Real(pow(Real(1 - exp(-Real(n) * k / m)), k)));
}

double classic(std::uint64_t m, std::uint64_t n, int k) {
  return static_cast<double>(
      Real(pow(Real(1 - missed<Real>(m, 1, n * static_cast<std::uint64_t>(k))), k)));
}

double counter_reaches(std::uint64_t m, std::uint64_t N, std::uint64_t j) {
  using Series = std::vector<Real>;
  const auto product = [&](const Series& a, const Series& b) {
    Series c(N + 1, Real(0));
    for (std::uint64_t i = 0; i <= N && i < a.size(); ++i) {
      for (std::uint64_t l = 0; i + l <= N && l < b.size(); ++l) c[i + l] += a[i] * b[l];
    }
    return c;
  };
  Series square{Real(1)};  // of one counter: sum_{i<j} x^i / i!
  for (std::uint64_t i = 1; i < j && i <= N; ++i) square.push_back(square.back() / i);
  Series power{Real(1)};
  for (std::uint64_t exponent = m; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = product(power, square);
    if (exponent > 1) square = product(square, square);
  }
  if (power.size() <= N) return 1.0;
  Real safe = power[N];
  for (std::uint64_t i = 1; i <= N; ++i) safe *= Real(i) / Real(m);
  return static_cast<double>(Real(1 - safe));
}

double blocked(std::uint64_t blocks, std::uint64_t block_bits, std::uint64_t n, int k) {
  Real sum(0);
  Real choose(1);
  for (std::uint64_t i = 0; i <= n; ++i) {
    const Real weight =
        choose * pow(Real(1) / Real(blocks), i) * pow(1 - Real(1) / Real(blocks), n - i);
    if (i > 0) sum += weight * exact_moment<Real>(block_bits, i * static_cast<std::uint64_t>(k), k);
    choose = choose * (n - i) / (i + 1);
  }
  return static_cast<double>(sum);
}

}  // namespace bloomlab::theory::reference
