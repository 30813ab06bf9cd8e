// Filters that other programs load: the bits that their own hash and steps would set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// A filter of another program's kind, empty at first.
class ForeignFilter {
 public:
  virtual ~ForeignFilter() = default;
  /// Inserts the bytes of a text. Where a language has typed keys, that is what it makes of a text
  /// in UTF-8 (Guava: stringFunnel(UTF_8); Go: AddString; Parquet: a column of texts).
  virtual void insert(std::string_view key) = 0;
  /// As its program would write it.
  [[nodiscard]] virtual std::vector<std::byte> bytes() const = 0;

  [[nodiscard]] const StoredBits& bits() const noexcept { return bits_; }

 protected:
  explicit ForeignFilter(StoredBits bits) : bits_(std::move(bits)) {
    bits_.words = StoredWords((bits_.m + 63) / 64);
  }
  void set(std::uint64_t position) noexcept {
    bits_.words.own()[position / 64] |= std::uint64_t{1} << (position % 64);
  }

  StoredBits bits_;
};

/// Formats that can be written: "guava", "bits_and_blooms", "parquet".
[[nodiscard]] std::span<const std::string_view> written_formats();

/// Bits that the format has for at least `m`: whole words (Guava), any number (bits-and-blooms), a
/// power of two of 256 bits or more (Parquet, whose C++ reader takes no other).
[[nodiscard]] std::uint64_t bits_of_format(std::string_view format, std::uint64_t m);

/// An empty filter. Throws std::invalid_argument for an unknown format, for m that the format does
/// not have and for k outside of 1..255 (Parquet: other than 8), and std::bad_alloc.
[[nodiscard]] std::unique_ptr<ForeignFilter> make_foreign(std::string_view format, std::uint64_t m,
                                                          std::uint64_t k);

}  // namespace bloomlab::formats
