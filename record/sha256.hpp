// SHA-256 of a text, for seeds, groups and digests of files. FIPS 180-4, by OpenSSL; where that is
// not (BLOOMLAB_WITHOUT_OPENSSL), the program brings Sha256Stream itself, as docs/lab/source does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bloomlab::record {

/// The 32 bytes of SHA-256.
using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 of a text that comes piece by piece. Its members throw as sha256().
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(const Sha256Stream&) = delete;
  Sha256Stream& operator=(const Sha256Stream&) = delete;

  void add(std::string_view text);
  /// Of all that was added. Nothing may be added afterwards.
  [[nodiscard]] Sha256 digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SHA-256 of the bytes of `text`. Throws std::runtime_error where OpenSSL does not offer it.
[[nodiscard]] Sha256 sha256(std::string_view text);

/// A digest as 64 lower-case hex digits.
[[nodiscard]] std::string hex_of(const Sha256& digest);
/// SHA-256 of the bytes of `text` as 64 lower-case hex digits.
[[nodiscard]] std::string sha256_hex(std::string_view text);

/// The first 8 bytes of SHA-256 of the bytes of `text`, read as a big-endian number.
[[nodiscard]] std::uint64_t sha256_number(std::string_view text);

}  // namespace bloomlab::record
