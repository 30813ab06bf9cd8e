// A drawing of a small array of bits, with the keys that point into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/explain/trace.hpp"
#include "analysis/explain/words.hpp"

namespace bloomlab::analysis::explain {

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
