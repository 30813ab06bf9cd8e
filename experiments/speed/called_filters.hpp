// The class that programs embed, KeyedFilter, called with so many keys at a time as they call it: a
// call of one key is inlined from the hash to the bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// Most keys of one call.
inline constexpr std::uint64_t max_keys_per_call = 8192;

/// Whether calls of any number of keys are compiled for a filter of the catalogue with a hash.
[[nodiscard]] bool is_called(std::string_view filter, std::string_view hash);

/// The filters, and the hashes, that is_called() says yes to, each with each; quoted.
[[nodiscard]] std::string quoted_called_filters();
[[nodiscard]] std::string quoted_called_hashes();

/// The filter of the cell as a KeyedFilter of its hash, called with `keys_per_call` keys; its bits
/// and answers are those of make_implementation() of the same cell and seed. Precondition:
/// is_called(), 1 <= keys_per_call. Throws AllocationError.
[[nodiscard]] std::unique_ptr<Implementation> make_called_filter(const Cell& cell,
                                                                 std::uint64_t seed,
                                                                 std::size_t keys_per_call);

}  // namespace bloomlab::experiments
