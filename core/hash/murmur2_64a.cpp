#include "core/hash/murmur2_64a.hpp"

namespace bloomlab {

template struct HashBase<Murmur2_64A, 1>;

}  // namespace bloomlab
