#include "analysis/data/axes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/catalogue.hpp"
#include "core/parameters.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

/// Finds the unit of a field in a filter's description of itself.
struct UnitFinder {
  std::string_view wanted;
  std::string unit = {};

  template <class Field, class Value>
  void operator()(const Field& field, Value& /*value*/) {
    if constexpr (requires { field.unit; }) {
      if (field.name == wanted && unit.empty()) unit = field.unit;
    }
  }
};

/// Paths in the order in which cells write them; a path that only later cells have comes after the
/// one it follows there.
std::vector<std::string> ordered_paths(std::span<const Measurement> measurements) {
  std::vector<std::string> paths;
  for (const Measurement& measurement : measurements) {
    auto place = paths.begin();
    const Json flat = flat_cell(measurement.cell);
    for (const auto& [path, value] : flat.items()) {
      const auto found = std::find(paths.begin(), paths.end(), path);
      place = found != paths.end() ? found + 1 : paths.insert(place, path) + 1;
    }
  }
  return paths;
}

}  // namespace

std::vector<Axis> axes_of(std::span<const Measurement> measurements) {
  std::vector<Axis> axes;
  for (const std::string& path : ordered_paths(measurements)) {
    Axis axis{.path = path, .values = {}, .numeric = true};
    for (const Measurement& measurement : measurements) {
      const Json value = value_at(measurement.cell, path);
      if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
        axis.values.push_back(value);
      }
      axis.numeric = axis.numeric && (value.is_null() || value.is_number());
    }
    if (axis.values.size() > 1) axes.push_back(std::move(axis));
  }
  return axes;
}

std::vector<Axis> distinguishing_axes(std::span<const Measurement> measurements) {
  std::vector<Axis> axes = axes_of(measurements);
  for (std::size_t i = axes.size(); i-- > 0;) {
    const bool settled = std::any_of(axes.begin(), axes.end(), [&](const Axis& other) {
      return other.path != axes[i].path && settled_by(measurements, axes[i].path, other.path);
    });
    if (settled) axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return axes;
}

Json as_one_value(const Json& value) {
  if (!value.is_array()) return value;
  std::string text;
  for (const Json& word : value) {
    if (!word.is_string()) return value;
    text += (text.empty() ? "" : " ") + word.get<std::string>();
  }
  return text;
}

Json flat_cell(const Json& cell) {
  Json kept = cell;
  if (kept.contains("filter") && kept.at("filter").is_object()) {
    Json& filter = kept.at("filter");
    for (const char* said : {"expected", "limits", "own"}) filter.erase(said);
    for (const char* list : {"command", "files"}) {
      if (filter.contains(list)) filter[list] = as_one_value(filter.at(list));
    }
  }
  return kept.flatten();
}

Json value_at(const Json& cell, const std::string& path) {
  const Json::json_pointer pointer(path);
  return cell.contains(pointer) ? as_one_value(cell.at(pointer)) : Json();
}

double number_at(const Json& cell, const std::string& path) {
  const Json value = value_at(cell, path);
  return value.is_number() ? value.get<double>() : unknown;
}

std::string word_at(const Json& cell, const std::string& path) {
  const Json value = value_at(cell, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string short_name(const std::string& path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names = {{
      {"/keys/source", "keys"},
      {"/filter/kind", "filter"},
      {"/hash/name", "hash"},
      {"/keys/seed", "key seed"},
  }};
  for (const auto& [known, name] : names) {
    if (path == known) return std::string(name);
  }
  return path.substr(path.rfind('/') + 1);
}

std::string unit_of(const std::string& path) {
  if (path == "/n") return "keys";
  constexpr std::string_view filter = "/filter/";
  if (!path.starts_with(filter)) return "";
  UnitFinder finder{.wanted = std::string_view(path).substr(filter.size())};
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    typename Filter::Parameters parameters{};
    Filter::describe(finder, parameters);
  });
  return finder.unit;
}

std::string value_text(const Json& value) {
  if (const auto count = as_count(value)) return grouped(*count);
  if (value.is_number()) return parameter_text(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "–" : value.dump();
}

std::string label_of(const Json& cell, std::span<const Axis> axes) {
  std::string label;
  for (const Axis& axis : axes) {
    const Json value = value_at(cell, axis.path);
    if (value.is_null()) continue;
    if (!label.empty()) label += ", ";
    if (value.is_number()) label += short_name(axis.path) + " = ";
    label += value_text(value);
  }
  return label;
}

bool settled_by(std::span<const Measurement> measurements, const std::string& a,
                const std::string& b) {
  std::map<std::string, std::string> seen;
  for (const Measurement& measurement : measurements) {
    const std::string value = value_at(measurement.cell, a).dump();
    const auto [entry, is_new] = seen.try_emplace(value_at(measurement.cell, b).dump(), value);
    if (!is_new && entry->second != value) return false;
  }
  return true;
}

double bits_per_key(const Json& cell) {
  const double n = number_at(cell, "/n");
  return n > 0 ? number_at(cell, "/filter/m") / n : unknown;
}

}  // namespace bloomlab::analysis
