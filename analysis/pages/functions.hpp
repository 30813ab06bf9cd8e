// What SQL can compute on a page beside its own functions: every closed form of the catalogue by
// its name, their inverses, and the statistics of estimates.
//
//   standard_exact(m, n, k)            a model's value; arguments in the order of its list
//   theory('blocked', 'column', ...)   a further column of a model
//   solve('standard_exact', 'n', p, m, k)
//                                      the integer argument for which the value is at most p: the
//                                      largest where it rises with that argument, else the smallest
//   binomial_low(hits, queries[, level]), binomial_high(...)
//                                      interval of a share, 95 % without a level
//   binomial_p(hits, queries, rate)    exact two-sided p-value
//   normal_p(z), chi_square_p(x, degrees)
//                                      p-values of a deviation, of a sum of squares; two-sided by
//                                      chi_square_two_sided_p(x, degrees)
//   clopper_pearson_low(hits, queries, level), clopper_pearson_high(...)
//                                      the exact interval of a share
//   binomial_coverage('clopper_pearson', queries, rate, level), or 'wilson'
//                                      how often that interval contains the rate
//   filters_to_distinguish(rate, sd, other_rate)
//                                      filters with which a test distinguishes two closed forms
//   threshold('NAME')                  a threshold of the analysis
//   ratio_low(a, a_low, a_high, b, b_low, b_high), ratio_high(...)
//                                      95 % interval of a / b of two independent estimates
//   holm(p, json_group_array(p) over ())
//                                      p adjusted for all tests of the list
//   law_p(hits, filters, queries, rate, sd), law_low(...), law_high(...)
//                                      test and interval of hits of filters, so many queries of
//                                      each, whose rates theory knows with their spread
//   lost_by_clearing(m, n, k, deletions), lost_by_clearing_absent(m, n, k, deleted),
//   lost_by_wrong_deletions(m, n, k, deleted), fpr_after_deletions(m, n, k, deletions, largest),
//   fpr_after_deletions_sd(...)        what deleting costs (analysis/kinds/deletion_laws.hpp)
//   median(x), median_low(x), median_high(x), quantile(x, q), stddev(x),
//   mean_low(x[, level]), mean_high(x[, level]), mean_p(x, expected), mean_detectable(x, level)
//                                      over the rows of a group; intervals of 95 %: the median's by
//                                      bootstrap, the mean's by Student's law, as its test; the
//                                      effect on a mean of 1 that this test notices
//   power(x, y), power_low(x, y), power_high(x, y)
//                                      the exponent b of y = a x^b by least squares of logarithms,
//                                      and its 95 % interval
//   power_law(y, x1[, x2[, x3]])       the fit y = factor x1^b1 x2^b2 x3^b3 as JSON: factor,
//                                      exponents (value, low, high), r_squared, residual_sd
//   significant(x[, digits]), grouped(n), percent(x[, digits]), share(x[, digits]), p_text(p),
//   with_interval(x, low, high), percent_interval(x, low, high)
//                                      texts: "0.0123", "10 000", "+1.2 %", "1.23 %", "< 10⁻¹²",
//                                      "0.12 [0.11, 0.13]", "+1.2 % [+1.0 %, +1.4 %]"
//   as_printed(x, '0.0216')            x with as many decimals as the printed number has
//   setting(x)                         a number that somebody set, without zeros at its end
//
// A null argument gives null. A wrong argument ends the query with one line that names it.
#pragma once

#include "analysis/pages/database.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::pages {

/// Adds the functions above to a database.
void add_functions(Database& database);

/// Adds translated(text): a text of the data in the language of `words`, which must outlive it.
void add_translation(const Database& database, const Words& words);

/// Parts of the above: those of estimates and tests, of laws, and those that give texts.
void add_statistics_functions(const Database& database);
void add_law_functions(const Database& database);
void add_text_functions(const Database& database);

}  // namespace bloomlab::analysis::pages
