// What stands round the contents of every serialized filter. All numbers are little-endian, texts
// are their length in 2 bytes and their letters:
//     8 bytes   magic "BLOOMLAB"
//     4 bytes   version of the format, 1
//     4 bytes   byte order, 0x01020304
//     texts     name of the filter, of the hash, of the hashing scheme, of the reduction (the last
//               two empty for filters that choose positions themselves)
//     8 bytes   seed of the hash
//     8 bytes   length of the parameters, then the parameters
//     8 bytes   length of the contents, then the contents
//     8 bytes   checksum: XXH3-64 of all bytes before it
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/serialization/format_error.hpp"

namespace bloomlab {

/// What a serialized filter says of itself; `parameters` and `contents` are views of its bytes.
struct Envelope {
  static constexpr std::uint32_t version = 1;

  std::string filter;     ///< name of the filter, such as "standard"
  std::string hash;       ///< name of the hash whose digests it took
  std::string family;     ///< name of the hashing scheme, or empty
  std::string reduction;  ///< name of the reduction, or empty
  std::uint64_t seed = 0;
  std::span<const std::byte> parameters = {};
  std::span<const std::byte> contents = {};
};

/// The envelope as bytes, checksum included.
[[nodiscard]] std::vector<std::byte> sealed(const Envelope& envelope);

/// The envelope of serialized bytes, which must outlive it: what they hold, without making the
/// filter. Throws FormatError for anything that sealed() did not write.
[[nodiscard]] Envelope opened(std::span<const std::byte> bytes);

}  // namespace bloomlab
