#include "record/grid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "record/grid_range.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {
namespace {

constexpr std::uint64_t uncountable = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > uncountable / a ? uncountable : a * b;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return b > uncountable - a ? uncountable : a + b;
}

/// Whether the member of that name is a list as it stands: of a filter that is a program. Commands
/// that are objects, as the speed kinds have them, are an axis.
bool is_plain_list(const JsonView& object, std::string_view key) {
  const Json& json = object.json();
  const auto is_object = [](const Json& value) { return value.is_object(); };
  if (key == "command") {
    const Json& command = json.at("command");
    return command.is_array() && std::ranges::none_of(command, is_object);
  }
  return key == "files" && (json.contains("command") || json.contains("path"));
}

/// The elements of an axis, checked: at least one, none an array.
std::vector<JsonView> axis_elements(const JsonView& axis) {
  auto elements = axis.elements("an axis");
  if (elements.empty()) axis.refuse("an empty axis has no cells; give it at least one value");
  for (const JsonView& element : elements) {
    if (element.json().is_array()) {
      element.refuse("an array directly in an array; an axis is one flat array");
    }
  }
  return elements;
}

/// A choice that stands at `from` in the file and at `to` once its axis is gone.
Choice moved_from(Choice choice, const std::string& from, const std::string& to) {
  std::map<std::string, std::string> moved = {{to, from}};
  for (const auto& [place, origin] : choice.moved) {
    moved.insert_or_assign(to + place.substr(from.size()), origin);
  }
  choice.moved = std::move(moved);
  return choice;
}

std::vector<Choice> range_choices(const JsonView& part) {
  const Range range(part);
  std::vector<Choice> result;
  for (std::uint64_t i = 0; i < range.size(); ++i) result.push_back({range.value(i)});
  return result;
}

std::vector<Choice> axis_choices(const JsonView& part) {
  std::vector<Choice> result;
  for (const JsonView& element : axis_elements(part)) {
    for (Choice& choice : choices(element)) {
      result.push_back(moved_from(std::move(choice), element.pointer(), part.pointer()));
    }
  }
  return result;
}

std::vector<Choice> object_choices(const JsonView& part) {
  std::vector<Choice> result = {{Json::object()}};
  for (const auto& [key, view] : part.members()) {
    const std::vector<Choice> of_member =
        is_plain_list(part, key) ? std::vector<Choice>{{view.json()}} : choices(view);
    std::vector<Choice> extended;
    extended.reserve(result.size() * of_member.size());
    for (const Choice& before : result) {
      for (const Choice& member : of_member) {
        extended.push_back(before);
        extended.back().value[key] = member.value;
        extended.back().moved.insert(member.moved.begin(), member.moved.end());
      }
    }
    result = std::move(extended);
  }
  return result;
}

}  // namespace

std::uint64_t count_choices(const JsonView& part) {
  if (part.json().is_array()) {
    std::uint64_t count = 0;
    for (const JsonView& element : axis_elements(part)) count = sum(count, count_choices(element));
    return count;
  }
  if (Range::is_range(part.json())) return Range(part).size();
  if (!part.json().is_object()) return 1;
  std::uint64_t count = 1;
  for (const auto& [key, view] : part.members()) {
    if (!is_plain_list(part, key)) count = product(count, count_choices(view));
  }
  return count;
}

std::vector<Choice> choices(const JsonView& part) {
  if (part.json().is_array()) return axis_choices(part);
  if (Range::is_range(part.json())) return range_choices(part);
  if (part.json().is_object()) return object_choices(part);
  return {{part.json()}};
}

}  // namespace bloomlab::record
