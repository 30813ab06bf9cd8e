#include "core/hash/murmur3_128.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

template struct HashBase<Murmur3_128, 2>;

}  // namespace bloomlab
