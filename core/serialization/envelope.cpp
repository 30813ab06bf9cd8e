#include "core/serialization/envelope.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/serialization/bytes.hpp"

namespace bloomlab {
namespace {

constexpr std::string_view magic = "BLOOMLAB";
constexpr std::uint64_t byte_order = 0x01020304;
constexpr std::size_t checksum_bytes = 8;

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void append(ByteWriter& out, std::span<const std::byte> bytes) {
  out.number(bytes.size(), 8);
  out.append(bytes);
}

/// Refuses what is not the start of a file of this version.
void check_start(ByteReader& in) {
  const auto start = in.take(magic.size(), "start of a serialized filter");
  if (!std::ranges::equal(start, std::as_bytes(std::span(magic)))) {
    throw FormatError("start: these bytes are no serialized filter; they must begin with BLOOMLAB");
  }
  const std::uint64_t version = in.number(4, "version");
  if (version != Envelope::version) {
    throw FormatError("version: found " + std::to_string(version) + "; this release reads " +
                      std::to_string(Envelope::version));
  }
  if (in.number(4, "byte order") != byte_order) {
    throw FormatError("byte order: it must be little-endian");
  }
}

}  // namespace

std::vector<std::byte> sealed(const Envelope& envelope) {
  ByteWriter out;
  out.append(std::as_bytes(std::span(magic)));
  out.number(Envelope::version, 4);
  out.number(byte_order, 4);
  for (const auto* text :
       {&envelope.filter, &envelope.hash, &envelope.family, &envelope.reduction}) {
    out.text(*text);
  }
  out.number(envelope.seed, 8);
  append(out, envelope.parameters);
  append(out, envelope.contents);
  out.number(checksum(out.bytes()), checksum_bytes);
  return out.take();
}

Envelope opened(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  check_start(in);
  if (in.left() < checksum_bytes) throw FormatError("checksum: the bytes end before it");
  const std::size_t length = bytes.size() - checksum_bytes;
  if (ByteReader(bytes.subspan(length)).number(checksum_bytes, "checksum") !=
      checksum(bytes.first(length))) {
    throw FormatError("checksum: it does not fit the bytes; they were truncated or altered");
  }
  Envelope envelope;
  envelope.filter = in.text("name of the filter");
  envelope.hash = in.text("name of the hash");
  envelope.family = in.text("name of the hashing scheme");
  envelope.reduction = in.text("name of the reduction");
  envelope.seed = in.number(8, "seed");
  envelope.parameters = in.take(in.number(8, "parameters"), "parameters");
  envelope.contents = in.take(in.number(8, "contents"), "contents");
  if (in.left() != checksum_bytes) {
    throw FormatError("end: " + std::to_string(in.left()) + " bytes follow the contents; " +
                      std::to_string(checksum_bytes) + " are expected");
  }
  return envelope;
}

}  // namespace bloomlab
