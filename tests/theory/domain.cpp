// The domain of every closed form, from both sides of each limit: what is allowed is computed, what
// is one step beyond is refused by its name.

#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/theory/alternating_strides.hpp"
#include "core/theory/applications.hpp"
#include "core/theory/blocked.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/check_rate.hpp"
#include "core/theory/compressed.hpp"
#include "core/theory/counting.hpp"
#include "core/theory/domain_error.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/dynamic.hpp"
#include "core/theory/folding.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/models.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/peers.hpp"
#include "core/theory/rate_bound.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "core/theory/strides.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::theory;

namespace {

struct Limit {
  std::string text;
  std::function<void()> within;
  std::function<void()> beyond;
  std::string fault;  ///< a part of what is said beyond
};

void check_limits(const std::vector<Limit>& all) {
  for (const Limit& one : all) {
    INFO(one.text);
    CHECK_NOTHROW(one.within());
    CHECK_THROWS_AS(one.beyond(), DomainError);
    CHECK_THROWS_WITH(one.beyond(), Catch::Contains(one.fault));
  }
}

}  // namespace

// The fault stands first, as calls have commas.
#define WITHIN(...) [&] { static_cast<void>(__VA_ARGS__); }
#define LIMIT(fault, within, ...) \
  { #__VA_ARGS__, within, WITHIN(__VA_ARGS__), fault }

TEST_CASE("limits of closed forms are what they say, part 1", "[theory][domain]") {
  check_limits({
      LIMIT("alternating strides: more than 256 probes",
            WITHIN(alternating_fpr(1'000, 10, 256, 0.5)), alternating_fpr(1'000, 10, 257, 0.5)),
      LIMIT("a block or sector of more than 65536 bits", WITHIN(BlockRates::plain(65'536, 256)),
            BlockRates::plain(65'537, 256)),
      LIMIT("more than 256 probes", WITHIN(BlockRates::plain(512, 256)),
            BlockRates::plain(512, 257)),
      LIMIT("positions from more than 64 bits", WITHIN(BlockRates::of_lanes(8, 32, 64)),
            BlockRates::of_lanes(8, 32, 65)),
      LIMIT("cache_sectorized:", WITHIN(BlockRates::of_sectors({1, 4, 64, 2, 128})),
            BlockRates::of_sectors({1, 4, 64, 2, 129})),
      LIMIT("cache_sectorized:", WITHIN(BlockRates::of_sectors({1, 4, 64, 2, 3})),
            BlockRates::of_sectors({0, 4, 64, 2, 3})),
      LIMIT("cache_sectorized:", WITHIN(BlockRates::of_sectors({1, 4, 64, 2, 3})),
            BlockRates::of_sectors({1, 4, 64, 3, 3})),
      LIMIT("cache_sectorized:", WITHIN(BlockRates::of_sectors({1, 1, 64, 1, 3})),
            BlockRates::of_sectors({1, 0, 64, 1, 3})),
      LIMIT("blocked:", WITHIN(blocked_fpr(1, 64, 5, 3)), blocked_fpr(0, 64, 5, 3)),
      LIMIT("split_block:", WITHIN(split_block_fpr(1, 8, 32, 5)), split_block_fpr(0, 8, 32, 5)),
      LIMIT("eps is outside (0, 1]", WITHIN(lower_bound_bits(10, 1.0)), lower_bound_bits(10, 1.01)),
      LIMIT("eps is outside (0, 1]", WITHIN(lower_bound_bits(10, 0.1)), lower_bound_bits(10, 0.0)),
      LIMIT("n is above u", WITHIN(lower_bound_finite_bits(10, 10, 0.0)),
            lower_bound_finite_bits(10, 11, 0.0)),
      LIMIT("eps is outside [0, 1]", WITHIN(lower_bound_finite_bits(20, 10, 1.0)),
            lower_bound_finite_bits(20, 10, 1.01)),
      LIMIT("eps is outside [0, 1]", WITHIN(lower_bound_finite_bits(20, 10, 0.0)),
            lower_bound_finite_bits(20, 10, -0.01)),
      LIMIT("cardinality:", WITHIN(estimated_keys(100, 3, 100)), estimated_keys(100, 3, 101)),
      LIMIT("cardinality:", WITHIN(estimated_keys(BlockShape{.sector_bits = 64}, 64)),
            estimated_keys(BlockShape{.sector_bits = 64}, 65)),
      LIMIT("cardinality:", WITHIN(estimated_keys(BlockShape{.sector_bits = 64}, 1)),
            estimated_keys(BlockShape{.bits_per_group = 0}, 0)),
      LIMIT("cardinality:", WITHIN(estimated_keys(BlockShape{.sector_bits = 64}, 1)),
            estimated_keys(BlockShape{.blocks = 0}, 0)),
      LIMIT("smaller_filter:", WITHIN(smaller_filter(100, 3, 50, 0.99)),
            smaller_filter(100, 3, 50, 1.0)),
      LIMIT("smaller_filter:", WITHIN(smaller_filter(100, 3, 50, 0.01)),
            smaller_filter(100, 3, 50, 0.0)),
      LIMIT("smaller_filter:", WITHIN(smaller_filter(100, 3, 99, 0.01)),
            smaller_filter(100, 3, 100, 0.01)),
      LIMIT("fewer bits than slices", WITHIN(sliced_bits(7, 7)), sliced_bits(6, 7)),
      LIMIT("fewer bits than slices", WITHIN(sliced_bits(7, 1)), sliced_bits(7, 0)),
      LIMIT("a filter folds to 1 to m bits", WITHIN(folded_bits(100, 100, 3)),
            folded_bits(100, 101, 3)),
      LIMIT("a filter folds to 1 to m bits", WITHIN(folded_bits(100, 1, 3)),
            folded_bits(100, 0, 3)),
      LIMIT("cardinality:", WITHIN(estimated_keys(sliced_bits(100, 3), 100)),
            estimated_keys(sliced_bits(100, 3), 101)),
      LIMIT("compressed:", WITHIN(compressed_filter(512.0, 1)), compressed_filter(512.1, 1)),
      LIMIT("compressed:", WITHIN(compressed_filter(1.0, 1)), compressed_filter(0.0, 1)),
      LIMIT("compressed:", WITHIN(compressed_filter(8.0, 1)), compressed_filter(8.0, 0)),
      LIMIT("counting_overflow: m is 0", WITHIN(counter_reaches(1, 5, 2)),
            counter_reaches(0, 5, 2)),
      LIMIT("j is outside 1 to 65536", WITHIN(counter_reaches(10, 5, 65'536)),
            counter_reaches(10, 5, 65'537)),
      LIMIT("j is outside 1 to 65536", WITHIN(counter_reaches(10, 5, 1)),
            counter_reaches(10, 5, 0)),
      LIMIT("double_hashing_exact:", WITHIN(double_hashing_fpr(32'768, 1, 1, Stride::any)),
            double_hashing_fpr(32'769, 1, 1, Stride::any)),
      LIMIT("double_hashing_exact:", WITHIN(double_hashing_fpr(64, 1, 16, Stride::any)),
            double_hashing_fpr(64, 1, 17, Stride::any)),
      LIMIT("double_hashing_exact:", WITHIN(double_hashing_fpr(2, 1, 1, Stride::nonzero)),
            double_hashing_fpr(1, 1, 1, Stride::nonzero)),
      LIMIT("double_hashing_exact:", WITHIN(double_hashing_fpr(64, 1, 3, Stride::odd)),
            double_hashing_fpr(63, 1, 3, Stride::odd)),
      LIMIT("there is no block", WITHIN(blocked_double_hashing_fpr(1, 64, 1, 3, Stride::any)),
            blocked_double_hashing_fpr(0, 64, 1, 3, Stride::any)),
      LIMIT("strided lines: more than 256 probes", WITHIN(strided_lines_fpr(1, 1, 256, 0.5)),
            strided_lines_fpr(1, 1, 257, 0.5)),
      LIMIT("dynamic: c is 0", WITHIN(dynamic_fpr(100, 3, 1, 5)), dynamic_fpr(100, 3, 0, 5)),
  });
}

TEST_CASE("limits of closed forms are what they say, part 2", "[theory][domain]") {
  const std::vector<std::uint64_t> eight{0xff};
  const std::vector<std::uint64_t> nine{0x1ff};
  const std::vector<std::uint64_t> zero{0};
  const FalsePositiveLaw law({{1.0, 0.1}}, 100);
  check_limits({
      LIMIT("folding:", WITHIN(folded_fpr(100, 100, 5, 3)), folded_fpr(100, 101, 5, 3)),
      LIMIT("folding:", WITHIN(folded_fpr(100, 1, 5, 3)), folded_fpr(100, 0, 5, 3)),
      LIMIT("hash_width_floor:", WITHIN(hash_width_rate(1, 5, 100, 3)),
            hash_width_rate(0, 5, 100, 3)),
      LIMIT("hash_width_floor:", WITHIN(hash_width_rate(512, 5, 100, 3)),
            hash_width_rate(513, 5, 100, 3)),
      LIMIT("blocked:", WITHIN(poisson_blocked_fpr(0.0, 65'536, 256)),
            poisson_blocked_fpr(0.0, 65'537, 256)),
      LIMIT("blocked:", WITHIN(poisson_blocked_fpr(0.0, 64, 256)),
            poisson_blocked_fpr(0.0, 64, 257)),
      LIMIT("a negative load", WITHIN(poisson_blocked_fpr(0.0, 64, 3)),
            poisson_blocked_fpr(-0.1, 64, 3)),
      LIMIT("split_block:", WITHIN(poisson_split_block_fpr(0.0, 256, 65'536)),
            poisson_split_block_fpr(0.0, 257, 65'536)),
      LIMIT("split_block:", WITHIN(poisson_split_block_fpr(0.0, 8, 65'536)),
            poisson_split_block_fpr(0.0, 8, 65'537)),
      LIMIT("a negative load", WITHIN(poisson_split_block_fpr(0.0, 8, 32)),
            poisson_split_block_fpr(-0.1, 8, 32)),
      LIMIT("masked words:", WITHIN(masked_words_fpr(eight, 1.0, 1)),
            masked_words_fpr(nine, 1.0, 1)),
      LIMIT("masked words:", WITHIN(masked_words_fpr(eight, 1.0, 1)),
            masked_words_fpr(zero, 1.0, 1)),
      LIMIT("there is no mask or no word", WITHIN(masked_words_fpr(eight, 1.0, 1)),
            masked_words_fpr({}, 1.0, 1)),
      LIMIT("there is no mask or no word", WITHIN(masked_words_fpr(eight, 0.1, 1)),
            masked_words_fpr(eight, 0.0, 1)),
      LIMIT("there is no hash value", WITHIN(reduced_range_fpr(1, 100, 5, 3)),
            reduced_range_fpr(0, 100, 5, 3)),
      LIMIT("hash_bits is outside 1 to 63", WITHIN(short_hash_fpr(1, 100, 5, 3)),
            short_hash_fpr(0, 100, 5, 3)),
      LIMIT("hash_bits is outside 1 to 63", WITHIN(short_hash_fpr(63, 100, 5, 3)),
            short_hash_fpr(64, 100, 5, 3)),
      LIMIT("more than 256 positions", WITHIN(query_fpr(100, 5, 256)), query_fpr(100, 5, 257)),
      LIMIT("more than 10^6 draws", WITHIN(distinct_query_fpr(100, 1'000'000, 3)),
            distinct_query_fpr(100, 1'000'001, 3)),
      LIMIT("m is below k", WITHIN(partitioned_fpr(3, 1, 3)), partitioned_fpr(2, 1, 3)),
      LIMIT("f_bits is outside 2 to 64", WITHIN(cuckoo_fpr(2, 4, 0.5)), cuckoo_fpr(1, 4, 0.5)),
      LIMIT("f_bits is outside 2 to 64", WITHIN(cuckoo_fpr(64, 4, 1.0)), cuckoo_fpr(65, 4, 1.0)),
      LIMIT("a bucket has at least 1 slot", WITHIN(cuckoo_fpr(8, 1, 1.0)), cuckoo_fpr(8, 0, 1.0)),
      LIMIT("load is outside (0, 1]", WITHIN(cuckoo_fpr(8, 4, 1.0)), cuckoo_fpr(8, 4, 1.01)),
      LIMIT("load is outside (0, 1]", WITHIN(cuckoo_fpr(8, 4, 0.1)), cuckoo_fpr(8, 4, 0.0)),
      LIMIT("f_bits is outside 1 to 64", WITHIN(fingerprint_fpr(1)), fingerprint_fpr(0)),
      LIMIT("f_bits is outside 1 to 64", WITHIN(fingerprint_fpr(64)), fingerprint_fpr(65)),
      LIMIT("f_bits is outside 2 to 64", WITHIN(cuckoo_fpr_of_keys(2, 1, 1, 1)),
            cuckoo_fpr_of_keys(1, 1, 1, 1)),
      LIMIT("f_bits is outside 2 to 64", WITHIN(cuckoo_fpr_of_keys(64, 1, 1, 1)),
            cuckoo_fpr_of_keys(65, 1, 1, 1)),
      LIMIT("there is no bucket", WITHIN(cuckoo_fpr_of_keys(8, 1, 1, 1)),
            cuckoo_fpr_of_keys(8, 0, 1, 1)),
      LIMIT("there is no bucket", WITHIN(cuckoo_fpr_of_keys(8, 1, 1, 1)),
            cuckoo_fpr_of_keys(8, 1, 0, 1)),
      LIMIT("own rate: n is 0", WITHIN(own_rate_law(100, 1, 3)), own_rate_law(100, 0, 3)),
      LIMIT("more than 256 probes", WITHIN(own_rate_law(100, 1, 256)), own_rate_law(100, 1, 257)),
      LIMIT("the rate is outside (0, 1)", WITHIN(own_rate_law_at(0.99, 5)),
            own_rate_law_at(1.0, 5)),
      LIMIT("the rate is outside (0, 1)", WITHIN(own_rate_law_at(0.01, 5)),
            own_rate_law_at(0.0, 5)),
      LIMIT("trials is outside 1 to 2^53", WITHIN(FalsePositiveLaw({{1.0, 0.1}}, 1)),
            FalsePositiveLaw({{1.0, 0.1}}, 0)),
      LIMIT("trials is outside 1 to 2^53",
            WITHIN(FalsePositiveLaw({{1.0, 0.1}}, std::uint64_t{1} << 53)),
            FalsePositiveLaw({{1.0, 0.1}}, (std::uint64_t{1} << 53) + 2)),
      LIMIT("there is no rate", WITHIN(FalsePositiveLaw({{1.0, 0.1}}, 1)), FalsePositiveLaw({}, 1)),
      LIMIT("alpha is outside (0, 1)", WITHIN(law.smallest_bound(0.99)), law.smallest_bound(1.0)),
      LIMIT("alpha is outside (0, 1)", WITHIN(law.smallest_bound(0.01)), law.smallest_bound(0.0)),
  });
}

TEST_CASE("limits of closed forms are what they say, part 3", "[theory][domain]") {
  const FalsePositiveLaw law({{1.0, 0.1}}, 100);
  check_limits({
      LIMIT("power is outside (0, 1)", WITHIN(law.detected_factor(5, 0.99)),
            law.detected_factor(5, 1.0)),
      LIMIT("power is outside (0, 1)", WITHIN(law.detected_factor(5, 0.01)),
            law.detected_factor(5, 0.0)),
      LIMIT("the factor is not above 1", WITHIN(trials_for({{1.0, 0.1}}, 0.01, 1.5, 0.9)),
            trials_for({{1.0, 0.1}}, 0.01, 1.0, 0.9)),
      LIMIT("P is outside (0, 1)", WITHIN(scalable_layers(0.99, 0.5, 2, 10, 5)),
            scalable_layers(1.0, 0.5, 2, 10, 5)),
      LIMIT("P is outside (0, 1)", WITHIN(scalable_layers(0.01, 0.5, 2, 10, 5)),
            scalable_layers(0.0, 0.5, 2, 10, 5)),
      LIMIT("r is outside (0, 1)", WITHIN(scalable_layers(0.01, 0.99, 2, 10, 5)),
            scalable_layers(0.01, 1.0, 2, 10, 5)),
      LIMIT("r is outside (0, 1)", WITHIN(scalable_layers(0.01, 0.5, 2, 10, 5)),
            scalable_layers(0.01, 0.0, 2, 10, 5)),
      LIMIT("s or n0 is 0", WITHIN(scalable_layers(0.01, 0.5, 1, 1, 1)),
            scalable_layers(0.01, 0.5, 0, 1, 1)),
      LIMIT("s or n0 is 0", WITHIN(scalable_layers(0.01, 0.5, 1, 1, 1)),
            scalable_layers(0.01, 0.5, 1, 0, 1)),
      LIMIT("fp is outside (0, 1)", WITHIN(untightened_layers(100, 3, 0.99, 5)),
            untightened_layers(100, 3, 1.0, 5)),
      LIMIT("fp is outside (0, 1)", WITHIN(untightened_layers(100, 3, 0.01, 5)),
            untightened_layers(100, 3, 0.0, 5)),
      LIMIT("deviation of the rate", WITHIN(sd_conditional_fpr(100, 1, 256)),
            sd_conditional_fpr(100, 1, 257)),
      LIMIT("sizing: n is 0", WITHIN(smallest_filter_exact(1, 0.99)),
            smallest_filter_exact(0, 0.99)),
      LIMIT("p is outside (0, 1)", WITHIN(smallest_filter_exact(1, 0.99)),
            smallest_filter_exact(1, 1.0)),
      LIMIT("p is outside (0, 1)", WITHIN(smallest_filter_exact(1, 0.01)),
            smallest_filter_exact(1, 0.0)),
      LIMIT("m or n is 0", WITHIN(optimal_k_real(1, 1)), optimal_k_real(0, 1)),
      LIMIT("m or n is 0", WITHIN(optimal_k_real(1, 1)), optimal_k_real(1, 0)),
      LIMIT("m or n is 0", WITHIN(optimal_k(1, 1)), optimal_k(0, 1)),
      LIMIT("exact rate:", WITHIN(exact_fpr(100, 1, 256)), exact_fpr(100, 1, 257)),
      LIMIT("m is 0", WITHIN(exact_fpr(1, 1, 1)), exact_fpr(0, 1, 1)),
      LIMIT("k is 0", WITHIN(exact_fpr(1, 1, 1)), exact_fpr(1, 1, 0)),
      LIMIT("rate of a conjunction", WITHIN(conjunction_fpr(100, 1, 16, 16)),
            conjunction_fpr(100, 1, 16, 17)),
      LIMIT("rate of a conjunction", WITHIN(conjunction_fpr(100, 1, 16, 1)),
            conjunction_fpr(100, 1, 16, 0)),
      LIMIT("strides: more than 256 probes", WITHIN(strided_fpr({}, 100, 1, 256, 0.5)),
            strided_fpr({}, 100, 1, 257, 0.5)),
      LIMIT("strides: words of more than 64 bits",
            WITHIN(strided_fpr({.word_bits = 64}, 100, 1, 3, 0.5)),
            strided_fpr({.word_bits = 65}, 100, 1, 3, 0.5)),
      LIMIT("strides: words of more than 64 bits",
            WITHIN(strided_fpr({.word_bits = 32, .rotation = 31}, 100, 1, 3, 0.5)),
            strided_fpr({.word_bits = 32, .rotation = 32}, 100, 1, 3, 0.5)),
      LIMIT("rate without replacement", WITHIN(exact_fpr_without_replacement(1'000, 1, 256)),
            exact_fpr_without_replacement(1'000, 1, 257)),
      LIMIT("a crawl needs a page and a link", WITHIN(crawl_losses(1, 1, 1, 1)),
            crawl_losses(0, 1, 1, 1)),
      LIMIT("a filter needs m >= 1 bits and k >= 1 probes", WITHIN(crawl_losses(1, 1, 1, 1)),
            crawl_losses(1, 1, 0, 1)),
      LIMIT("a filter needs m >= 1 bits and k >= 1 probes", WITHIN(crawl_losses(1, 1, 1, 1)),
            crawl_losses(1, 1, 1, 0)),
      LIMIT("crawls are computed for up to 10^8 pages", WITHIN(crawl_losses(1, 1, 1, 1)),
            crawl_losses(100'000'001, 1, 1, 1)),
      LIMIT("a tree needs 1 to 64 levels", WITHIN(tree_forwards(1, 64, 0, 8, 3)),
            tree_forwards(1, 65, 0, 8, 3)),
      LIMIT("a tree needs 1 to 64 levels", WITHIN(tree_forwards(1, 1, 0, 8, 3)),
            tree_forwards(0, 1, 0, 8, 3)),
      LIMIT("trees are computed for up to 10^12 documents", WITHIN(tree_forwards(2, 39, 1, 8, 3)),
            tree_forwards(2, 40, 1, 8, 3)),
      LIMIT("counts need m >= 2 counters", WITHIN(flows_wrongly_admitted(2, 64, 9, 9, 2)),
            flows_wrongly_admitted(1, 64, 9, 9, 2)),
      LIMIT("counts need m >= 2 counters", WITHIN(flows_wrongly_admitted(2, 64, 9, 9, 2)),
            flows_wrongly_admitted(2, 0, 9, 9, 2)),
      LIMIT("thresholds go from 1 to 4096", WITHIN(flows_wrongly_admitted(2, 64, 9, 9, 1)),
            flows_wrongly_admitted(2, 64, 9, 9, 0)),
      LIMIT("thresholds go from 1 to 4096", WITHIN(flows_wrongly_admitted(2, 1, 1, 5'000, 4'096)),
            flows_wrongly_admitted(2, 1, 1, 5'000, 4'097)),
      LIMIT("counts need a flow and a packet", WITHIN(flows_wrongly_admitted(2, 1, 1, 1, 1)),
            flows_wrongly_admitted(2, 1, 0, 1, 1)),
      LIMIT("counts need a flow and a packet", WITHIN(flows_wrongly_admitted(2, 1, 1, 1, 1)),
            flows_wrongly_admitted(2, 1, 1, 0, 1)),
  });
}

TEST_CASE("no bits and no probes are refused by each form's own name", "[theory][domain]") {
  using Whole = std::uint64_t;
  struct Form {
    std::string name;
    std::function<double(Whole, Whole)> of;  ///< bits and probes
  };
  const std::vector<Form> forms{
      {"alternating strides", [](Whole m, Whole k) { return alternating_fpr(m, 10, k, 0.5); }},
      {"alternating strides", [](Whole m, Whole k) { return alternating_fpr(m, 0, k, 0.5); }},
      {"blocked", [](Whole m, Whole k) { return blocked_fpr(2, m, 10, k); }},
      {"blocked", [](Whole m, Whole k) { return poisson_blocked_fpr(0.5, m, k); }},
      {"split_block", [](Whole m, Whole k) { return split_block_fpr(2, k, m, 10); }},
      {"split_block", [](Whole m, Whole k) { return poisson_split_block_fpr(0.5, k, m); }},
      {"double_hashing_exact",
       [](Whole m, Whole k) { return double_hashing_fpr(m, 1, k, Stride::any).rate; }},
      {"strided lines", [](Whole m, Whole k) { return strided_lines_fpr(m, 1, k, 0.5); }},
      {"folding", [](Whole m, Whole k) { return folded_fpr(m, m, 1, k); }},
      {"hash_width_floor", [](Whole m, Whole k) { return hash_width_rate(32, 1, m, k).rate; }},
      {"reduced range", [](Whole m, Whole k) { return reduced_range_fpr(5, m, 1, k); }},
      {"reduced range", [](Whole m, Whole k) { return reduced_range_fpr(500, m, 0, k); }},
      {"reduced range", [](Whole m, Whole k) { return short_hash_fpr(5, m, 1, k); }},
      {"query of other draws", [](Whole m, Whole k) { return query_fpr(m, 0, k); }},
      {"query of different positions",
       [](Whole m, Whole k) { return distinct_query_fpr(m, 0, k); }},
      {"partitioned", [](Whole m, Whole k) { return partitioned_fpr(m, 0, k); }},
      {"own rate", [](Whole m, Whole k) { return own_rate_law(m, 1, k).front().rate; }},
      {"layers",
       [](Whole m, Whole k) {
         return static_cast<double>(untightened_layers(m, k, 0.1, 1).size());
       }},
      {"variance of set bits", [](Whole m, Whole k) { return var_set_bits(m, 0, k); }},
      {"deviation of the rate", [](Whole m, Whole k) { return sd_conditional_fpr(m, 0, k); }},
      {"exact rate", [](Whole m, Whole k) { return exact_fpr(m, 0, k); }},
      {"exact rate", [](Whole m, Whole k) { return log2_exact_fpr(m, 0, k); }},
      {"exact rate", [](Whole m, Whole k) { return conjunction_fpr(m, 0, k, 1); }},
      {"approximate rate", [](Whole m, Whole k) { return approx_fpr(m, 0, k); }},
      {"classic rate", [](Whole m, Whole k) { return classic_fpr(m, 0, k); }},
      {"mean of set bits", [](Whole m, Whole k) { return mean_set_bits(m, 0, k); }},
      {"strides", [](Whole m, Whole k) { return strided_fpr({}, m, 0, k, 0.5); }},
      {"rate without replacement",
       [](Whole m, Whole k) { return exact_fpr_without_replacement(m, 0, k).value(); }},
      {"exact rate", [](Whole m, Whole k) { return dynamic_fpr(m, k, 5, 0); }},
      {"approximate rate", [](Whole m, Whole k) { return dynamic_approx_fpr(m, k, 5, 0); }},
  };
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const auto& [name, form] = forms[i];
    CAPTURE(i, name);
    CHECK_NOTHROW(form(1, 1));
    CHECK_THROWS_WITH(form(0, 1), Catch::StartsWith(name + ": "));
    CHECK_THROWS_WITH(form(1, 0), Catch::StartsWith(name + ": "));
  }
  // What a conjunction says of many probes is what an exact rate says.
  CHECK_THROWS_WITH(conjunction_fpr(100, 1, 257, 1),
                    "exact rate: k is 257; at most 256 is computed");
  CHECK_THROWS_WITH(log2_exact_fpr(100, 1, 257), "exact rate: k is 257; at most 256 is computed");
}

TEST_CASE("limits of applications and of sizes are what they say", "[theory][domain]") {
  constexpr auto large = std::uint64_t{1} << 61;
  check_limits({
      LIMIT("trees are computed for up to 10^12 documents",
            WITHIN(tree_forwards(10, 6, 999'999, 8, 3)), tree_forwards(10, 6, 1'000'000, 8, 3)),
      LIMIT("trees are computed for up to 10^12 documents", WITHIN(tree_forwards(99, 6, 0, 8, 3)),
            tree_forwards(100, 6, 0, 8, 3)),
      LIMIT("a tree needs 1 to 64 levels", WITHIN(tree_forwards(1, 1, 0, 8, 3)),
            tree_forwards(1, 0, 0, 8, 3)),
      LIMIT("a header needs", WITHIN(false_loop(1, 1, 1)), false_loop(0, 1, 1)),
      LIMIT("a header needs", WITHIN(false_loop(1, 1, 1)), false_loop(1, 0, 1)),
      LIMIT("loops are computed", WITHIN(false_loop(32'768, 1, 1)), false_loop(32'769, 1, 1)),
      LIMIT("loops are computed", WITHIN(false_loop(2, 32'768, 1)), false_loop(2, 32'769, 1)),
      LIMIT("loops are computed", WITHIN(false_loop(2, 32'768, 0)), false_loop(2, 32'769, 0)),
      LIMIT("loops are computed", WITHIN(false_loop(2, 1, 32'768)), false_loop(2, 1, 32'769)),
      LIMIT("loops are computed", WITHIN(false_loop(2, 2, 16'384)), false_loop(2, 2, 16'385)),
      LIMIT("the window must be even", WITHIN(rotating_filters(64, 3, 2, 1)),
            rotating_filters(64, 3, 0, 1)),
      LIMIT("the window must be even", WITHIN(rotating_filters(64, 3, 4, 1)),
            rotating_filters(64, 3, 5, 1)),
      LIMIT("the lag must be odd", WITHIN(rotating_filters(64, 3, 2, 1)),
            rotating_filters(64, 3, 2, 0)),
      LIMIT("a crawl needs a page and a link", WITHIN(crawl_losses(1, 1, 1, 1)),
            crawl_losses(1, 0, 1, 1)),
      LIMIT("a share is from 0 to 1", WITHIN(guarded_lookup(1, 1, 0, 0, 0, 0)),
            guarded_lookup(1.01, 1, 0, 0, 0, 0)),
      LIMIT("a share is from 0 to 1", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(-0.01, 0, 0, 0, 0, 0)),
      LIMIT("a share is from 0 to 1", WITHIN(guarded_lookup(1, 1, 0, 0, 0, 0)),
            guarded_lookup(1, 1.01, 0, 0, 0, 0)),
      LIMIT("a share is from 0 to 1", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(0, -0.01, 0, 0, 0, 0)),
      LIMIT("costs are not negative", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(0, 0, -1, 0, 0, 0)),
      LIMIT("costs are not negative", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(0, 0, 0, -1, 0, 0)),
      LIMIT("costs are not negative", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(0, 0, 0, 0, -1, 0)),
      LIMIT("costs are not negative", WITHIN(guarded_lookup(0, 0, 0, 0, 0, 0)),
            guarded_lookup(0, 0, 0, 0, 0, -1)),
      LIMIT("n keys of k new bits", WITHIN(chosen_keys(10, 5, 2)), chosen_keys(10, 6, 2)),
      LIMIT("a filter needs", WITHIN(chosen_keys(1, 0, 1)), chosen_keys(0, 0, 1)),
      LIMIT("a filter needs", WITHIN(chosen_keys(1, 0, 1)), chosen_keys(1, 0, 0)),
      LIMIT("sizing: n is 0", WITHIN(popular_calculator(1, 0.5)), popular_calculator(0, 0.5)),
      LIMIT("p is outside (0, 1)", WITHIN(popular_calculator(1, 0.5)), popular_calculator(1, 1.0)),
      // 1 / ln 2 bits a key at a rate of a half.
      LIMIT("the filter would pass 2^62 bits", WITHIN(popular_calculator(large, 0.5)),
            popular_calculator(2 * large, 0.5)),
      LIMIT("the filter would pass 2^61 bits", WITHIN(smallest_filter_approx(large / 2, 0.5)),
            smallest_filter_approx(large, 0.5)),
      LIMIT("m or n is 0", WITHIN(optimal_k_real_classic(1, 1)), optimal_k_real_classic(0, 1)),
      LIMIT("m or n is 0", WITHIN(optimal_k_real_classic(1, 1)), optimal_k_real_classic(1, 0)),
      LIMIT("m or n is 0", WITHIN(optimal_k(1, 1)), optimal_k(1, 0)),
      LIMIT("more than 2^23 bits per key",
            WITHIN(alternating_fpr(std::uint64_t{1} << 23, 1, 1, 0.5)),
            alternating_fpr((std::uint64_t{1} << 23) + 1, 1, 1, 0.5)),
      LIMIT("m is above 2^62", WITHIN(alternating_fpr(std::uint64_t{1} << 62, 0, 1, 0.5)),
            alternating_fpr((std::uint64_t{1} << 62) + 1, 0, 1, 0.5)),
      LIMIT("n k is above 2^53", WITHIN(own_rate_law(1'000, (std::uint64_t{1} << 53) - 1, 1)),
            own_rate_law(1'000, std::uint64_t{1} << 53, 1)),
  });
}

TEST_CASE("what is not told of a filter is the plainest one", "[theory][domain]") {
  // One block of one sector with one position; words of 64 bits that are added up; no keys.
  const SectorLayout sectors;
  CHECK(std::vector{sectors.blocks, sectors.sectors, sectors.groups, sectors.bits_per_group} ==
        std::vector<std::uint64_t>{1, 1, 1, 1});
  CHECK(sectors.sector_bits == 64);
  CHECK(cache_sectorized_fpr({}, 20) == Approx(exact_fpr(64, 20, 1)).epsilon(1e-12));
  const BlockShape shape;
  CHECK(std::vector{shape.blocks, shape.groups, shape.choices, shape.sector_bits,
                    shape.bits_per_group} == std::vector<std::uint64_t>{1, 1, 1, 1, 1});
  const StrideArithmetic strides;
  CHECK(strides.word_bits == 64);
  CHECK(strides.first == 0);
  CHECK(strides.rotation == 0);
  CHECK(bloomlab::RateDemand{}.items == 0);
  // Results that nothing was found for.
  const bloomlab::RateCheck check;
  CHECK(std::vector{check.false_positives, check.trials, check.max_false_positives} ==
        std::vector<std::uint64_t>{0, 0, 0});
  const Layer layer;
  CHECK(std::vector{layer.m, layer.k, layer.n} == std::vector<std::uint64_t>{0, 0, 0});
  const FilterSize size;
  CHECK(std::vector{size.m, size.k, size.fewest_probes} == std::vector<std::uint64_t>{0, 0, 0});
  CHECK(OptimalProbes{}.k == 1);
  CHECK(SmallerFilter{}.bits == 1);
}

TEST_CASE("arguments of every model have the ranges that users are told", "[theory][models]") {
  // tests/theory/arguments.txt has a line for each.
  std::ostringstream all;
  for (const Model& each : models()) {
    for (const ArgumentInfo& info : each.arguments) {
      all << each.name << ' ' << info.name << ": " << info.unit
          << (info.optional ? ", optional" : "");
      if (info.kind == ArgumentInfo::Kind::word) {
        for (const std::string_view word : info.words) all << ' ' << word;
      } else {
        all.precision(17);
        all << (info.kind == ArgumentInfo::Kind::real ? " real " : " whole ")
            << (info.min_excluded ? '(' : '[') << info.min << ", " << info.max
            << (info.max_excluded ? ')' : ']');
      }
      all << '\n';
    }
  }
  std::ifstream file(std::string(BLOOMLAB_SOURCE_DIR) + "/tests/theory/arguments.txt");
  std::istringstream kept(std::string(std::istreambuf_iterator<char>(file), {}));
  std::istringstream found(all.str());
  std::string line;
  std::string kept_line;
  while (std::getline(found, line)) {
    std::getline(kept, kept_line);
    CHECK(line == kept_line);
  }
  CHECK_FALSE(std::getline(kept, kept_line));
}
