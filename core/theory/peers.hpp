// The rates and sizes of the filters that compete with Bloom's.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// A cuckoo filter's rate for `slots` fingerprints per bucket, of f_bits bits with the value 0
/// reserved, at a load: 1 - (1 - 1/(2^f - 1))^(2 slots load).
/// @param f_bits 2..64   @param slots >= 1   @param load share of slots in use, in (0, 1]
/// Source: Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo filter: practically better than
/// Bloom"; their bound is 2 slots / 2^f. Throws DomainError.
[[nodiscard]] double cuckoo_fpr(std::uint64_t f_bits, std::uint64_t slots, double load);

/// The rate 2^-f of filters that compare one fingerprint of f bits: xor (Graf, Lemire 2020, "Xor
/// filters"), binary fuse (Graf, Lemire 2022, "Binary fuse filters"), ribbon (Dillinger, Walzer
/// 2021, "Ribbon filter").
/// @param f_bits 1..64
[[nodiscard]] double fingerprint_fpr(std::uint64_t f_bits);

/// The share of slots that n keys take of `buckets` buckets, at most 1.
[[nodiscard]] double cuckoo_load(std::uint64_t slots, std::uint64_t buckets, std::uint64_t n);

/// The rate of a cuckoo filter of n keys, at most as many as it has slots, each inserted once and
/// none refused, for ideal hashing: an absent key is reported where a key with its fingerprint, one
/// of F = 2^f - 1, has its two buckets, wherever keys were moved: 1 - (1 - 2 / (buckets F))^n. The
/// two buckets are one for a share 1 / buckets of the fingerprints: 1 - (1 - 1 / (buckets F))^n.
/// The slots of two buckets are no independent draws, as cuckoo_fpr() takes them: of its rate 0.7 %
/// are too much for 6 bits, 0.2 % for 8. Derived here. Throws DomainError.
[[nodiscard]] double cuckoo_fpr_of_keys(std::uint64_t f_bits, std::uint64_t slots,
                                        std::uint64_t buckets, std::uint64_t n);

/// fingerprint_fpr of a filter with n keys: 0 for n = 0.
[[nodiscard]] double fingerprint_fpr_of_keys(std::uint64_t f_bits, std::uint64_t n);

}  // namespace bloomlab::theory
