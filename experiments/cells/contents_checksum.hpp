// One number for all that a filter keeps: equal filters have equal ones.
#pragma once

#include <cstdint>
#include <span>

#include "core/serialization/contents_view.hpp"
#include "core/serialization/image.hpp"

namespace bloomlab::experiments {

/// XXH3-64 of the words that the filter is saved as, the number of keys inserted among them.
template <class Filter>
[[nodiscard]] std::uint64_t contents_checksum_of(const Filter& filter) {
  ContentsView view;
  Filter::contents(filter, view);
  RunningChecksum checksum;
  for (const auto piece : view.pieces()) checksum.add(std::as_bytes(piece));
  return checksum.value();
}

}  // namespace bloomlab::experiments
