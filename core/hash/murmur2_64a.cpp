#include "core/hash/murmur2_64a.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

template struct HashBase<Murmur2_64A, 1>;

}  // namespace bloomlab
