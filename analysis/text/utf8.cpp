#include "analysis/text/utf8.hpp"

#include <array>

namespace bloomlab::analysis {

namespace {

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool allowed_in_xml(char32_t character, std::size_t bytes) {
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (character < least[bytes] || character > 0x10FFFF) return false;
  if (character >= 0xD800 && character <= 0xDFFF) return false;
  return character != 0xFFFE && character != 0xFFFF;
}

bool is_control(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

// A text from outside may hold them too: it can name a link of ours, and an end that is missing is
// passed over.
constexpr char opened = '\x01';
constexpr char closed = '\x02';

std::string mark(char kind, std::string_view what = {}) {
  std::string text{opened, kind};
  return text.append(what) + closed;
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(from, done)) != std::string::npos;) {
    replaced.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  if (done > 0) text = replaced.append(text, done);
}

DecodedCharacter decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = sequence_length(byte(0));
  if (length == 1) return {byte(0), 1};
  if (length == 0 || length > text.size()) return {replacement_character, 1};
  char32_t character = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {replacement_character, 1};
    character = (character << 6) | (byte(i) & 0x3FU);
  }
  return {allowed_in_xml(character, length) ? character : replacement_character, length};
}

std::string clean_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [character, bytes] = decode(text);
    if (is_control(character)) {
      result += ' ';
    } else if (character == replacement_character) {
      result += "\uFFFD";
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

Links marked_links() { return {.results = mark('r'), .figures = mark('f'), .tables = mark('t')}; }

std::string section_mark(std::string_view anchor) { return mark('s', anchor); }

std::string with_links(std::string_view text, const Targets& targets) {
  std::string linked;
  while (!text.empty()) {
    const std::size_t begin = text.find(opened);
    linked.append(text.substr(0, begin));
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find(closed, begin);
    if (end == std::string_view::npos || end == begin + 1) {
      text.remove_prefix(begin + 1);
      continue;
    }
    const char kind = text[begin + 1];
    if (kind == 'r') linked += targets.links.results;
    if (kind == 'f') linked += targets.links.figures;
    if (kind == 't') linked += targets.links.tables;
    if (kind == 's')
      linked += targets.section(std::string(text.substr(begin + 2, end - begin - 2)));
    text.remove_prefix(end + 1);
  }
  return linked;
}

std::string link_text(const std::string& text) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  static constexpr std::string_view plain = "-_.~/";
  std::string link;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (is_letter_or_digit(character) || plain.find(character) != std::string_view::npos) {
      link += character;
    } else {
      link += '%';
      link += hex[byte / 16];
      link += hex[byte % 16];
    }
  }
  return link;
}

}  // namespace bloomlab::analysis
