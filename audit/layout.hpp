// The rate of a Bloom filter of some layout, and what a defect makes of it, as numbers.
//
// The unbent law is the closed form of core/theory where the layout names one. The bent laws
// are products of its parts: the mean fill to the power of the probes with the correction for the
// fill's variance (second order; within 1 % of the exact rate from 640 bits on), mixed over the
// binomial load of blocks (Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom
// filters").
#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/query.hpp"

namespace bloomlab::audit {

/// Where a filter has its bits and how a key takes them.
struct Layout {
  enum class Kind { standard, partitioned, blocked, split_block, other };
  Kind kind = Kind::standard;
  double bits = 1.0;          ///< m
  int k = 1;                  ///< probes per key
  double block_bits = 512.0;  ///< of blocked layouts
  bool odd_strides = false;   ///< positions by double hashing with an odd stride
  /// The closed form of its rate, with any n; none: the one of `kind`.
  std::optional<theory::Query> form = {};
};

/// What a defect changes of a layout; nothing by default.
struct Bend {
  double bits_share = 1.0;  ///< bits (or blocks' bits) that are reached, of those of the layout
  int inserted_k = 0;       ///< probes that an insert sets; 0: k
  int queried_k = 0;        ///< probes that a query tests; 0: k
  double key_share = 1.0;   ///< keys that are really inserted
  double first_fill = 0.0;  ///< share of the bits that are set before any key is inserted
  int position_bits = 0;    ///< bits of the number that is reduced to a position, or to a block
  bool single_precision = false;  ///< a position is a fraction of m as a number of 24 binary digits
  bool half_negative = false;     ///< half of the numbers are negative, and taken for position 0
};

/// The rate after n keys by the layout's own law.
[[nodiscard]] double rate(const Layout& layout, std::uint64_t n);

/// The same with a defect.
[[nodiscard]] double bent_rate(const Layout& layout, double n, const Bend& bend);

/// The same, brought to the exact rate `exact` where nothing is bent.
[[nodiscard]] double bent_from(double exact, const Layout& layout, double n, const Bend& bend);

/// P(an absent key has the hash value of one of n keys), for hash values of so many bits.
[[nodiscard]] double equal_hash_share(double n, double hash_bits);

/// Mean share of the bits that are set where a query looks, after n keys.
[[nodiscard]] double mean_fill(const Layout& layout, double n, const Bend& bend);

}  // namespace bloomlab::audit
