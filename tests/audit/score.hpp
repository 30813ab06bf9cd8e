// The classifier of causes, scored: what is audited without its name, what belongs to it, and what
// came out, a line of JSON per audit.
#pragma once

#include <string>
#include <vector>

#include "record/json.hpp"
#include "tests/audit/black_box.hpp"

namespace bloomlab::tests {

/// A filter with one or two defects.
struct Case {
  std::string set;  ///< "defects", "other sizes", "pairs"
  std::string name;
  std::vector<audit::Class> expected;  ///< of a pair both
  bool counts = true;                  ///< false: the mutation matrix does not catch it either
  MakeFilter make;
  const experiments::RightFilter* right;
};

/// Every seeded defect.
[[nodiscard]] std::vector<Case> seeded_defects();
/// The same kinds of defects in other sizes, and two defects in one filter: written and scored
/// after the classifier was frozen.
[[nodiscard]] std::vector<Case> other_sizes();
[[nodiscard]] std::vector<Case> pairs();

/// What the rows say, as Markdown: counts, confusion matrix, a table of every audit.
[[nodiscard]] std::string score_page(const std::vector<record::Json>& rows);

}  // namespace bloomlab::tests
