#include "record/syntax_fault.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bloomlab::record {
namespace {

bool belongs_to_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string_view("+-._").find(letter) != std::string_view::npos;
}

/// The word that starts at `start`, with a sign before it.
std::string_view word_at(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && belongs_to_word(text[end])) ++end;
  return text.substr(start, end - start);
}

/// Where the fault begins. The parser's token is whole for texts and numbers only: for words it
/// holds what came before them too.
std::size_t start_of_fault(std::string_view text, std::size_t position, std::string_view token) {
  std::size_t start = position == 0 ? 0 : position - 1;
  if (start >= text.size()) return text.size();
  if (text[start] == '"' && token.size() <= position) return position - token.size();
  while (start > 0 && belongs_to_word(text[start]) && belongs_to_word(text[start - 1])) --start;
  return start;
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

/// Faults inside a text, by the parser's words.
std::string fault_in_text(std::string_view parser_message) {
  const auto says = [&](std::string_view words) {
    return parser_message.find(words) != std::string_view::npos;
  };
  if (says("UTF-8")) return "a text that is not UTF-8; save the file as UTF-8";
  if (says("control character")) {
    return "a line break or another control character in a text; write it as an escape such as \\n";
  }
  if (says("backslash") || says("surrogate") || says("\\u")) {
    return "an escape that JSON does not know; a backslash itself is written as two";
  }
  return "";
}

std::string fault_at(std::string_view text, std::size_t start, std::string_view parser_message) {
  const char letter = text[start];
  const std::string_view word = word_at(text, start);
  std::string_view shown = word.empty() ? text.substr(start, 1) : word;
  if (letter == '"') shown = text.substr(start, text.find('"', start + 1) - start + 1);
  const std::string found = printable(shown);
  if (std::string fault = fault_in_text(parser_message); !fault.empty()) return fault;
  if (is_not_finite(word)) return found + " is not a number of JSON; write a finite number";
  if (parser_message.find("number overflow") != std::string_view::npos) {
    return found + " is too large for a number; write a finite number";
  }
  if ((letter == '}' || letter == ']') && last_visible_before(text, start) == ',') {
    return std::string("a comma stands before '") + letter + "'; remove the comma";
  }
  if (letter == '/' || letter == '#') return "a comment; JSON has none, remove it";
  if (letter == '\'') return "a single quotation mark; JSON texts stand in double ones";
  if (parser_message.find("expected end of input") != std::string_view::npos) {
    return "found '" + found + "' after the end of the JSON value; remove it";
  }
  const std::size_t expected = parser_message.rfind("; expected ");
  if (expected == std::string_view::npos) return "'" + found + "' is not JSON; correct it";
  const std::string remedy(parser_message.substr(expected + 2));
  if (remedy == "expected string literal") {
    return "found '" + found + "'; expected a key in quotation marks";
  }
  // The parser names only one of the two that may follow a value.
  const bool after_value = remedy == "expected '}'" || remedy == "expected ']'";
  return "found '" + found + "'; " + (after_value ? "expected ',' or " : "expected ") +
         remedy.substr(std::string_view("expected ").size());
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
  const std::size_t start = start_of_fault(text, position, token);
  return place_of(text, start) + fault_at(text, start, parser_message);
}

}  // namespace bloomlab::record
