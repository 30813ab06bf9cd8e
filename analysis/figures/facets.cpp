#include "analysis/figures/facets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace bloomlab::analysis {

namespace {

using plot::Figure;
using plot::Series;

std::vector<std::string> groups_of(const Figure& figure) {
  std::vector<std::string> groups;
  for (const Series& series : figure.series) {
    if (series.group.empty()) continue;
    if (std::find(groups.begin(), groups.end(), series.group) == groups.end()) {
      groups.push_back(series.group);
    }
  }
  return groups;
}

/// Whether the names differ by numbers alone.
bool are_numbered(const std::vector<std::string>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return phrase_of(group).pattern == phrase_of(groups.front()).pattern;
  });
}

void keep_groups(std::vector<Series>& series, const std::set<std::string>& kept) {
  std::erase_if(series,
                [&](const Series& one) { return !one.group.empty() && !kept.contains(one.group); });
}

/// All parts have the ends of the whole, as far as points give them.
void fix_ends(Figure& figure) {
  if (!figure.x.categories.empty()) return;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Series& series : figure.series) {
    for (const plot::Point& point : series.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  if (!(low < high)) return;
  if (!figure.x.low) figure.x.low = low;
  if (!figure.x.high) figure.x.high = high;
}

}  // namespace

std::vector<Figure> faceted(Figure figure, const Words& words) {
  const std::vector<std::string> groups = groups_of(figure);
  if (groups.size() <= (are_numbered(groups) ? most_numbered_groups : most_groups)) {
    return {std::move(figure)};
  }
  fix_ends(figure);
  const std::size_t count = (groups.size() + groups_per_part - 1) / groups_per_part;
  std::vector<Figure> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = groups.begin() + static_cast<std::ptrdiff_t>(i * groups_per_part);
    const auto left = static_cast<std::size_t>(groups.end() - first);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(groups_per_part, left));
    const std::set<std::string> kept(first, last);
    Figure part = figure;
    const std::string number = std::to_string(i + 1);
    part.name += "_" + number;
    part.title += words("figure.part", {{"part", number}, {"parts", std::to_string(count)}});
    keep_groups(part.series, kept);
    if (part.ratio) keep_groups(part.ratio->series, kept);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace bloomlab::analysis
