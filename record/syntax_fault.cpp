#include "record/syntax_fault.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bloomlab::record {
namespace {

/// The word that starts at `start`, with a sign before it.
std::string_view word_at(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                               text[end] == '-' || text[end] == '+' || text[end] == '.')) {
    ++end;
  }
  return text.substr(start, end - start);
}

bool is_not_finite(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  constexpr std::array<std::string_view, 3> words = {"nan", "inf", "infinity"};
  return std::find(words.begin(), words.end(), lower) != words.end();
}

char last_visible_before(std::string_view text, std::size_t start) {
  const std::size_t found = text.substr(0, start).find_last_not_of(" \t\r\n");
  return found == std::string_view::npos ? '\0' : text[found];
}

std::string place_of(std::string_view text, std::size_t start) {
  const std::string_view before = text.substr(0, start);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? start : start - newline - 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column + 1) + ": ";
}

/// `text` without line breaks and other bytes that would spoil a one-line message.
std::string printable(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result;
  for (const char letter : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(letter);
    result += byte >= 0x20 && byte < 0x7f ? letter : '?';
  }
  return text.size() > longest ? result + "..." : result;
}

std::string fault_at(std::string_view text, std::size_t start, std::string_view token,
                     std::string_view parser_message) {
  const std::string_view word = word_at(text, start);
  const char letter = start < text.size() ? text[start] : '\0';
  const char before = last_visible_before(text, start);
  if (is_not_finite(word)) {
    return std::string(word) + " is not a number of JSON; write a finite number";
  }
  if (parser_message.find("number overflow") != std::string_view::npos) {
    return printable(word) + " is too large for a number; write a finite number";
  }
  if ((letter == '}' || letter == ']') && before == ',') {
    return std::string("a comma stands before '") + letter + "'; remove the comma";
  }
  if (letter == '/' || letter == '#') return "a comment; JSON has none, remove it";
  if (letter == '\'') return "a single quotation mark; JSON texts stand in double ones";
  if (parser_message.find("UTF-8") != std::string_view::npos) {
    return "a text that is not UTF-8; save the file as UTF-8";
  }
  if (parser_message.find("end of input") != std::string_view::npos &&
      parser_message.find("expected end of input") != std::string_view::npos) {
    return "text after the end of the JSON value: '" + printable(word.empty() ? token : word) +
           "'; remove it";
  }
  const std::string found = printable(word.empty() ? token : word);
  const std::size_t expected = parser_message.rfind("; expected ");
  if (expected == std::string_view::npos) return "'" + found + "' is not JSON; correct it";
  return "found '" + found + "'" + std::string(parser_message.substr(expected));
}

}  // namespace

std::string syntax_fault(std::string_view text, std::size_t position, std::string_view token,
                         std::string_view parser_message) {
  const bool at_end = position > text.size() ||
                      parser_message.find("unexpected end of input") != std::string_view::npos ||
                      parser_message.find("missing closing quote") != std::string_view::npos;
  if (at_end) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return place_of(text, last + 1) +
           "the file ends too early; close every bracket, brace and quotation mark";
  }
  const std::size_t start = position - std::min(position, std::max<std::size_t>(token.size(), 1));
  return place_of(text, start) + fault_at(text, start, token, parser_message);
}

}  // namespace bloomlab::record
