#include "experiments/speed/timed_keys.hpp"

#include <algorithm>
#include <array>

namespace bloomlab::experiments {
namespace {

constexpr std::size_t digits_of_a_key = 16;
constexpr std::size_t shortest_mixed = 16;
constexpr std::size_t mixed_lengths = 64;
constexpr std::string_view address_start = "https://www.example.org/articles/all/";
static_assert(address_start.size() + digits_of_a_key == 53);

std::size_t text_bytes(KeyLength length, std::uint64_t value) noexcept {
  switch (length) {
    case KeyLength::bytes_53:
      return address_start.size() + digits_of_a_key;
    case KeyLength::mixed:
      return shortest_mixed + value % mixed_lengths;
    default:
      return digits_of_a_key;
  }
}

using TwoDigits = std::array<char, 2>;

/// The hexadecimal digits of every byte.
constexpr std::array<TwoDigits, 256> digits_of_bytes() {
  constexpr std::string_view hex = "0123456789abcdef";
  std::array<TwoDigits, 256> digits{};
  for (std::size_t byte = 0; byte < digits.size(); ++byte) {
    digits[byte] = {hex[byte / 16], hex[byte % 16]};
  }
  return digits;
}

/// The digits stand last, so that keys of one length differ late, as addresses do.
void write_text(std::uint64_t value, std::span<char> out) noexcept {
  static constexpr std::array<TwoDigits, 256> digits = digits_of_bytes();
  char* end = out.data();
  std::size_t left = out.size() - digits_of_a_key;
  for (; left >= address_start.size(); left -= address_start.size()) {
    end = std::copy_n(address_start.data(), address_start.size(), end);
  }
  end = std::copy_n(address_start.data(), left, end);
  for (int shift = 56; shift >= 0; shift -= 8) {
    end = std::copy_n(digits[(value >> shift) & 255].data(), 2, end);
  }
}

}  // namespace

std::span<const std::string_view> key_lengths() {
  static constexpr std::array<std::string_view, 4> words = {"8", "16", "53", "mixed"};
  return words;
}

void TimedKeys::take_range(const KeyedPermutation& keys, std::uint64_t first, std::size_t count) {
  values_.resize(count);
  keys.apply_range(first, values_);
  write_texts();
}

void TimedKeys::take_structured(std::uint64_t first, std::size_t count) {
  values_.resize(count);
  for (std::uint64_t& value : values_) {
    value = first << 32 | first;
    ++first;
  }
  write_texts();
}

void TimedKeys::take(std::span<const KeyedPermutation> keys,
                     std::span<const std::uint64_t> numbers) {
  values_.assign(numbers.begin(), numbers.end());
  if (keys.size() == 1) {
    keys.front().apply(values_);
  } else {
    for (std::size_t i = 0, turn = 0; i < values_.size(); ++i) {
      values_[i] = keys[turn](values_[i]);
      if (++turn == keys.size()) turn = 0;
    }
  }
  write_texts();
}

void TimedKeys::write_texts() {
  if (length_ == KeyLength::bytes_8) return;
  std::size_t bytes = 0;
  for (const std::uint64_t value : values_) bytes += text_bytes(length_, value);
  characters_.resize(bytes);
  texts_.clear();
  texts_.reserve(values_.size());
  std::size_t at = 0;
  for (const std::uint64_t value : values_) {
    const std::size_t length = text_bytes(length_, value);
    write_text(value, {characters_.data() + at, length});
    texts_.emplace_back(characters_.data() + at, length);
    at += length;
  }
}

KeyBatch TimedKeys::batch() const& noexcept {
  return length_ == KeyLength::bytes_8 ? KeyBatch::integers(values_, 8) : KeyBatch::texts(texts_);
}

std::uint64_t TimedKeys::total_bytes() const noexcept {
  return length_ == KeyLength::bytes_8 ? 8 * values_.size() : characters_.size();
}

}  // namespace bloomlab::experiments
