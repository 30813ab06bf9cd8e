#include "tests/theory/reference.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

namespace bloomlab::theory::reference {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<700>,
                                           boost::multiprecision::et_off>;

/// (1 - i/m)^power.
Real missed(std::uint64_t m, std::uint64_t i, std::uint64_t power) {
  if (power == 0) return Real(1);
  return i >= m ? Real(0) : pow(Real(m - i) / Real(m), power);
}

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
  for (int i = 0; i <= most; ++i) miss.push_back(missed(m, static_cast<std::uint64_t>(i), balls));
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
  return static_cast<double>(exact_moment(m, balls, q));
}

double log2_moment(std::uint64_t m, std::uint64_t balls, int q) {
  return static_cast<double>(Real(log(exact_moment(m, balls, q)) / log(Real(2))));
}

double sd_rate(std::uint64_t m, std::uint64_t n, int k) {
  const std::uint64_t balls = n * static_cast<std::uint64_t>(k);
  const Real mean = exact_moment(m, balls, k);
  return static_cast<double>(Real(sqrt(Real(exact_moment(m, balls, 2 * k) - mean * mean))));
}

double var_set_bits(std::uint64_t m, std::uint64_t n, int k) {
  const std::uint64_t balls = n * static_cast<std::uint64_t>(k);
  const Real bits(m);
  const Real one = missed(m, 1, balls);
  return static_cast<double>(
      Real(bits * (bits - 1) * missed(m, 2, balls) + bits * one - bits * bits * one * one));
}

double without_replacement(std::uint64_t m, std::uint64_t n, int k) {
  Real sum(0);
  Real choose(1);
  Real miss(1);
  for (int i = 0; i <= k; ++i) {
    const Real power = miss == 0 ? Real(0) : Real(exp(Real(n) * log(miss)));
    sum += i % 2 == 0 ? choose * power : -choose * power;
    choose = choose * (k - i) / (i + 1);
    // C(m-i-1,k) / C(m-i,k)
    miss = miss * (Real(m) - i - k) / (Real(m) - i);
    if (miss < 0) miss = 0;
  }
  return static_cast<double>(sum);
}

double approx(std::uint64_t m, std::uint64_t n, int k) {
  return static_cast<double>(Real(pow(Real(1 - exp(-Real(n) * k / m)), k)));
}

double classic(std::uint64_t m, std::uint64_t n, int k) {
  return static_cast<double>(
      Real(pow(Real(1 - missed(m, 1, n * static_cast<std::uint64_t>(k))), k)));
}

}  // namespace bloomlab::theory::reference
