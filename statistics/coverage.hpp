// How often an interval contains the rate that it is about, summed over all counts instead of
// simulated: for one filter's own rate the law is binomial, and nothing is left to chance.
// Source of the question: Brown, Cai and DasGupta 2001, "Interval estimation for a binomial
// proportion".
#pragma once

#include <cstdint>

#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// An interval for a rate from hits and queries at a level, such as clopper_pearson or wilson.
using BinomialInterval = Interval (*)(std::uint64_t hits, std::uint64_t queries, double level);

/// P(the interval contains `rate`) when the hits of `queries` are binomial with that rate: the sum
/// of the probabilities of all counts whose interval does. Counts less than 1e-20 times as likely
/// as the likeliest are left out; the error is below 1e-12.
/// @param method its ends must rise with the hits   @param queries 1 .. 2^53   @param rate in [0,
/// 1]   @param level in (0, 1) Takes 2 log2(queries) intervals and some 20 sqrt(queries * rate)
/// sums. Throws std::invalid_argument outside.
[[nodiscard]] double exact_coverage(BinomialInterval method, std::uint64_t queries, double rate,
                                    double level);

}  // namespace bloomlab::statistics
