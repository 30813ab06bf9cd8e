// Errors of the headers, thrown by the library: they are the same in programs that are compiled
// without exceptions, where they end the program with their text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomlab::detail {

/// Throws std::invalid_argument.
[[noreturn]] void refuse(const std::string& text);

/// Throws std::invalid_argument where two filters that are to be merged have different seeds.
void require_same_seed(std::string_view filter, std::uint64_t one, std::uint64_t other);

/// Throws std::runtime_error.
[[noreturn]] void give_up(const std::string& text);

}  // namespace bloomlab::detail
