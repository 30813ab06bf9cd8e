// A table as data: columns with units, rows of entries. It is written as Markdown for people and as
// CSV for programs; both come from the same entries.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bloomlab::analysis {

/// What a program reads: nothing, a count, a number, a word.
using EntryValue = std::variant<std::monostate, std::uint64_t, double, std::string>;

/// One entry: what a person reads, and what a program reads.
struct Entry {
  std::string text;
  EntryValue value;
  bool marked = false;  ///< a difference to be seen at once: bold in Markdown
};

/// Where a column is shown. Raw counts, for example, stand only in the CSV.
enum class Shown { everywhere, csv_only, markdown_only };

/// A column. `key` names it in the CSV and stays the same in every language.
struct Column {
  std::string key;        ///< "rate"
  std::string heading;    ///< "measured rate"
  std::string unit = {};  ///< "bits", "keys"; empty for a pure number
  Shown shown = Shown::everywhere;
};

/// A table. Every row has as many entries as there are columns.
struct Table {
  std::string name;     ///< unique within its section; letters, digits, '_'
  std::string caption;  ///< one or two sentences
  std::vector<Column> columns;
  std::vector<std::vector<Entry>> rows;
  std::string fold_label = {};      ///< not empty: folded in Markdown under this label
  Shown shown = Shown::everywhere;  ///< csv_only: no section has a tag for it
};

/// Entries of the usual kinds; the value is kept in full, the text rounded.
[[nodiscard]] Entry word_entry(std::string text);
[[nodiscard]] Entry count_entry(std::uint64_t count);
[[nodiscard]] Entry number_entry(double number, int digits = 3);
[[nodiscard]] Entry p_value_entry(double p);
[[nodiscard]] Entry percent_entry(double fraction, int digits = 2);
/// An estimate shown with its interval; the value is the estimate alone.
[[nodiscard]] Entry interval_entry(double estimate, double low, double high);
/// Nothing measured there: a dash, and an empty field in the CSV.
[[nodiscard]] Entry no_entry();

/// A GitHub-flavoured Markdown table with its caption; folded where it says so.
/// Throws std::logic_error for a row of the wrong length.
[[nodiscard]] std::string markdown(const Table& table);

/// The table as CSV (RFC 4180, "\n" line ends), one header line of "key [unit]".
/// Throws std::logic_error for a row of the wrong length.
[[nodiscard]] std::string csv(const Table& table);

/// One CSV field, quoted where needed.
[[nodiscard]] std::string csv_field(const std::string& text);

/// `text` with the characters escaped that mean something to Markdown; line ends become spaces.
[[nodiscard]] std::string markdown_escaped(const std::string& text);

}  // namespace bloomlab::analysis
