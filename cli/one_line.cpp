#include "cli/one_line.hpp"

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

}  // namespace bloomlab::cli
