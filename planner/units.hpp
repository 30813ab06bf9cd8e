// Quantities as people write them: 10M keys, 64MiB, 0.01%, 1 in 1000000, 5ms, 20k/s; and as the
// planner shows them.
//
// One grammar for the command line and the planner's page. Decimal fractions are read exactly, so
// 1.5k is 1500. A name of where the text stands (`what`, such as "--items") opens every message;
// each reader throws record::InputError with one line: what was found, what is allowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomlab::planner {

/// Largest count and largest number of bits that are read: 2^63.
inline constexpr std::uint64_t largest_quantity = std::uint64_t{1} << 63;

/// A whole number from `least` to `most`: 10000000, 10 000 000, 10,000,000, 1e7, a power of two,
/// 2^34, or with an SI prefix k, M, G, T, P, E, Z, Y right behind the number: 10M, 1.5k; m, g and t
/// mean M, G and T. The things may be named behind it: 10 000 000 keys.
/// @param things what is counted, in messages: "keys", "bits", "probes"; empty: a number alone
/// @param most at most 2^63
[[nodiscard]] std::uint64_t parse_count(std::string_view what, std::string_view text,
                                        std::string_view things,
                                        std::uint64_t most = largest_quantity,
                                        std::uint64_t least = 1);

/// A probability, strictly between 0 and 1: 1e-4, 0.01%, 1 in 1000000, 1 in 1 000 000, 1 in 1M.
[[nodiscard]] double parse_probability(std::string_view what, std::string_view text);

/// A share from 0 to 1, ends included: 0.3 or 30%.
[[nodiscard]] double parse_share(std::string_view what, std::string_view text);

/// A size in memory as bits: a number and a unit, a space between them allowed. bit, bits; b is a
/// bit and B a byte: kb = 1000 bits, Mb = 10^6 bits, KB = kB = 1000 bytes, KiB = 1024 bytes, MiB,
/// GiB, ... EiB; Kib, Mib: 1024 bits, 1024^2 bits. A fraction of a bit is dropped.
/// A number without a unit is refused, since it could mean bits, bytes or megabytes. Groups of
/// three digits may be spaced; a single comma is refused, since 1,500GiB could mean 1.5GiB.
[[nodiscard]] std::uint64_t parse_memory(std::string_view what, std::string_view text);

/// A whole number of bits from 1 to `most`, as parse_count takes it, or a size in memory, as
/// parse_memory does: 10M, 2^34, 9600 bits, 1.2MiB.
[[nodiscard]] std::uint64_t parse_bits(std::string_view what, std::string_view text,
                                       std::uint64_t most = largest_quantity);

/// The same from `least` on, but a size of no whole bits is refused, as of a width: 32, 4B, 1Kib.
[[nodiscard]] std::uint64_t parse_whole_bits(std::string_view what, std::string_view text,
                                             std::uint64_t most = largest_quantity,
                                             std::uint64_t least = 1);

/// A whole number of bytes from `least` to `most`, or a size in memory of so many: 4096, 64k,
/// 1MiB, 64MB. A size of no whole bytes is refused. Every argument that is bytes is read by it.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view what, std::string_view text,
                                        std::uint64_t most = largest_quantity / 8,
                                        std::uint64_t least = 1);

/// A duration [ns], above 0: a number and ns, us, µs, ms, s or min.
[[nodiscard]] double parse_duration_ns(std::string_view what, std::string_view text);

/// A frequency [1/s], above 0: 20k/s, 1e6/s, 300/min; a bare number is per second.
[[nodiscard]] double parse_frequency(std::string_view what, std::string_view text);

/// A price of memory [per bit], from 0: a number, a slash and a size: 0.05/GiB.
[[nodiscard]] double parse_price_per_bit(std::string_view what, std::string_view text);

/// The number digits * 10^exponent at the beginning of a text. Not negative.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;            ///< 0 where digits is 0
  std::string_view rest = {};  ///< what follows the number

  /// The nearest double.
  [[nodiscard]] double value() const;
};

/// What became of digits * 10^exponent * factor as an integer.
struct ScaledInteger {
  std::uint64_t value = 0;
  bool whole = true;       ///< nothing was cut off
  bool too_large = false;  ///< above 2^63; value means nothing then
};

/// The number that `text` begins with, such as 15, 1.5, 2e-3 or 2×10⁻³; nothing where it begins
/// with none, with a sign, or with more than 19 digits that count.
[[nodiscard]] std::optional<Decimal> read_decimal(std::string_view text);

/// floor(number * factor). @param factor at least 1
[[nodiscard]] ScaledInteger scaled(const Decimal& number, std::uint64_t factor);

/// A whole number in groups of three from five digits on, with plain spaces: "1 000 000".
[[nodiscard]] std::string spaced(std::uint64_t value);

/// The number and what is counted, one or several: "1 key", "10 000 keys".
[[nodiscard]] std::string counted_text(std::uint64_t count, std::string_view thing);

/// A rate that somebody asked for, as parameter_text has it, but never 1 for one below.
[[nodiscard]] std::string rate_text(double rate);

/// "1 in 9 994 297": the inverse of a rate, rounded down; "1 in 1.06" below 10, and from 10^9 on
/// its first digits, "1 in 1.841×10¹²".
[[nodiscard]] std::string one_in_text(double rate);

/// A size in bits as bytes with an IEC prefix: "22.852562 MiB". @param digits that count
[[nodiscard]] std::string iec_text(std::uint64_t bits, int digits = 8);

}  // namespace bloomlab::planner
