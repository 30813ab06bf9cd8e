// The size of a standard Bloom filter from what is known: any sufficient part of n keys, rate p, m
// bits and k probes gives the rest.
//
// Guaranteed (the default): by the exact rate, so that every answer keeps its promise: m is the
// smallest that some k meets p with, n is rounded down, and k has the lowest exact rate.
// Compatible: the formulas of the calculators found on the web, which round k and therefore often
// miss p. Sources: core/theory/sizing.hpp; the calculators' conventions: hur.st/bloomfilter.
#pragma once

#include "planner/capacity.hpp"
#include "planner/request.hpp"

namespace bloomlab::planner {

/// The filter that the request asks for. Throws record::InputError, naming the options --items,
/// --fpr, --bits, --probes and --memory, where it asks for too little, for a contradiction, or for
/// what no filter can give.
[[nodiscard]] Plan plan(const Request& request);

}  // namespace bloomlab::planner
