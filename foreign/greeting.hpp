// The first line that a filter from outside writes: which protocol it speaks, and what it is.
//
//   bloomlab-filter 1 text name=mine version=1.0 removes saves help=k: number of hash functions
//
// "text" or "binary"; name is a must; then any of version=WORD, nondeterministic, removes, merges,
// saves, hashes; help= takes the rest of the line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "foreign/foreign_filter.hpp"

namespace bloomlab::foreign {

/// How calls and answers are written.
enum class Protocol { text, binary };

/// What the line says.
struct Greeting {
  Protocol protocol = Protocol::text;
  Description description;
};

/// How a greeting begins.
inline constexpr std::string_view greeting_start = "bloomlab-filter 1 ";

/// Reads the line; nothing where it is no greeting.
[[nodiscard]] std::optional<Greeting> read_greeting(std::string_view line);

}  // namespace bloomlab::foreign
