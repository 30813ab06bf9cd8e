#include "formats/wrapped.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>

#include "formats/big_endian.hpp"

namespace bloomlab::formats {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view gzip_magic = "\x1f\x8b";

bool begins_gzip(Bytes bytes) {
  return bytes.size() >= gzip_magic.size() &&
         std::ranges::equal(bytes.first(gzip_magic.size()), std::as_bytes(std::span(gzip_magic)));
}

/// Whether it may be zlib (RFC 1950), without a dictionary: of the two bytes of its header zlib
/// itself checks the rest.
bool may_be_zlib(Bytes bytes) {
  return bytes.size() >= 2 && (bytes[1] & std::byte{32}) == std::byte{0};
}

/// zlib on its way through bytes with a header of gzip or zlib.
class Stream {
 public:
  explicit Stream(Bytes bytes) : left_(bytes) {
    constexpr int either_header = 15 + 32;
    if (inflateInit2(&stream_, either_header) != Z_OK) throw std::bad_alloc();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { inflateEnd(&stream_); }

  /// Fills the piece from its front. @return the bytes made, of which status() tells the rest
  std::size_t fill(std::span<std::byte> piece) {
    if (stream_.avail_in == 0) {
      const Bytes next = left_.first(std::min<std::size_t>(left_.size(), 1U << 20));
      // zlib does not write to its input; its interface for C lacks the word.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(next.data()));
      stream_.avail_in = static_cast<uInt>(next.size());
      left_ = left_.subspan(next.size());
    }
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    status_ = inflate(&stream_, Z_NO_FLUSH);
    return piece.size() - stream_.avail_out;
  }
  [[nodiscard]] int status() const noexcept { return status_; }
  [[nodiscard]] std::string reason() const {
    return stream_.msg == nullptr ? std::string() : std::string(": ") + stream_.msg;
  }
  /// Bytes behind the end.
  [[nodiscard]] Bytes rest() const noexcept {
    return {left_.data() - stream_.avail_in, left_.size() + stream_.avail_in};
  }
  /// Goes on with the next member, which must be there.
  void next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
  Bytes left_;
  int status_ = Z_OK;
};

std::optional<std::vector<std::byte>> inflated(Bytes bytes, std::string_view name) {
  constexpr std::size_t sure = 256;  // bytes that chance does not inflate before it errs
  const bool gzip = name == "gzip";
  Stream stream(bytes);
  std::vector<std::byte> out;
  std::array<std::byte, 1U << 16> piece;
  for (;;) {
    const std::size_t made = stream.fill(piece);
    if (made > most_opened_bytes - out.size()) {
      refuse_bytes(name, "more than " + std::to_string(most_opened_bytes >> 20) +
                             " MiB are in it; open it yourself and give the opened file");
    }
    out.insert(out.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(made));
    if (stream.status() == Z_STREAM_END) {
      const Bytes rest = stream.rest();
      if (rest.empty()) return out;
      if (!gzip || !begins_gzip(rest)) {
        refuse_bytes(name,
                     std::to_string(rest.size()) + " bytes follow its end; none are expected");
      }
      stream.next_member();
    } else if (stream.status() == Z_BUF_ERROR) {
      refuse_bytes(name, "its end is missing; it was cut off");
    } else if (stream.status() == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (stream.status() != Z_OK) {
      if (!gzip && out.size() < sure) return std::nullopt;
      refuse_bytes(name, "it is damaged" + stream.reason());
    }
  }
}

/// Letters that stand for bits each.
struct Alphabet {
  int bits;
  std::string_view blanks;  ///< left out wherever they stand
  int (*value)(char);       ///< of a letter; -1: it is none
};

constexpr Alphabet hex{4, " \t\r\n", [](char letter) {
                         if (letter >= '0' && letter <= '9') return letter - '0';
                         if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
                         return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
                       }};
constexpr Alphabet base64{6, "\r\n", [](char letter) {
                            if (letter >= 'A' && letter <= 'Z') return letter - 'A';
                            if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
                            if (letter >= '0' && letter <= '9') return letter - '0' + 52;
                            if (letter == '+' || letter == '-') return 62;
                            return letter == '/' || letter == '_' ? 63 : -1;
                          }};

/// The bytes of a text without padding; nothing where it is not of that alphabet.
std::optional<std::vector<std::byte>> decoded(std::string_view text, const Alphabet& of) {
  constexpr std::size_t least_letters = 16;  // fewer may be bits that look like letters
  std::size_t letters = 0;
  for (const char letter : text) {
    if (of.blanks.find(letter) != std::string_view::npos) continue;
    if (of.value(letter) < 0) return std::nullopt;
    ++letters;
  }
  if (letters < least_letters) return std::nullopt;
  std::vector<std::byte> out;
  out.reserve(letters * static_cast<std::size_t>(of.bits) / 8);
  unsigned held = 0;
  int held_bits = 0;
  for (const char letter : text) {
    if (of.blanks.find(letter) != std::string_view::npos) continue;
    held = held << of.bits | static_cast<unsigned>(of.value(letter));
    held_bits += of.bits;
    if (held_bits < 8) continue;
    held_bits -= 8;
    out.push_back(static_cast<std::byte>(held >> held_bits & 0xff));
    held &= (1U << held_bits) - 1;
  }
  // What is left of the last letter is none of a byte, and 0.
  if (held_bits >= of.bits || held != 0) return std::nullopt;
  return out;
}

std::string_view without_ends(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::optional<std::vector<std::byte>> from_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("\\x")) text.remove_prefix(2);
  return decoded(text, hex);
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  const auto has = [&](std::string_view letters) {
    return text.find_first_of(letters) != std::string_view::npos;
  };
  auto bytes = decoded(text, base64);
  if (bytes && has("+/") && has("-_")) return std::nullopt;
  return bytes;
}

}  // namespace

std::optional<Opened> open_wrapper(Bytes bytes) {
  const auto as = [](std::string_view name, std::optional<std::vector<std::byte>> inner) {
    return inner ? std::optional<Opened>({name, *std::move(inner)}) : std::nullopt;
  };
  if (begins_gzip(bytes)) return as("gzip", inflated(bytes, "gzip"));
  if (may_be_zlib(bytes)) {
    // "x", 0x78, is a letter too.
    if (auto inner = as("zlib", inflated(bytes, "zlib"))) return inner;
  }
  const std::string_view text =
      without_ends({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (auto inner = as("hex", from_hex(text))) return inner;
  return as("base64", from_base64(text));
}

}  // namespace bloomlab::formats
