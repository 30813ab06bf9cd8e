// The vector kernels of hashes: on every target what the hash of one key gives.

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/hash/multiply_mix_64.hpp"
#include "core/hash/multiply_swap_64.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/simd/targets.hpp"

namespace bloomlab::simd {
namespace {

/// Keys with extreme ones among them.
std::vector<std::uint64_t> mixed_keys(std::size_t count) {
  const KeyedPermutation permutation(11);
  std::vector<std::uint64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = permutation(i);
  for (std::size_t i = 0; i < count; i += 7) keys[i] = i % 2 == 0 ? ~std::uint64_t{0} - i : i;
  return keys;
}

}  // namespace

TEMPLATE_TEST_CASE("a batch of integers has the digests of its keys on every target",
                   "[core][simd][hash]", MultiplyMix64, MultiplySwap64, XxHash3_64) {
  const std::vector<std::uint64_t> keys = mixed_keys(320);
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{5},
                                     std::uint64_t{0xfedcba9876543210U}, ~std::uint64_t{0}}) {
      for (std::size_t size = 0; size <= 300; size += size < 40 ? 1 : 13) {
        // Of four bytes, what stands above them is not of the key.
        for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
          const auto batch = std::span(keys).subspan(size % 8, size);
          std::vector<std::uint64_t> digests(size + 1, 77);
          TestType::digest_batch(KeyBatch::integers(batch, static_cast<int>(width)), seed,
                                 {digests.data(), size + 1, 1});
          INFO(target << ", " << size << " keys of " << width << " bytes, seed " << seed);
          CHECK(digests[size] == 77);
          for (std::size_t i = 0; i < size; ++i) {
            std::array<std::byte, 8> bytes;
            for (std::size_t b = 0; b < 8; ++b) bytes[b] = std::byte(batch[i] >> (8 * b) & 255);
            if (digests[i] != TestType::digest(std::span(bytes).first(width), seed)[0]) {
              FAIL("key " << i);
            }
          }
        }
      }
    }
  }
}

}  // namespace bloomlab::simd
