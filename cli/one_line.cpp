#include "cli/one_line.hpp"

#include <algorithm>

#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

constexpr std::size_t longest = 2000;
constexpr std::size_t kept_at_an_end = 900;

bool continues_a_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The beginning and the end, cut between characters.
std::string without_its_middle(const std::string& text) {
  std::size_t first = kept_at_an_end;
  while (first > 0 && continues_a_character(text[first])) --first;
  std::size_t last = text.size() - kept_at_an_end;
  while (last < text.size() && continues_a_character(text[last])) ++last;
  return text.substr(0, first) + " [... " + std::to_string(last - first) + " bytes ...] " +
         text.substr(last);
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line = record::made_visible(text);
  for (char& letter : line) {
    if (letter == '\n' || letter == '\r' || letter == '\t') letter = ' ';
  }
  return line.size() > longest ? without_its_middle(line) : line;
}

std::string column(std::string_view text, std::size_t width) {
  constexpr std::size_t gap = 2;
  const auto letters = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char one) { return !continues_a_character(one); }));
  return std::string(std::max(gap, width > letters ? width - letters : 0), ' ').append(text);
}

std::string counted(std::uint64_t count, std::string_view singular) {
  return std::to_string(count).append(" ").append(singular).append(count == 1 ? "" : "s");
}

}  // namespace bloomlab::cli
