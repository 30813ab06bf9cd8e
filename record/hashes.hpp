// Hash functions by name: those of the catalogue, and those that a program brings for all that it
// measures and reports (experiments/own_hash.hpp).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/hash_operations.hpp"
#include "core/hash/hasher.hpp"

namespace bloomlab::record {

/// Makes the hash functions of a program known, in the place of those that were, before anything
/// else is asked of this header. Their names must be free.
void bring_hashes(std::span<const HashOperations> hashes);
/// The hash functions that were brought.
[[nodiscard]] std::span<const HashOperations> brought_hashes();
/// The names of the catalogue's hashes and of those that were brought.
[[nodiscard]] std::vector<std::string_view> hash_names();

/// The name of a hash that is a program, of which only this is known here: 64 bits under a seed.
inline constexpr std::string_view command_hash = "command";

/// The hash called `name`, or nothing. That of `command_hash` throws
/// std::logic_error where it is to hash.
[[nodiscard]] std::optional<Hasher> find_hasher(std::string_view name);
/// The same. Throws std::invalid_argument that names the known ones where there is none.
[[nodiscard]] Hasher make_hasher(std::string_view name);

}  // namespace bloomlab::record
