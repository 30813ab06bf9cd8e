// The loop of every hash's digest_batch: the kernel's call is inlined into it, with a constant
// length for integer keys. Include it in the .cpp file of a hash only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/hash/digest_planes.hpp"
#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/bytes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab::detail {

/// Texts between the hint to fetch a text and its hash: they may lie anywhere in memory.
inline constexpr std::size_t texts_ahead = 16;

/// Calls `kernel(bytes, length)` for every key and writes `Width` words of what it returns.
template <int Width, class Kernel>
void digest_each_width(const KeyBatch& keys, Kernel& kernel, const DigestPlanes& out) {
  const auto write = [&](std::size_t j, const auto& digest) {
    for (int i = 0; i < Width; ++i) {
      out.words[static_cast<std::size_t>(i) * out.stride + j] = digest[static_cast<std::size_t>(i)];
    }
  };
  const auto integers = [&]<std::size_t Bytes>(std::integral_constant<std::size_t, Bytes>) {
    const std::span<const std::uint64_t> values = keys.values();
    for (std::size_t j = 0; j < values.size(); ++j) {
      const std::uint64_t key = little_endian(values[j]);
      std::array<std::byte, Bytes> bytes;
      std::memcpy(bytes.data(), &key, Bytes);
      write(j, kernel(bytes.data(), Bytes));
    }
  };
  if (keys.integer_bytes() == 8) {
    integers(std::integral_constant<std::size_t, 8>{});
  } else if (keys.integer_bytes() == 4) {
    integers(std::integral_constant<std::size_t, 4>{});
  } else {
    const std::span<const std::string_view> texts = keys.texts();
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const std::string_view later = texts[std::min(j + texts_ahead, texts.size() - 1)];
      __builtin_prefetch(later.data());
      __builtin_prefetch(later.data() + later.size());
      write(j, kernel(reinterpret_cast<const std::byte*>(texts[j].data()), texts[j].size()));
    }
  }
}

/// The loop for a hash of `Words` words; writes the first out.width of them, 1 .. Words.
template <int Words, class Kernel>
void digest_each(const KeyBatch& keys, Kernel&& kernel, const DigestPlanes& out) {
  if (out.width == Words) {
    digest_each_width<Words>(keys, kernel, out);
  } else if constexpr (Words > 1) {
    digest_each<Words - 1>(keys, kernel, out);
  }
}

/// The function of one key that a hash has (core/hash/hash_base.hpp).
template <class Hash>
[[nodiscard]] auto function_of(std::uint64_t seed) {
  if constexpr (requires { typename Hash::Function; }) {
    return typename Hash::Function(seed);
  } else {
    return typename Hash::Kernel(seed);
  }
}

}  // namespace bloomlab::detail

namespace bloomlab {

template <class Hash, std::size_t Words, int Bits>
auto HashBase<Hash, Words, Bits>::digest(std::span<const std::byte> key, std::uint64_t seed)
    -> Digest {
  return detail::function_of<Hash>(seed)(key.data(), key.size());
}

template <class Hash, std::size_t Words, int Bits>
void HashBase<Hash, Words, Bits>::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                               const DigestPlanes& out) {
  detail::digest_each<static_cast<int>(Words)>(keys, detail::function_of<Hash>(seed), out);
}

}  // namespace bloomlab
