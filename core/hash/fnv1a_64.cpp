#include "core/hash/fnv1a_64.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

template struct HashBase<Fnv1a_64, 1>;

}  // namespace bloomlab
