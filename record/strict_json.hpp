// JSON read strictly: what a lenient reader guesses, silently drops or rounds is an error here.
//
// Refused: a key twice in an object, NaN and Infinity, comments, trailing commas, anything after
// the value, integers beyond 64 bits, nesting deeper than 64 levels, text that is not UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "record/json.hpp"

namespace bloomlab::record {

/// Deepest nesting of arrays and objects that is read.
inline constexpr std::size_t max_json_depth = 64;

/// The bytes of a file. Throws InputError: `FILE: no such file; ...`, a folder, unreadable, or
/// larger than `max_bytes`.
[[nodiscard]] std::string read_text(const std::filesystem::path& path, std::uintmax_t max_bytes);

/// The JSON value that `text` is; `file` names it in messages. Throws InputError:
/// `FILE: line L, column C: ...` for syntax, `FILE: /json/pointer: ...` for content.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& file);

/// An array that is read element by element.
struct Elements {
  std::string_view name;  ///< of the array, a member of the outermost object
  /// Called with that object as far as it is read, and with an element of the array and its number.
  /// Where it says true, null stands in its place: not all elements are in memory at once.
  std::function<bool(const Json& so_far, const Json& element, std::size_t number)> use;
};
/// The same, with such an array.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& file,
                              const Elements& elements);

/// parse_json of a whole file, named as it was given.
[[nodiscard]] Json read_json(const std::filesystem::path& path, std::uintmax_t max_bytes);

/// `pointer` extended by a member's key (escaped as RFC 6901 says) or by an array's index.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view key);
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::size_t index);
/// What a pointer (RFC 6901) names, or nothing: also where it is no pointer, which it may be in a
/// file that somebody wrote. Never throws for the text of a pointer.
[[nodiscard]] const Json* find_at(const Json& json, std::string_view pointer);

}  // namespace bloomlab::record
