// Which cells a partial cell stands for, as `expected_flags` of a config names them.
#pragma once

#include "record/result_file.hpp"

namespace bloomlab::record {

/// Whether `whole` contains `partial`: every member of an object of `partial` is in `whole` and
/// matches there; anything else is equal (numbers by value: 1 and 1.0 are equal).
[[nodiscard]] bool matches(const Json& partial, const Json& whole);

}  // namespace bloomlab::record
