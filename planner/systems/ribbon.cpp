// RocksDB's Ribbon filter, which is asked for by the bits per key of the Bloom filter that it
// replaces: as precise as that one, in less memory.

#include <array>

#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::uint64_t row_bits = 128;  ///< a row of coefficients, and a segment

/// Keys that so many slots (2^8, 2^9, ... 2^17) take with one failure in twenty.
constexpr std::array<double, 10> known_keys = {248.851, 499.532, 1001.26, 2003.97, 4005.59,
                                               8000.39, 15966.6, 31828.1, 63447.3, 126506.0};
constexpr std::uint64_t first_known = 8;
constexpr std::uint64_t last_known = first_known + known_keys.size() - 1;

/// Keys for 2^j slots; 0 below the smallest.
double keys_of_slots(std::uint64_t log2_slots) {
  if (log2_slots < first_known) return 0.0;
  if (log2_slots <= last_known) return known_keys[log2_slots - first_known];
  constexpr double per_doubling = 0.0038;
  const double slots = std::ldexp(1.0, static_cast<int>(log2_slots));
  const double known = std::ldexp(1.0, static_cast<int>(last_known)) / known_keys.back();
  const double more = static_cast<double>(log2_slots - last_known) * per_doubling;
  return slots / (known + more);
}

/// Slots for n keys, in whole rows; at least two of them.
std::uint64_t slots_of(std::uint64_t n) {
  auto log2_slots = static_cast<std::uint64_t>(std::log2(static_cast<double>(n)) + 0.5);
  double lower = keys_of_slots(log2_slots);
  if (log2_slots == 0 || lower == 0.0) return 2 * row_bits;
  double upper = 0.0;
  const auto keys = static_cast<double>(n);
  if (keys < lower) {
    upper = lower;
    lower = keys_of_slots(--log2_slots);
  } else {
    upper = keys_of_slots(log2_slots + 1);
  }
  const double whole = std::ldexp(1.0, static_cast<int>(log2_slots));
  const auto slots =
      static_cast<std::uint64_t>((keys - lower) / (upper - lower) * whole + whole + 0.999999999);
  return std::max((slots + row_bits - 1) / row_bits * row_bits, 2 * row_bits);
}

/// Columns of bits: the lower blocks have one less than the upper ones.
struct Columns {
  std::uint64_t upper = 0;
  std::uint64_t blocks = 0;
  std::uint64_t lower_blocks = 0;

  [[nodiscard]] std::uint64_t bits() const { return (blocks * upper - lower_blocks) * row_bits; }
  [[nodiscard]] double rate() const {
    const double starts = static_cast<double>(blocks * row_bits - row_bits + 1);
    const double lower = std::min(static_cast<double>(lower_blocks * row_bits) / starts, 1.0);
    return std::ldexp(1.0 + lower, -static_cast<int>(upper));
  }
};

/// Its rounding takes a random half; here the middle.
Columns columns_for(std::uint64_t slots, double rate) {
  constexpr std::uint64_t most = 32;
  Columns columns{.upper = most, .blocks = slots / row_bits};
  if (1.0 / rate > 4294967295.0) return columns;
  const double whole = std::floor(1.0 / rate);
  columns.upper = static_cast<std::uint64_t>(std::ilogb(whole)) + 1;
  const double finest = std::ldexp(1.0, -static_cast<int>(columns.upper));
  const double starts = static_cast<double>(slots - row_bits + 1);
  columns.lower_blocks = static_cast<std::uint64_t>(((rate - finest) / finest * starts + 0.5) /
                                                    static_cast<double>(row_bits));
  return columns;
}

}  // namespace

SystemFilter size_rocksdb_ribbon(const SystemRequest& request) {
  constexpr std::uint64_t most_keys = 950'000'000;
  constexpr std::uint64_t few_slots = 1024;
  SystemFilter bloom = size_rocksdb(request);
  const std::uint64_t millibits = rocksdb_millibits(request);
  if (millibits == 0) return bloom;
  if (request.n() > most_keys) {
    bloom.remark = "above 950 million keys RocksDB builds its Bloom filter instead";
    return bloom;
  }
  const double wanted =
      rocksdb_stated_rate(static_cast<double>(millibits) / 1000.0, rocksdb_probes(millibits));
  const std::uint64_t slots = slots_of(request.n());
  const Columns columns = columns_for(slots, wanted);
  if (slots < few_slots && bloom.m < columns.bits()) {
    bloom.remark = "for so few keys RocksDB builds its Bloom filter instead: it is smaller";
    return bloom;
  }
  SystemFilter filter{.m = columns.bits(), .k = columns.upper, .layout = "ribbon"};
  filter.rate_unrounded = [wanted] { return wanted; };
  filter.rate = [columns] { return columns.rate(); };
  filter.stated_rate = wanted;
  filter.remark = "k counts the upper blocks' columns of bits; as precise as the Bloom filter of " +
                  request.word("bits_per_key") + " bits per key";
  return filter;
}

}  // namespace bloomlab::planner
