// Properties that claims name, each seen on real filters in memory, with fixed keys and seeds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bloomlab::analysis::claims {

/// What was seen of a property.
struct Observed {
  bool holds = false;
  std::string seen;  ///< the numbers that say so, in a few words
};

/// A property. `observe` takes milliseconds and gives the same every time.
struct Property {
  std::string_view name;
  std::string_view meaning;
  Observed (*observe)();
};

/// Every property, in the order of the documentation.
[[nodiscard]] std::span<const Property> properties();

// Of bits (properties/bits.cpp).
Observed starts_empty();
Observed insert_is_idempotent();
Observed no_false_negatives();
Observed false_positives_happen();
Observed positions_in_range();
Observed memory_is_constant();
Observed rate_grows_with_keys();
Observed trace_of_the_slides();
Observed more_probes_share_less();
Observed two_hashes_make_all();
Observed seeds_give_other_positions();

// Of deletion and counters (properties/counters.cpp).
Observed clearing_bits_loses_members();
Observed counters_allow_erasing();
Observed sixteen_copies_overflow();
Observed spectral_counts_at_least();
Observed folding_keeps_members();
Observed rebuilding_keeps_members();
Observed rebuilding_fits_any_size();

// Of tools (properties/tools.cpp).
Observed planner_needs_n_and_p();
Observed units_are_understood();
Observed md5_has_128_bits();
Observed md5_collides();
Observed answers_absent_or_maybe();
Observed bitmap_is_exact();

}  // namespace bloomlab::analysis::claims
