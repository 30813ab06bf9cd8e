// A reduction of many words, by its own way for many where it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab {

/// positions[j] = reduce(words[j]).
template <class Reduction>
void reduce_words(const Reduction& reduce, std::span<const std::uint64_t> words,
                  std::uint64_t* positions) noexcept {
  if constexpr (requires { reduce.write(words, positions); }) {
    reduce.write(words, positions);
  } else {
    for (std::size_t j = 0; j < words.size(); ++j) positions[j] = reduce(words[j]);
  }
}

}  // namespace bloomlab
