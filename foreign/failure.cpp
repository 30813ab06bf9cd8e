#include "foreign/failure.hpp"

#include <array>

namespace bloomlab::foreign {

std::string_view word_of(FailureKind kind) {
  constexpr std::array<std::string_view, 8> words = {
      "not_started", "refused", "unsupported", "crashed", "ended", "timeout", "memory", "garbage"};
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace bloomlab::foreign
