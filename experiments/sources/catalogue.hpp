// The key sources: one header and one line here each.
#pragma once

#include "core/type_list.hpp"
#include "experiments/sources/file.hpp"
#include "experiments/sources/minstd_rand0.hpp"
#include "experiments/sources/numbered.hpp"
#include "experiments/sources/sequential.hpp"
#include "experiments/sources/uniform.hpp"
#include "experiments/sources/uniform_32.hpp"

namespace bloomlab::experiments {

/// Every key source, in the order in which they are listed.
using Sources = TypeList<Uniform, Uniform32, Sequential, Numbered, File, MinstdRand0>;

}  // namespace bloomlab::experiments
