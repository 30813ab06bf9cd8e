#include "analysis/tables/table.hpp"

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

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

bool is_number(const Entry& entry) { return !std::holds_alternative<std::string>(entry.value); }

/// A column is set flush right where every entry of it is a number or nothing.
bool is_numeric(const Table& table, std::size_t column) {
  for (const auto& row : table.rows) {
    if (!is_number(row[column])) return false;
  }
  return !table.rows.empty();
}

std::string heading_text(const Column& column) {
  return column.unit.empty() ? column.heading : column.heading + " [" + column.unit + "]";
}

std::string markdown_grid(const Table& table) {
  std::string head = "|";
  std::string rule = "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].shown == Shown::csv_only) continue;
    head.append(" ").append(heading_text(table.columns[i])).append(" |");
    rule += is_numeric(table, i) ? " ---: |" : " --- |";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].shown == Shown::csv_only) continue;
      text.append(" ").append(cell_text(row[i])).append(" |");
    }
    text += "\n";
  }
  return text;
}

std::string csv_value(const EntryValue& value) {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return exact_text(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return csv_field(*word);
  return "";
}

}  // namespace

Entry word_entry(std::string text) {
  EntryValue value = text;
  return {std::move(text), std::move(value)};
}

Entry count_entry(std::uint64_t count) { return {grouped(count), count}; }

Entry number_entry(double number, int digits) { return {significant(number, digits), number}; }

Entry p_value_entry(double p) { return {p_value_text(p), p}; }

Entry percent_entry(double fraction, int digits) { return {percent(fraction, digits), fraction}; }

Entry interval_entry(double estimate, double low, double high) {
  return {with_interval(estimate, low, high), estimate};
}

Entry no_entry() { return {"–", std::monostate{}}; }

std::string markdown(const Table& table) {
  require_rectangular(table);
  const std::string grid = markdown_grid(table);
  const std::string caption = table.caption.empty() ? "" : "*" + table.caption + "*\n\n";
  if (table.fold_label.empty()) return caption + grid;
  return "<details>\n<summary>" + table.fold_label + "</summary>\n\n" + caption + grid +
         "\n</details>\n";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + "\"";
}

std::string csv(const Table& table) {
  require_rectangular(table);
  std::string text;
  const auto add_line = [&](const auto& field) {
    bool first = true;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].shown == Shown::markdown_only) continue;
      if (!first) text += ",";
      text += field(i);
      first = false;
    }
    text += "\n";
  };
  add_line([&](std::size_t i) {
    const Column& column = table.columns[i];
    return csv_field(column.unit.empty() ? column.key : column.key + " [" + column.unit + "]");
  });
  for (const auto& row : table.rows) {
    add_line([&](std::size_t i) { return csv_value(row[i].value); });
  }
  return text;
}

std::string markdown_escaped(const std::string& text) {
  static constexpr std::string_view special = "\\`*[]<>|#";
  std::string escaped;
  for (const char character : text) {
    if (special.find(character) != std::string_view::npos) escaped += '\\';
    escaped += (character == '\n' || character == '\r') ? ' ' : character;
  }
  return escaped;
}

}  // namespace bloomlab::analysis
