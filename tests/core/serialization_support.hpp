// What the tests of serialized filters share: filters of any sort, filled with the same keys.
#pragma once

#include <cstdint>
#include <span>

#include "tests/core/built_support.hpp"
#include "tests/core/named_probes.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::test {

template <class Filter>
DigestNeed need_of(const typename Filter::Parameters& p, std::uint64_t n) {
  if constexpr (Probed<Filter>) {
    return enhanced.need(Filter::probes(p, n));
  } else {
    return Filter::need(p);
  }
}

/// Digests of integer keys that serve the filter with n keys.
template <class Filter>
DigestBatch digests_of(const typename Filter::Parameters& p, std::span<const std::uint64_t> keys,
                       DigestBuffer& buffer) {
  return Hasher::of<XxHash3_64>().digest(KeyBatch::integers(keys, 8), 1, need_of<Filter>(p, 1500),
                                         buffer);
}

/// A filter of n keys.
template <class Filter>
Filter filled(const typename Filter::Parameters& p, std::size_t n) {
  DigestBuffer buffer;
  const auto inserted_keys = keys(0, n);
  const DigestBatch digests = digests_of<Filter>(p, inserted_keys, buffer);
  if constexpr (Built<Filter>) {
    return Filter::build(p, digests).value();
  } else if constexpr (Probed<Filter>) {
    Filter filter(p, enhanced);
    filter.insert(digests);
    return filter;
  } else {
    Filter filter(p);
    filter.insert(digests);
    return filter;
  }
}

}  // namespace bloomlab::test
