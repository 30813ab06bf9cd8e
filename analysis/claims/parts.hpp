// A claim may have many parts: the rows of its query. What they say together is one finding.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/claims/claim.hpp"

namespace bloomlab::analysis::claims {

/// One part of a claim, judged.
struct JudgedPart {
  std::string name;  ///< what distinguishes it from the other parts; may be empty
  Verdict verdict = Verdict::listed;
  std::string printed;  ///< may be empty
  std::optional<double> computed = std::nullopt;
  std::string why = {};  ///< what the correction is, or how far off the source is
};

/// A number for people: whole ones as they are, others to six digits, or to as many as are printed.
[[nodiscard]] std::string shown_number(double number, const std::string& printed = "");

/// "off by 1.0 %, 2.0 % allowed", for a tolerance that we chose.
[[nodiscard]] std::string distance_text(double claimed, double truth, double allowed);

/// What the parts, at least one, say together: the gravest verdict, how many are right, which are
/// not. Over a `range`, which the source leaves open, the lightest verdict, and where it holds.
[[nodiscard]] Finding summarised(const std::vector<JudgedPart>& parts, const std::string& range);

}  // namespace bloomlab::analysis::claims
