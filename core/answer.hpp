// What a membership filter can say of a key.
#pragma once

#include <cstdint>

namespace bloomlab {

/// The answer of a filter to "was this key inserted?". A filter never errs with `absent`, and errs
/// with `maybe` at its false-positive rate.
enum class Answer : std::uint8_t { absent = 0, maybe = 1 };

}  // namespace bloomlab
