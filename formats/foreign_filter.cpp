#include "formats/foreign_filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>

#include "core/hash/murmur3_128.hpp"
#include "core/hash/xxhash64.hpp"

namespace bloomlab::formats {
namespace {

std::span<const std::byte> bytes_of(std::string_view key) { return std::as_bytes(std::span(key)); }

/// Strategy MURMUR128_MITZ_64: h1 + i h2 without the sign, modulo m.
/// Source: guava/.../hash/BloomFilterStrategies.java.
class GuavaFilter final : public ForeignFilter {
 public:
  explicit GuavaFilter(StoredBits bits) : ForeignFilter(std::move(bits)) {}
  void insert(std::string_view key) override {
    const auto [first, step] = Murmur3_128::digest(bytes_of(key), 0);
    std::uint64_t combined = first;
    for (std::uint64_t i = 0; i < bits_.k; ++i, combined += step) {
      set((combined & ~(std::uint64_t{1} << 63)) % bits_.m);
    }
  }
  std::vector<std::byte> bytes() const override { return guava_bytes(bits_); }
};

/// Four words: the digest of the key, and that of the key with a byte 1 behind it.
/// Source: bits-and-blooms/bloom, bloom.go and murmur.go.
class BitsAndBloomsFilter final : public ForeignFilter {
 public:
  explicit BitsAndBloomsFilter(StoredBits bits) : ForeignFilter(std::move(bits)) {}
  void insert(std::string_view key) override {
    const auto [h0, h1] = Murmur3_128::digest(bytes_of(key), 0);
    longer_.assign(key);
    longer_.push_back('\1');
    const auto [h2, h3] = Murmur3_128::digest(bytes_of(longer_), 0);
    const std::array starts{h0, h1};
    const std::array steps{h2, h3};
    for (std::uint64_t i = 0; i < bits_.k; ++i) {
      set((starts[i % 2] + i * steps[(i + i % 2) % 4 / 2]) % bits_.m);
    }
  }
  std::vector<std::byte> bytes() const override { return bits_and_blooms_bytes(bits_); }

 private:
  std::string longer_;
};

/// Source: the Apache Parquet format, BloomFilter.md.
class ParquetFilter final : public ForeignFilter {
 public:
  explicit ParquetFilter(StoredBits bits) : ForeignFilter(std::move(bits)) {}
  void insert(std::string_view key) override {
    constexpr std::array<std::uint32_t, 8> salts{0x47b6137bU, 0x44974d91U, 0x8824ad5bU,
                                                 0xa2b7289dU, 0x705495c7U, 0x2df1424bU,
                                                 0x9efc4947U, 0x5c6bfb31U};
    const std::uint64_t hash = XxHash64::digest(bytes_of(key), 0)[0];
    const std::uint64_t block = (hash >> 32) * (bits_.m / 256) >> 32;
    for (std::uint64_t lane = 0; lane < salts.size(); ++lane) {
      const std::uint32_t word = static_cast<std::uint32_t>(hash) * salts[lane];
      set(256 * block + 32 * lane + (word >> 27));
    }
  }
  std::vector<std::byte> bytes() const override { return parquet_filter_bytes(bits_); }
};

constexpr std::array<std::string_view, 3> writable{"guava", "bits_and_blooms", "parquet"};

void require_size(bool holds, std::string_view format, const std::string& what) {
  if (!holds) throw std::invalid_argument(std::string(format) + ": " + what);
}

}  // namespace

std::span<const std::string_view> written_formats() { return writable; }

std::uint64_t bits_of_format(std::string_view format, std::uint64_t m) {
  if (format == "guava") return (m + 63) / 64 * 64;
  if (format == "parquet") return std::max<std::uint64_t>(256, std::bit_ceil(m));
  return m;
}

std::unique_ptr<ForeignFilter> make_foreign(std::string_view format, std::uint64_t m,
                                            std::uint64_t k) {
  if (std::ranges::find(writable, format) == writable.end()) {
    throw std::invalid_argument("unknown format " + std::string(format));
  }
  require_size(m != 0 && bits_of_format(format, m) == m, format,
               std::to_string(m) + " bits are no size of this format; the next is " +
                   std::to_string(bits_of_format(format, std::max<std::uint64_t>(m, 1))));
  if (format == "parquet") {
    require_size(k == 8, format, "found k = " + std::to_string(k) + "; it is 8");
    require_size(m <= std::uint64_t{1} << 30, format, "a filter has at most 2^30 bits");
    return std::make_unique<ParquetFilter>(
        StoredBits{.layout = Layout::split_block, .m = m, .k = k});
  }
  require_size(k >= 1 && k <= 255, format, "found k = " + std::to_string(k) + "; 1 to 255");
  if (format == "guava") {
    require_size(m <= 64 * ((std::uint64_t{1} << 31) - 1), format,
                 "a filter has at most 2^31 - 1 words");
    return std::make_unique<GuavaFilter>(StoredBits{.m = m, .k = k});
  }
  return std::make_unique<BitsAndBloomsFilter>(StoredBits{.m = m, .k = k});
}

}  // namespace bloomlab::formats
