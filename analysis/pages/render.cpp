#include "analysis/pages/render.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::pages {

namespace {

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

constexpr int shown_digits = 4;

Entry single_entry(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer >= 0) return count_entry(static_cast<std::uint64_t>(*integer));
    return {"−" + grouped(static_cast<std::uint64_t>(-(*integer + 1)) + 1)};
  }
  if (const auto* number = std::get_if<double>(&value)) return number_entry(*number, shown_digits);
  if (const auto* text = std::get_if<std::string>(&value)) return {*text};
  return no_entry();
}

/// A value as the name of a series: a text as it is, a number with the name of its column.
std::string name_of(const std::string& column, const Value& value) {
  std::string name = single_entry(value).text;
  if (std::holds_alternative<std::string>(value)) return name;
  return heading_and_unit(column).first + " = " + name;
}

/// Series of a relation by the text of one column, in the order of the rows.
std::vector<std::pair<std::string, std::vector<const std::vector<Value>*>>> by_series(
    const Relation& rows, const std::string& column, const std::string& where) {
  std::vector<std::pair<std::string, std::vector<const std::vector<Value>*>>> groups;
  std::unordered_map<std::string, std::size_t> place_of;
  const bool single = column.empty();
  const std::size_t place = single ? 0 : rows.index_of(column, where);
  for (const auto& row : rows.rows) {
    const std::string name = single ? "" : name_of(column, row[place]);
    const auto [group, is_new] = place_of.try_emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[group->second].second.push_back(&row);
  }
  return groups;
}

/// Where the x of a row stands: its number, or the place of its text among the categories.
class Places {
 public:
  Places(plot::Axis& axis, std::size_t column, const Words& words)
      : axis_(axis), column_(column), words_(words) {}

  [[nodiscard]] double operator()(const std::vector<Value>& row) {
    const auto* text = std::get_if<std::string>(&row[column_]);
    if (text == nullptr) return number_of(row[column_]);
    const std::string name = words_.of_data(*text);
    const auto found = std::find(axis_.categories.begin(), axis_.categories.end(), name);
    const auto place = found - axis_.categories.begin();
    if (found == axis_.categories.end()) axis_.categories.push_back(name);
    return static_cast<double>(place);
  }

 private:
  plot::Axis& axis_;
  std::size_t column_;
  const Words& words_;
};

/// Whether a cell says yes.
bool is_true(const Value& value) {
  const double number = number_of(value);
  return std::isfinite(number) && number != 0;
}

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

/// The series of one figure block.
class SeriesBuilder {
 public:
  SeriesBuilder(plot::Figure& figure, const FigureColumns& columns, const Words& words,
                const std::string& where)
      : figure_(figure), columns_(columns), words_(words), where_(where) {}

  /// Lines of one column for every series of `rows`.
  void add_lines(const Relation& rows, const std::string& column, plot::Role role) {
    const ShownColumn shown = shown_column(rows, column, where_);
    const bool has_series =
        std::find(rows.columns.begin(), rows.columns.end(), columns_.series) != rows.columns.end();
    Places place = places(rows);
    for (const auto& [name, members] : by_series(rows, has_series ? columns_.series : "", where_)) {
      plot::Series series{.name = words_.of_data(shown.heading),
                          .kind = plot::Kind::line,
                          .role = role,
                          .points = {}};
      if (role == plot::Role::theory) series.group = words_.of_data(name);
      for (const auto* row : members) {
        series.points.push_back(point_of(place(*row), shown, *row, 1));
      }
      for (plot::Point& point : series.points) point.low = point.high = point.y;
      add_points(figure_.series, std::move(series));
      if (role == plot::Role::reference) return;
    }
  }

  /// What was measured: open and filled symbols of a group are two series.
  void add_measured(const Relation& rows) {
    const ShownColumn y = shown_column(rows, columns_.y, where_);
    const auto label = place_of_column(rows, columns_.label);
    const auto open = place_of_column(rows, columns_.open);
    Places place = places(rows);
    for (const auto& [name, members] : by_series(rows, columns_.series, where_)) {
      plot::Series filled{.name = words_.of_data(y.heading),
                          .kind = columns_.kind,
                          .points = {},
                          .group = words_.of_data(name),
                          .joined = columns_.joined};
      plot::Series hollow = filled;
      hollow.open = true;
      if (open) hollow.name = words_.of_data(heading_and_unit(columns_.open).first);
      for (const auto* row : members) {
        plot::Point point = point_of(place(*row), y, *row, 1);
        if (label) point.label = words_.of_data(single_entry((*row)[*label]).text);
        (open && is_true((*row)[*open]) ? hollow : filled).points.push_back(std::move(point));
      }
      add_points(figure_.series, std::move(filled));
      add_points(figure_.series, std::move(hollow));
    }
  }

  /// Measured over the first line, each in its own row.
  void add_residual(const Relation& rows) {
    const ShownColumn y = shown_column(rows, columns_.y, where_);
    const std::string& theory = columns_.lines.front();
    const std::size_t line = rows.index_of(theory, where_);
    plot::RatioPanel panel{
        .label = words_.of_data(y.heading) + " / " + words_.of_data(heading_and_unit(theory).first),
        .series = {}};
    Places place = places(rows);
    for (const auto& [name, members] : by_series(rows, columns_.series, where_)) {
      plot::Series series{
          .name = words_.of_data(y.heading), .points = {}, .group = words_.of_data(name)};
      for (const auto* row : members) {
        const double divisor = number_of((*row)[line]);
        if (divisor > 0) series.points.push_back(point_of(place(*row), y, *row, divisor));
      }
      add_points(panel.series, std::move(series));
    }
    if (!panel.series.empty()) figure_.ratio = std::move(panel);
  }

  /// One marker for every value of a column.
  void add_marks(const Relation& rows, const std::string& column, plot::MarkerAxis axis) {
    if (column.empty()) return;
    const std::size_t mark = rows.index_of(column, where_);
    const auto label = place_of_column(rows, columns_.mark_label);
    for (const auto& row : rows.rows) {
      const double at = number_of(row[mark]);
      const bool there = std::any_of(
          figure_.markers.begin(), figure_.markers.end(),
          [&](const plot::Marker& marker) { return marker.axis == axis && marker.at == at; });
      if (!std::isfinite(at) || there) continue;
      const std::string text =
          label ? single_entry(row[*label]).text : heading_and_unit(column).first;
      figure_.markers.push_back({.axis = axis,
                                 .at = at,
                                 .label = words_.of_data(text),
                                 .shaded = columns_.shaded && axis == plot::MarkerAxis::x});
    }
  }

 private:
  [[nodiscard]] Places places(const Relation& rows) {
    return {figure_.x, rows.index_of(columns_.x, where_), words_};
  }

  [[nodiscard]] std::optional<std::size_t> place_of_column(const Relation& rows,
                                                           const std::string& column) const {
    if (column.empty()) return std::nullopt;
    return rows.index_of(column, where_);
  }

  plot::Figure& figure_;
  const FigureColumns& columns_;
  const Words& words_;
  const std::string& where_;
};

constexpr std::string_view marked_ending = "_marked";

/// The captions and labels that stand in front of a query: "-- CAPTION", "-- fold: LABEL".
std::vector<std::string> remarks_of(std::string_view sql) {
  constexpr std::string_view mark = "-- ";
  std::vector<std::string> remarks;
  while (sql.starts_with(mark)) {
    const std::size_t end = std::min(sql.find('\n'), sql.size());
    remarks.emplace_back(sql.substr(mark.size(), end - mark.size()));
    sql.remove_prefix(std::min(end + 1, sql.size()));
  }
  return remarks;
}

/// Where "X_marked" stands for the column X, if anywhere.
std::optional<std::size_t> mark_of(const Relation& relation, const ShownColumn& column) {
  return place_of(relation, column.heading + std::string(marked_ending));
}

/// Whether a column has no value in any row; a table without rows keeps its columns.
bool is_empty(const Relation& relation, const ShownColumn& column) {
  return !relation.rows.empty() && std::ranges::all_of(relation.rows, [&](const auto& row) {
    return std::holds_alternative<std::monostate>(row[column.value]);
  });
}

/// What a logarithmic axis cannot show is left out; an interval that reaches below 0 ends there.
void keep_drawable(plot::Figure& figure) {
  const bool log_x = figure.x.scale == plot::Scale::log && figure.x.categories.empty();
  const bool log_y = figure.y.scale == plot::Scale::log;
  for (plot::Series& series : figure.series) {
    std::erase_if(series.points, [&](const plot::Point& point) {
      return (log_x && point.x <= 0) || (log_y && point.y < 0);
    });
    for (plot::Point& point : series.points) {
      if (log_y) point.low = std::max(point.low, 0.0);
    }
  }
  std::erase_if(figure.series, [](const plot::Series& series) { return series.points.empty(); });
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

Table table_of(const std::string& name, std::string_view sql, const Relation& relation,
               const Words& words) {
  constexpr std::string_view fold = "fold: ";
  Table table{.name = name, .caption = {}, .columns = {}, .rows = {}};
  for (const std::string& remark : remarks_of(sql)) {
    const bool folds = remark.starts_with(fold);
    (folds ? table.fold_label : table.caption) =
        words.of_data(folds ? remark.substr(fold.size()) : remark);
  }
  std::vector<ShownColumn> columns = shown_columns(relation);
  std::erase_if(columns, [&](const ShownColumn& column) {
    return column.heading.ends_with(marked_ending) || is_empty(relation, column);
  });
  for (const ShownColumn& column : columns) {
    table.columns.push_back({words.of_data(column.heading), words.of_data(column.unit)});
  }
  for (const auto& row : relation.rows) {
    auto& entries = table.rows.emplace_back();
    for (const ShownColumn& column : columns) {
      Entry entry = entry_of(column, row);
      if (std::holds_alternative<std::string>(row[column.value])) {
        entry.text = words.of_data(entry.text);
      }
      if (const auto mark = mark_of(relation, column)) entry.marked = is_true(row[*mark]);
      entries.push_back(std::move(entry));
    }
  }
  return table;
}

std::string csv(const Relation& relation) {
  return csv_line(relation.columns) + csv_lines(relation.rows, relation.columns.size());
}

std::string csv_lines(const std::vector<std::vector<Value>>& rows, std::size_t columns) {
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::string> fields;
    for (const Value& value : row) {
      const auto* word = std::get_if<std::string>(&value);
      const auto* integer = std::get_if<std::int64_t>(&value);
      fields.push_back(word      ? *word
                       : integer ? std::to_string(*integer)
                                 : exact_text(number_of(value)));
    }
    fields.resize(columns);
    text += csv_line(fields);
  }
  return text;
}

void add_series(plot::Figure& figure, const FigureColumns& columns, const Relation& rows,
                const Relation* line_rows, const Words& words, const std::string& where) {
  SeriesBuilder builder(figure, columns, words, where);
  const Relation& lines = line_rows == nullptr ? rows : *line_rows;
  // Categories stand in the order of what was measured.
  if (!columns.lines.empty() || !columns.references.empty()) {
    Places place(figure.x, rows.index_of(columns.x, where), words);
    for (const auto& row : rows.rows) static_cast<void>(place(row));
  }
  for (const std::string& line : columns.lines) builder.add_lines(lines, line, plot::Role::theory);
  for (const std::string& reference : columns.references) {
    builder.add_lines(lines, reference, plot::Role::reference);
  }
  builder.add_measured(rows);
  keep_drawable(figure);
  if (columns.residual) builder.add_residual(rows);
  builder.add_marks(rows, columns.mark_x, plot::MarkerAxis::x);
  builder.add_marks(rows, columns.mark_y, plot::MarkerAxis::y);
}

std::vector<std::pair<std::string, Relation>> parted(const Relation& rows,
                                                     const std::string& column,
                                                     const std::string& where) {
  std::vector<std::pair<std::string, Relation>> parts;
  for (const auto& [name, members] : by_series(rows, column, where)) {
    Relation part{.columns = rows.columns, .rows = {}};
    for (const auto* row : members) part.rows.push_back(*row);
    parts.emplace_back(name, std::move(part));
  }
  return parts;
}

}  // namespace bloomlab::analysis::pages
