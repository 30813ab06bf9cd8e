// The deviations from theory that a config expects, committed before its results. Both sides read
// them: experiments to check a config, the analysis to judge its results.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "record/json_view.hpp"
#include "record/result_file.hpp"

namespace bloomlab::record {

/// What a flag may be raised by: hits against the rate, or set bits against the fill.
inline constexpr std::array<std::string_view, 2> flag_tests = {"rate", "fill"};

/// Whether a deviation must be seen, or is about as small as what the run can see.
inline constexpr std::array<std::string_view, 2> flag_occurrences = {"certain", "possible"};

/// One entry of `expected_flags`.
struct ExpectedFlag {
  Json cell;            ///< the cells that contain this; see matches() in record/partial_match.hpp
  std::string test;     ///< one of flag_tests; "rate" where it is left out
  std::string reason;   ///< why it is expected
  bool certain = true;  ///< every one of these cells must be flagged; otherwise it may be
};

/// The `expected_flags` of a config; none where it has no such key. Throws InputError.
[[nodiscard]] std::vector<ExpectedFlag> read_expected_flags(const ObjectReader& config);

/// JSON Schema of `expected_flags`.
[[nodiscard]] Json expected_flags_schema();

}  // namespace bloomlab::record
