#include "analysis/tables/table.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "analysis/text/shown_number.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

void require_rectangular(const Table& table) {
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size()) {
      throw std::logic_error("table " + table.name + ": a row of " + std::to_string(row.size()) +
                             " entries under " + std::to_string(table.columns.size()) + " columns");
    }
  }
}

std::string cell_text(const Entry& entry) {
  std::string text;
  for (const char character : entry.text) {
    if (character == '|') text += '\\';
    text += character == '\n' ? ' ' : character;
  }
  return entry.marked ? "**" + text + "**" : text;
}

/// A column is set flush right where every entry of it is a number or nothing.
bool is_numeric(const Table& table, std::size_t column) {
  return !table.rows.empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
    return row[column].text == no_entry().text || shown_number(row[column].text).has_value();
  });
}

std::string heading_text(const Column& column) {
  return column.unit.empty() ? column.heading : column.heading + " [" + column.unit + "]";
}

std::string markdown_grid(const Table& table) {
  std::string head = "|";
  std::string rule = "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    head.append(" ").append(heading_text(table.columns[i])).append(" |");
    rule += is_numeric(table, i) ? " ---: |" : " --- |";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      text.append(" ").append(cell_text(row[i])).append(" |");
    }
    text += "\n";
  }
  return text;
}

/// One field of CSV, quoted where needed.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + "\"";
}

}  // namespace

Entry count_entry(std::uint64_t count) { return {grouped(count)}; }

Entry number_entry(double number, int digits) { return {significant(number, digits)}; }

Entry interval_entry(double estimate, double low, double high) {
  return {with_interval(estimate, low, high)};
}

Entry no_entry() { return {"–"}; }

std::string markdown(const Table& table) {
  require_rectangular(table);
  const std::string grid = markdown_grid(table);
  const std::string caption = table.caption.empty() ? "" : "*" + table.caption + "*\n\n";
  if (table.fold_label.empty()) return caption + grid;
  return "<details>\n<summary>" + table.fold_label + "</summary>\n\n" + caption + grid +
         "\n</details>\n";
}

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) line.append(csv_field(field)).append(",");
  line.back() = '\n';
  return line;
}

std::string markdown_escaped(const std::string& text) {
  static constexpr std::string_view special = "\\`*[]<>|#$";
  std::string escaped;
  for (const char character : text) {
    if (special.find(character) != std::string_view::npos) escaped += '\\';
    escaped += (character == '\n' || character == '\r') ? ' ' : character;
  }
  return escaped;
}

}  // namespace bloomlab::analysis
