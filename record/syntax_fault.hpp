// What is wrong with a text that is not JSON, in words that say what to do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bloomlab::record {

/// One line, `line L, column C: ...`, for a fault that the parser met.
/// @param text the whole text   @param position bytes read when the fault was met
/// @param token what was read last   @param parser_message the parser's own words
[[nodiscard]] std::string syntax_fault(std::string_view text, std::size_t position,
                                       std::string_view token, std::string_view parser_message);

}  // namespace bloomlab::record
