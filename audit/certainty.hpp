// Which of the causes that were fitted is named, and how sure it is.
#pragma once

#include <vector>

#include "audit/audit.hpp"

namespace bloomlab::audit {

/// The best cause of every class, best first, of fits that are sorted so.
[[nodiscard]] std::vector<Fit> best_of_classes(const std::vector<Fit>& sorted);

/// Names the best of the finding's fits, of which there is one at least.
void name_best(Finding& finding);

}  // namespace bloomlab::audit
