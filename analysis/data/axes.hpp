// What differs between the cells of an experiment, and what cells are called. Works on any cell, so
// that a config that nobody foresaw gets its figure and table too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// A place in a cell whose value differs between cells.
struct Axis {
  std::string path;          ///< JSON pointer into the cell: "/filter/m"
  std::vector<Json> values;  ///< distinct values in the order of the grid; null: not in that cell
  bool numeric = false;      ///< every value is a number (cells without the place left aside)
};

/// The axes of the measurements, in the order in which the cells write their places.
[[nodiscard]] std::vector<Axis> axes_of(std::span<const Measurement> measurements);

/// The axes that distinguish cells: without those that another one, which is not left out itself,
/// settles (the path of a key file, when the source says which file).
[[nodiscard]] std::vector<Axis> distinguishing_axes(std::span<const Measurement> measurements);

/// The words of a command as one text; any other value as it is.
[[nodiscard]] Json as_one_value(const Json& value);

/// A cell as paths with plain values, as flatten() gives it, but a command is one text, and what a
/// config expects of a filter from outside and allows it is left out.
[[nodiscard]] Json flat_cell(const Json& cell);

/// The value at a JSON pointer, or null where the cell has no such place; a command is one text.
[[nodiscard]] Json value_at(const Json& cell, const std::string& path);

/// The number at a JSON pointer, or NaN.
[[nodiscard]] double number_at(const Json& cell, const std::string& path);

/// The word at a JSON pointer, or "".
[[nodiscard]] std::string word_at(const Json& cell, const std::string& path);

/// The word of the project's vocabulary for a place: "/filter/m" -> "m", "/hash/name" -> "hash",
/// "/keys/source" -> "keys", "/filter/kind" -> "filter".
[[nodiscard]] std::string short_name(const std::string& path);

/// The unit of a place, from the description of the filter that has it: "/filter/m" -> "bits".
/// "" for a pure number or a word.
[[nodiscard]] std::string unit_of(const std::string& path);

/// The cell's values on these axes: "m = 1 000, k = 7", "sha256, double_hashing". Words that say
/// themselves stand without their name; axes that are not in the cell are left out.
[[nodiscard]] std::string label_of(const Json& cell, std::span<const Axis> axes);

/// A single value as text: numbers grouped or short, words as they are.
[[nodiscard]] std::string value_text(const Json& value);

/// True if axis `a` is settled by axis `b`: cells that agree on b agree on a.
[[nodiscard]] bool settled_by(std::span<const Measurement> measurements, const std::string& a,
                              const std::string& b);

/// Bits per key m / n of a cell whose filter has an m; NaN otherwise.
[[nodiscard]] double bits_per_key(const Json& cell);

}  // namespace bloomlab::analysis
