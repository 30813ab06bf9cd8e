#include "record/visible_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace bloomlab::record {
namespace {

/// One character of a text, or one byte that begins none.
struct Letter {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool is_utf8 = false;
};

std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

bool is_character(std::uint32_t code, std::size_t bytes) {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

Letter letter_at(std::string_view text, std::size_t place) {
  const auto first = static_cast<unsigned char>(text[place]);
  const std::size_t bytes = length_by(first);
  if (bytes == 0 || bytes > text.size() - place) return {1, first, false};
  std::uint32_t code = bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[place + i]);
    if ((next & 0xC0U) != 0x80U) return {1, first, false};
    code = code << 6 | (next & 0x3FU);
  }
  if (!is_character(code, bytes)) return {1, first, false};
  return {bytes, code, true};
}

bool turns_direction(std::uint32_t code) {
  return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_control(std::uint32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool is_shown(const Letter& letter) {
  return letter.is_utf8 && !is_control(letter.code) && !turns_direction(letter.code);
}

std::string formatted(const char* format, std::uint32_t code) {
  char text[48];
  std::snprintf(text, sizeof text, format, static_cast<unsigned>(code));
  return text;
}

}  // namespace

std::optional<std::string> first_hidden(std::string_view text) {
  for (std::size_t place = 0; place < text.size();) {
    const Letter letter = letter_at(text, place);
    place += letter.bytes;
    if (is_shown(letter)) continue;
    if (!letter.is_utf8) return formatted("the byte %02X, which is no UTF-8", letter.code);
    return formatted(turns_direction(letter.code) ? "U+%04X, a direction or line mark"
                                                  : "U+%04X, a control character",
                     letter.code);
  }
  return std::nullopt;
}

std::string made_visible(std::string_view text) {
  std::string visible;
  for (std::size_t place = 0; place < text.size();) {
    const Letter letter = letter_at(text, place);
    if (is_shown(letter)) {
      visible.append(text.substr(place, letter.bytes));
    } else {
      visible += formatted(letter.is_utf8 ? "\\u{%04X}" : "\\x%02X", letter.code);
    }
    place += letter.bytes;
  }
  return visible;
}

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char letter : text) {
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return word + "'";
}

}  // namespace bloomlab::record
