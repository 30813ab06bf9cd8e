// The catalogue of models. A new closed form is one file in core/theory/models/ that defines its
// function, and its name in the two lists below.
#pragma once

#include <array>

#include "core/theory/model.hpp"

namespace bloomlab::theory::catalogue {

using Describe = Model();

Describe standard_exact, standard_classic, standard_approx, conjunction;
Describe scalable, scalable_partitioned, scalable_untightened, dynamic;
Describe partitioned, blocked, split_block, cache_sectorized;
Describe double_hashing_exact, hash_width_floor;
Describe folding, compressed, counting_overflow, cardinality, smaller_filter, peers;
Describe cuckoo, fingerprint, exact_set;
Describe optimal_k, optimal_sizing, lower_bound, lower_bound_finite;
Describe false_loop, rotating_filters, crawl_losses, tree_forwards, flows_wrongly_admitted,
    guarded_lookup, chosen_keys;

/// Every model, in the order in which they are listed.
inline constexpr std::array all{
    standard_exact,  //
    standard_classic,
    standard_approx,
    conjunction,
    partitioned,
    blocked,
    split_block,
    cache_sectorized,
    double_hashing_exact,
    hash_width_floor,
    scalable,
    scalable_partitioned,
    scalable_untightened,
    dynamic,
    folding,
    compressed,
    counting_overflow,
    cardinality,
    smaller_filter,
    peers,
    cuckoo,
    fingerprint,
    exact_set,
    optimal_k,
    optimal_sizing,
    lower_bound,
    lower_bound_finite,
    false_loop,
    rotating_filters,
    crawl_losses,
    tree_forwards,
    flows_wrongly_admitted,
    guarded_lookup,
    chosen_keys,
};

}  // namespace bloomlab::theory::catalogue
