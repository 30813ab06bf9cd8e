// Filters that do not take keys one by one: built once from all of them, or keeping the keys
// themselves.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include "core/filters/concepts.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// A filter that is built once, from the digests of all its keys, and does not change afterwards.
/// Building may fail: nothing is returned then. Equal digests count once.
template <class Filter>
concept Built = Described<Filter> && std::movable<Filter> && Filter::chooses_positions &&
    requires(const typename Filter::Parameters& p, const Filter& view, const DigestBatch& digests,
             std::span<Answer> answers) {
  { Filter::need(p) } -> std::same_as<DigestNeed>;
  { Filter::build(p, digests) } -> std::same_as<std::optional<Filter>>;
  view.contains(digests, answers);
  { view.count_contained(digests) } -> std::same_as<std::uint64_t>;
  { view.state() } -> std::same_as<FilterState>;
};

/// A structure that keeps the keys themselves and never errs. It takes keys, not digests; all keys
/// of one set are integers of one width, or all are texts (std::invalid_argument otherwise).
template <class Set>
concept ExactSet = Described<Set> && std::movable<Set> && Set::chooses_positions &&
    std::constructible_from<Set, const typename Set::Parameters&> &&
    requires(Set set, const Set& view, const KeyBatch& keys, std::span<Answer> answers) {
  set.insert(keys);
  view.contains(keys, answers);
  { view.count_contained(keys) } -> std::same_as<std::uint64_t>;
  { view.state() } -> std::same_as<FilterState>;
  set.clear();
};

/// A Growing filter that keeps fingerprints, not single bits: how many of its bits are set says
/// nothing of its probes, and an equal key may take room again.
template <class Filter>
concept KeepsFingerprints = Growing<Filter> && Filter::keeps_fingerprints;

}  // namespace bloomlab
