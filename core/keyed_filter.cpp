#include "core/keyed_filter.hpp"

namespace bloomlab {

template Standard::Parameters parameters_for<Standard>(std::uint64_t, double);
template class KeyedFilter<>;

}  // namespace bloomlab
