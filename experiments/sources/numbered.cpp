#include "experiments/sources/numbered.hpp"

#include <charconv>
#include <limits>

#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::string_view place_of_number = "{}";

/// Where the number stands in the pattern.
std::size_t number_in(const std::string& pattern) {
  const std::size_t found = pattern.find(place_of_number);
  if (found == std::string::npos || pattern.find(place_of_number, found + 1) != std::string::npos) {
    throw record::InputError("the pattern \"" + pattern +
                             "\" must have one {} where the number stands, as in "
                             "\"user{}@example.com\"");
  }
  return found;
}

}  // namespace

std::uint64_t Numbered::supply(const Parameters& p) {
  static_cast<void>(number_in(p.pattern));
  return std::numeric_limits<std::uint64_t>::max();
}

Numbered::Keys::Keys(const Parameters& p, std::uint64_t /*seed*/, std::uint64_t n,
                     std::uint64_t /*q*/)
    : prefix_(p.pattern.substr(0, number_in(p.pattern))),
      suffix_(p.pattern.substr(prefix_.size() + place_of_number.size())),
      n_(n) {}

KeyBatch Numbered::Keys::inserted_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
  constexpr std::size_t most_digits = std::numeric_limits<std::uint64_t>::digits10 + 1;
  // The views point into the characters, which therefore must not move while they are written.
  buffer.characters.resize(count * (prefix_.size() + most_digits + suffix_.size()));
  buffer.texts.resize(count);
  char* end = buffer.characters.data();
  for (std::size_t i = 0; i < count; ++i) {
    char* const begin = end;
    end += prefix_.copy(end, prefix_.size());
    end = std::to_chars(end, end + most_digits, first + i).ptr;
    end += suffix_.copy(end, suffix_.size());
    buffer.texts[i] = {begin, static_cast<std::size_t>(end - begin)};
  }
  return KeyBatch::texts(buffer.texts);
}

}  // namespace bloomlab::experiments
