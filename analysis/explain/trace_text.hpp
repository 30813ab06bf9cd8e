// A trace as a text to read: the inserts, the queries and the arithmetic of the rate.
#pragma once

#include <string>

#include "analysis/explain/trace.hpp"
#include "analysis/explain/words.hpp"

namespace bloomlab::analysis::explain {

/// The whole lesson, ending with a line feed.
[[nodiscard]] std::string trace_text(const Trace& trace, const Lines& lines, Colours colours);

/// The rate's arithmetic alone, a sentence and a formula a line.
[[nodiscard]] std::string rate_text(const Trace& trace, const Lines& lines, Colours colours);

}  // namespace bloomlab::analysis::explain
