// What the texts of `explain` have in common, in any language: words, colours on a terminal, and
// the bit array as rows of text.
//
// A drawing of a small array of bits, with the keys that point into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/trace.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::explain {

/// The texts of templates/explain.<language>.json, with the tags that stand for fixed figures put
/// in, since no digit is typed in a text: zero, one, and the like.
class Lines {
 public:
  /// Throws record::InputError naming the languages that exist, for one that does not.
  explicit Lines(std::string language);

  /// The text `key`, its tags replaced. Throws TemplateError for an unknown key or a fault.
  [[nodiscard]] std::string operator()(std::string_view key, Tags tags = {}) const;

  /// True if there is a text `key`.
  [[nodiscard]] bool has(std::string_view key) const { return words_.has(key); }

  /// The items in one text, separated as the language does it.
  [[nodiscard]] std::string list(std::span<const std::string> items) const;
  [[nodiscard]] std::string list(const std::vector<std::uint64_t>& numbers) const;

 private:
  Words words_;
};

/// Whether the text goes to a terminal that shows colours.
enum class Colours { none, ansi };

/// What a piece of text is, and so how it is shown.
enum class Ink {
  heading,
  fresh,     ///< a bit that a key sets
  standing,  ///< a bit that is found set
  missing,   ///< the bit that says no
  faint,     ///< what is only in the background
};

/// The text in its colour, by the escape sequences of ECMA-48, or as it is.
[[nodiscard]] std::string painted(std::string_view text, Ink ink, Colours colours);

/// How the bit of a key is marked: [1] and [0] are what decides, (1) is what was there already.
using Marks = std::map<std::uint64_t, Ink>;

/// Rows of sixteen bits with their positions above them, each line ended by a line feed. Bits
/// without a mark stand bare.
[[nodiscard]] std::string bit_rows(const std::vector<bool>& bits, const Marks& marks,
                                   Colours colours);

/// A key, and the cells that it points at.
struct Pointer {
  std::string name;
  std::vector<std::uint64_t> cells;
  std::size_t hue = 0;  ///< pointers of one hue are of one colour
};

/// What is drawn: cells in order, pointers above and below them, lines of text at the foot.
struct Drawing {
  std::string title;
  std::vector<std::string> labels;  ///< one a cell, above it
  std::vector<bool> bits;           ///< one a cell
  std::vector<Pointer> above = {};
  std::vector<Pointer> below = {};
  std::vector<std::string> notes = {};
};

/// The bit array of a trace at its end. Inserted keys point at their bits from above, queries from
/// below.
[[nodiscard]] Drawing drawing_of(const Trace& trace, const Lines& lines);

/// The mice of the puzzle as bits: the poisoned bottle's digits. Domain as bottles_text().
[[nodiscard]] Drawing drawing_of_bottles(std::uint64_t bottles, std::uint64_t poisoned,
                                         const Lines& lines);

/// The drawing as SVG, readable on a light and on a dark page. Pointers are drawn where all cells
/// stand in one row of at most most_pointed_cells and at most most_pointers a side; the notes say
/// the same in words.
[[nodiscard]] std::string svg_of(const Drawing& drawing);

inline constexpr std::size_t most_pointed_cells = 32;
inline constexpr std::size_t most_pointers = 8;

}  // namespace bloomlab::analysis::explain
