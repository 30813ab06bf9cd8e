// The key sources: one header and one line here each.
#pragma once

#include "core/type_list.hpp"
#include "experiments/sources/file.hpp"
#include "experiments/sources/minstd_rand0.hpp"
#include "experiments/sources/sequential.hpp"
#include "experiments/sources/uniform.hpp"

namespace bloomlab::experiments {

/// Every key source, in the order in which they are listed.
using Sources = TypeList<Uniform, Sequential, File, MinstdRand0>;

}  // namespace bloomlab::experiments
