// What the tests of filters that are built at once share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::test {

template <class T>
using IsBuilt = std::bool_constant<Built<T>>;

/// The filters of the catalogue that are built at once.
using BuiltFilters = Only<Filters, IsBuilt>;

/// Digests of integer keys, as the filter asks for them.
template <class Filter>
class Digests {
 public:
  Digests(const typename Filter::Parameters& p, std::span<const std::uint64_t> keys,
          std::uint64_t seed = 1)
      : batch_(Hasher::of<XxHash3_64>().digest(KeyBatch::integers(keys, 8), seed, Filter::need(p),
                                               buffer_)) {}
  operator const DigestBatch&() const { return batch_; }  // NOLINT: stands for its batch

 private:
  DigestBuffer buffer_;
  DigestBatch batch_;
};

/// A filter built from integer keys. Throws std::bad_optional_access where building fails.
template <class Filter>
Filter built(const typename Filter::Parameters& p, std::span<const std::uint64_t> keys,
             std::uint64_t seed = 1) {
  return Filter::build(p, Digests<Filter>(p, keys, seed)).value();
}

}  // namespace bloomlab::test
