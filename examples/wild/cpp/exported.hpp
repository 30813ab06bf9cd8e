// What the adapters in C++ share: the size in bits, and the table of their functions.
#pragma once

#include <cmath>

#include "bloomlab_filter.h"

/// Bits per key: as requested, or those of the usual formula for the rate.
inline double bits_per_key(const bloomlab_request& request) {
  constexpr double per_halving = 1.4426950408889634;  // 1 / ln 2
  return request.fpr > 0 ? -std::log2(request.fpr) * per_halving : request.bits_per_key;
}

/// The functions of a class: Filter(bits per key), add(key), build() after a batch, has(key),
/// bits().
template <class Filter>
bloomlab_filter_functions exported(const char* name) {
  bloomlab_filter_functions functions = {};
  functions.abi = BLOOMLAB_FILTER_ABI;
  functions.size = sizeof functions;
  functions.name = name;
  functions.version = WILD_VERSION;
  functions.create = [](const bloomlab_request* request, void** filter) -> int {
    *filter = new Filter(bits_per_key(*request));
    return BLOOMLAB_OK;
  };
  functions.destroy = [](void* filter) { delete static_cast<Filter*>(filter); };
  functions.memory_bits = [](const void* filter) -> uint64_t {
    return static_cast<const Filter*>(filter)->bits();
  };
  functions.insert = [](void* filter, const bloomlab_keys* keys) -> int {
    const auto* bytes = reinterpret_cast<const char*>(keys->bytes);
    for (size_t i = 0; i < keys->count; ++i) {
      const uint64_t at = keys->offsets[i];
      static_cast<Filter*>(filter)->add({bytes + at, keys->offsets[i + 1] - at});
    }
    static_cast<Filter*>(filter)->build();
    return BLOOMLAB_OK;
  };
  functions.query_one = [](const void* filter, const uint8_t* key, size_t length) -> int {
    const auto* bytes = reinterpret_cast<const char*>(key);
    return static_cast<const Filter*>(filter)->has({bytes, length}) ? 1 : 0;
  };
  return functions;
}
