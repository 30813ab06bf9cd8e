// A hash function of somebody's own program, measured by this laboratory without being a part of
// it: what it must have, and how its type is hidden once a batch. Include <bloomlab/lab_main.hpp>.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/hash/hash_operations.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

namespace detail {

/// What a hash may give: 32 or 64 bits.
template <class Value>
concept HashValue = std::unsigned_integral<Value> &&(sizeof(Value) == 4 || sizeof(Value) == 8);

}  // namespace detail

/// Takes the bytes of a key and a seed; each seed is a function of its own.
template <class H>
concept SeededHash = std::default_initializable<H> &&
    requires(const H& hash, std::string_view key, std::uint64_t seed) {
  { hash(key, seed) } -> detail::HashValue;
};

/// Takes the bytes of a key. The seed is put in front of the key as 8 little-endian bytes (nothing
/// for seed 0).
template <class H>
concept PlainHash = std::default_initializable<H> && !SeededHash<H> &&
                    requires(const H& hash, std::string_view key) {
  { hash(key) } -> detail::HashValue;
};

/// All that is asked of an own hash: a function object that gives 32 or 64 bits for a key. `name`
/// is its word in configs ("own_hash" without one), `source` a line for `list`. Integer keys are 8
/// (or 4) bytes in little-endian order. What it throws ends the run.
template <class H>
concept OwnHash = SeededHash<H> || PlainHash<H>;

namespace detail {

template <OwnHash H>
auto own_hash_of(const H& hash, std::string_view key, std::uint64_t seed) {
  if constexpr (SeededHash<H>) {
    return hash(key, seed);
  } else {
    if (seed == 0) return hash(key);
    std::string with_seed(sizeof seed, '\0');
    for (std::size_t i = 0; i < sizeof seed; ++i) {
      with_seed[i] = static_cast<char>(static_cast<unsigned char>(seed >> (8 * i)));
    }
    return hash(std::string_view(with_seed.append(key)));
  }
}

template <OwnHash H>
using OwnHashValue = decltype(own_hash_of(std::declval<const H&>(), std::string_view(), 0));

template <OwnHash H>
void own_digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  const H hash{};
  const auto word = [&](std::string_view key) -> std::uint64_t {
    const auto value = own_hash_of(hash, key, seed);
    if constexpr (sizeof value == 4) return widened_32(value);
    return value;
  };
  std::uint64_t* at = out.words;
  for (const std::uint64_t& value : keys.values()) {
    *at++ = word(
        {reinterpret_cast<const char*>(&value), static_cast<std::size_t>(keys.integer_bytes())});
  }
  for (const std::string_view text : keys.texts()) *at++ = word(text);
}

}  // namespace detail

/// The entry of a type.
template <OwnHash H>
[[nodiscard]] constexpr HashOperations own_hash_type() {
  HashOperations type{.name = "own_hash",
                      .source = "a hash function of this program's own",
                      .digest_bits = 8 * static_cast<int>(sizeof(detail::OwnHashValue<H>)),
                      .takes_seed = SeededHash<H>,
                      .digest_batch = &detail::own_digest_batch<H>};
  if constexpr (requires { H::name; }) type.name = H::name;
  if constexpr (requires { H::source; }) type.source = H::source;
  return type;
}

}  // namespace bloomlab
