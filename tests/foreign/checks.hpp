// What every filter from outside must do, in whatever language it is written.
#pragma once

#include "foreign/target.hpp"

namespace bloomlab::tests {

/// Fills a filter of 1000 keys with 10 bits per key twice with the same seed: every inserted key is
/// reported, and of 20 000 absent keys from `least` to `most`, the same number both times.
void check_filter(const foreign::Target& target, std::uint64_t least, std::uint64_t most);

/// Keys of any bytes: empty, of zeros, of a MiB, twice; and integers that are as their bytes.
void check_keys(const foreign::Target& target);

}  // namespace bloomlab::tests
