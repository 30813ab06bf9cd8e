#include "analysis/exhibits/catalogue.hpp"

#include <array>

namespace bloomlab::analysis {

namespace {

constexpr auto entries = std::to_array<ExhibitEntry>({
    {"textbook_table", textbook_exhibit},
    {"ratio_table", ratio_exhibit},
    {"lab_report", lab_report_exhibit},
    {"lab_report_extended", lab_effect_exhibit},
    {"fpr_vs_m", size_exhibit},
    {"fpr_vs_k", probes_exhibit},
    {"fpr_vs_n", load_exhibit},
    {"fpr_vs_fill", fill_exhibit},
    {"hash_choice", hash_choice_exhibit},
    {"standard_vs_scalable", growth_exhibit},
    {"scalable_sweep", scalable_sweep_exhibit},
    {"mutation_matrix", mutation_matrix_exhibit},
    {"theory_ladder", ladder_exhibit},
    {"exact_or_approximate", ladder_exhibit},
    {"precision", precision_exhibit},
    {"cost_growth", cost_growth_exhibit},
    {"interval_coverage", coverage_exhibit},
    {"interval_stopping", stopping_exhibit},
    {"interval_fixed_hits", stopping_exhibit},
    {"test_power", power_exhibit},
    {"census", census_exhibit},
    {"blocked_layouts", layouts_exhibit},
    {"index_families", index_families_exhibit},
    {"index_families_probes", family_probes_exhibit},
    {"double_hashing", double_hashing_exhibit},
    {"counting_deletion", counting_deletion_exhibit},
    {"counting_overflow", counting_overflow_exhibit},
    {"spectral_multiplicity", spectral_multiplicity_exhibit},
    {"hash_quality", hash_quality_exhibit},
    {"hash_width_floor", hash_width_exhibit},
    {"javascript_filter", javascript_exhibit},
    {"folding", folding_exhibit},
    {"compression", compression_exhibit},
    {"reduction_bias", reduction_exhibit},
    {"filter_zoo", zoo_exhibit},
    {"throughput", speed_exhibit},
    {"throughput_scale", speed_exhibit},
    {"peers", speed_exhibit},
    {"external_peers", external_peers_exhibit},
    {"speed_bits", speed_exhibit},
    {"speed_latency", speed_exhibit},
    {"speed_cold", speed_exhibit},
    {"speed_keys", speed_exhibit},
    {"speed_threads", speed_exhibit},
    {"hash_speed", speed_table_exhibit},
    {"construction", speed_table_exhibit},
});

}  // namespace

std::span<const ExhibitEntry> exhibits() { return entries; }

}  // namespace bloomlab::analysis
