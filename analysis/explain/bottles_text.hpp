// The puzzle of the poisoned bottle, told.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/explain/words.hpp"

namespace bloomlab::analysis::explain {

/// The number of a bottle as so many binary digits, the lowest ones of the number.
[[nodiscard]] std::string code_of(std::uint64_t bottle, int mice);

/// The whole puzzle for bottles 1 .. bottles, ending with a line feed.
/// Domain: 1 <= poisoned <= bottles <= 2^63.
[[nodiscard]] std::string bottles_text(std::uint64_t bottles, std::uint64_t poisoned,
                                       const Lines& lines, Colours colours);

}  // namespace bloomlab::analysis::explain
