// The binary protocol: a call and its answer are a frame each. All numbers are little-endian.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace bloomlab::foreign {

static_assert(std::endian::native == std::endian::little, "frames are written as they stand");

/// What is asked of the filter; what follows the header is named behind it.
enum class Operation : std::uint32_t {
  create = 1,       ///< text, as create_text()
  insert = 2,       ///< keys
  query = 3,        ///< keys; the answer holds a byte a key, 0 or 1
  memory_bits = 4,  ///< nothing; the answer holds 8 bytes, a number
  remove = 5,       ///< keys
  save = 6,         ///< nothing; the answer holds the filter
  load = 7,         ///< a saved filter
  merge = 8,        ///< a saved filter
  hash = 9,         ///< 8 bytes, the seed, then keys; the answer holds 8 bytes a key, its digest
};

/// What an answer says: the values of bloomlab_status. Where it is not 0 or 1, a line of text
/// follows that says why.
enum class Status : std::uint32_t { ok = 0, full = 1, unsupported = 2 };

/// In front of a call. Keys of one length follow each other; of several lengths, key_bytes is 0 and
/// count + 1 offsets of 8 bytes stand in front of the bytes.
struct CallHeader {
  std::uint32_t operation = 0;
  std::uint32_t key_bytes = 0;      ///< bytes of every key; 0: offsets are given
  std::uint64_t count = 0;          ///< keys
  std::uint64_t payload_bytes = 0;  ///< bytes that follow this header
};
static_assert(sizeof(CallHeader) == 24);

/// In front of an answer.
struct AnswerHeader {
  std::uint32_t status = 0;
  std::uint32_t reserved = 0;  ///< 0
  std::uint64_t payload_bytes = 0;
};
static_assert(sizeof(AnswerHeader) == 16);

/// Largest payload that is taken [bytes].
inline constexpr std::uint64_t most_payload_bytes = std::uint64_t{1} << 32;

}  // namespace bloomlab::foreign
