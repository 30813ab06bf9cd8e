// Lessons as texts to read: a trace with its inserts, its queries and the arithmetic of the rate,
// and the puzzle of the poisoned bottle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/drawing.hpp"
#include "analysis/explain/trace.hpp"

namespace bloomlab::analysis::explain {

/// The whole lesson, ending with a line feed.
[[nodiscard]] std::string trace_text(const Trace& trace, const Lines& lines, Colours colours);

/// The rate's arithmetic alone, a sentence and a formula a line.
[[nodiscard]] std::string rate_text(const Trace& trace, const Lines& lines, Colours colours);

/// The whole puzzle for bottles 1 .. bottles, ending with a line feed.
/// Domain: 1 <= poisoned <= bottles <= 2^63.
[[nodiscard]] std::string bottles_text(std::uint64_t bottles, std::uint64_t poisoned,
                                       const Lines& lines, Colours colours);

}  // namespace bloomlab::analysis::explain
