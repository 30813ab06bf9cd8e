#include "analysis/pages/render.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/format/number.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::pages {

namespace {

using record::InputError;

/// "memory [MiB]" -> "memory", "MiB".
std::pair<std::string, std::string> heading_and_unit(const std::string& name) {
  const std::size_t open = name.rfind(" [");
  if (open == std::string::npos || open == 0 || name.back() != ']') return {name, ""};
  return {name.substr(0, open), name.substr(open + 2, name.size() - open - 3)};
}

std::optional<std::size_t> place_of(const Relation& relation, const std::string& heading) {
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (heading_and_unit(relation.columns[i]).first == heading) return i;
  }
  return std::nullopt;
}

/// A key for programs: letters, digits and '_'.
std::string key_of(const std::string& heading) {
  std::string key;
  for (const char character : heading) {
    const bool plain =
        (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
        (character >= '0' && character <= '9') || static_cast<unsigned char>(character) >= 0x80;
    if (plain || (!key.empty() && key.back() != '_')) key += plain ? character : '_';
  }
  while (!key.empty() && key.back() == '_') key.pop_back();
  return key;
}

constexpr int shown_digits = 4;

Entry single_entry(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer >= 0) return count_entry(static_cast<std::uint64_t>(*integer));
    return {"−" + grouped(static_cast<std::uint64_t>(-(*integer + 1)) + 1),
            static_cast<double>(*integer)};
  }
  if (const auto* number = std::get_if<double>(&value)) return number_entry(*number, shown_digits);
  if (const auto* text = std::get_if<std::string>(&value)) return word_entry(*text);
  return no_entry();
}

/// Series of a relation by the text of one column, in the order of the rows.
std::vector<std::pair<std::string, std::vector<const std::vector<Value>*>>> by_series(
    const Relation& rows, const std::string& column, const std::string& where) {
  std::vector<std::pair<std::string, std::vector<const std::vector<Value>*>>> groups;
  const bool single = column.empty();
  const std::size_t place = single ? 0 : rows.index_of(column, where);
  for (const auto& row : rows.rows) {
    std::string name = single ? "" : single_entry(row[place]).text;
    if (!single && !std::holds_alternative<std::string>(row[place])) {
      name = heading_and_unit(column).first + " = " + name;
    }
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& entry) { return entry.first == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {std::move(name), {}});
    group->second.push_back(&row);
  }
  return groups;
}

/// Where the x of a row stands: its number, or the place of its text among the categories.
class Places {
 public:
  Places(plot::Axis& axis, std::size_t column) : axis_(axis), column_(column) {}

  [[nodiscard]] double operator()(const std::vector<Value>& row) {
    const auto* text = std::get_if<std::string>(&row[column_]);
    if (text == nullptr) return number_of(row[column_]);
    const auto found = std::find(axis_.categories.begin(), axis_.categories.end(), *text);
    const auto place = found - axis_.categories.begin();
    if (found == axis_.categories.end()) axis_.categories.push_back(*text);
    return static_cast<double>(place);
  }

 private:
  plot::Axis& axis_;
  std::size_t column_;
};

plot::Point point_of(double x, const ShownColumn& y, const std::vector<Value>& row,
                     double divisor) {
  const double value = number_of(row[y.value]) / divisor;
  const double low = number_of(row[y.low]) / divisor;
  const double high = number_of(row[y.high]) / divisor;
  return {.x = x,
          .y = value,
          .low = std::isfinite(low) ? std::min(low, value) : value,
          .high = std::isfinite(high) ? std::max(high, value) : value};
}

void add_points(std::vector<plot::Series>& to, plot::Series series) {
  std::erase_if(series.points, [](const plot::Point& point) {
    return !std::isfinite(point.x) || !std::isfinite(point.y);
  });
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
  if (!series.points.empty()) to.push_back(std::move(series));
}

ShownColumn shown_column(const Relation& relation, const std::string& name,
                         const std::string& where) {
  const std::size_t place = relation.index_of(name, where);
  for (const ShownColumn& column : shown_columns(relation)) {
    if (column.value == place) return column;
  }
  return {.heading = name, .unit = "", .value = place, .low = place, .high = place};
}

/// Lines of one column for every series.
void add_lines(plot::Figure& figure, const Relation& rows, const FigureColumns& columns,
               const std::string& column, plot::Role role, const std::string& where) {
  if (column.empty()) return;
  const ShownColumn shown = shown_column(rows, column, where);
  const bool has_series =
      std::find(rows.columns.begin(), rows.columns.end(), columns.series) != rows.columns.end();
  Places place(figure.x, rows.index_of(columns.x, where));
  for (const auto& [name, members] : by_series(rows, has_series ? columns.series : "", where)) {
    plot::Series series{
        .name = shown.heading, .kind = plot::Kind::line, .role = role, .points = {}};
    if (role == plot::Role::theory) series.group = name;
    for (const auto* row : members) series.points.push_back(point_of(place(*row), shown, *row, 1));
    for (plot::Point& point : series.points) point.low = point.high = point.y;
    add_points(figure.series, std::move(series));
    if (role == plot::Role::reference) return;
  }
}

void add_residual(plot::Figure& figure, const FigureColumns& columns, const Relation& rows,
                  const std::string& where) {
  const ShownColumn y = shown_column(rows, columns.y, where);
  const std::size_t line = rows.index_of(columns.line, where);
  plot::RatioPanel panel{.label = y.heading + " / " + heading_and_unit(columns.line).first,
                         .series = {}};
  Places place(figure.x, rows.index_of(columns.x, where));
  for (const auto& [name, members] : by_series(rows, columns.series, where)) {
    plot::Series series{.name = y.heading, .points = {}, .group = name};
    for (const auto* row : members) {
      const double theory = number_of((*row)[line]);
      if (theory > 0) series.points.push_back(point_of(place(*row), y, *row, theory));
    }
    add_points(panel.series, std::move(series));
  }
  if (!panel.series.empty()) figure.ratio = std::move(panel);
}

}  // namespace

std::vector<ShownColumn> shown_columns(const Relation& relation) {
  std::vector<ShownColumn> columns;
  std::vector<bool> taken(relation.columns.size(), false);
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    const std::string heading = heading_and_unit(relation.columns[i]).first;
    const auto low = place_of(relation, heading + "_low");
    const auto high = place_of(relation, heading + "_high");
    if (low && high) taken[*low] = taken[*high] = true;
  }
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (taken[i]) continue;
    auto [heading, unit] = heading_and_unit(relation.columns[i]);
    const auto low = place_of(relation, heading + "_low");
    const auto high = place_of(relation, heading + "_high");
    const bool interval = low && high;
    columns.push_back({.heading = std::move(heading),
                       .unit = std::move(unit),
                       .value = i,
                       .low = interval ? *low : i,
                       .high = interval ? *high : i});
  }
  return columns;
}

Entry entry_of(const ShownColumn& column, const std::vector<Value>& row) {
  const double value = number_of(row[column.value]);
  const double low = number_of(row[column.low]);
  const double high = number_of(row[column.high]);
  const bool known = std::isfinite(value) && std::isfinite(low) && std::isfinite(high);
  if (column.has_interval() && known) return interval_entry(value, low, high);
  return single_entry(row[column.value]);
}

Table table_of(const std::string& name, std::string_view sql, const Relation& relation) {
  Table table{.name = name, .caption = {}, .columns = {}, .rows = {}};
  if (sql.starts_with("-- ")) table.caption = sql.substr(3, sql.find('\n') - 3);
  const std::vector<ShownColumn> columns = shown_columns(relation);
  for (const ShownColumn& column : columns) {
    const std::string key = key_of(column.heading);
    table.columns.push_back({key.empty() ? column.heading : key, column.heading, column.unit});
    if (!column.has_interval()) continue;
    table.columns.push_back({key + "_low", column.heading, column.unit, Shown::csv_only});
    table.columns.push_back({key + "_high", column.heading, column.unit, Shown::csv_only});
  }
  for (const auto& row : relation.rows) {
    auto& entries = table.rows.emplace_back();
    for (const ShownColumn& column : columns) {
      entries.push_back(entry_of(column, row));
      if (!column.has_interval()) continue;
      entries.push_back(single_entry(row[column.low]));
      entries.push_back(single_entry(row[column.high]));
    }
  }
  return table;
}

void add_series(plot::Figure& figure, const FigureColumns& columns, const Relation& rows,
                const Relation* line_rows, const std::string& where) {
  const ShownColumn y = shown_column(rows, columns.y, where);
  Places place(figure.x, rows.index_of(columns.x, where));
  const Relation& lines = line_rows == nullptr ? rows : *line_rows;
  add_lines(figure, lines, columns, columns.line, plot::Role::theory, where);
  add_lines(figure, lines, columns, columns.reference, plot::Role::reference, where);
  for (const auto& [name, members] : by_series(rows, columns.series, where)) {
    plot::Series series{.name = y.heading, .kind = columns.kind, .points = {}, .group = name};
    for (const auto* row : members) series.points.push_back(point_of(place(*row), y, *row, 1));
    add_points(figure.series, std::move(series));
  }
  if (columns.residual) add_residual(figure, columns, rows, where);
  if (columns.mark_x.empty()) return;
  const std::size_t mark = rows.index_of(columns.mark_x, where);
  for (const auto& row : rows.rows) {
    const double at = number_of(row[mark]);
    const bool there = std::any_of(figure.markers.begin(), figure.markers.end(),
                                   [&](const plot::Marker& marker) { return marker.at == at; });
    if (!std::isfinite(at) || there) continue;
    figure.markers.push_back({.axis = plot::MarkerAxis::x, .at = at, .label = columns.mark_x});
  }
}

}  // namespace bloomlab::analysis::pages
