// How a claim is checked. Its "check" has one of these members (docs/claims.md):
//   "sql"       a query that gives, for every part of the claim, what is true or whether it holds
//   "property"  the name of a behaviour, seen on real filters in memory (properties.hpp)
//   "open"      nothing can check it yet: what it would take
//   "listed"    a remark, a wish or a name: why there is nothing to judge
#pragma once

#include <string>

#include "analysis/claims/claim.hpp"
#include "record/json_view.hpp"

namespace bloomlab::analysis::claims {

/// A check that was read, and what the report calls it: "formula" or "experiment" for a query,
/// "property", "open", "listed".
struct ReadCheck {
  std::string kind;
  Check check;
};

/// Reads the member "check" of a claim. Throws record::InputError for anything unknown, missing or
/// of the wrong kind. Faults of a query show when the check is made: `FILE: claim ID: fault`.
[[nodiscard]] ReadCheck read_check(const record::JsonView& view, const ClaimText& claim);

/// The same of one with "sql"; docs/claims.md has the columns of its rows. Results that are not in
/// the folder, or not in the grid that was run, make the claim "not measured".
[[nodiscard]] ReadCheck read_query(const record::JsonView& view, const ClaimText& claim);

}  // namespace bloomlab::analysis::claims
