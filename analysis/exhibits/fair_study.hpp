// Scalable filters against plain ones on equal terms, as data: who plays which part in the study,
// and what follows from it. The exhibit (scalable_fair.cpp) shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// All steps of one cell of a kind that observes while filters fill.
struct Grown {
  std::vector<const Measurement*> steps;  ///< at least one, by step

  [[nodiscard]] const Measurement& last() const { return *steps.back(); }
  [[nodiscard]] const Json& cell() const { return steps.front()->cell; }
  /// Filter bits at the end, as measured.
  [[nodiscard]] std::uint64_t bits() const { return last().trials.front().bits; }
  [[nodiscard]] bool has_target() const;
  [[nodiscard]] bool is_plain() const;
};

/// The filters of the study by the part that they play. Points into itself: not to be copied.
struct FairStudy {
  std::vector<Grown> all;
  std::vector<const Grown*> scalable;
  const Grown* lab = nullptr;      ///< layers without tightening; may be missing
  const Grown* planned = nullptr;  ///< plain, the fewest bits, of no other's memory
  const Grown* largest = nullptr;  ///< plain, sized for the most keys, likewise
  double plan = 0.0;               ///< keys that were planned for: the first layer's capacity
  double target = 0.0;             ///< rate that all were made for

  /// @param experiment its measurements must outlive the study
  explicit FairStudy(const Experiment& experiment);
  FairStudy(const FairStudy&) = delete;
  FairStudy& operator=(const FairStudy&) = delete;

  /// Whether every part but the lab's is there.
  [[nodiscard]] bool is_complete() const;
  /// Keys inserted by then as a multiple of the plan.
  [[nodiscard]] double factor(const Measurement& m) const;
  /// The plain filter of exactly as many bits as `grown` ends with, by the measured bits; or null.
  [[nodiscard]] const Grown* equal_to(const Grown& grown) const&;
  void equal_to(const Grown& grown) const&& = delete;
  /// The filter that grows and ends with exactly the bits of this plain one; or null.
  [[nodiscard]] const Grown* twin_of(const Grown& plain) const&;
  void twin_of(const Grown& plain) const&& = delete;
  /// The largest multiple of the plan at which the closed form keeps the target; infinite where it
  /// does so at a hundred plans too, as a scalable filter promises for any n.
  [[nodiscard]] double keeps_target_to(const Grown& grown) const;
  /// Scalable filters whose last rate lies at or below the target by its whole interval.
  [[nodiscard]] std::uint64_t count_kept() const;
  /// The curves of figures: the plain ones that were sized by keys, the lab's, and of each growth
  /// the scalable filter that ends with the fewest bits, with the plain one of as many; in grid
  /// order.
  [[nodiscard]] std::vector<const Grown*> drawn() const&;
  void drawn() const&& = delete;
};

/// Filter bits per inserted key by then.
[[nodiscard]] double bits_each(const Measurement& m);

/// What scalable filters take against a plain filter of the right size, from the plan on: multiples
/// of its bits per key.
struct PriceOfNotKnowing {
  double least = unknown;       ///< over all of them and their steps
  double most = unknown;        ///< the same
  double best_worst = unknown;  ///< the worst step of the one whose worst step is best
};

/// Of a complete study.
[[nodiscard]] PriceOfNotKnowing price_of_not_knowing(const FairStudy& study);

/// Plain filters of equal memory against the scalable ones.
struct EqualTerms {
  std::uint64_t pairs = 0;
  std::uint64_t better = 0;   ///< the plain rate is lower, beyond intervals, from the plan on
  double least_to = unknown;  ///< multiples of the plan up to which the plain ones keep the target
  double most_to = unknown;
};

/// Of a complete study.
[[nodiscard]] EqualTerms equal_terms(const FairStudy& study);

}  // namespace bloomlab::analysis
