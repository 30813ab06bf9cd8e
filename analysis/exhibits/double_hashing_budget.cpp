// What double hashing adds to the rate of a small filter: its exact theory against the measured
// rate, and the error budget of every cell.
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/double_hashing.hpp"
#include "analysis/tables/ladder_table.hpp"

namespace bloomlab::analysis {

Content double_hashing_exhibit(const Experiment& experiment, const Words& words) {
  const auto checks = pairs_checks(experiment);
  Content content;
  content.values = {{"inside", pairs_inside(checks, words)},
                    {"detectable", pairs_detectable(checks)}};
  content.tables = {pairs_table(checks, words),
                    budget_table(experiment, words, [](const Measurement&) { return true; })};
  return content;
}

}  // namespace bloomlab::analysis
