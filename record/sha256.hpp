// SHA-256 of a text, for seeds, groups and digests of files. FIPS 180-4, by OpenSSL; where that is
// not (BLOOMLAB_WITHOUT_OPENSSL), the program brings sha256() itself, as docs/lab/source does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomlab::record {

/// The 32 bytes of SHA-256.
using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 of the bytes of `text`. Throws std::runtime_error where OpenSSL does not offer it.
[[nodiscard]] Sha256 sha256(std::string_view text);

/// SHA-256 of the bytes of `text` as 64 lower-case hex digits.
[[nodiscard]] std::string sha256_hex(std::string_view text);

/// The first 8 bytes of SHA-256 of the bytes of `text`, read as a big-endian number.
[[nodiscard]] std::uint64_t sha256_number(std::string_view text);

}  // namespace bloomlab::record
