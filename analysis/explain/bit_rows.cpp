#include "analysis/explain/bit_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace bloomlab::analysis::explain {
namespace {

constexpr std::size_t bits_a_row = 16;
constexpr std::string_view row_indent = "     ";

/// Right-aligned in three columns, with the room of a closing bracket behind it.
std::string index_cell(std::size_t position) {
  std::string text = std::to_string(position);
  text.insert(0, 3 - std::min<std::size_t>(3, text.size()), ' ');
  return text + " ";
}

std::string bit_cell(bool bit, const Ink* mark, Colours colours) {
  const std::string digit(1, bit ? '1' : '0');
  if (!mark) {
    std::string text = "  ";
    text += bit ? digit : painted(digit, Ink::faint, colours);
    return text += " ";
  }
  const bool round = *mark == Ink::standing;
  std::string inner(1, round ? '(' : '[');
  inner.append(digit).append(1, round ? ')' : ']');
  std::string text = " ";
  return text += painted(inner, *mark, colours);
}

void drop_trailing_spaces(std::string& line) { line.resize(line.find_last_not_of(' ') + 1); }

}  // namespace

std::string bit_rows(const std::vector<bool>& bits, const Marks& marks, Colours colours) {
  std::string text;
  for (std::size_t first = 0; first < bits.size(); first += bits_a_row) {
    std::string indices;
    std::string cells(row_indent);
    const std::size_t end = std::min(first + bits_a_row, bits.size());
    for (std::size_t i = first; i < end; ++i) {
      const auto mark = marks.find(i);
      indices += index_cell(i);
      cells += bit_cell(bits[i], mark == marks.end() ? nullptr : &mark->second, colours);
    }
    drop_trailing_spaces(indices);
    drop_trailing_spaces(cells);
    text.append(row_indent).append(painted(indices, Ink::faint, colours)).append("\n");
    text.append(cells).append("\n");
  }
  return text;
}

}  // namespace bloomlab::analysis::explain
