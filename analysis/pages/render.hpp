// Rows of a query as what a page shows: texts of tags, tables and figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/pages/database.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/tables/table.hpp"

namespace bloomlab::analysis::pages {

/// A column of a query as it is shown. "memory [MiB]" is the heading "memory" and the unit "MiB".
/// Three columns x, x_low, x_high are shown as one, an estimate with its interval.
struct ShownColumn {
  std::string heading;
  std::string unit;
  std::size_t value = 0;  ///< position in the relation
  std::size_t low = 0;    ///< the same as `value` where there is no interval
  std::size_t high = 0;

  [[nodiscard]] bool has_interval() const { return low != value; }
};

[[nodiscard]] std::vector<ShownColumn> shown_columns(const Relation& relation);

/// A value in a row as an entry of a table: integers grouped, reals to four digits, texts as they
/// are, nothing as a dash, an estimate with its interval.
[[nodiscard]] Entry entry_of(const ShownColumn& column, const std::vector<Value>& row);

/// The whole relation. A first line "-- TEXT" of the query is the caption.
[[nodiscard]] Table table_of(const std::string& name, std::string_view sql,
                             const Relation& relation);

/// What a figure block asks for, every column checked against `rows`, and `line_rows` where the
/// reference lines come from another query. Settings: docs/pages.md.
struct FigureColumns {
  std::string x, y, series, line, reference, mark_x;  ///< names of columns; empty: not asked for
  plot::Kind kind = plot::Kind::points;
  bool residual = false;
};

/// The series of a figure, and its residual panel where asked for. Throws record::InputError
/// `WHERE: fault` for columns that are not there, or that hold no numbers.
void add_series(plot::Figure& figure, const FigureColumns& columns, const Relation& rows,
                const Relation* line_rows, const std::string& where);

}  // namespace bloomlab::analysis::pages
