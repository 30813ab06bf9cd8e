#include "experiments/sources/numbered.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "core/bits/wide_product.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::string_view place_of_number = "{}";
constexpr std::size_t most_digits = std::numeric_limits<std::uint64_t>::digits10 + 1;

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

std::uint64_t numbers_of(std::uint64_t digits) {
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < digits; ++i) count *= 10;
  return count;
}

/// The first `count` of the numbers 0 .. all - 1 in an order drawn by the seed (Fisher, Yates
/// 1938).
std::vector<std::uint32_t> drawn_numbers(std::uint64_t seed, std::uint64_t all, std::size_t count) {
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(all));
  std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
  const KeyedPermutation random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(numbers[i], numbers[i + multiply_high(random(i), all - i)]);
  }
  numbers.resize(count);
  return numbers;
}

}  // namespace

std::uint64_t Numbered::supply(const Parameters& p) {
  static_cast<void>(number_in(p.pattern));
  return p.digits ? numbers_of(*p.digits) : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t Numbered::memory_bytes(const Parameters& p, std::uint64_t /*n*/,
                                     std::uint64_t /*q*/) {
  return p.digits ? numbers_of(*p.digits) * sizeof(std::uint32_t) : 0;
}

Numbered::Keys::Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q)
    : prefix_(p.pattern.substr(0, number_in(p.pattern))),
      suffix_(p.pattern.substr(prefix_.size() + place_of_number.size())),
      n_(n),
      digits_(static_cast<std::size_t>(p.digits.value_or(0))) {
  if (p.digits) numbers_ = drawn_numbers(seed, supply(p), static_cast<std::size_t>(n + q));
}

char* Numbered::Keys::write_number(char* at, std::uint64_t index) const {
  const std::uint64_t number = numbers_.empty() ? index : numbers_[static_cast<std::size_t>(index)];
  char* const end = std::to_chars(at, at + most_digits, number).ptr;
  const auto length = static_cast<std::size_t>(end - at);
  if (length >= digits_) return end;
  std::copy_backward(at, end, at + digits_);
  std::fill_n(at, digits_ - length, '0');
  return at + digits_;
}

KeyBatch Numbered::Keys::inserted_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
  // The views point into the characters, which therefore must not move while they are written.
  buffer.characters.resize(count * (prefix_.size() + most_digits + suffix_.size()));
  buffer.texts.resize(count);
  char* end = buffer.characters.data();
  for (std::size_t i = 0; i < count; ++i) {
    char* const begin = end;
    end += prefix_.copy(end, prefix_.size());
    end = write_number(end, first + i);
    end += suffix_.copy(end, suffix_.size());
    buffer.texts[i] = {begin, static_cast<std::size_t>(end - begin)};
  }
  return KeyBatch::texts(buffer.texts);
}

}  // namespace bloomlab::experiments
