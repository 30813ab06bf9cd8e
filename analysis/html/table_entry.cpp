#include "analysis/html/table_entry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/plot/text.hpp"
#include "analysis/text/shown_number.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::html {

namespace {

/// Longer lines are broken, in a column of a width to read in.
bool is_long(const std::string& line) {
  constexpr double font_size = 13;      // pixels
  constexpr double longest_line = 250;  // pixels
  return plot::text_width(line, font_size) > longest_line;
}

/// Digits with at most one point between them: what a script reads by itself.
bool is_plain(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view behind = text.substr(std::min(point + 1, text.size()));
  const auto all_digits = [&](std::string_view part) {
    return !part.empty() && part.find_first_not_of(digits) == std::string_view::npos;
  };
  return all_digits(whole) && (point == text.size() || all_digits(behind));
}

std::string spelt(double value) {
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return exact_text(value);
}

}  // namespace

std::string table_entry(std::string_view content, const std::vector<std::string>& lines,
                        bool flush_right) {
  std::string entry = "<td";
  if (flush_right) {
    entry += " class=\"n\"";
  } else if (std::any_of(lines.begin(), lines.end(), is_long)) {
    entry += " class=\"t\"";
  }
  const auto number = is_plain(lines.front()) ? std::nullopt : shown_number(lines.front());
  if (number) entry.append(" data-v=\"").append(spelt(*number)).append("\"");
  return entry.append(">").append(content).append("</td>");
}

std::string heading_entry(std::string_view content, bool flush_right) {
  std::string entry = flush_right ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
  return entry.append(content).append("</th>");
}

}  // namespace bloomlab::analysis::html
