// When a comparison fails: how large a difference has to be, beside being beyond chance.
#pragma once

#include <optional>
#include <string>

namespace bloomlab::analysis::compare {

/// Sizes from which differences fail a comparison, as parts of the first folder's value; what is
/// not named never fails.
struct FailOn {
  std::optional<double> rate;  ///< in either direction, in (0, 100]
  std::optional<double> time;  ///< slower only, in (0, 100]
};

/// Reads "rate:0.01,time:5%": each at most once, in any order, as a part or in per cent.
/// Throws record::InputError that says what was found and what is allowed.
[[nodiscard]] FailOn parse_fail_on(const std::string& text);

}  // namespace bloomlab::analysis::compare
