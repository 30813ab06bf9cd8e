// Exact sets of texts beside the filter: what a program uses that has never heard of Bloom filters.
// Their memory is counted as it is allocated (counted_memory.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "experiments/applications/membership.hpp"

namespace bloomlab::experiments {

/// A container; the words of container_names in this order.
enum class Container : std::uint32_t {
  unordered_map,    ///< std::unordered_map<std::string, bool>
  unordered_set,    ///< std::unordered_set<std::string>
  open_addressing,  ///< texts in one array, at the first free place behind their hash, at most 7/8
                    ///< full
  sorted_vector     ///< std::vector<std::string>, sorted by ready() and searched by halves
};

inline constexpr std::array<std::string_view, 4> container_names = {
    "unordered_map", "unordered_set", "open_addressing", "sorted_vector"};

/// An empty one. Keys are inserted once each; sorted_vector needs ready() before it is asked.
[[nodiscard]] std::unique_ptr<Membership> make_container(Container container);

}  // namespace bloomlab::experiments
