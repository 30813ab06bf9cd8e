#include "tests/formats/support.hpp"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "tests/paths.hpp"

namespace bloomlab::tests {
namespace {

std::string compressed(std::string_view bytes, int window) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string fixture(const std::string& name) {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/tests/formats/fixtures/" + name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(bytes.empty());
  return bytes;
}

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string big(std::uint64_t value, int bytes) {
  const std::string text = little(value, bytes);
  return {text.rbegin(), text.rend()};
}

std::string gzipped(std::string_view bytes) { return compressed(bytes, 15 + 16); }

std::string deflated(std::string_view bytes) { return compressed(bytes, 15); }

std::string base64_for_urls(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 6) {
    const std::size_t byte = bit / 8;
    const unsigned pair =
        static_cast<unsigned>(static_cast<unsigned char>(bytes[byte])) << 8 |
        (byte + 1 < bytes.size() ? static_cast<unsigned char>(bytes[byte + 1]) : 0U);
    text += letters[pair >> (10 - bit % 8) & 63];
  }
  return text;
}

std::string base64(std::string_view bytes) {
  std::string text = base64_for_urls(bytes);
  text.append((4 - text.size() % 4) % 4, '=');
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  for (std::size_t end = 76; end < text.size(); end += 77) text.insert(end, 1, '\n');
  return text + '\n';
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace bloomlab::tests
