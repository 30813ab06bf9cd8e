#include "analysis/plot/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "analysis/text/utf8.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::plot {
namespace {

bool is_wide(char32_t character) {
  return (character >= 0x2E80 && character < 0xD7B0) ||
         (character >= 0xF900 && character < 0xFB00) ||
         (character >= 0xFE30 && character < 0xFE50) ||
         (character >= 0xFF00 && character < 0xFF61) || character >= 0x20000;
}

/// Widths in thousandths of the font's size by character, of font_widths.json.
using Widths = std::unordered_map<char32_t, double>;

Widths widths_of(const char* weight) {
  Widths widths;
  const auto ranges = nlohmann::json::parse(template_called("plot/font_widths.json")).at(weight);
  for (const auto& [first, row] : ranges.items()) {
    auto character = static_cast<char32_t>(std::stoul(first));
    for (const auto& width : row) widths.emplace(character++, width.get<double>());
  }
  return widths;
}

/// In ems; a character of no table is drawn by a font that nobody knows, as wide as it is high.
double character_width(char32_t character, Weight weight) {
  static const Widths regular = widths_of("regular");
  static const Widths bold = widths_of("bold");
  if (character >= 0x300 && character < 0x370) return 0;  // marks over the letter before
  const Widths& widths = weight == Weight::bold ? bold : regular;
  const auto found = widths.find(character);
  return found == widths.end() ? 1.0 : found->second / 1000.0;
}

std::string quoted(std::string_view text, std::string_view doubled) {
  std::string result = "'";
  for (const char c : clean_text(text)) {
    if (std::string_view("^_@&~{}\\").find(c) != std::string_view::npos) result += '\\';
    if (doubled.find(c) != std::string_view::npos) result += c;
    result += c;
  }
  return result + "'";
}

std::string to_text(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return {buffer.data(), end.ptr};
}

std::string with_thousands(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(number.find('.'), number.size());
  if (point - first <= 4) return number;
  for (std::size_t i = point; i > first + 3; i -= 3) number.insert(i - 3, "\u2009");
  return number;
}

}  // namespace

std::string quoted_text(std::string_view text) { return quoted(text, "'"); }

std::string quoted_tick_text(std::string_view text) { return quoted(text, "'%"); }

double text_width(std::string_view text, double font_size, Weight weight) {
  double ems = 0;
  while (!text.empty()) {
    const auto [character, bytes] = decode(text);
    ems += character_width(character, weight);
    text.remove_prefix(bytes);
  }
  return ems * font_size;
}

double label_width(std::string_view label, double font_size) {
  constexpr double superscript = 0.8;
  const std::size_t open = std::min(label.find("^{"), label.size());
  const std::string_view base = label.substr(0, open);
  if (open == label.size()) return text_width(base, font_size);
  const std::string_view raised = label.substr(open + 2, label.size() - open - 3);
  return text_width(base, font_size) + superscript * text_width(raised, font_size);
}

std::vector<std::string> wrap_text(std::string_view text, double width, double font_size,
                                   Weight weight) {
  const std::string clean = clean_text(text);
  std::vector<std::string> words;  // pieces that may not be broken, spaces at their ends
  for (std::string_view rest = clean; !rest.empty();) {
    const auto [character, bytes] = decode(rest);
    const bool begins = words.empty() || is_wide(character) ||
                        (words.back().back() == ' ' && character != ' ') ||
                        is_wide(decode(words.back()).character);
    if (begins) words.emplace_back();
    words.back() += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  const auto trimmed = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::vector<std::string> lines(1);
  for (const std::string& word : words) {
    const bool fits = text_width(trimmed(lines.back() + word), font_size, weight) <= width;
    if (!fits && !lines.back().empty()) lines.emplace_back();
    lines.back() += word;
  }
  for (std::string& line : lines) line = trimmed(line);
  return lines;
}

std::string data_number(double value) { return to_text(value, std::chars_format::general, 9); }

std::string fixed_number(double value, int decimals) {
  const std::string text = to_text(value, std::chars_format::fixed, decimals);
  return text.starts_with('-') && text.find_first_of("123456789") == std::string::npos
             ? text.substr(1)
             : text;
}

std::string plain_label(double value, int decimals) {
  return with_thousands(fixed_number(value, decimals));
}

std::string shortest_label(double value) {
  const std::string text = to_text(value, std::chars_format::general, 7);
  if (text.find('e') != std::string::npos) return power_label(value);
  return with_thousands(text);
}

std::string power_label(double value) {
  if (value == 0) return "0";
  const std::string text = to_text(value, std::chars_format::scientific, 5);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.back() == '.') mantissa.pop_back();
  std::string power = "10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
  if (mantissa == "1") return power;
  return mantissa + "\u00D7" + power;
}

}  // namespace bloomlab::analysis::plot
