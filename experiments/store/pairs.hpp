// The texts of keys and values that stores hold.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {

/// Sixteen hexadecimal digits; the order is that of the numbers.
inline void write_key(std::uint64_t number, std::string& text) {
  text.resize(16);
  for (std::size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
}

/// Letters and digits of which the second half repeats the first: it can be compressed.
inline void write_value(std::uint64_t key, std::uint64_t bytes, std::string& value) {
  value.resize(static_cast<std::size_t>(bytes));
  Draws draws(key);
  const std::size_t drawn = (value.size() + 1) / 2;
  for (std::size_t i = 0; i < drawn; ++i) {
    value[i] = "abcdefghijklmnopqrstuvwxyz234567"[draws.next() & 31];
  }
  for (std::size_t i = drawn; i < value.size(); ++i) value[i] = value[i - drawn];
}

}  // namespace bloomlab::experiments
