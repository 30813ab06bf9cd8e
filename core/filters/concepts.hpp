// What every filter of the catalogue is, said to the compiler.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/filter_memory.hpp"
#include "core/digest_stream.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/probe/probe.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// A filter type's description of itself: parameters (described by `describe`,
/// core/parameters.hpp), their faults, its needs and the closed form that predicts it.
/// `examples()` are parameters that show the filter at work, extreme ones included; the property
/// tests run them. `check(p)` is a fault of the parameters as one line, or nothing; all others are
/// asked only of parameters without a fault. `probes(p, n)` is the largest k that the filter asks
/// of a probe for n keys, `memory_bits(p, n)` the bits allocated for them, `prediction(p, n)` the
/// closed form of the rate after n distinct keys, as text for those who show it; a filter may have
/// `rate(p, n)`, its value by a call of the same function. For `sizing(goal)` and `lines(p, n)` see
/// core/filters/sizing.hpp.
template <class Filter>
concept Described = requires(const typename Filter::Parameters& p, std::uint64_t n) {
  { Filter::name } -> std::convertible_to<std::string_view>;
  { Filter::summary } -> std::convertible_to<std::string_view>;
  { Filter::source } -> std::convertible_to<std::string_view>;
  { Filter::chooses_positions } -> std::convertible_to<bool>;
  { Filter::examples() } -> std::same_as<std::vector<typename Filter::Parameters>>;
  { Filter::check(p) } -> std::same_as<std::optional<std::string>>;
  { Filter::probes(p, n) } -> std::same_as<int>;
  { Filter::memory_bits(p, n) } -> std::same_as<std::uint64_t>;
  { Filter::prediction(p, n) } -> std::same_as<theory::Query>;
};

/// A filter that takes keys one batch after the other and can be asked at any time.
template <class Filter>
concept Growing = Described<Filter> && std::movable<Filter> &&
    requires(Filter filter, const Filter& view, const DigestBatch& digests,
             std::span<Answer> answers) {
  filter.insert(digests);
  view.contains(digests, answers);
  { view.count_contained(digests) } -> std::same_as<std::uint64_t>;
  { view.state() } -> std::same_as<FilterState>;
  filter.clear();
};

/// A Growing filter that takes digests as they are: it chooses positions itself, and says what it
/// needs of the hash stage for that.
template <class Filter>
concept SelfPositioned = Growing<Filter> && Filter::chooses_positions &&
    std::constructible_from<Filter, const typename Filter::Parameters&> &&
    requires(const typename Filter::Parameters& p) {
  { Filter::need(p) } -> std::same_as<DigestNeed>;
};

/// What takes digests of one word as a stream, which is made while it waits for its memory: filters
/// of blocks, and the limits that they are measured against.
template <class Filter>
concept TakesStreams = requires(Filter filter, const Filter& view, const DigestStream& digests) {
  filter.insert(digests);
  { view.count_contained(digests) } -> std::same_as<std::uint64_t>;
};

/// A Growing filter whose insert can tell what was known: `before` receives what contains() would
/// have said of each key just before it, as if the keys came one after the other.
template <class Filter>
concept ReportsNew = Growing<Filter> &&
    requires(Filter filter, const DigestBatch& digests, std::span<Answer> before) {
  filter.insert(digests, before);
};

/// A Growing filter with set algebra: `merge` leaves the state of a filter that was given the keys
/// of both, `intersect` one that still contains the keys common to both. Both say whether the
/// filter changed, and refuse a filter of other parameters with std::invalid_argument.
template <class Filter>
concept Mergeable = Growing<Filter> && requires(Filter filter, const Filter& other) {
  { filter.merge(other) } -> std::same_as<bool>;
  { filter.intersect(other) } -> std::same_as<bool>;
};

/// A Mergeable filter that several threads can merge with one other at once: each does the share of
/// its index, and what then stands there is what merge() makes.
template <class Filter>
concept MergedInShares = Mergeable<Filter> &&
    requires(Filter filter, const Filter& other, std::size_t index, std::size_t count) {
  { filter.merge_share(other, index, count) } -> std::same_as<bool>;
};

/// A Growing filter that several threads can fill at once, each a share: a part of its memory that
/// no other share touches. Every share is given all keys, by `insert` with the share, and inserts
/// of them what falls into it; then `join` takes every share into account. What stands there is bit
/// for bit what one thread would have made of the keys. One that TakesStreams takes them here too.
template <class Filter>
concept FilledInShares = Growing<Filter> &&
    requires(Filter filter, const DigestBatch& digests, typename Filter::Share& share,
             std::size_t index, std::size_t count) {
  { filter.share(index, count) } -> std::same_as<typename Filter::Share>;
  filter.insert(digests, share);
  filter.join(share);
};

/// A Growing filter that forgets keys: `remove` returns how many of the batch it held.
template <class Filter>
concept Forgets = Growing<Filter> && requires(Filter filter, const DigestBatch& digests) {
  { filter.remove(digests) } -> std::same_as<std::uint64_t>;
};

/// One that also estimates how often a key was inserted (`multiplicity`, never too low while
/// nothing was lost).
template <class Filter>
concept Counts = Forgets<Filter> &&
    requires(const Filter& view, const DigestBatch& digests, std::span<std::uint64_t> times) {
  view.multiplicity(digests, times);
};

/// A Growing filter that turns keys away when it has no room for them: such a key is not in it, and
/// `refused` counts it. KeyedFilter says so in what its insert() returns.
template <class Filter>
concept RefusesKeys = Growing<Filter> && Filter::can_refuse && requires(const Filter& view) {
  { view.refused() } -> std::same_as<std::uint64_t>;
};

/// A filter that tells the new keys of a stream from those seen before, in one pass: an insert that
/// tells what was known, where inserting a key that the filter reports changes no answer, so that
/// it is as good as leaving the key out. A filter that counts would count the key again.
template <class Filter>
concept Deduplicates = ReportsNew<Filter> && !Counts<Filter>;

/// A Growing filter that asks for its memory ahead of its use: `tune` says how far, `tuning` what
/// it was told; no answer depends on it.
template <class Filter>
concept Tuned = Growing<Filter> &&
    requires(Filter filter, const Filter& view, const BatchTuning& tuning) {
  filter.tune(tuning);
  { view.tuning() } -> std::same_as<const BatchTuning&>;
};

/// A Growing filter whose positions come from a Probe.
template <class Filter>
concept Probed = Growing<Filter> && !Filter::chooses_positions &&
                 std::constructible_from<Filter, const typename Filter::Parameters&, const Probe&>;

/// A filter whose bits can stand in memory that the program gives (core/bits/filter_memory.hpp).
template <class Filter>
concept TakesMemory = std::constructible_from<Filter, const typename Filter::Parameters&,
                                              const Probe&, FilterMemory*> ||
    std::constructible_from<Filter, const typename Filter::Parameters&, FilterMemory*>;

}  // namespace bloomlab
