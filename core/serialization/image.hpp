// A keyed filter as a file: what is saved at the speed of memory, and can be asked where it lies.
//
//     8 bytes   magic "BLOOMLAB"
//     4 bytes   version of the format, 2
//     4 bytes   byte order, 0x01020304
//     8 bytes   length of the header, from the magic to its checksum
//     texts     name of the filter, of the hash, of the hashing scheme, of the reduction (the last
//               two empty for filters that choose positions themselves): 2 bytes of length, letters
//     8 bytes   seed of the hash
//     8 bytes   length of the parameters, then the parameters
//     8 bytes   length of the contents
//     8 bytes   checksum of the contents, XXH3-64
//     8 bytes   checksum of the header before it, XXH3-64
//     zeros     up to a multiple of 64 bytes
//     contents  words of 8 bytes
// All numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/bits/bit_array.hpp"
#include "core/bits/packed_array.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/serialization/contents_view.hpp"
#include "core/serialization/format_error.hpp"

namespace bloomlab {

/// XXH3-64 of bytes that come one piece after the other.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;

  void add(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What an image says of the filter in it.
struct ImageHeader {
  static constexpr std::uint32_t version = 2;
  static constexpr std::size_t alignment = 64;  ///< of the contents [bytes]

  std::string filter;
  std::string hash;
  std::string family;
  std::string reduction;
  std::uint64_t seed = 0;
  std::vector<std::byte> parameters = {};
  std::uint64_t contents_bytes = 0;
  std::uint64_t contents_checksum = 0;
};

/// The header as bytes, with the zeros that follow it.
[[nodiscard]] std::vector<std::byte> header_bytes(const ImageHeader& header);

/// Where an image comes from: fills `out` and says how many bytes there were.
class ByteSource {
 public:
  virtual std::size_t read(std::span<std::byte> out) = 0;

 protected:
  ~ByteSource() = default;
};

/// Bytes in memory as a source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}
  std::size_t read(std::span<std::byte> out) override;
  /// Bytes not yet read.
  [[nodiscard]] std::span<const std::byte> rest() const noexcept { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

/// Reads the header and the zeros behind it. Throws FormatError for anything that header_bytes()
/// did not write.
[[nodiscard]] ImageHeader read_header(ByteSource& source);

/// Throws FormatError where the names of an image are not these.
void require_names(const ImageHeader& found, const ImageHeader& expected);

/// Reads contents straight into a filter's memory. Throws FormatError.
class ContentsLoader {
 public:
  static constexpr bool reading = true;
  ContentsLoader(ByteSource& source, std::uint64_t bytes) noexcept
      : source_(source), left_(bytes) {}

  void operator()(std::uint64_t& value) { read({&value, 1}); }
  void operator()(BitArray& bits);
  void operator()(PackedArray& values);
  void operator()(ZeroedMemory& memory) { read(memory.words()); }
  /// Throws where so many bits cannot follow: call it before allocating them.
  void require(std::uint64_t bits) const;
  void check(bool holds, std::string_view what) const;
  /// Throws unless everything was read and has this checksum.
  void finish(std::uint64_t checksum) const;

 private:
  void read(std::span<std::uint64_t> words);

  ByteSource& source_;
  std::uint64_t left_;
  RunningChecksum checksum_;
};

/// Lets a filter's arrays borrow contents that lie in memory: nothing of them is read. Throws
/// FormatError where there are too few.
class ContentsMapper {
 public:
  static constexpr bool reading = true;
  /// Precondition: `contents` begins at a multiple of 8 bytes and outlives the filter.
  explicit ContentsMapper(std::span<const std::byte> contents) noexcept : rest_(contents) {}

  void operator()(std::uint64_t& value) { value = take(1)[0]; }
  void operator()(BitArray& bits) { bits.borrow(take(bits.words().size())); }
  void operator()(PackedArray& values) {
    const PackedArray& view = values;
    values.borrow(take(view.words().size()));
  }
  void operator()(ZeroedMemory& memory) { memory = ZeroedMemory::borrow(take(memory.size())); }
  void require(std::uint64_t bits) const;
  void check(bool holds, std::string_view what) const;
  void finish() const;

 private:
  [[nodiscard]] std::span<const std::uint64_t> take(std::uint64_t words);

  std::span<const std::byte> rest_;
};

/// XXH3-64 of the bytes.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

}  // namespace bloomlab
