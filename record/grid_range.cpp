#include "record/grid_range.hpp"

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace bloomlab::record {
namespace {

constexpr double largest_end = 9007199254740992.0;  // 2^53: integers up to it are exact

/// A number of a range; the bounds are those within which arithmetic on it is exact.
double number(const JsonView& view, std::string_view name) {
  return view.real(
      {.name = name, .unit = "", .meaning = "", .min = -largest_end, .max = largest_end});
}

}  // namespace

bool Range::is_range(const Json& json) {
  // A filter, which has a kind, may have a parameter of that name.
  return json.is_object() && json.contains("range") && !json.contains("kind");
}

Range::Range(const JsonView& view) {
  constexpr std::array<std::string_view, 2> keys = {"range", "step"};
  const record::ObjectReader reader(view, "a range", keys);
  const JsonView ends = reader.at("range", "both ends, [first, last]");
  const auto elements = ends.elements("range");
  if (elements.size() != 2) {
    ends.refuse("range must have two elements, [first, last]; found " +
                std::to_string(elements.size()));
  }
  first_ = number(elements[0], "first end of range");
  last_ = number(elements[1], "last end of range");
  integers_ = elements[0].json().is_number_integer() && elements[1].json().is_number_integer();
  if (reader.has("step")) {
    const JsonView step = reader.at("step", "");
    step_ = step.real(
        {.name = "step", .unit = "", .meaning = "", .max = largest_end, .min_excluded = true});
    integers_ = integers_ && step.json().is_number_integer();
  }
  if (last_ < first_) {
    ends.refuse("range runs backwards, from " + shown(elements[0].json()) + " to " +
                shown(elements[1].json()) + "; write the smaller end first");
  }
  // A decimal step such as 0.1 is not exact: it leads to the end within a millionth of itself.
  const double steps = (last_ - first_) / step_;
  const double whole = std::round(steps);
  const double slack = integers_ ? 0.0 : 1e-6;
  if (steps > largest_end || std::abs(steps - whole) > slack) {
    view.refuse("step " + shortest(step_) + " does not lead from " + shown(elements[0].json()) +
                " to " + shown(elements[1].json()) + "; a range includes both ends");
  }
  size_ = static_cast<std::uint64_t>(whole) + 1;
}

Json Range::value(std::uint64_t i) const {
  const bool at_end = i + 1 == size_;
  const double value = at_end ? last_ : first_ + static_cast<double>(i) * step_;
  if (!integers_) return value;
  if (value < 0) return static_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(value);
}

}  // namespace bloomlab::record
