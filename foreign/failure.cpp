#include "foreign/failure.hpp"

#include <algorithm>
#include <array>

namespace bloomlab::foreign {
namespace {

constexpr std::array<std::string_view, 8> words = {
    "not_started", "refused", "unsupported", "crashed", "ended", "timeout", "memory", "garbage"};

}  // namespace

std::string_view word_of(FailureKind kind) { return words[static_cast<std::size_t>(kind)]; }

FailureKind kind_of(std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    throw std::invalid_argument("no failure is called " + std::string(word));
  return static_cast<FailureKind>(found - words.begin());
}

}  // namespace bloomlab::foreign
