#include "experiments/speed/timed_keys.hpp"

#include <algorithm>
#include <array>

#include "core/reduction/multiply_shift.hpp"

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

/// The digits stand last, so that keys of one length differ late, as addresses do.
void write_text(std::uint64_t value, std::span<char> out) noexcept {
  constexpr std::string_view hex = "0123456789abcdef";
  const std::size_t before = out.size() - digits_of_a_key;
  for (std::size_t i = 0; i < before; ++i) out[i] = address_start[i % address_start.size()];
  for (std::size_t i = 0; i < digits_of_a_key; ++i) {
    out[before + i] = hex[(value >> (4 * (digits_of_a_key - 1 - i))) & 15];
  }
}

}  // namespace

std::span<const std::string_view> key_lengths() {
  static constexpr std::array<std::string_view, 4> words = {"8", "16", "53", "mixed"};
  return words;
}

double mean_bytes(KeyLength length) {
  constexpr std::array<double, 4> bytes = {
      8.0, 16.0, 53.0, shortest_mixed + (static_cast<double>(mixed_lengths) - 1.0) / 2.0};
  return bytes[static_cast<std::size_t>(length)];
}

std::uint64_t Draws::next() noexcept {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

std::uint64_t Draws::below(std::uint64_t bound) noexcept { return multiply_high(next(), bound); }

void TimedKeys::take_range(const KeyedPermutation& keys, std::uint64_t first, std::size_t count) {
  values_.resize(count);
  keys.apply_range(first, values_);
  write_texts();
}

void TimedKeys::take(std::span<const KeyedPermutation> keys,
                     std::span<const std::uint64_t> numbers) {
  values_.resize(numbers.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values_[i] = keys[next](numbers[i]);
    if (++next == keys.size()) next = 0;
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

KeyBatch TimedKeys::batch() const noexcept {
  return length_ == KeyLength::bytes_8 ? KeyBatch::integers(values_, 8) : KeyBatch::texts(texts_);
}

std::uint64_t TimedKeys::total_bytes() const noexcept {
  return length_ == KeyLength::bytes_8 ? 8 * values_.size() : characters_.size();
}

}  // namespace bloomlab::experiments
