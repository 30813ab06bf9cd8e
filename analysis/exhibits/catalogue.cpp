#include "analysis/exhibits/catalogue.hpp"

#include <array>

namespace bloomlab::analysis {

namespace {

constexpr auto entries = std::to_array<ExhibitEntry>({
    {"textbook_table", textbook_exhibit, Subject::sources},
    {"ratio_table", ratio_exhibit, Subject::sources},
    {"lab_report", lab_report_exhibit, Subject::lab},
    {"lab_report_extended", lab_effect_exhibit, Subject::lab},
    {"fpr_vs_m", size_exhibit, Subject::sources},
    {"fpr_vs_k", probes_exhibit, Subject::sources},
    {"fpr_vs_n", load_exhibit, Subject::sources},
    {"fpr_vs_fill", fill_exhibit, Subject::sources},
    {"hash_choice", hash_choice_exhibit, Subject::hashing},
    {"standard_vs_scalable", growth_exhibit, Subject::lab},
    {"scalable_sweep", scalable_sweep_exhibit, Subject::lab},
    {"scalable_fair", scalable_fair_exhibit, Subject::lab},
    {"mutation_matrix", mutation_matrix_exhibit, Subject::laboratory},
    {"theory_ladder", ladder_exhibit, Subject::sources},
    {"exact_or_approximate", ladder_exhibit, Subject::sources},
    {"precision", precision_exhibit, Subject::laboratory},
    {"cost_growth", cost_growth_exhibit, Subject::speed},
    {"interval_coverage", coverage_exhibit, Subject::laboratory},
    {"interval_stopping", stopping_exhibit, Subject::laboratory},
    {"interval_fixed_hits", stopping_exhibit, Subject::laboratory},
    {"test_power", power_exhibit, Subject::laboratory},
    {"census", census_exhibit, Subject::laboratory},
    {"blocked_layouts", layouts_exhibit, Subject::filters},
    {"index_families", index_families_exhibit, Subject::hashing},
    {"index_families_probes", family_probes_exhibit, Subject::hashing},
    {"double_hashing", double_hashing_exhibit, Subject::hashing},
    {"counting_deletion", counting_deletion_exhibit, Subject::filters},
    {"counting_overflow", counting_overflow_exhibit, Subject::filters},
    {"spectral_multiplicity", spectral_multiplicity_exhibit, Subject::filters},
    {"hash_quality", hash_quality_exhibit, Subject::hashing},
    {"hash_width_floor", hash_width_exhibit, Subject::hashing},
    {"javascript_filter", javascript_exhibit, Subject::hashing},
    {"folding", folding_exhibit, Subject::filters},
    {"compression", compression_exhibit, Subject::filters},
    {"reduction_bias", reduction_exhibit, Subject::hashing},
    {"filter_zoo", zoo_exhibit, Subject::filters},
    {"throughput", speed_exhibit, Subject::speed},
    {"throughput_scale", speed_exhibit, Subject::speed},
    {"peers", speed_exhibit, Subject::speed},
    {"external_peers", external_peers_exhibit, Subject::speed},
    {"speed_bits", speed_exhibit, Subject::speed},
    {"speed_latency", speed_exhibit, Subject::speed},
    {"speed_cold", speed_exhibit, Subject::speed},
    {"speed_keys", speed_exhibit, Subject::speed},
    {"speed_threads", speed_exhibit, Subject::speed},
    {"speed_build_threads", speed_exhibit, Subject::speed},
    {"hash_speed", speed_table_exhibit, Subject::speed},
    {"construction", speed_table_exhibit, Subject::speed},
    {"speed_deduplication", speed_table_exhibit, Subject::speed},
});

}  // namespace

std::span<const ExhibitEntry> exhibits() { return entries; }

}  // namespace bloomlab::analysis
