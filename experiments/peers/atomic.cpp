#include "experiments/peers/atomic.hpp"

#include <algorithm>
#include <utility>

#include "core/filters/concepts.hpp"
#include "core/hash_stage.hpp"
#include "core/parallel/run_threads.hpp"
#include "experiments/cells/contents_checksum.hpp"
#include "experiments/cells/digest_askers.hpp"
#include "experiments/peers/keyed_peer.hpp"
#include "experiments/peers/sized_filters.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

/// The filter as the cell of a config has it, of n keys and so many bits per key.
template <class Filter>
record::Json sized_by(const PeerSetup& setup) {
  const auto sized = std::ranges::find(sized_filters(), Filter::name, &SizedFilter::name);
  record::Json json = {{"kind", Filter::name}};
  json.update(sized->parameters(setup.n, setup.bits_per_key));
  return json;
}

/// What the filter needs of its hash.
template <class Filter>
DigestNeed need_of(const Filter& filter) {
  if constexpr (Probed<Filter>) {
    return filter.probe().need(Filter::probes(filter.parameters(), 1));
  } else {
    return Filter::need(filter.parameters());
  }
}

}  // namespace

template <class Filter>
AtomicPeer<Filter>::AtomicPeer(const PeerSetup& setup)
    : law_(sized_by<Filter>(setup)),
      filter_(std::in_place, record::parameters_of<Filter>(law_, "kind"), setup.seed) {}

template <class Filter>
template <class Use>
auto AtomicPeer<Filter>::with_filter(const Use& use) const {
  auto keyed = std::move(*filter_).take();
  auto result = use(keyed);
  filter_.emplace(std::move(keyed));
  return result;
}

template <class Filter>
void AtomicPeer<Filter>::insert(const KeyBatch& keys) {
  for_each_key(keys, [this](const auto& key) { filter_->insert(key); });
}

template <class Filter>
void AtomicPeer<Filter>::insert_by_threads(std::span<const KeyBatch> batches,
                                           const ThreadStarted& started) {
  run_threads(batches.size(), [&](std::size_t thread) {
    started(static_cast<unsigned>(thread));
    insert(batches[thread]);
  });
}

template <class Filter>
FilterState AtomicPeer<Filter>::state() const {
  return with_filter([](const auto& keyed) { return keyed.filter().state(); });
}

template <class Filter>
std::unique_ptr<Asker> AtomicPeer<Filter>::asker() const {
  return std::make_unique<OneKeyAsker<Shared>>(*filter_);
}

template <class Filter>
std::optional<std::uint64_t> AtomicPeer<Filter>::contents_checksum() const {
  return with_filter([](const auto& keyed) { return contents_checksum_of(keyed.filter()); });
}

template <class Filter>
ParallelPeer<Filter>::ParallelPeer(const PeerSetup& setup)
    : law_(sized_by<Filter>(setup)),
      filter_(record::parameters_of<Filter>(law_, "kind"), setup.seed),
      hash_(Hasher::of<MultiplyMix64>(), need_of(filter_.filter()), setup.seed) {}

template <class Filter>
void ParallelPeer<Filter>::insert(const KeyBatch& keys) {
  if (keys.holds_integers()) {
    filter_.insert(keys.values());
  } else {
    filter_.insert(keys.texts());
  }
}

template <class Filter>
bool ParallelPeer<Filter>::insert_by_own_threads(const KeyBatch& keys, std::size_t threads) {
  if (keys.holds_integers()) {
    filter_.parallel_insert(keys.values(), threads);
  } else {
    filter_.parallel_insert(keys.texts(), threads);
  }
  return true;
}

template <class Filter>
std::unique_ptr<Asker> ParallelPeer<Filter>::asker() const {
  return std::make_unique<DigestAsker<Filter>>(filter_.filter(), hash_);
}

template <class Filter>
std::optional<std::uint64_t> ParallelPeer<Filter>::contents_checksum() const {
  return contents_checksum_of(filter_.filter());
}

template class AtomicPeer<Standard>;
template class AtomicPeer<Blocked>;
template class AtomicPeer<SplitBlock>;
template class ParallelPeer<Standard>;
template class ParallelPeer<Blocked>;
template class ParallelPeer<SplitBlock>;

}  // namespace bloomlab::experiments
