// Reductions of a word to [0, m) with a defect, for the probes of core.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {

/// What core asks of a reduction beside the reduction itself.
struct AnySize {
  static constexpr std::string_view sizes = "any size";
  static constexpr bool uniform = true;
  static constexpr bool accepts(std::uint64_t m) noexcept { return m >= 1; }
};

/// Multiply and shift with a hash of 32 bits. Where m comes near 2^32, some positions are reached
/// by one hash more than others; beyond it, most by none.
class MultiplyShift32Bits : public AnySize {
 public:
  static constexpr std::string_view name = "multiply_shift_32_bits";
  explicit MultiplyShift32Bits(std::uint64_t m) noexcept : m_(m) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return static_cast<std::uint64_t>(multiply_high((word & 0xffffffffU) << 32, m_));
  }

 private:
  std::uint64_t m_;
};

/// The remainder by m - 1: the last bit is never used.
class ModuloOneLess : public AnySize {
 public:
  static constexpr std::string_view name = "modulo_one_less";
  explicit ModuloOneLess(std::uint64_t m) noexcept : divisor_(std::max<std::uint64_t>(m - 1, 1)) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return word % divisor_;
  }

 private:
  std::uint64_t divisor_;
};

/// A mask, though m is no power of two: only positions within the bits of m - 1 are reached.
class MaskOfAnySize : public AnySize {
 public:
  static constexpr std::string_view name = "mask_of_any_size";
  explicit MaskOfAnySize(std::uint64_t m) noexcept : mask_(m - 1) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept { return word & mask_; }

 private:
  std::uint64_t mask_;
};

/// The remainder of a number that has `fewer` bits less than it takes to name every position: with
/// 0 some positions are reached by one number more than others, with more the last ones by none.
template <int fewer>
class NarrowModulo : public AnySize {
 public:
  static constexpr std::string_view name = "narrow_modulo";
  explicit NarrowModulo(std::uint64_t m) noexcept : m_(m), mask_((std::bit_ceil(m) >> fewer) - 1) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return (word & mask_) % m_;
  }

 private:
  std::uint64_t m_;
  std::uint64_t mask_;
};

/// The remainder of a signed hash, with what is negative made 0.
class ClampedRemainder : public AnySize {
 public:
  static constexpr std::string_view name = "clamped_remainder";
  explicit ClampedRemainder(std::uint64_t m) noexcept : m_(static_cast<std::int64_t>(m)) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    const std::int64_t rest = static_cast<std::int64_t>(word) % m_;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(rest, 0));
  }

 private:
  std::int64_t m_;
};

/// A size that went through a variable of 16 bits.
class SizeIn16Bits : public AnySize {
 public:
  static constexpr std::string_view name = "size_in_16_bits";
  explicit SizeIn16Bits(std::uint64_t m) noexcept : reduce_((m & 0xffffU) == 0 ? m : m & 0xffffU) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return reduce_(word);
  }

 private:
  MultiplyShift reduce_;
};

/// A fraction of m in single precision: of large filters it reaches every second position, then
/// every fourth, and so on.
class SinglePrecision : public AnySize {
 public:
  static constexpr std::string_view name = "single_precision";
  explicit SinglePrecision(std::uint64_t m) noexcept : last_(m - 1), size_(static_cast<float>(m)) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    const float fraction = static_cast<float>(word >> 40) * 0x1p-24F;
    return std::min(static_cast<std::uint64_t>(fraction * size_), last_);
  }

 private:
  std::uint64_t last_;
  float size_;
};

/// A bit chosen by shifting a one of 32 bits: the processor shifts by the position modulo 32, and
/// the upper half of each word is never used.
class ShiftIn32Bits : public AnySize {
 public:
  static constexpr std::string_view name = "shift_in_32_bits";
  explicit ShiftIn32Bits(std::uint64_t m) noexcept : reduce_(m) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return reduce_(word) & ~std::uint64_t{32};
  }

 private:
  MultiplyShift reduce_;
};

}  // namespace bloomlab::experiments
