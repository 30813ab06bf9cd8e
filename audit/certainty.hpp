// Which of the causes that were fitted is named, and how sure it is.
#pragma once

#include <vector>

#include "audit/audit.hpp"

namespace bloomlab::audit {

/// What must have been seen of a cause, beside rates that fit it and no other class, for it to be
/// certain. Rates alone show no more than that it is likely: a defect that nobody has thought of
/// may give the same.
enum class Needed {
  sight,         ///< a finding of its own, without rates: changed answers, twins, keys turned away
  denied_keys,   ///< inserted keys that are denied, in the share that the cause predicts
  counted_bits,  ///< bits that no key sets, counted in a saved filter, or memory that grows
  more,          ///< more than an audit sees
};

/// What the class needs.
[[nodiscard]] Needed needed_for(Class kind) noexcept;

/// The best cause of every class, best first, of fits that are sorted so.
[[nodiscard]] std::vector<Fit> best_of_classes(const std::vector<Fit>& sorted);

/// Names the best of the finding's fits, of which there is one at least: certain where it fits, no
/// other class does, and what it needs was seen; likely where that was not; else possible.
void name_best(Finding& finding);

}  // namespace bloomlab::audit
