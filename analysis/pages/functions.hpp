// What SQL can compute on a page beside its own functions: every closed form of the catalogue by
// its name, their inverses, and the statistics of estimates.
//
//   standard_exact(m, n, k)            a model's value; arguments in the order of its list
//   theory('blocked', 'column', ...)   a further column of a model
//   solve('standard_exact', 'n', p, m, k)
//                                      the integer argument for which the value is at most p: the
//                                      largest where it rises with that argument, else the smallest
//   binomial_low(hits, queries), binomial_high(...)
//                                      95 % interval of a share
//   ratio_low(a, a_low, a_high, b, b_low, b_high), ratio_high(...)
//                                      95 % interval of a / b of two independent estimates
//   holm(p, json_group_array(p) over ())
//                                      p adjusted for all tests of the list
//   median(x), quantile(x, q)          over the rows of a group
//   power(x, y), power_low(x, y), power_high(x, y)
//                                      the exponent b of y = a x^b by least squares of logarithms,
//                                      and its 95 % interval
//
// A null argument gives null. A wrong argument ends the query with one line that names it.
#pragma once

#include "analysis/pages/database.hpp"

namespace bloomlab::analysis::pages {

/// Adds the functions above to a database.
void add_functions(Database& database);

}  // namespace bloomlab::analysis::pages
