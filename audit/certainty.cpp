#include "audit/certainty.hpp"

#include <algorithm>
#include <set>

namespace bloomlab::audit {

std::vector<Fit> best_of_classes(const std::vector<Fit>& sorted) {
  std::vector<Fit> best;
  std::set<Class> listed;
  for (const Fit& fit : sorted) {
    if (listed.insert(fit.kind).second) best.push_back(fit);
  }
  return best;
}

void name_best(Finding& finding) {
  constexpr double fits_above = 1e-4;
  constexpr double much_worse = 30.0;
  const Fit& best = finding.fits.front();
  const bool alone = std::all_of(
      finding.fits.begin() + 1, finding.fits.end(),
      [&](const Fit& other) { return other.fails() && other.score > best.score + much_worse; });
  finding.kind = best.kind;
  finding.cause = best.text;
  if (best.p_value > fits_above) {
    finding.certainty = alone && !best.per_size ? Certainty::certain : Certainty::likely;
  } else if (!best.fails()) {
    finding.certainty = Certainty::likely;
  } else {
    finding.certainty = Certainty::possible;
    finding.cause = "nearest, and it does not fit: " + best.text;
  }
}

}  // namespace bloomlab::audit
