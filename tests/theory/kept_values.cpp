// Values as this release computes them. Other tests hold them against theory and counting, within
// what those allow; here no change of the code may change one unnoticed. Those that are simulated
// are drawn with seeds of their own.

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/theory/alternating_strides.hpp"
#include "core/theory/applications.hpp"
#include "core/theory/blocked.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/compressed.hpp"
#include "core/theory/counting.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/dynamic.hpp"
#include "core/theory/folding.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/levels.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/peers.hpp"
#include "core/theory/rate_bound.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "core/theory/strides.hpp"
#include "tests/theory/golden_file.hpp"

using namespace bloomlab::theory;

namespace {

struct Kept {
  const char* what;
  double found;
  double kept;
};

double mean_of(const std::vector<RateWeight>& law) {
  double mean = 0.0;
  for (const RateWeight& one : law) mean += one.weight * one.rate;
  return mean;
}

/// The sum of the levels' rates.
double reads_of(const std::vector<std::uint64_t>& bits) {
  const std::vector<std::uint64_t> keys = keys_of_levels(1'000'000, 4, 10);
  double sum = 0.0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sum += std::exp2(-std::log(2.0) * static_cast<double>(bits[i]) / static_cast<double>(keys[i]));
  }
  return sum;
}

void check_kept(const std::vector<Kept>& all) {
  for (const Kept& one : all) {
    INFO(one.what << " is " << one.found);
    CHECK(relative_error(one.found, one.kept) < 1e-8);
  }
}

}  // namespace

#define KEPT(value, ...) \
  { #__VA_ARGS__, __VA_ARGS__, value }

TEST_CASE("kept values: rates of positions that follow from two words", "[theory][kept]") {
  check_kept({
      KEPT(0.00897994887595196, strided_fpr({.word_bits = 64}, 1'000, 100, 7)),
      KEPT(7.09212933790165e-06, strided_fpr({.word_bits = 64}, 3'000, 30, 20)),
      KEPT(0.00819708777340812, strided_fpr({.word_bits = 64}, 100'003, 10'000, 7)),
      KEPT(4.4688067280343e-05, strided_fpr({.word_bits = 64}, 1'048'576, 50'000, 13)),
      KEPT(0.00834706257691453, strided_fpr({.word_bits = 32}, 9'973, 1'000, 7)),
      KEPT(0.00218633735386371, strided_fpr({.word_bits = 32, .first = 1}, 12'800, 1'000, 9)),
      KEPT(0.0111570813832284, strided_fpr({.word_bits = 32, .rotation = 15}, 9'600, 1'000, 6)),
      KEPT(0.0144586100275182,
           strided_fpr({.word_bits = 32, .rotation = 15}, 1'000'000, 100'000, 6)),
      KEPT(1.08475361946152e-05, strided_fpr({.word_bits = 32, .rotation = 15}, 8'160, 140, 30)),
      KEPT(0.000443949408843666, strided_fpr({.word_bits = 32, .rotation = 17}, 17'340, 1'020, 11)),
      KEPT(0.0088994982816469,
           strided_fpr({.word_bits = 32, .rotation = 17}, 10'000'000, 1'000'000, 7)),
      KEPT(0.0100396063412644,
           strided_fpr({.word_bits = 64, .fold = SignFold::absolute}, 9'600, 1'000, 7)),
      KEPT(0.0165610371833664,
           strided_fpr({.word_bits = 64, .fold = SignFold::absolute}, 96, 10, 7)),
      KEPT(0.0100070979441895,
           strided_fpr({.word_bits = 32, .fold = SignFold::complement, .first = 1}, 9'600, 1'000,
                       7)),
      KEPT(0.00734019934598459,
           strided_fpr({.word_bits = 32, .fold = SignFold::complement}, 128'000, 12'000, 5)),
      KEPT(0.0100102435684644, strided_fpr({.word_bits = 64, .squares = true}, 9'600, 1'000, 7)),
      KEPT(0.0100016375385045,
           strided_fpr({.word_bits = 64, .stride_alone = true}, 9'600, 1'000, 7)),
      KEPT(0.00930020609853126, strided_fpr({.word_bits = 0}, 720, 60, 12)),
      KEPT(0.000784504388567717, strided_fpr({.word_bits = 63}, 320, 8, 20)),
      KEPT(0.010042262127513, StridedRate({.word_bits = 64}, 9'600, 1'000, 7)(0.05)),
      KEPT(0.000274358474240233,
           StridedRate({.word_bits = 64}, 9'600, 1'000, 7).for_keys(500)(0.02)),
      KEPT(0.0105020822302964, alternating_fpr(1'000, 100, 7)),
      KEPT(0.012136524793439, alternating_fpr(9'600, 1'000, 7)),
      KEPT(0.0120012718008673, alternating_fpr(100'003, 10'000, 10)),
      KEPT(0.00192933167461197, alternating_fpr(51, 1, 35)),
      KEPT(0.0020601377983827, strided_lines_fpr(10, 300, 6)),
      KEPT(0.0253948916042205, strided_lines_fpr(1'000, 60'000, 8, 0.01)),
      KEPT(0.000797114126702173, strided_lines_fpr(1, 20, 5)),
      KEPT(0.0175751579467711, double_hashing_fpr(64, 6, 4, Stride::any).rate),
      KEPT(0.00864814628679143, double_hashing_fpr(1'024, 100, 7, Stride::any).rate),
      KEPT(0.00922830338768652, double_hashing_fpr(1'000, 100, 7, Stride::nonzero).rate),
      KEPT(0.00814879169762784, double_hashing_fpr(1'024, 100, 7, Stride::odd).rate),
      KEPT(0.000842831535926693, double_hashing_fpr(1'024, 100, 7, Stride::any).degenerate_part),
      KEPT(0.800535295344293, double_hashing_fpr(12, 3, 16, Stride::any).rate),
      KEPT(0.0106406545502243, blocked_double_hashing_fpr(20, 512, 1'000, 6, Stride::any).rate),
      KEPT(0, blocked_double_hashing_fpr(20, 512, 1'000, 6, Stride::odd).degenerate_part),
  });
}

TEST_CASE("kept values: loads, estimates and laws", "[theory][kept]") {
  const std::vector<std::uint64_t> masks{0x8000'0000'0000'0001, 0x0f0, 0x3'0000'0007, 1};
  const BlockShape split{.blocks = 10, .groups = 8, .sector_bits = 32};
  const BlockShape sectors{
      .blocks = 10, .groups = 2, .choices = 4, .sector_bits = 64, .bits_per_group = 3};
  const BlockShape one_block{.groups = 4, .sector_bits = 64, .bits_per_group = 2};
  const FalsePositiveLaw law(own_rate_law_at(0.01, 1'000), 1'000);
  check_kept({
      KEPT(0.00869657338340823, poisson_blocked_fpr(50.0, 512, 7)),
      KEPT(1.51820299811809e-07, poisson_blocked_fpr(0.01, 64, 4)),
      KEPT(0.0996290401367803, poisson_blocked_fpr(30.5, 256, 16)),
      KEPT(0.00502667394787816, poisson_split_block_fpr(21.0, 8, 32)),
      KEPT(1.73576740861528e-07, poisson_split_block_fpr(0.5, 4, 64)),
      KEPT(0.185788030342475, masked_words_fpr(masks, 100.0, 900)),
      KEPT(0.206227000544566, masked_words_fpr(masks, 1e6, 10'000'000)),
      KEPT(0.00683593750000014, masked_words_fpr(masks, 3.0, 1)),
      KEPT(0.00737906039627768, reduced_range_fpr(1'000, 700, 60, 5)),
      KEPT(0.0115603581140521, reduced_range_fpr(65'536, 50'000, 5'000, 7)),
      KEPT(0.018889360465501, reduced_range_fpr(500, 700, 60, 5)),
      KEPT(0.0824807584391079, short_hash_fpr(16, 50'000, 5'000, 7)),
      KEPT(0.0308459214357935, short_hash_fpr(32, 1'000'000'000, 100'000'000, 7)),
      KEPT(0.0988278837182356, short_hash_fpr(20, 1'048'576, 100'000, 4)),
      KEPT(0.00826624751484357, query_fpr(1'000, 700, 7)),
      KEPT(0.00011901988891, query_fpr(100, 5, 3)),
      KEPT(0.0080964196893774, distinct_query_fpr(1'000, 700, 7)),
      KEPT(5.8215e-05, distinct_query_fpr(100, 5, 3)),
      KEPT(98.9715070255001, *estimated_keys(1'000, 7, 500)),
      KEPT(0.142857142857143, *estimated_keys(1'000, 7, 1)),
      KEPT(99.0210257942779, *swamidass_baldi_keys(1'000, 7, 500)),
      KEPT(2.53018014045622, sd_estimated_keys(1'000, 7, 100)),
      KEPT(0.70762622642742, sd_estimated_keys(1'000'000, 5, 1'000)),
      KEPT(15.0515022368323, smaller_filter(1'000, 7, 100, 0.01).keys),
      KEPT(1e-07, smaller_filter(1'000, 7, 100, 0.01).rate),
      KEPT(145, static_cast<double>(smaller_filter(1'000, 7, 100, 0.01).bits)),
      KEPT(138.403982144883, *estimated_keys(split, 900)),
      KEPT(300.331512752237, *estimated_keys(sectors, 1'500)),
      KEPT(3.35731552509039, sd_estimated_keys(split, 200.0)),
      KEPT(3.38299970660198, sd_estimated_keys(sectors, 300.0)),
      KEPT(0.983549370594563, sd_estimated_keys(one_block, 20.0)),
      KEPT(72.7194884159981, *estimated_keys(sliced_bits(1'000, 7), 400)),
      KEPT(1.96885699701693, sd_estimated_keys(sliced_bits(1'000, 7), 80.0)),
      KEPT(81.0321814126146, *estimated_keys(folded_bits(1'000, 700, 5), 300)),
      KEPT(2.54824567531443, sd_estimated_keys(folded_bits(1'000, 700, 5), 80.0)),
      KEPT(0.00163707180037053, law.above(20)),
      KEPT(0.962014608805045, law.above(8, 1.5)),
      KEPT(0.01, law.mean_rate()),
      KEPT(21, static_cast<double>(law.smallest_bound(1e-3))),
      KEPT(34, static_cast<double>(law.smallest_bound(1e-9))),
      KEPT(3.83988289826084, *law.detected_factor(30, 0.9)),
      KEPT(0.0549743484124073, FalsePositiveLaw({{0.5, 0.01}, {0.5, 0.02}}, 1'000).above(25)),
      KEPT(11120, static_cast<double>(*trials_for(own_rate_law_at(0.01, 1'000), 1e-3, 1.5, 0.9))),
      KEPT(986624, static_cast<double>(*trials_for({{1.0, 0.001}}, 1e-6, 1.2, 0.9))),
      KEPT(0.00038416, own_rate_law(100, 10, 4).front().rate),
      KEPT(0.000112157625266646, own_rate_law(100, 10, 4).back().weight),
      KEPT(154, static_cast<double>(own_rate_law(1'000, 100, 7).size())),
      KEPT(0.00819444542764048, mean_of(own_rate_law(100'000, 10'000, 7))),
      KEPT(3.58353495952479e-05, mean_of(own_rate_law(1'000, 3, 2))),
      KEPT(0.999999260415151, mean_of(own_rate_law(40, 200, 3))),
      KEPT(0.997630322809887, counter_reaches(1'000, 700, 4)),
      KEPT(0.00185872435442184, counter_reaches(1'000, 100'000, 150)),
      KEPT(0.0856000000000001, counter_reaches(10, 5, 3)),
      KEPT(8.22416992085884e-11, counter_reaches(1'000'000, 700'000, 16)),
      KEPT(1, counter_reaches_union_bound(1'000, 700, 4)),
      KEPT(51.2070930584294, counter_reaches_fan_bound(1'000, 700, 4)),
      KEPT(77.3779032370338, var_set_bits(1'000, 100, 7)),
      KEPT(9.99999e-07, var_set_bits(1'000'000, 1, 2)),
      KEPT(0.1875, var_set_bits(2, 1, 3)),
      KEPT(8.04606974208516e-12, var_set_bits(100, 1'000, 3)),
      KEPT(0.00101112813639599, sd_conditional_fpr(1'000, 100, 7)),
      KEPT(0.000357886692252618, sd_conditional_fpr(1'000'000, 100'000, 20)),
      KEPT(0.00117396612142899, sd_conditional_fpr(64, 4, 3)),
  });
}

TEST_CASE("kept values: closed forms", "[theory][kept]") {
  check_kept({
      KEPT(0.00826624751484357, exact_fpr(1'000, 100, 7)),
      KEPT(0.00520261194164847, exact_fpr(64, 4, 3)),
      KEPT(0.00819372213819671, exact_fpr(1'000'000'000, 100'000'000, 7)),
      KEPT(1, exact_fpr(100, 1'000, 30)),
      KEPT(3.77533949413815e-146, exact_fpr(1'000, 1, 200)),
      KEPT(-544.126361188117, log2_exact_fpr(1'000'000, 1'000, 250)),
      KEPT(5.90508512269269e-07, conjunction_fpr(1'000, 100, 7, 3)),
      KEPT(0.00821525983355437, *exact_fpr_without_replacement(1'000, 100, 7)),
      KEPT(0.00426170741090125, *exact_fpr_without_replacement(64, 4, 3)),
      KEPT(0.0159806310015306, *exact_fpr_without_replacement(1'000'000, 100'000, 13)),
      KEPT(0.00737906039627768, folded_fpr(1'000, 700, 60, 5)),
      KEPT(0.00833390714807648, partitioned_fpr(1'000, 100, 7)),
      KEPT(0.00102044320489748, sd_partitioned_fpr(1'000, 100, 7)),
      KEPT(0.0247875062280686, dynamic_fpr(1'000, 7, 100, 350)),
      KEPT(0.0245713991654984, dynamic_approx_fpr(1'000, 7, 100, 350)),
      KEPT(0.00870389827170397, blocked_fpr(20, 512, 1'000, 6)),
      KEPT(0.00916465634157224, blocked_fpr(1'000'000, 512, 50'000'000, 8)),
      KEPT(0.000916698807852191, split_block_fpr(20, 8, 32, 300)),
      KEPT(0.847617379653539, split_block_fpr(20, 8, 32, 300, 3)),
      KEPT(0.00408961982347882,
           cache_sectorized_fpr(
               {.blocks = 20, .sectors = 8, .sector_bits = 64, .groups = 2, .bits_per_group = 3},
               800)),
      KEPT(0.0087780580728077, scalable_fpr(0.01, 0.5, 2, 100, 1'000)),
      KEPT(0.000445165304568939, scalable_fpr(0.001, 0.9, 4, 10, 12'345)),
      KEPT(0.00884483483786845, scalable_partitioned_fpr(0.01, 0.5, 2, 100, 1'000)),
      KEPT(0.017640792007104, untightened_fpr(1'000, 7, 0.01, 300)),
      KEPT(0.000712263564839001, sd_compound_fpr(scalable_layers(0.01, 0.5, 2, 100, 1'000))),
      KEPT(0.000719488053411982,
           sd_compound_partitioned_fpr(scalable_layers(0.01, 0.5, 2, 100, 1'000))),
      KEPT(0.00871025828729687, compound_approx_fpr(scalable_layers(0.01, 0.5, 2, 100, 1'000))),
      KEPT(0.0305811126906752, hash_width_rate(32, 100'000'000, 1'000'000'000, 7).rate),
      KEPT(992.416776935779, hash_width_rate(16, 1'000, 10'000, 7).distinct_fingerprints),
      KEPT(9274, static_cast<double>(different_hashes(16, 10'000))),
      KEPT(6643.85618977472, lower_bound_bits(1'000, 0.01)),
      KEPT(6088.85351515987, lower_bound_finite_bits(100'000, 1'000, 0.01)),
      KEPT(0.0294210344717577, cuckoo_fpr(8, 4, 0.95)),
      KEPT(0.0264387345277713, cuckoo_fpr_of_keys(8, 4, 1'024, 3'500)),
      KEPT(0.8544921875, cuckoo_load(4, 1'024, 3'500)),
      KEPT(0.00390625, fingerprint_fpr_of_keys(8, 1'000)),
      KEPT(8.3455775919634, compressed_filter(8.0, 4).m_over_n),
      KEPT(0.0210232399927472, compressed_filter(8.0, 4).rate),
      KEPT(0.513599837260669, compressed_filter(1.5, 1).p_zero),
      KEPT(0.00826624751484357, optimal_k(1'000, 100).rate),
      KEPT(6.93147180559945, optimal_k_real(1'000, 100)),
      KEPT(9595, static_cast<double>(smallest_filter_exact(1'000, 0.01).m)),
      KEPT(9.99990962825365e-07, smallest_filter_exact(1'000, 1e-6).rate),
      KEPT(8, static_cast<double>(smallest_filter_approx(3, 0.3).m)),
      KEPT(19174, static_cast<double>(smallest_filter_classic(1'000, 1e-4).m)),
      KEPT(0.010034531962678, popular_calculator(1'000, 0.01).rate),
      KEPT(0.128894654703302, false_loop(256, 5, 32)),
      KEPT(0.0112863457174431, rotating_filters(10'000, 5, 1'000, 1'501).new_dropped),
      KEPT(0.495234150253064, rotating_filters(10'000, 5, 1'000, 1'501).duplicates_missed),
      KEPT(238.200140298817, crawl_losses(10'000, 5, 50'000, 4).skipped),
      KEPT(1.94680660481339e-09, crawl_losses(10'000, 5, 50'000, 4).unreached),
      KEPT(0.25947110766381, tree_forwards(3, 5, 7, 8, 4).present),
      KEPT(0.0775566138355346, tree_forwards(3, 5, 7, 8, 4).absent),
      KEPT(0.774194062550563, flows_wrongly_admitted(1'000, 3, 300, 200, 10)),
      KEPT(8120.03302006596, flows_wrongly_admitted(10'000, 5, 10'000, 90, 3)),
      KEPT(325.6, guarded_lookup(0.3, 0.02, 10.0, 20.0, 900.0, 1'000.0).time),
      KEPT(0.977578475336323, guarded_lookup(0.3, 0.02, 10.0, 20.0, 900.0, 1'000.0).break_even),
      KEPT(0.03125, chosen_keys(1'000, 100, 5).rate),
      KEPT(746.853072716501, chosen_keys(1'000, 100, 5).tries),
      KEPT(0.0307014244269729, reads_of(best_bits(keys_of_levels(1'000'000, 4, 10), 8'000'000))),
      KEPT(5542192, static_cast<double>(bits_for_reads(keys_of_levels(1'000'000, 4, 10), 0.1))),
  });
}
