// Quantities as the planner shows them, on a terminal and on its page.
#pragma once

#include <cstdint>
#include <string>

namespace bloomlab::planner {

/// A whole number in groups of three from five digits on, with plain spaces: "1 000 000".
[[nodiscard]] std::string spaced(std::uint64_t value);

/// "1 in 9 994 297": the inverse of a rate, rounded down; "1 in 1.06" below 10.
[[nodiscard]] std::string one_in_text(double rate);

/// A size in bits as bytes with an IEC prefix: "22.852562 MiB". @param digits that count
[[nodiscard]] std::string iec_text(std::uint64_t bits, int digits = 8);

}  // namespace bloomlab::planner
