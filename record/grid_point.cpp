#include "record/grid_point.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "record/filter_for_rate.hpp"
#include "record/whole_blocks.hpp"

namespace bloomlab::record {
namespace {

/// A number of a range is met within this part of a step, since decimal steps are not exact.
constexpr double range_slack = 1e-6;

bool is_in_range(const Json& range, double value) {
  const Json& ends = range.at("range");
  if (!ends.is_array() || ends.size() != 2 || !ends[0].is_number() || !ends[1].is_number()) {
    return false;
  }
  const Json step_json = range.value("step", Json(1));
  const double step = step_json.is_number() ? step_json.get<double>() : 0.0;
  const double first = ends[0].get<double>();
  const double last = ends[1].get<double>();
  if (!(step > 0.0) || value < first - range_slack * step || value > last + range_slack * step) {
    return false;
  }
  const double steps = (value - first) / step;
  return std::abs(steps - std::round(steps)) <= range_slack * std::max(1.0, std::abs(steps));
}

/// What one value of the grid offers for one value of a cell with `n` keys.
class Offer {
 public:
  explicit Offer(double n) : n_(n) {}

  /// @param told the filter whose m the value is, or in whose closed form it stands; null elsewhere
  [[nodiscard]] bool includes(const Json& offered, const Json& value,
                              const Json& told = nullptr) const {
    if (offered == value) return true;
    if (offered.is_array()) {
      return std::any_of(offered.begin(), offered.end(),
                         [&](const Json& element) { return includes(element, value, told); });
    }
    if (!offered.is_object()) return false;
    if (value.is_number()) return offers_number(offered, value.get<double>(), told);
    if (!value.is_object()) return false;
    if (offered.contains("for_rate")) {
      return is_filter_for_rate(offered, value, static_cast<std::uint64_t>(n_));
    }
    const auto& members = offered.items();
    return std::all_of(members.begin(), members.end(), [&](const auto& member) {
      const bool of_filter = member.key() == "expected" || (member.key() == "m" && told.is_null());
      const Json& filter = of_filter ? value : told;
      return value.contains(member.key()) &&
             includes(member.value(), value.at(member.key()), filter);
    });
  }

 private:
  [[nodiscard]] bool offers_number(const Json& offered, double value, const Json& told) const {
    if (offered.contains("range")) return is_in_range(offered, value);
    if (offered.contains("same_as")) return told_number(told, offered.at("same_as")) == value;
    if (!offered.contains("per_n")) return false;
    const Json& ratio = offered.at("per_n");
    const auto block = static_cast<double>(block_bits_of(told));
    return any_ratio(ratio.is_string() ? told_number(told, ratio) : ratio, value, block);
  }

  /// What the filter is told by this word; null where it is not.
  [[nodiscard]] static Json told_number(const Json& told, const Json& word) {
    if (!told.is_object() || !word.is_string()) return nullptr;
    return told.value(word.get<std::string>(), Json());
  }

  /// Whether some x of the axis has ceil(x n), rounded up to whole blocks, = value: value - block <
  /// x n <= value.
  [[nodiscard]] bool any_ratio(const Json& axis, double value, double block) const {
    if (std::fmod(value, block) != 0.0) return false;
    if (axis.is_array()) {
      return std::any_of(axis.begin(), axis.end(),
                         [&](const Json& x) { return any_ratio(x, value, block); });
    }
    if (axis.is_number()) return is_ceiling(axis.get<double>(), value, block);
    if (!axis.is_object() || !axis.contains("range") || !(n_ > 0.0)) return false;
    return ratio_in_range(axis, value, block);
  }

  [[nodiscard]] bool is_ceiling(double x, double value, double block) const {
    const double above = value - x * n_;
    const double rounding = 1e-9 * std::max(1.0, value);  // x n is rounded, x is a decimal
    return above >= -rounding && above < block + rounding;
  }

  /// The numbers of the range that lie next to value / n, or up to a block below.
  [[nodiscard]] bool ratio_in_range(const Json& range, double value, double block) const {
    const Json& ends = range.at("range");
    if (!ends.is_array() || ends.empty() || !ends[0].is_number()) return false;
    const double first = ends[0].get<double>();
    const Json step_json = range.value("step", Json(1));
    const double step = step_json.is_number() ? step_json.get<double>() : 0.0;
    if (!(step > 0.0)) return false;
    const double last = std::floor((value / n_ - first) / step) + 1.0;
    const double least = std::floor(((value - block) / n_ - first) / step) - 1.0;
    constexpr double most_values = 1e6;  // more than any config has
    if (last - least > most_values) return false;
    for (double place = std::max(least, 0.0); place <= last; place += 1.0) {
      const double x = first + place * step;
      if (is_in_range(range, x) && is_ceiling(x, value, block)) return true;
    }
    return false;
  }

  double n_;
};

}  // namespace

bool is_point_of(const Json& grid, const Json& cell) {
  const auto n = cell.find("n");
  const bool counted = n != cell.end() && n->is_number();
  return Offer(counted ? n->get<double>() : 0.0).includes(grid, cell);
}

}  // namespace bloomlab::record
