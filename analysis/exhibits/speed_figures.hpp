// Speeds as figures: how they grow with the set and with threads, and what rate goes with them.
#pragma once

#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// Every figure that the rows have points for. A filter under test has filled symbols where it was
/// given whole batches of keys, open ones where one after the other; one that took more or less
/// memory than asked for, or stood on other than huge pages, says so in its name.
[[nodiscard]] std::vector<plot::Figure> speed_figures(const Experiment& experiment,
                                                      const SpeedRun& run, const Words& words);

}  // namespace bloomlab::analysis
