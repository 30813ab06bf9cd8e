// The kinds of experiments: one header and one line here each. Where nothing can be timed and no
// program be started (a browser), those that do it, or that measure what a machine's own containers
// take, are left out: define BLOOMLAB_COUNTS_ONLY.
#pragma once

#include "core/type_list.hpp"
#include "experiments/kinds/avalanche.hpp"
#include "experiments/kinds/calibration.hpp"
#include "experiments/kinds/census.hpp"
#include "experiments/kinds/counting_deletion.hpp"
#include "experiments/kinds/counting_overflow.hpp"
#include "experiments/kinds/crawler.hpp"
#include "experiments/kinds/false_positive_rate.hpp"
#include "experiments/kinds/flow_counts.hpp"
#include "experiments/kinds/growth.hpp"
#include "experiments/kinds/hostile_keys.hpp"
#include "experiments/kinds/loop_detection.hpp"
#include "experiments/kinds/mutation_matrix.hpp"
#include "experiments/kinds/packet_broadcast.hpp"
#include "experiments/kinds/peer_to_peer.hpp"
#include "experiments/kinds/proxy_caches.hpp"
#include "experiments/kinds/shrinking.hpp"
#include "experiments/kinds/spectral_multiplicity.hpp"
#ifndef BLOOMLAB_COUNTS_ONLY
#include "experiments/kinds/cache_penetration.hpp"
#include "experiments/kinds/construction.hpp"
#include "experiments/kinds/deduplication.hpp"
#include "experiments/kinds/hash_quality.hpp"
#include "experiments/kinds/hash_speed.hpp"
#include "experiments/kinds/heavy_check.hpp"
#include "experiments/kinds/judge_confusion.hpp"
#include "experiments/kinds/key_value_store.hpp"
#include "experiments/kinds/known_texts.hpp"
#include "experiments/kinds/map_against_filter.hpp"
#include "experiments/kinds/table_levels.hpp"
#include "experiments/kinds/throughput.hpp"
#endif

namespace bloomlab::experiments {

// clang-format off
/// Every kind, in the order in which they are listed.
using Kinds =
    TypeList<FalsePositiveRate, Growth, Census, Calibration, MutationMatrix,
#ifndef BLOOMLAB_COUNTS_ONLY
             JudgeConfusion,
#endif
             CountingDeletion, CountingOverflow, SpectralMultiplicity,
#ifndef BLOOMLAB_COUNTS_ONLY
             HashQuality,
#endif
             Avalanche, HostileKeys,
#ifndef BLOOMLAB_COUNTS_ONLY
             Throughput, HashSpeed, Construction, Deduplication, KnownTexts,
#endif
             FlowCounts, LoopDetection, PacketBroadcast, Crawler, PeerToPeer, ProxyCaches,
             Shrinking
#ifndef BLOOMLAB_COUNTS_ONLY
             , MapAgainstFilter, HeavyCheck, KeyValueStore, TableLevels, CachePenetration
#endif
             >;
// clang-format on

}  // namespace bloomlab::experiments
