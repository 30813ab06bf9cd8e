// The closed form that a config names for a filter from outside:
//   "expected": {"model": "standard_exact", "m": 10000, "k": 7}
#pragma once

#include <cstdint>
#include <string>

#include "core/theory/query.hpp"
#include "record/json.hpp"

namespace bloomlab::record {

/// The question that it stands for with n keys inserted; n is added where the model takes it.
/// Members that are no numbers or words are left out.
[[nodiscard]] theory::Query expected_query(const Json& expected, std::uint64_t n);

/// What is wrong with it, as one line, or an empty text: an n of its own, an unknown model, an
/// argument that is missing, unknown or out of bounds.
[[nodiscard]] std::string expected_fault(const Json& expected, std::uint64_t n);

}  // namespace bloomlab::record
