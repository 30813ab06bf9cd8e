// What can be said of a claim, and the rule that says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloomlab::analysis::claims {

/// Always computed, never typed; from the lightest to the gravest.
enum class Verdict {
  right,         ///< within half a unit of the last printed digit, or the statement holds
  definition,    ///< a property that a real filter shows, checked in memory
  misprint,      ///< wrong as printed, right with the correction that the claim names
  rough,         ///< off by at most 20 %
  wrong,         ///< beyond, or the statement does not hold
  not_measured,  ///< its experiment exists, its results are not in the folder
  open,          ///< its experiment does not exist
  listed,        ///< a remark or a wish: there is nothing to judge
};

/// "RIGHT", "NOT MEASURED", ...; "-" for a claim that is only listed.
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// A number as it is printed in a source.
struct PrintedNumber {
  double value = 0;
  double half_unit = 0;  ///< half a unit of its last digit
};

/// Reads "0.0609", "2.1167e-7", "9 994 297", "1 %"; nothing where the text is no such number.
[[nodiscard]] std::optional<PrintedNumber> parse_printed(std::string_view text);

/// How a claimed number is compared with the true one.
enum class Relation {
  equal,
  at_most,   ///< the source says "at most": the truth may be smaller
  at_least,  ///< the source says "at least": the truth may be larger
};

/// What is tolerated.
struct Tolerance {
  Relation relation = Relation::equal;
  std::optional<double> right_within = std::nullopt;  ///< share of the truth; else half a unit
  double rough_within = 0.2;                          ///< share of the truth
};

/// RIGHT, ROUGH or WRONG of a claimed number. For formulas (half_unit 0) the rounding of the
/// arithmetic is tolerated.
[[nodiscard]] Verdict judge(const PrintedNumber& claimed, double truth, const Tolerance& tolerance);

}  // namespace bloomlab::analysis::claims
