// What the laboratory's tests say of filters with seeded defects: from how many keys and queries on
// each is caught, by which test, and why another one is not.
//
// What theory says of the right filter that a mutant is compared with: the laws that the tests of
// the mutation matrix need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/test.hpp"

namespace bloomlab::analysis {

/// The tests, in the order in which they are named when several catch a defect at once.
enum class MutantTestKind {
  false_negatives,  ///< a member is denied: certain, no right filter does that
  set_bits,         ///< set bits against the right filter's mean and variance
  rate,             ///< hits against the right filter's rate and its variance between filters
  own_rate,         ///< hits against the rate that the filter's own bits imply
};

/// One test of one mutant.
struct MutantTest {
  MutantTestKind kind = MutantTestKind::false_negatives;
  std::uint64_t n = 0;  ///< keys
  std::uint64_t queries =
      0;                    ///< absent keys queried of each filter for it; 0 where none are needed
  double effect = unknown;  ///< measured / theory - 1; of false negatives: share of the members
  double p_value = 1.0;     ///< two-sided
  bool caught = false;      ///< rejected by Holm's procedure over all tests of the matrix
  /// Smallest relative effect that it notices with thresholds::power; known for mutants that
  /// nothing catches, after the most queries.
  double detectable = unknown;
};

/// Everything about one mutant.
struct MutantVerdict {
  std::string defect;
  std::string filter;  ///< kind of the filter that it spoils
  bool is_control = false;
  std::vector<MutantTest> tests;  ///< by n, then queries
  /// Whether every count equals that of the filter without the defect, wherever both are.
  bool equals_control = false;

  /// The test that catches it at the smallest n, there with the fewest queries; null for none.
  [[nodiscard]] const MutantTest* first_catch() const&;
  void first_catch() const&& = delete;
};

/// The verdicts in the order of the mutants' first observations. All tests that can err, of all
/// mutants, are one family at thresholds::family_alpha.
/// @param observations of the kind `mutation_matrix`: cells {defect, n}; trials of a cell are
/// filters of one ensemble. Throws record::InputError that names `where` for what is not that.
[[nodiscard]] std::vector<MutantVerdict> judge_mutants(
    const std::vector<record::Observation>& observations, const std::string& where);

/// The laws of a right filter.
struct RightLaw {
  double rate = unknown;                           ///< the closed form that it names
  std::optional<statistics::RateLaw> rates;        ///< with its variance, where theory has one
  std::optional<statistics::SetBitsLaw> set_bits;  ///< where theory has one
  /// Whether a filter's own rate follows from its bits: for independent probes, and in filters that
  /// choose positions themselves.
  bool own_rate = false;
};

/// The laws of the filter {"kind", ...} with n keys under this hashing scheme, empty where the
/// filter chooses positions itself. For double hashing the variance between filters is that of
/// independent probes, and so is the rate where the exact form does not reach. Throws
/// record::InputError naming `where` for an unknown filter or probe.
[[nodiscard]] RightLaw right_law(const Json& filter, const std::string& probe, std::uint64_t n,
                                 const std::string& where);

}  // namespace bloomlab::analysis
