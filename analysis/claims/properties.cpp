#include "analysis/claims/properties.hpp"

namespace bloomlab::analysis::claims {

std::span<const Property> properties() {
  static constexpr Property all[] = {
      {"starts_empty", "a new filter has no bit set and contains nothing", starts_empty},
      {"insert_is_idempotent", "inserting keys again changes no bit; n keys set at most k n bits",
       insert_is_idempotent},
      {"no_false_negatives", "every inserted key is reported, however full the filter is",
       no_false_negatives},
      {"false_positives_happen", "some keys that were not inserted are reported",
       false_positives_happen},
      {"answers_absent_or_maybe", "an answer is \"absent\", which is certain, or \"maybe\"",
       answers_absent_or_maybe},
      {"positions_in_range", "the k positions of a key are in [0, m) and differ between keys",
       positions_in_range},
      {"more_probes_share_less", "more probes tell keys apart that one probe confuses",
       more_probes_share_less},
      {"memory_is_constant", "the memory does not grow with the keys", memory_is_constant},
      {"rate_grows_with_keys", "the share of set bits and the rate grow with the keys",
       rate_grows_with_keys},
      {"trace_of_the_slides",
       "bits 1,4,7 and 3,4,8 set: a key at 1,5,8 is absent, one at 1,3,8 is "
       "reported",
       trace_of_the_slides},
      {"clearing_bits_loses_members", "clearing the bits of a key loses other keys",
       clearing_bits_loses_members},
      {"counters_allow_erasing", "with counters erased keys are gone and the others stay",
       counters_allow_erasing},
      {"sixteen_copies_overflow", "a counter of 4 bits overflows at the 16th insert of one key",
       sixteen_copies_overflow},
      {"spectral_counts_at_least", "the smallest counter is never below a key's frequency",
       spectral_counts_at_least},
      {"folding_keeps_members", "a filter folded to a smaller m reports every member",
       folding_keeps_members},
      {"rebuilding_keeps_members",
       "a smaller filter made from the original hash values reports every member",
       rebuilding_keeps_members},
      {"rebuilding_fits_any_size",
       "made from the original hash values, a filter of any smaller size has that size's rate",
       rebuilding_fits_any_size},
      {"bitmap_is_exact", "a bit for each number below u answers without error in u bits",
       bitmap_is_exact},
      {"planner_needs_n_and_p", "n and p are enough to plan a filter that keeps p",
       planner_needs_n_and_p},
      {"units_are_understood", "counts, probabilities and sizes are read with their units",
       units_are_understood},
      {"two_hashes_make_all", "two hashes of a key make its k positions, (a + i b) mod m",
       two_hashes_make_all},
      {"seeds_give_other_positions", "another seed gives a key other positions",
       seeds_give_other_positions},
      {"md5_collides", "two texts that differ have one MD5", md5_collides},
      {"md5_has_128_bits", "MD5 gives 128 bits, 32 hexadecimal digits", md5_has_128_bits},
  };
  return all;
}

}  // namespace bloomlab::analysis::claims
