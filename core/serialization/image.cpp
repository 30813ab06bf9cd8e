#include "core/serialization/image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/serialization/bytes.hpp"

namespace bloomlab {
namespace {

static_assert(std::endian::native == std::endian::little,
              "images are words as they stand in memory; a port has to turn their bytes");

constexpr std::string_view image_magic = "BLOOMLAB";
constexpr std::uint64_t image_byte_order = 0x01020304;
constexpr std::size_t fixed_bytes = 24;  // up to the length of the header, which included
constexpr std::uint64_t most_header_bytes = 1U << 20;
constexpr std::size_t part_words = std::size_t{1} << 15;  // read and summed up while in a cache

[[noreturn]] void refuse(std::string_view where, std::string_view what) {
  std::string text(where);
  text += ": ";
  text += what;
  throw FormatError(text);
}

void read_all(ByteSource& source, std::span<std::byte> out, std::string_view what) {
  const std::size_t found = source.read(out);
  if (found == out.size()) return;
  refuse(what, std::to_string(out.size()) + " bytes are needed, " + std::to_string(found) +
                   " are left; the image was cut off");
}

void check_fixed(ByteReader& in) {
  const auto start = in.take(image_magic.size(), "start of an image");
  if (!std::ranges::equal(start, std::as_bytes(std::span(image_magic)))) {
    refuse("start", "these bytes are no saved filter; they must begin with BLOOMLAB");
  }
  const std::uint64_t version = in.number(4, "version");
  if (version != ImageHeader::version) {
    std::string fault = "version: found " + std::to_string(version);
    fault += version == 1 ? "; this release no longer reads it, only " : "; this release reads ";
    fault += std::to_string(ImageHeader::version);
    if (version == 1)
      fault += "; build the program that wrote it with this release, and save again";
    throw OtherVersion(fault);
  }
  if (in.number(4, "byte order") != image_byte_order) {
    refuse("byte order", "it must be little-endian");
  }
}

}  // namespace

struct RunningChecksum::State {
  XXH3_state_t state;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->state);
}
RunningChecksum::~RunningChecksum() = default;

void RunningChecksum::add(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(&state_->state, bytes.data(), bytes.size());
}
std::uint64_t RunningChecksum::value() const noexcept { return XXH3_64bits_digest(&state_->state); }

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<std::byte> header_bytes(const ImageHeader& header) {
  ByteWriter rest;
  for (const auto* text : {&header.filter, &header.hash, &header.family, &header.reduction}) {
    rest.text(*text);
  }
  rest.number(header.seed, 8);
  rest.number(header.parameters.size(), 8);
  rest.append(header.parameters);
  rest.number(header.contents_bytes, 8);
  rest.number(header.contents_checksum, 8);
  ByteWriter out;
  out.append(std::as_bytes(std::span(image_magic)));
  out.number(ImageHeader::version, 4);
  out.number(image_byte_order, 4);
  out.number(fixed_bytes + rest.bytes().size() + 8, 8);
  out.append(rest.bytes());
  out.number(checksum_of(out.bytes()), 8);
  while (out.bytes().size() % ImageHeader::alignment != 0) out.number(0, 1);
  return out.take();
}

std::size_t MemorySource::read(std::span<std::byte> out) {
  const std::size_t count = std::min(out.size(), rest_.size());
  if (count != 0) std::memcpy(out.data(), rest_.data(), count);
  rest_ = rest_.subspan(count);
  return count;
}

ImageHeader read_header(ByteSource& source) {
  std::vector<std::byte> bytes(fixed_bytes);
  read_all(source, bytes, "start of an image");
  ByteReader fixed(bytes);
  check_fixed(fixed);
  const std::uint64_t length = fixed.number(8, "length of the header");
  if (length < fixed_bytes + 8 || length > most_header_bytes) {
    refuse("length of the header", "found " + std::to_string(length) + " bytes");
  }
  const std::uint64_t padded =
      (length + ImageHeader::alignment - 1) / ImageHeader::alignment * ImageHeader::alignment;
  bytes.resize(padded);
  read_all(source, std::span(bytes).subspan(fixed_bytes), "header");
  const auto header_part = std::span<const std::byte>(bytes).first(length);
  if (ByteReader(header_part.subspan(length - 8)).number(8, "checksum of the header") !=
      checksum_of(header_part.first(length - 8))) {
    refuse("checksum of the header", "it does not fit; the header was altered");
  }
  if (!std::ranges::all_of(std::span(bytes).subspan(length),
                           [](std::byte byte) { return byte == std::byte{0}; })) {
    refuse("behind the header", "there is something; zeros are expected");
  }
  ByteReader in(header_part.subspan(fixed_bytes, length - fixed_bytes - 8));
  ImageHeader header;
  header.filter = in.text("name of the filter");
  header.hash = in.text("name of the hash");
  header.family = in.text("name of the hashing scheme");
  header.reduction = in.text("name of the reduction");
  header.seed = in.number(8, "seed");
  const auto parameters = in.take(in.number(8, "parameters"), "parameters");
  header.parameters.assign(parameters.begin(), parameters.end());
  header.contents_bytes = in.number(8, "length of the contents");
  header.contents_checksum = in.number(8, "checksum of the contents");
  if (in.left() != 0) refuse("header", "there is more in it than there should be");
  return header;
}

void require_names(const ImageHeader& found, const ImageHeader& expected) {
  const auto require = [](std::string_view what, const std::string& is, const std::string& shall) {
    if (is == shall) return;
    refuse(what, "found \"" + is + "\", expected \"" + shall + "\"; load it as what it is");
  };
  require("filter", found.filter, expected.filter);
  require("hash", found.hash, expected.hash);
  require("hashing scheme", found.family, expected.family);
  require("reduction", found.reduction, expected.reduction);
}

void ContentsLoader::read(std::span<std::uint64_t> words) {
  require(64 * std::uint64_t{words.size()});
  left_ -= 8 * words.size();
  while (!words.empty()) {
    const auto part = words.first(std::min(part_words, words.size()));
    read_all(source_, std::as_writable_bytes(part), "contents");
    checksum_.add(std::as_bytes(part));
    words = words.subspan(part.size());
  }
}

void ContentsLoader::operator()(BitArray& bits) {
  read(bits.writable_words());
  check(bits.ends_in_zeros(), "a bit behind the last one is set");
}

void ContentsLoader::operator()(PackedArray& values) {
  read(values.words());
  check(values.ends_in_zeros(), "a bit behind the last value is set");
}

void ContentsLoader::require(std::uint64_t bits) const {
  if (bits / 8 <= left_) return;
  refuse("contents",
         std::to_string(bits / 8) + " bytes are needed, " + std::to_string(left_) + " are left");
}

void ContentsLoader::check(bool holds, std::string_view what) const {
  if (!holds) refuse("contents", what);
}

void ContentsLoader::finish(std::uint64_t checksum) const {
  if (left_ != 0) refuse("contents", "there is more than the filter has");
  if (checksum_.value() == checksum) return;
  refuse("checksum of the contents", "it does not fit; they were truncated or altered");
}

std::span<const std::uint64_t> ContentsMapper::take(std::uint64_t words) {
  require(64 * words);
  // Bytes of a file have no type of their own: these are words.
  const auto* const first =
      static_cast<const std::uint64_t*>(static_cast<const void*>(rest_.data()));
  rest_ = rest_.subspan(8 * words);
  return {first, static_cast<std::size_t>(words)};
}

void ContentsMapper::require(std::uint64_t bits) const {
  if (bits / 8 <= rest_.size()) return;
  refuse("contents", std::to_string(bits / 8) + " bytes are needed, " +
                         std::to_string(rest_.size()) + " are left");
}

void ContentsMapper::check(bool holds, std::string_view what) const {
  if (!holds) refuse("contents", what);
}

void ContentsMapper::finish() const {
  if (!rest_.empty()) refuse("contents", "there is more than the filter has");
}

}  // namespace bloomlab
