// How many bits a hash has that somebody names, be it one of the catalogue or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomlab::planner {

/// Widest hash that is judged [bits]; wider ones are as good.
inline constexpr std::uint64_t widest_hash = 256;

/// Bits of the hash called so, at most widest_hash: of one of the catalogue, of one whose width is
/// known (djb2, java_string_hash), or as its name ends in (fnv1a_32, crc32, sha512). Upper case and
/// "-" are as lower case and "_". Throws record::InputError, which begins with `place`, for other
/// names: it names the nearest one and says that hash_bits can be given.
[[nodiscard]] std::uint64_t hash_bits_of(std::string_view place, std::string_view name);

}  // namespace bloomlab::planner
