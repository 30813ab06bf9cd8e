// The hash of one key alone, inlined where the hash has a kernel: what a program asks key by key.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/digests.hpp"
#include "core/hash/kernel/bytes.hpp"
#include "core/keys/seed_family.hpp"

namespace bloomlab {

/// A hash with a `Kernel`: made of a seed, it maps an integer key (its 8 little-endian bytes) or
/// the bytes of a key to the digest that Hash::digest gives, in code that is inlined.
template <class Hash>
concept HashesInline = requires(const typename Hash::Kernel& kernel, std::uint64_t key,
                                const std::byte* bytes, std::size_t length) {
  { kernel(key) } -> std::same_as<typename Hash::Digest>;
  { kernel(bytes, length) } -> std::same_as<typename Hash::Digest>;
};

namespace detail {

/// The kernel of a hash that has none: a call of the library.
template <class Hash>
class CalledKernel {
 public:
  explicit CalledKernel(std::uint64_t seed) noexcept : seed_(seed) {}

  typename Hash::Digest operator()(std::uint64_t key) const {
    const KeyBytes key_bytes(key);
    return (*this)(key_bytes.bytes, sizeof key_bytes.bytes);
  }
  typename Hash::Digest operator()(const std::byte* bytes, std::size_t length) const {
    return Hash::digest({bytes, length}, seed_);
  }

 private:
  std::uint64_t seed_;
};

template <class Hash>
struct KernelOf {
  using type = CalledKernel<Hash>;
};
template <HashesInline Hash>
struct KernelOf<Hash> {
  using type = typename Hash::Kernel;
};

}  // namespace detail

/// A hash under the seeds of a family (core/keys/seed_family.hpp), for keys that come alone. The
/// words are those that Hasher writes for the same need.
template <class Hash>
class OneKeyHasher {
 public:
  explicit OneKeyHasher(std::uint64_t seed) : first_(seed) {}

  /// Makes ready for what `need` asks, if it is not: words of seeds beyond the first.
  void prepare(std::uint64_t seed, DigestNeed need) {
    const std::size_t kernels =
        (static_cast<std::size_t>(need.words) + width(need) - 1) / width(need);
    if (kernels <= 1 + more_.size()) return;
    const SeedFamily family(seed);
    while (1 + more_.size() < kernels)
      more_.emplace_back(family(static_cast<int>(1 + more_.size())));
  }

  /// Word 0: of an integer, or of bytes.
  [[gnu::always_inline]] std::uint64_t word(std::uint64_t key) const { return first_(key)[0]; }
  [[gnu::always_inline]] std::uint64_t word(std::span<const std::byte> key) const {
    return first_(key.data(), key.size())[0];
  }
  /// Word `index` of a family of functions. Precondition: prepared for more than `index` words.
  template <class Key>
  [[gnu::always_inline]] std::uint64_t family_word(const Key& key, std::size_t index) const {
    return index == 0 ? word(key) : evaluate(more_[index - 1], key)[0];
  }
  /// The first `Words` words, not of a family.
  template <std::size_t Words, class Key>
  [[gnu::always_inline]] void write(const Key& key, std::uint64_t* out) const {
    for (std::size_t first = 0; first < Words; first += digest_words) {
      const auto digest =
          first == 0 ? evaluate(first_, key) : evaluate(more_[first / digest_words - 1], key);
      for (std::size_t i = 0; i < digest_words && first + i < Words; ++i)
        out[first + i] = digest[i];
    }
  }

 private:
  using Kernel = typename detail::KernelOf<Hash>::type;
  static constexpr std::size_t digest_words = std::tuple_size_v<typename Hash::Digest>;

  static std::size_t width(DigestNeed need) noexcept { return need.family ? 1 : digest_words; }
  [[gnu::always_inline]] static auto evaluate(const Kernel& kernel, std::uint64_t key) {
    return kernel(key);
  }
  [[gnu::always_inline]] static auto evaluate(const Kernel& kernel,
                                              std::span<const std::byte> key) {
    return kernel(key.data(), key.size());
  }

  Kernel first_;
  std::vector<Kernel> more_;
};

}  // namespace bloomlab
