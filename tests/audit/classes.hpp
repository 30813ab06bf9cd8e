// The class of every seeded defect, as docs/audit.md published it before the first score; since
// then derived_stride has become a class of its own, which was part of strides.
#pragma once

#include <array>
#include <string_view>

#include "audit/causes.hpp"

namespace bloomlab::tests {

struct DefectClass {
  std::string_view defect;
  audit::Class expected;
  bool matrix_catches = true;  ///< caught by the mutation matrix
};

inline constexpr std::array defect_classes = {
    DefectClass{"multiply_shift_32_bits", audit::Class::reduction},
    DefectClass{"modulo_32_bits", audit::Class::reduction},
    DefectClass{"modulo_one_less", audit::Class::fewer_bits, false},
    DefectClass{"mask_of_any_size", audit::Class::fewer_bits},
    DefectClass{"clamped_remainder", audit::Class::sign},
    DefectClass{"size_in_16_bits", audit::Class::fewer_bits},
    DefectClass{"single_precision", audit::Class::reduction},
    DefectClass{"shift_in_32_bits", audit::Class::fewer_bits},
    DefectClass{"equal_seeds", audit::Class::probe_count},
    DefectClass{"seed_added_last", audit::Class::strides},
    DefectClass{"first_probe_twice", audit::Class::probe_count},
    DefectClass{"digest_of_32_bits", audit::Class::hash_width},
    DefectClass{"turned_digest", audit::Class::shared_bits},
    DefectClass{"text_keys", audit::Class::weak_hash},
    DefectClass{"seed_ignored", audit::Class::seed_ignored, false},
    DefectClass{"even_strides", audit::Class::strides},
    DefectClass{"any_stride", audit::Class::strides},
    DefectClass{"stride_equals_offset", audit::Class::derived_stride},
    DefectClass{"insert_probe_missing", audit::Class::probe_count},
    DefectClass{"insert_probe_extra", audit::Class::probe_count},
    DefectClass{"query_probe_missing", audit::Class::probe_count},
    DefectClass{"last_probe_inverted", audit::Class::inverted},
    DefectClass{"last_probe_decides", audit::Class::probe_count},
    DefectClass{"lost_key_in_1000", audit::Class::lost_keys},
    DefectClass{"lost_key_in_1000000", audit::Class::lost_keys},
    DefectClass{"batch_end_lost", audit::Class::lost_keys},
    DefectClass{"batch_begin_twice", audit::Class::none, false},
    DefectClass{"stale_digest", audit::Class::lost_keys, false},
    DefectClass{"lost_update", audit::Class::lost_keys},
    DefectClass{"inverted_answer", audit::Class::nondeterminism},
    DefectClass{"last_word_lost", audit::Class::lost_keys},
    DefectClass{"popcount_of_32_bits", audit::Class::unknown},
    DefectClass{"last_word_kept", audit::Class::stale_memory, false},
    DefectClass{"cleared_too_few", audit::Class::stale_memory},
    DefectClass{"block_bits_shared", audit::Class::shared_bits},
    DefectClass{"block_half_used", audit::Class::fewer_bits},
    DefectClass{"block_index_of_16_bits", audit::Class::reduction},
    DefectClass{"last_block_lost", audit::Class::lost_keys},
    DefectClass{"equal_salts", audit::Class::probe_count},
    DefectClass{"overlapping_slices", audit::Class::fewer_bits},
    DefectClass{"boundary_key_lost", audit::Class::lost_keys},
    DefectClass{"wrapped_counter", audit::Class::capacity},
    DefectClass{"lowered_full_counter", audit::Class::capacity},
};

}  // namespace bloomlab::tests
