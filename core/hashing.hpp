// Every hash, hashing scheme and reduction, by type and by name. A new one is one header and one
// word here; nothing else names it. Where OpenSSL is not (a browser), its hashes are left out:
// define BLOOMLAB_WITHOUT_OPENSSL.
#pragma once

#include <string_view>

#include "core/hash/crc32c.hpp"
#include "core/hash/fnv1a_64.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/identity.hpp"
#include "core/hash/javascript_polynomial.hpp"
#include "core/hash/javascript_polynomial_odd.hpp"
#include "core/hash/multiply_mix_64.hpp"
#include "core/hash/multiply_swap_64.hpp"
#include "core/hash/murmur2_32.hpp"
#include "core/hash/murmur2_64a.hpp"
#include "core/hash/murmur3_128.hpp"
#include "core/hash/murmur3_128_truncated_32.hpp"
#include "core/hash/murmur3_32.hpp"
#include "core/hash/siphash13.hpp"
#include "core/hash/truncated_32.hpp"
#include "core/hash/xxhash3_128.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/hash/xxhash64.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/probe/double_hashing_nz.hpp"
#include "core/probe/double_hashing_odd.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/lab_shift_xor.hpp"
#include "core/probe/probe.hpp"
#include "core/probe/products.hpp"
#include "core/probe/remix.hpp"
#include "core/probe/triple_hashing.hpp"
#include "core/reduction/mask.hpp"
#include "core/reduction/modulo.hpp"
#include "core/reduction/modulo_32.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/reduction/signed_modulo.hpp"
#include "core/type_list.hpp"
#ifndef BLOOMLAB_WITHOUT_OPENSSL
#include "core/hash/md5.hpp"
#include "core/hash/md5_truncated_32.hpp"
#include "core/hash/sha1.hpp"
#include "core/hash/sha256.hpp"
#endif

namespace bloomlab {

// clang-format off
using Hashes = TypeList<XxHash3_64, XxHash3_128, XxHash64, MultiplySwap64, MultiplyMix64,
                        Murmur2_64A, Murmur3_128, Fnv1a_64, SipHash13,
#ifndef BLOOMLAB_WITHOUT_OPENSSL
                        Md5, Sha1, Sha256,
#endif
                        Murmur2_32, Murmur3_32, Crc32c, Truncated32, Murmur3_128Truncated32,
#ifndef BLOOMLAB_WITHOUT_OPENSSL
                        Md5Truncated32,
#endif
                        JavascriptPolynomial, JavascriptPolynomialOdd, Identity>;
// clang-format on
using HashingSchemes = TypeList<Independent, DoubleHashing, DoubleHashingNz, DoubleHashingOdd,
                                EnhancedDoubleHashing, TripleHashing, Remix, Products, LabShiftXor>;
using Reductions = TypeList<MultiplyShift, Modulo, Mask, Modulo32, SignedModulo>;

/// The hash called `name`. Throws std::invalid_argument that names the known ones.
[[nodiscard]] Hasher make_hasher(std::string_view name);

/// The hashing scheme `family` with the reduction `reduction`. Throws std::invalid_argument that
/// names the known ones, and where the family refuses the reduction (lab_shift_xor takes only
/// modulo, double_hashing_nz no mask, and only independent takes signed_modulo).
[[nodiscard]] Probe make_probe(std::string_view family, std::string_view reduction);

}  // namespace bloomlab
