// Everything that the laboratory can measure, by type and by name. A new filter is one header and
// one word here; hashes, hashing schemes and reductions stand in core/hashing.hpp.
#pragma once

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
#include "core/hashing.hpp"
#include "core/type_list.hpp"

namespace bloomlab {

using Filters =
    TypeList<Standard, Partitioned, Blocked, RegisterBlocked, CacheSectorized, SplitBlock,
             Multiblock, Counting, Spectral, Scalable, ScalablePartitioned, ScalableUntightened,
             Cuckoo, XorFilter, BinaryFuse, Ribbon, Dynamic, Folded, Compressed, UnorderedSet,
             StdSet, SortedVector, LinearList, DirectBitmap, FingerprintTable, DigestSet>;

}  // namespace bloomlab
