// Reference computations in many digits, straight from the definitions: inclusion and exclusion,
// whose cancellation the digits outlast. They share no code and no formula with core/theory.
#pragma once

#include <cstdint>

namespace bloomlab::theory::reference {

/// E[(X/m)^q] after `balls` balls, for rates above 1e-600.
double moment(std::uint64_t m, std::uint64_t balls, int q);

/// log2 of the same.
double log2_moment(std::uint64_t m, std::uint64_t balls, int q);

/// Standard deviation of (X/m)^k after kn balls.
double sd_rate(std::uint64_t m, std::uint64_t n, int k);

/// Variance of X after kn balls, m(m-1)(1-2/m)^N + m(1-1/m)^N - m^2 (1-1/m)^2N.
double var_set_bits(std::uint64_t m, std::uint64_t n, int k);

/// sum_i (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n.
double without_replacement(std::uint64_t m, std::uint64_t n, int k);

/// (1 - e^(-kn/m))^k.
double approx(std::uint64_t m, std::uint64_t n, int k);

/// (1 - (1 - 1/m)^(kn))^k.
double classic(std::uint64_t m, std::uint64_t n, int k);

/// P(the largest of m counters is at least j) after N hashes, by powers of a polynomial.
double counter_reaches(std::uint64_t m, std::uint64_t N, std::uint64_t j);

/// sum_i Binomial(n, 1/blocks)(i) moment(block_bits, i k, k).
double blocked(std::uint64_t blocks, std::uint64_t block_bits, std::uint64_t n, int k);

}  // namespace bloomlab::theory::reference
