#include "core/hash/fnv1a_64.hpp"

namespace bloomlab {

template struct HashBase<Fnv1a_64, 1>;

}  // namespace bloomlab
