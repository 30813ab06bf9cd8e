// Everything that the laboratory can measure, by type and by name. A new hash, hashing scheme,
// reduction or filter is one header and one word here; nothing else names it.
#pragma once

#include <string_view>

#include "core/filters/binary_fuse.hpp"
#include "core/filters/blocked.hpp"
#include "core/filters/cache_sectorized.hpp"
#include "core/filters/compressed.hpp"
#include "core/filters/counting.hpp"
#include "core/filters/cuckoo.hpp"
#include "core/filters/digest_set.hpp"
#include "core/filters/direct_bitmap.hpp"
#include "core/filters/dynamic.hpp"
#include "core/filters/fingerprint_table.hpp"
#include "core/filters/folded.hpp"
#include "core/filters/linear_list.hpp"
#include "core/filters/multiblock.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/register_blocked.hpp"
#include "core/filters/ribbon.hpp"
#include "core/filters/scalable.hpp"
#include "core/filters/scalable_partitioned.hpp"
#include "core/filters/scalable_untightened.hpp"
#include "core/filters/sorted_vector.hpp"
#include "core/filters/spectral.hpp"
#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "core/filters/std_set.hpp"
#include "core/filters/unordered_set.hpp"
#include "core/filters/xor_filter.hpp"
#include "core/hash/crc32c.hpp"
#include "core/hash/fnv1a_64.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/identity.hpp"
#include "core/hash/javascript_polynomial.hpp"
#include "core/hash/javascript_polynomial_odd.hpp"
#include "core/hash/md5.hpp"
#include "core/hash/md5_truncated_32.hpp"
#include "core/hash/multiply_mix_64.hpp"
#include "core/hash/multiply_swap_64.hpp"
#include "core/hash/murmur2_32.hpp"
#include "core/hash/murmur2_64a.hpp"
#include "core/hash/murmur3_128.hpp"
#include "core/hash/murmur3_128_truncated_32.hpp"
#include "core/hash/murmur3_32.hpp"
#include "core/hash/sha1.hpp"
#include "core/hash/sha256.hpp"
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

namespace bloomlab {

using Filters =
    TypeList<Standard, Partitioned, Blocked, RegisterBlocked, CacheSectorized, SplitBlock,
             Multiblock, Counting, Spectral, Scalable, ScalablePartitioned, ScalableUntightened,
             Cuckoo, XorFilter, BinaryFuse, Ribbon, Dynamic, Folded, Compressed, UnorderedSet,
             StdSet, SortedVector, LinearList, DirectBitmap, FingerprintTable, DigestSet>;
using Hashes = TypeList<XxHash3_64, XxHash3_128, XxHash64, MultiplySwap64, MultiplyMix64,
                        Murmur2_64A, Murmur3_128, Fnv1a_64, Md5, Sha1, Sha256, Murmur2_32,
                        Murmur3_32, Crc32c, Truncated32, Murmur3_128Truncated32, Md5Truncated32,
                        JavascriptPolynomial, JavascriptPolynomialOdd, Identity>;
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
