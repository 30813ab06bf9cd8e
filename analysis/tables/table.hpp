// A table for people: columns with units, rows of texts. Programs read the numbers behind it
// (pages/tables.hpp); to put texts in order, the number that a text shows is read back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis {

/// One entry.
struct Entry {
  std::string text;
  bool marked = false;  ///< a difference to be seen at once: bold in Markdown
};

/// A column.
struct Column {
  std::string heading;    ///< "measured rate"
  std::string unit = {};  ///< "bits", "keys"; empty for a pure number
};

/// A table. Every row has as many entries as there are columns.
struct Table {
  std::string name;     ///< unique within its section; letters, digits, '_'
  std::string caption;  ///< one or two sentences
  std::vector<Column> columns;
  std::vector<std::vector<Entry>> rows;
  std::string fold_label = {};  ///< not empty: folded under this label
};

/// Entries of the usual kinds, rounded.
[[nodiscard]] Entry count_entry(std::uint64_t count);
[[nodiscard]] Entry number_entry(double number, int digits = 3);
/// An estimate with its interval.
[[nodiscard]] Entry interval_entry(double estimate, double low, double high);
/// Nothing measured there: a dash.
[[nodiscard]] Entry no_entry();

/// A GitHub-flavoured Markdown table with its caption; folded where it says so.
/// Throws std::logic_error for a row of the wrong length.
[[nodiscard]] std::string markdown(const Table& table);

/// One field of a line of CSV, in quotes in any case, and no formula.
[[nodiscard]] std::string csv_quoted(const std::string& text);

/// A line of CSV (RFC 4180) with one field or more, "\n" behind it; fields are quoted where needed.
/// A text that a program for spreadsheets would take for a formula gets an apostrophe in front.
[[nodiscard]] std::string csv_line(std::span<const std::string> fields);

/// `text` with the characters escaped that mean something to Markdown; line ends become spaces.
[[nodiscard]] std::string markdown_escaped(const std::string& text);

/// The number that a text of format/number.hpp shows: of an estimate with its interval the
/// estimate, of a percentage the fraction ("+1.2 %" is 0.012), of "< 10⁻¹²" the bound. Nothing for
/// every other text, so also for "–".
[[nodiscard]] std::optional<double> shown_number(std::string_view text);

}  // namespace bloomlab::analysis
