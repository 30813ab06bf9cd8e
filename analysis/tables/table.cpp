#include "analysis/tables/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>
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

/// Whether a program for spreadsheets would take the text for a formula.
bool begins_formula(const std::string& field) {
  static constexpr std::string_view begins = "=+-@\t\r";
  if (field.size() < 2 || begins.find(field.front()) == std::string_view::npos) return false;
  double number = 0.0;
  const char* const end = field.data() + field.size();
  return std::from_chars(field.data(), end, number).ptr != end && !shown_number(field);
}

/// The text as no formula.
std::string plain_field(const std::string& field) {
  return begins_formula(field) ? "'" + field : field;
}

/// A number for people: "< ", an opened bracket, a sign, "∞" or a decimal with thin spaces, which
/// may be 10 to a raised power, " %", an interval, the bracket's end, "×10" to a power, " %".
const std::regex& number_pattern() {
  static const std::regex pattern = [] {
    const std::string raised = "((?:⁻)?(?:⁰|¹|²|³|⁴|⁵|⁶|⁷|⁸|⁹){1,4})";
    return std::regex("(?:< )?(\\(?)(−|-|\\+)?(?:(∞)|([0-9]+(?:\u202f[0-9]*)*(?:\\.[0-9]*)?)" +
                      raised + "?( %)?(?: \\[[^\\]]*\\])?(\\)?)(?:×10" + raised + ")?)( %)?");
  }();
  return pattern;
}

/// "⁻⁷" as "-7".
std::string lowered(const std::string& raised) {
  static constexpr std::array<std::string_view, 11> marks = {"⁰", "¹", "²", "³", "⁴", "⁵",
                                                             "⁶", "⁷", "⁸", "⁹", "⁻"};
  std::string number;
  for (std::string_view rest = raised; !rest.empty();) {
    const auto* const mark =
        std::ranges::find_if(marks, [&](std::string_view one) { return rest.starts_with(one); });
    number += "0123456789-"[mark - marks.begin()];
    rest.remove_prefix(mark->size());
  }
  return number;
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

std::string csv_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char character : plain_field(text)) quoted.append(character == '"' ? 2 : 1, character);
  return quoted + "\"";
}

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    const std::string plain = plain_field(field);
    const bool is_quoted = plain.find_first_of(",\"\n\r") != std::string::npos;
    line.append(is_quoted ? csv_quoted(field) : plain).append(",");
  }
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
  enum Part {
    all,
    opened,
    sign,
    infinite,
    decimal,
    power,
    percent,
    closed,
    exponent,
    percent_last
  };
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, number_pattern())) return std::nullopt;
  const auto part = [&](Part which) { return found[which].str(); };
  const double direction = part(sign) == "−" || part(sign) == "-" ? -1 : 1;
  if (found[infinite].matched) return direction * HUGE_VAL;
  const bool is_power = !part(power).empty();
  if (part(opened).empty() != part(closed).empty() || (is_power && part(decimal) != "10")) {
    return std::nullopt;
  }
  const std::string raised = lowered(part(is_power ? power : exponent));
  int shift = 0;
  std::from_chars(raised.data(), raised.data() + raised.size(), shift);
  if (found[percent].matched || found[percent_last].matched) shift -= 2;
  static const std::regex thin_space("\u202f");
  std::string digits = is_power ? "1" : std::regex_replace(part(decimal), thin_space, "");
  digits += "e" + std::to_string(shift);
  double value = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return direction * value;
}

}  // namespace bloomlab::analysis
