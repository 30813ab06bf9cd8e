#include "analysis/exhibits/shares.hpp"

#include <cmath>

#include "analysis/format/number.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// Sums over all counts are right to 1e-12.
constexpr double rounding = 1e-9;

}  // namespace

Share counted_share(std::uint64_t count, std::uint64_t of) {
  if (of == 0) return {};
  return {.value = static_cast<double>(count) / static_cast<double>(of),
          .interval = statistics::clopper_pearson(count, of, thresholds::simulation_level)};
}

Share summed_share(double value) { return {.value = value, .interval = {value, value}}; }

bool keeps(const Share& share, Promise promise) {
  const double level = thresholds::interval_level;
  const double tolerance = thresholds::coverage_tolerance;
  switch (promise) {
    case Promise::none:
      break;
    case Promise::at_least_level:
      return share.interval.high >= level - rounding;
    case Promise::near_level:
      return share.interval.high >= level - tolerance - rounding &&
             share.interval.low <= level + tolerance + rounding;
  }
  return true;
}

bool keeps_alpha(const Share& rejections, double alpha) { return rejections.interval.low <= alpha; }

void Tally::add(bool kept, const std::string& place) {
  ++promises;
  if (!kept) broken.push_back(place);
}

Entry share_entry(const Share& share, bool marked) {
  if (!share.is_known()) return no_entry();
  Entry entry = share.is_sum()
                    ? Entry{fixed(share.value, 4), share.value}
                    : interval_entry(share.value, share.interval.low, share.interval.high);
  entry.marked = marked;
  return entry;
}

Entry setting_entry(double value) {
  return std::isnan(value) ? no_entry() : Entry{parameter_text(value), value};
}

void ShareRange::add(const Share& share) {
  if (!share.is_known()) return;
  least = std::fmin(least, share.value);
  greatest = std::fmax(greatest, share.value);
}

std::string ShareRange::text() const {
  if (std::isnan(least)) return "–";
  return percent(least) + " – " + percent(greatest);
}

}  // namespace bloomlab::analysis
