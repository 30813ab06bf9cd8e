#include "analysis/tables/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
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

constexpr std::string_view plain_digits = "0123456789";
constexpr std::string_view thin_space = "\u202f";
constexpr std::array<std::string_view, 10> raised_digits = {"⁰", "¹", "²", "³", "⁴",
                                                            "⁵", "⁶", "⁷", "⁸", "⁹"};

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "−" or "-" of a negative number, "+" or nothing of others.
bool skip_sign(std::string_view& text) {
  if (skip(text, "−") || skip(text, "-")) return true;
  skip(text, "+");
  return false;
}

void take_digits(std::string_view& text, std::string& digits) {
  const std::size_t count = std::min(text.find_first_not_of(plain_digits), text.size());
  digits += text.substr(0, count);
  text.remove_prefix(count);
}

/// "1 000.25" without its spaces; empty where no number begins.
std::string take_decimal(std::string_view& text) {
  std::string digits;
  take_digits(text, digits);
  while (!digits.empty() && skip(text, thin_space)) take_digits(text, digits);
  if (!digits.empty() && skip(text, ".")) {
    digits += '.';
    take_digits(text, digits);
  }
  return digits;
}

/// "⁻⁷" as -7; nothing where no raised number begins.
std::optional<int> take_raised(std::string_view& text) {
  std::string_view rest = text;
  const bool negative = skip(rest, "⁻");
  std::optional<int> number;
  for (std::size_t digit = 0; digit < raised_digits.size();) {
    if (skip(rest, raised_digits[digit])) {
      number = 10 * number.value_or(0) + static_cast<int>(digit);
      if (*number > 9999) return std::nullopt;
      digit = 0;
    } else {
      ++digit;
    }
  }
  if (!number) return std::nullopt;
  text = rest;
  return negative ? -*number : *number;
}

/// " [low, high]"; false where it is not closed.
bool skip_interval(std::string_view& text) {
  if (!skip(text, " [")) return true;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return false;
  text.remove_prefix(close + 1);
  return true;
}

std::optional<double> value_of(const std::string& decimal, int exponent) {
  const std::string text = decimal + "e" + std::to_string(exponent);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
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

std::optional<double> shown_number(std::string_view text) {
  skip(text, "< ");
  const bool opened = skip(text, "(");
  const bool negative = skip_sign(text);
  if (skip(text, "∞")) {
    skip(text, " %");
    return text.empty() ? std::optional(negative ? -HUGE_VAL : HUGE_VAL) : std::nullopt;
  }
  std::string decimal = take_decimal(text);
  if (decimal.empty()) return std::nullopt;
  int exponent = 0;
  if (const auto power = decimal == "10" ? take_raised(text) : std::nullopt) {
    decimal = "1";
    exponent = *power;
  }
  bool percent = skip(text, " %");
  if (!skip_interval(text) || (opened && !skip(text, ")"))) return std::nullopt;
  if (skip(text, "×10")) {
    const auto power = take_raised(text);
    if (!power) return std::nullopt;
    exponent = *power;
  }
  percent = skip(text, " %") || percent;
  if (!text.empty()) return std::nullopt;
  const auto value = value_of(decimal, percent ? exponent - 2 : exponent);
  return value && negative ? -*value : value;
}

}  // namespace bloomlab::analysis
