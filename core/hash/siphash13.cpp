#include "core/hash/siphash13.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

template struct HashBase<SipHash13, 1>;

}  // namespace bloomlab
