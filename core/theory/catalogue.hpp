// The catalogue of models. A new closed form is one file in core/theory/models/ that defines its
// function, and its name in the list below.
#pragma once

#include <array>

#include "core/theory/models.hpp"

namespace bloomlab::theory::catalogue {

using Describe = Model();

Describe standard_exact, standard_classic, standard_approx;
Describe scalable, scalable_untightened;
Describe optimal_k, optimal_sizing;
Describe lower_bound, lower_bound_finite;

/// Every model, in the order in which they are listed.
inline constexpr std::array all{
    standard_exact, standard_classic, standard_approx, scalable,           scalable_untightened,
    optimal_k,      optimal_sizing,   lower_bound,     lower_bound_finite,
};

}  // namespace bloomlab::theory::catalogue
