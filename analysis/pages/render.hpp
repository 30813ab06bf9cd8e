// Rows of a query as what a page shows: texts of tags, tables and figures.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/pages/database.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

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

/// The whole relation. A first line "-- TEXT" of the query is the caption, a line "-- fold: TEXT"
/// behind it folds the table. A column "X_marked" is not shown: where it is not 0, X is bold. Nor
/// is one without any value. Caption, headings and words of cells are in the language of `words`.
[[nodiscard]] Table table_of(const std::string& name, std::string_view sql,
                             const Relation& relation, const Words& words);

/// The relation as CSV, one header line; numbers in full, null as nothing.
[[nodiscard]] std::string csv(const Relation& relation);
/// The lines of such rows; those that are short end in empty fields.
[[nodiscard]] std::string csv_lines(const std::vector<std::vector<Value>>& rows,
                                    std::size_t columns);

/// What a figure block asks for, every column checked against `rows`, and `line_rows` where the
/// reference lines come from another query. Settings: docs/pages.md.
struct FigureColumns {
  std::string x = {}, y = {}, series = {};                ///< columns or ""
  std::string mark_x = {}, mark_y = {}, mark_label = {};  ///< the same
  std::string label = {}, open = {};                      ///< the same
  std::vector<std::string> lines = {};                    ///< columns of theory
  std::vector<std::string> references = {};               ///< columns of grey lines
  bool shaded = false;                                    ///< below a mark of x the panel is darker
  plot::Kind kind = plot::Kind::points;
  bool residual = false;
  bool joined = false;
};

/// The series of a figure, and its residual panel where asked for. Throws record::InputError
/// `WHERE: fault` for columns that are not there, or that hold no numbers.
void add_series(plot::Figure& figure, const FigureColumns& columns, const Relation& rows,
                const Relation* line_rows, const Words& words, const std::string& where);

/// The values of a column in the order in which they come first, as they are shown, and the rows of
/// each.
[[nodiscard]] std::vector<std::pair<std::string, Relation>> parted(const Relation& rows,
                                                                   const std::string& column,
                                                                   const std::string& where);

}  // namespace bloomlab::analysis::pages
