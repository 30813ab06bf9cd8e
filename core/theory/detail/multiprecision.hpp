// The arithmetic for closed forms whose terms cancel. Include in .cpp files only: it is slow to
// compile. Internal to core/theory.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace bloomlab::theory::detail {

/// 50 decimal digits; without expression templates, which only slow the compiler down here.
using Real50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                             boost::multiprecision::et_off>;

}  // namespace bloomlab::theory::detail
