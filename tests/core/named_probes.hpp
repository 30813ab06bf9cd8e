// Probes that many tests of the core use.
#pragma once

#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/probe.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::test {

inline const Probe independent = Probe::of<Independent, MultiplyShift>();
inline const Probe enhanced = Probe::of<EnhancedDoubleHashing, MultiplyShift>();

}  // namespace bloomlab::test
