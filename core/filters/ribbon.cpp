#include "core/filters/ribbon.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"
#include "core/bits/wide_product.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/one_word.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab {
namespace {

std::uint64_t slots_for(const Ribbon::Parameters& p, std::uint64_t n) noexcept {
  const auto spare = static_cast<std::uint64_t>(std::ceil(static_cast<double>(n) * p.overhead));
  return n + spare + p.width;
}

/// A row reaches over up to three blocks; the last one may start in the last block but one.
std::uint64_t words_for(const Ribbon::Parameters& p, std::uint64_t n) noexcept {
  return (slots_for(p, n) / 64 + 2) * p.result_bits;
}

using Bits = std::array<std::uint64_t, 2>;

/// The row without its zeros in front. Precondition: some bit is set.
unsigned drop_leading_zeros(Bits& bits) noexcept {
  unsigned shift = 0;
  if (bits[0] == 0) {
    bits = {bits[1], 0};
    shift = 64;
  }
  const auto more = static_cast<unsigned>(std::countr_zero(bits[0]));
  if (more != 0) bits = {bits[0] >> more | bits[1] << (64 - more), bits[1] >> more};
  return shift + more;
}

/// By folding: g++ 12 with -O1 takes std::popcount(bits) & 1 for another value, and no key is
/// found.
bool odd(std::uint64_t bits) noexcept {
  for (unsigned half = 32; half > 0; half /= 2) bits ^= bits >> half;
  return (bits & 1) != 0;
}

}  // namespace

/// The equations in echelon form: at most one row starts at each slot.
struct Ribbon::System {
  explicit System(std::uint64_t slots) : bits(slots), results(slots) {}

  void clear() {
    bits.assign(bits.size(), Bits{});
    results.assign(results.size(), 0);
  }

  /// False where the row contradicts the others.
  bool add(Row row) noexcept {
    for (;;) {
      Bits& own = bits[row.start];
      if (own[0] == 0) {
        own = row.bits;
        results[row.start] = static_cast<std::uint32_t>(row.result);
        return true;
      }
      row.bits = {row.bits[0] ^ own[0], row.bits[1] ^ own[1]};
      row.result ^= results[row.start];
      if ((row.bits[0] | row.bits[1]) == 0) return row.result == 0;
      row.start += drop_leading_zeros(row.bits);
    }
  }

  std::vector<Bits> bits;  ///< of the row that starts there; zero where none does
  std::vector<std::uint32_t> results;
};

std::vector<Ribbon::Parameters> Ribbon::examples() {
  return {{.width = 128, .result_bits = 8, .overhead = 0.1},
          {.width = 64, .result_bits = 8, .overhead = 0.2},
          {.width = 128, .result_bits = 16, .overhead = 0.05},
          {.width = 64, .result_bits = 2, .overhead = 0.25},
          {.width = 128, .result_bits = 32, .overhead = 1.0}};
}

std::optional<std::string> Ribbon::check(const Parameters& p) {
  if (p.width != 64 && p.width != 128) {
    return std::string(name) + ": width is " + std::to_string(p.width) + "; it must be 64 or 128";
  }
  return detail::range_fault<Ribbon>(p);
}

std::uint64_t Ribbon::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  if (n > detail::max_static_keys) return std::numeric_limits<std::uint64_t>::max();
  return words_for(p, n) * 64;
}

Sizing<Ribbon::Parameters> Ribbon::sizing(const SizingGoal& /*goal*/) {
  const auto make = [](std::uint64_t result) {
    return Parameters{.width = 128, .result_bits = result, .overhead = 0.1};
  };
  return {.traits = {.takes_keys_later = false},
          .shapes = {{detail::narrowest_fingerprint, max_result_bits, make}}};
}

LinesRead Ribbon::lines(const Parameters& p, std::uint64_t /*n*/) {
  // A row reaches over three blocks of 64 slots, each result_bits words.
  constexpr std::uint64_t word = 64;
  return detail::one_run(3 * word * p.result_bits, word * p.result_bits);
}

Ribbon::Ribbon(const Parameters& p, std::uint64_t n)
    : parameters_(p), slots_(slots_for(p, n)), keys_(n), table_(words_for(p, n)) {}

Ribbon::Row Ribbon::row_of(std::uint64_t word) const noexcept {
  const std::uint64_t hash = detail::remix(word, attempt_);
  Row row;
  row.start = multiply_high(hash, slots_ - parameters_.width + 1);
  row.bits[0] = detail::remix(hash, 1) | 1;
  if (parameters_.width == 128) row.bits[1] = detail::remix(hash, 2);
  row.result = detail::remix(hash, 3) >> (64 - parameters_.result_bits);
  return row;
}

std::optional<Ribbon> Ribbon::build(const Parameters& p, const DigestBatch& digests) {
  detail::throw_fault(check(p));
  detail::require_buildable(name, digests.size);
  Ribbon filter(p, digests.size);
  System system(filter.slots_);
  for (filter.attempt_ = 0; filter.attempt_ < attempts; ++filter.attempt_) {
    if (filter.solve(digests, system)) return filter;
    system.clear();
  }
  return std::nullopt;
}

bool Ribbon::solve(const DigestBatch& digests, System& system) {
  if (digests.size == 0) return true;
  for (const std::uint64_t word : digests.word(0)) {
    if (!system.add(row_of(word))) return false;
  }
  back_substitute(system);
  return true;
}

// From the last slot to the first: what a row says of its first slot, given those behind it. A slot
// where no row starts stays zero.
void Ribbon::back_substitute(const System& system) noexcept {
  std::array<Bits, max_result_bits> behind = {};  // a column: the slots from the current one on
  for (std::uint64_t slot = slots_; slot-- > 0;) {
    const Bits& row = system.bits[slot];
    std::uint64_t* const block = table_.data() + slot / 64 * parameters_.result_bits;
    for (std::uint64_t j = 0; j < parameters_.result_bits; ++j) {
      Bits& column = behind[j];
      column = {column[0] << 1, column[1] << 1 | column[0] >> 63};
      const bool bit =
          odd((row[0] & column[0]) ^ (row[1] & column[1]) ^ ((system.results[slot] >> j) & 1));
      column[0] |= bit ? 1 : 0;
      block[j] |= static_cast<std::uint64_t>(bit) << (slot % 64);
    }
  }
}

bool Ribbon::holds(std::uint64_t word) const noexcept {
  const Row row = row_of(word);
  const unsigned shift = row.start % 64;
  // The row, cut at the borders of the blocks.
  const std::array<std::uint64_t, 3> cut = {
      row.bits[0] << shift, (row.bits[0] >> 1) >> (63 - shift) | row.bits[1] << shift,
      (row.bits[1] >> 1) >> (63 - shift)};
  const std::uint64_t r = parameters_.result_bits;
  const std::uint64_t* const block = table_.data() + row.start / 64 * r;
  for (std::uint64_t j = 0; j < r; ++j) {
    std::uint64_t product = (block[j] & cut[0]) ^ (block[r + j] & cut[1]);
    if (cut[2] != 0) product ^= block[2 * r + j] & cut[2];
    if (odd(product) != (((row.result >> j) & 1) != 0)) return false;
  }
  return keys_ != 0;
}

void Ribbon::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::answer_each(digests, out, [this](std::uint64_t word) { return holds(word); });
}

std::uint64_t Ribbon::count_contained(const DigestBatch& digests) const {
  return detail::count_each(digests, [this](std::uint64_t word) { return holds(word); });
}

FilterState Ribbon::state() const {
  const std::uint64_t bits = slots_ * parameters_.result_bits;
  const std::uint64_t bits_set = count_set_bits(table_.words());
  return {.bits = bits,
          .bits_set = bits_set,
          .memory_bits = table_.size() * 64,
          .conditional_rate = keys_ == 0 ? 0.0 : integer_power(0.5, parameters_.result_bits),
          .layers = {{bits, bits_set, keys_, parameters_.result_bits}}};
}

}  // namespace bloomlab
