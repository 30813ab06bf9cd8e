// The catalogue as the page has it, found before core/catalogue.hpp when the page is built: hashes
// that need no library but xxHash, and the hashing schemes and reductions for texts. A key is a
// text here, so `identity` and `lab_shift_xor`, which mix integers, stay outside.
#pragma once

#include <string_view>

#include "core/filters/standard.hpp"
#include "core/hash/crc32c.hpp"
#include "core/hash/fnv1a_64.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/javascript_polynomial.hpp"
#include "core/hash/javascript_polynomial_odd.hpp"
#include "core/hash/multiply_mix_64.hpp"
#include "core/hash/multiply_swap_64.hpp"
#include "core/hash/murmur2_32.hpp"
#include "core/hash/murmur2_64a.hpp"
#include "core/hash/xxhash3_128.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/hash/xxhash64.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/probe/double_hashing_nz.hpp"
#include "core/probe/double_hashing_odd.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/probe.hpp"
#include "core/probe/remix.hpp"
#include "core/probe/triple_hashing.hpp"
#include "core/reduction/mask.hpp"
#include "core/reduction/modulo.hpp"
#include "core/reduction/modulo_32.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/reduction/signed_modulo.hpp"
#include "core/type_list.hpp"

namespace bloomlab {

using Hashes =
    TypeList<XxHash3_64, XxHash3_128, XxHash64, MultiplySwap64, MultiplyMix64, Murmur2_64A,
             Fnv1a_64, Murmur2_32, Crc32c, JavascriptPolynomial, JavascriptPolynomialOdd>;
using HashingSchemes = TypeList<Independent, DoubleHashing, DoubleHashingNz, DoubleHashingOdd,
                                EnhancedDoubleHashing, TripleHashing, Remix>;
using Reductions = TypeList<MultiplyShift, Modulo, Mask, Modulo32, SignedModulo>;

/// As core/catalogue.hpp has them.
[[nodiscard]] Hasher make_hasher(std::string_view name);
[[nodiscard]] Probe make_probe(std::string_view family, std::string_view reduction);

}  // namespace bloomlab
