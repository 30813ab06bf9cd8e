// Errors of the headers, thrown by the library: they are the same in programs that are compiled
// without exceptions, where they end the program with their text.
#pragma once

#include <string>

namespace bloomlab::detail {

/// Throws std::invalid_argument.
[[noreturn]] void refuse(const std::string& text);

/// Throws std::runtime_error.
[[noreturn]] void give_up(const std::string& text);

}  // namespace bloomlab::detail
