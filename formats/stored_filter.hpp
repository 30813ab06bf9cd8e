// Bloom filters as other programs write them. A reader takes bytes that anybody may have made:
// nothing is allocated before the length of the bytes is known to hold it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/serialization/format_error.hpp"

namespace bloomlab::formats {

/// Thrown for a sound file that holds no filter.
class NoFilter : public FormatError {
 public:
  using FormatError::FormatError;
};

/// How the positions of a key stand in the bits.
enum class Layout {
  standard,     ///< k positions of m
  split_block,  ///< a bit in each lane of 32 of a block of 256 (Parquet)
};

/// The words of a filter: a view of the bytes that they were read from, which must outlive it, or
/// its own. Nothing is copied, as a filter may be as large as the memory.
class StoredWords {
 public:
  StoredWords() = default;
  /// @param bytes words of 8 bytes in this order; the last one may have fewer in little-endian
  StoredWords(std::span<const std::byte> bytes, std::endian order) noexcept
      : bytes_(bytes), order_(order) {}
  /// Words of its own, to be written.
  explicit StoredWords(std::size_t words) : own_(words) {}

  [[nodiscard]] std::size_t size() const noexcept {
    return bytes_.empty() ? own_.size() : (bytes_.size() + 7) / 8;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::uint64_t operator[](std::size_t index) const noexcept {
    if (bytes_.empty()) return own_[index];
    const auto rest = bytes_.subspan(8 * index);
    if (std::uint64_t whole = 0; rest.size() >= sizeof whole) {
      std::memcpy(&whole, rest.data(), sizeof whole);
      return order_ == std::endian::native ? whole : __builtin_bswap64(whole);
    }
    std::uint64_t value = 0;  // the last one, in little-endian
    for (std::size_t i = 0; i < rest.size(); ++i) {
      value |= std::to_integer<std::uint64_t>(rest[i]) << (8 * i);
    }
    return value;
  }
  [[nodiscard]] std::span<std::uint64_t> own() noexcept { return own_; }

 private:
  std::vector<std::uint64_t> own_;
  std::span<const std::byte> bytes_;
  std::endian order_ = std::endian::little;
};

/// The bits of a filter, or of a layer of one.
struct StoredBits {
  Layout layout = Layout::standard;
  std::uint64_t m = 0;  ///< bits, >= 1
  std::uint64_t k = 0;  ///< probes per key, 1..256
  /// Position i is bit i % 64 of word i / 64; empty where the bytes held a description only.
  StoredWords words = {};
  std::uint64_t reachable = 0;  ///< positions that the hash can reach, at most m; 0: all
  std::optional<std::uint64_t> recorded_keys = std::nullopt;  ///< as the file counts them
  std::optional<std::uint64_t> capacity = std::nullopt;       ///< keys it was made for
  std::optional<double> stated_rate = std::nullopt;           ///< the rate it was made for
};

/// A filter of a file: a view of the file's bytes.
struct StoredFilter {
  std::string format = {};   ///< "guava", "spark", ...
  std::string version = {};  ///< of the format, or what its header says of it; may be empty
  std::string place = {};    ///< where in the file, such as "row group 0, column key"; may be empty
  std::string hash = {};     ///< the hash and its seed, by the format's own words
  std::optional<std::uint64_t> values = std::nullopt;  ///< of a Parquet column, where known
  std::string fault = {};               ///< what is wrong with its header, if anything
  std::vector<StoredBits> layers = {};  ///< one, but for filters that grow
};

/// Guava's BloomFilter.writeTo: strategy (1 byte), k (1 byte), number of words (4 bytes), words,
/// all big-endian. Source: guava/.../hash/BloomFilter.java. All readers throw FormatError.
[[nodiscard]] StoredFilter read_guava(std::span<const std::byte> bytes);

/// Spark's BloomFilter.writeTo, versions 1 and 2: version, k, in version 2 the seed, number of
/// words (4 bytes each), words, all big-endian. Of version 1 only 2^31 positions are reachable.
/// Source: common/sketch/.../BloomFilterImpl.java, BloomFilterImplV2.java, BitArray.java.
[[nodiscard]] StoredFilter read_spark(std::span<const std::byte> bytes);

/// Go's bits-and-blooms (and willf) WriteTo: m, k, the length of the bit set, words, all of 8 bytes
/// and big-endian. Source: bits-and-blooms/bloom bloom.go, bits-and-blooms/bitset bitset.go.
[[nodiscard]] StoredFilter read_bits_and_blooms(std::span<const std::byte> bytes);

/// RedisBloom's BF.SCANDUMP: the chunk of iterator 1, which describes the layers, alone or with the
/// chunks of bits behind it in their order. Source: RedisBloom src/sb.c.
[[nodiscard]] StoredFilter read_redisbloom(std::span<const std::byte> bytes);

/// A filter of a Parquet file alone: its header in Thrift's compact protocol, then the blocks.
/// Nothing may follow. Source: the Apache Parquet format, BloomFilter.md and parquet.thrift.
[[nodiscard]] StoredFilter read_parquet_filter(std::span<const std::byte> bytes);

/// Every filter of a Parquet file, found by its footer.
[[nodiscard]] std::vector<StoredFilter> read_parquet_file(std::span<const std::byte> bytes);

/// The bytes of a filter, for the same formats. Precondition: one layer of the format's layout.
/// Guava's has strategy 0 where `reachable` is given.
[[nodiscard]] std::vector<std::byte> guava_bytes(const StoredBits& bits);
[[nodiscard]] std::vector<std::byte> bits_and_blooms_bytes(const StoredBits& bits);
[[nodiscard]] std::vector<std::byte> parquet_filter_bytes(const StoredBits& bits);

}  // namespace bloomlab::formats
