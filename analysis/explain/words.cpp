#include "analysis/explain/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace bloomlab::analysis::explain {

namespace {

struct FixedTag {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<FixedTag, 7> fixed_tags = {{{"zero", "0"},
                                                 {"one", "1"},
                                                 {"half", "2³²"},
                                                 {"whole", "2⁶⁴"},
                                                 {"cases", "2ʲ"},
                                                 {"limit", "(1 − 1/m)^m"},
                                                 {"inverse", "1/e"}}};

std::string_view sequence(Ink ink) {
  switch (ink) {
    case Ink::heading:
      return "\x1b[1m";
    case Ink::fresh:
      return "\x1b[1;32m";
    case Ink::standing:
      return "\x1b[33m";
    case Ink::missing:
      return "\x1b[1;31m";
    case Ink::faint:
      return "\x1b[2m";
  }
  return "";
}

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

Lines::Lines(std::string language) : words_(std::move(language), "explain") {}

std::string Lines::operator()(std::string_view key, Tags tags) const {
  const auto text = words_.texts().find(key);
  if (text != words_.texts().end()) {
    for (const std::string& name : tag_names(key, text->second)) {
      for (const FixedTag& tag : fixed_tags) {
        if (tag.name == name) tags.emplace(name, tag.text);
      }
    }
  }
  return words_(key, tags);
}

std::string Lines::list(std::span<const std::string> items) const {
  const std::string separator = words_("list.separator");
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

std::string painted(std::string_view text, Ink ink, Colours colours) {
  if (colours == Colours::none) return std::string(text);
  std::string result(sequence(ink));
  return result.append(text).append("\x1b[0m");
}

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
