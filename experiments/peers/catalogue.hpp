// The peers that filters are timed beside: one header and one line here each.
#pragma once

#include "core/type_list.hpp"
#include "experiments/peers/atomic.hpp"
#include "experiments/peers/boost_bloom.hpp"
#include "experiments/peers/foreign_peers.hpp"
#include "experiments/peers/libbloom.hpp"
#include "experiments/peers/limits.hpp"
#include "experiments/peers/plain_split_block.hpp"
#include "experiments/peers/random_line.hpp"
#include "experiments/peers/student.hpp"

namespace bloomlab::experiments {

/// Every peer, in the order in which they are listed.
using Peers =
    TypeList<RandomLine, Limit, TwoLineLimit, KLineLimit, Student, Libbloom, BoostBloom,
             BoostBloomMultiblock, PlainSplitBlock, AtomicStandard, AtomicBlocked, AtomicSplitBlock,
             ParallelStandard, ParallelBlocked, ParallelSplitBlock, ForeignLibrary, ForeignCommand>;

}  // namespace bloomlab::experiments
