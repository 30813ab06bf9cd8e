// The names of format 1 that format 2 says in the field's words. In memory, in seeds and in digests
// they stay what they were, so that no count and no digest changes.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::record {

/// The name in format 2 of a parameter, count or duration of format 1, and back; other names stay.
[[nodiscard]] std::string_view name_in_format_2(std::string_view name);
[[nodiscard]] std::string_view name_in_format_1(std::string_view name);

/// The same for a word that is the value of the parameter `name` of format 1.
[[nodiscard]] std::string_view word_in_format_2(std::string_view name, std::string_view word);
[[nodiscard]] std::string_view word_in_format_1(std::string_view name, std::string_view word);

}  // namespace bloomlab::record
