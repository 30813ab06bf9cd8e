#include "analysis/exhibits/kinds.hpp"

#include <array>
#include <utility>

namespace bloomlab::analysis {

namespace {

/// Stems of all exhibits of other kinds than false_positive_rate.
constexpr auto other_kinds = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"standard_vs_scalable", "growth"},
    {"scalable_fair", "growth"},
    {"mutation_matrix", "mutation_matrix"},
    {"interval_coverage", "calibration"},
    {"interval_stopping", "calibration"},
    {"interval_fixed_hits", "calibration"},
    {"test_power", "calibration"},
    {"census", "census"},
    {"counting_deletion", "counting_deletion"},
    {"counting_overflow", "counting_overflow"},
    {"spectral_multiplicity", "spectral_multiplicity"},
    {"hash_quality", "hash_quality"},
    {"throughput", "throughput"},
    {"throughput_scale", "throughput"},
    {"peers", "throughput"},
    {"external_peers", "throughput"},
    {"speed_bits", "throughput"},
    {"speed_latency", "throughput"},
    {"speed_cold", "throughput"},
    {"speed_keys", "throughput"},
    {"speed_threads", "throughput"},
    {"speed_build_threads", "construction"},
    {"hash_speed", "hash_speed"},
    {"construction", "construction"},
    {"speed_deduplication", "deduplication"},
});

}  // namespace

std::string_view kind_of_exhibit(std::string_view stem) {
  for (const auto& [name, kind] : other_kinds) {
    if (name == stem) return kind;
  }
  return "false_positive_rate";
}

}  // namespace bloomlab::analysis
