// What an image must refuse though its checksums fit: each of its places by itself.
#include "core/serialization/image.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/filters/counting.hpp"
#include "core/filters/cuckoo.hpp"
#include "core/filters/scalable.hpp"
#include "core/filters/scalable_partitioned.hpp"
#include "core/filters/standard.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/keyed_filter.hpp"
#include "core/probe/remix.hpp"
#include "core/saved_filter.hpp"

using namespace bloomlab;

namespace {

using Keyed = KeyedFilter<XxHash3_64, Standard, Remix>;
using KeyedCounting = KeyedFilter<XxHash3_64, Counting, Remix>;

/// A saved filter in its two parts.
struct Parts {
  ImageHeader header;
  std::vector<std::byte> contents;
};

Parts parts_of(const std::vector<std::byte>& bytes) {
  MemorySource source(bytes);
  Parts parts{.header = read_header(source), .contents = {}};
  parts.contents.resize(parts.header.contents_bytes);
  REQUIRE(source.read(parts.contents) == parts.contents.size());
  return parts;
}

/// As it would have been written: lengths and checksums are those of the parts.
std::vector<std::byte> written(Parts parts) {
  parts.header.contents_bytes = parts.contents.size();
  parts.header.contents_checksum = checksum_of(parts.contents);
  std::vector<std::byte> bytes = header_bytes(parts.header);
  bytes.insert(bytes.end(), parts.contents.begin(), parts.contents.end());
  return bytes;
}

/// The number at a place, and the header's checksum made anew.
void put(std::vector<std::byte>& bytes, std::size_t place, std::uint64_t number,
         std::size_t count) {
  std::memcpy(bytes.data() + place, &number, count);
}

template <class Read>
std::string fault_when(const Read& read) {
  try {
    read();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}
template <class Filter>
std::string fault_of(const std::vector<std::byte>& bytes) {
  return fault_when([&] { static_cast<void>(load_bytes<Filter>(bytes)); });
}
template <class Filter>
std::string fault_mapped(const std::vector<std::byte>& bytes) {
  return fault_when([&] { static_cast<void>(map_bytes<Filter>(bytes)); });
}

std::vector<std::byte> saved() {
  Keyed filter({.m = 100, .k = 3});
  filter.insert(std::uint64_t{7});
  return saved_bytes(filter);
}

/// Where the length of the header stands, and the length.
constexpr std::size_t length_place = 16;
std::uint64_t header_length(const std::vector<std::byte>& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + length_place, 8);
  return length;
}

}  // namespace

TEST_CASE("parts that are put together again are the image", "[core][image]") {
  CHECK(written(parts_of(saved())) == saved());
  CHECK(fault_of<Keyed>(saved()).empty());
}

TEST_CASE("a bit behind the last one or behind the last value is refused", "[core][image]") {
  for (const std::size_t bit : {100U, 101U, 127U}) {
    Parts parts = parts_of(saved());
    REQUIRE(parts.contents.size() == 24);  // two words of bits, and the count of keys
    parts.contents[bit / 8] |= std::byte{1} << (bit % 8);
    CHECK(fault_of<Keyed>(written(parts)) == "contents: a bit behind the last one is set");
  }
  // 33 counters of 3 bits: 99 bits of three words, and two counts.
  const KeyedCounting counting({.m = 33, .k = 2, .counter_bits = 3});
  const Parts good = parts_of(saved_bytes(counting));
  CHECK(fault_of<KeyedCounting>(written(good)).empty());
  REQUIRE(good.contents.size() == 40);
  for (std::size_t bit = 99; bit < 192; ++bit) {
    Parts parts = good;
    parts.contents[bit / 8] |= std::byte{1} << (bit % 8);
    INFO("bit " << bit);
    CHECK(fault_of<KeyedCounting>(written(parts)) ==
          "contents: a bit behind the last value is set");
  }
}

TEST_CASE("contents of another length than the filter's are refused", "[core][image]") {
  Parts longer = parts_of(saved());
  longer.contents.resize(longer.contents.size() + 8);
  CHECK(fault_of<Keyed>(written(longer)) == "contents: there is more than the filter has");
  CHECK(fault_mapped<Keyed>(written(longer)) == "contents: there is more than the filter has");
  Parts shorter = parts_of(saved());
  shorter.contents.resize(8);
  CHECK(fault_of<Keyed>(written(shorter)) == "contents: 8 bytes are too few for these parameters");
  shorter.contents.resize(16);  // the bits, without the count of keys
  CHECK(fault_of<Keyed>(written(shorter)) == "contents: 8 bytes are needed, 0 are left");
  CHECK(fault_mapped<Keyed>(written(shorter)) == "contents: 8 bytes are needed, 0 are left");
  Parts large = parts_of(saved_bytes(Keyed({.m = 64'000, .k = 3}, 1)));
  REQUIRE(large.contents.size() == 8008);
  large.contents.resize(7992);
  CHECK(fault_of<Keyed>(written(large)) == "contents: 7992 bytes are too few for these parameters");
  std::vector<std::byte> cut = saved();
  cut.resize(cut.size() - 8);
  CHECK(fault_mapped<Keyed>(cut) == "contents: 24 bytes are expected, 16 are there");
}

TEST_CASE("what a filter relies on is checked of its contents, loaded or mapped", "[core][image]") {
  using KeyedCuckoo = KeyedFilter<XxHash3_64, Cuckoo>;
  const Parts good =
      parts_of(saved_bytes(KeyedCuckoo({.fingerprint_bits = 8, .bucket_size = 2, .buckets = 4})));
  CHECK(fault_mapped<KeyedCuckoo>(written(good)).empty());
  // Two words of the table, the victim's fingerprint and its bucket.
  for (const auto& [place, number] : {std::pair{16U, 256U}, std::pair{24U, 4U}}) {
    Parts parts = good;
    put(parts.contents, place, number, 8);
    const std::string fault = "contents: the victim is no fingerprint of the table";
    CHECK(fault_of<KeyedCuckoo>(written(parts)) == fault);
    CHECK(fault_mapped<KeyedCuckoo>(written(parts)) == fault);
  }
}

TEST_CASE("layers of saved contents are those that the filter can have", "[core][image]") {
  using Layers = KeyedFilter<XxHash3_64, Scalable, Remix>;
  using Fixed = KeyedFilter<XxHash3_64, ScalablePartitioned, Remix>;
  const auto with = [](Parts parts, std::size_t place, std::uint64_t number) {
    put(parts.contents, place, number, 8);
    return written(parts);
  };
  // The number of layers comes first, the keys of the last layer are the last number.
  const Parts good = parts_of(
      saved_bytes(Layers({.target = 0.01, .tightening = 0.5, .growth = 2, .first_capacity = 20})));
  CHECK(fault_of<Layers>(with(good, good.contents.size() - 8, 20)).empty());
  CHECK(fault_of<Layers>(with(good, good.contents.size() - 8, 21)) ==
        "contents: a layer holds more keys than it takes");
  CHECK(fault_of<Layers>(with(good, 0, 0)) == "contents: there is no layer");
  // The rate of a second layer would need more probes than there are.
  const Parts alone = parts_of(saved_bytes(
      Layers({.target = 0.01, .tightening = 1e-300, .growth = 2, .first_capacity = 20})));
  CHECK(fault_of<Layers>(with(alone, 0, 2)) ==
        "contents: there are more layers than the filter can have");
  // Here the number of refused keys is before it.
  const Parts fixed = parts_of(saved_bytes(Fixed({.target = 0.01,
                                                  .tightening = 0.5,
                                                  .growth = 2,
                                                  .first_capacity = 20,
                                                  .capacity_policy = CapacityPolicy::reject})));
  CHECK(fault_of<Fixed>(with(fixed, 8, 2)) ==
        "contents: there are several layers of a filter that does not grow");
}

TEST_CASE("what stands between the header and the contents must be zero", "[core][image]") {
  const std::vector<std::byte> bytes = saved();
  const std::size_t length = header_length(bytes);
  const std::size_t end = bytes.size() - parts_of(bytes).contents.size();
  REQUIRE(length < end);
  for (std::size_t place = length; place < end; ++place) {
    std::vector<std::byte> altered = bytes;
    altered[place] = std::byte{1};
    CHECK(fault_of<Keyed>(altered) == "behind the header: there is something; zeros are expected");
  }
}

TEST_CASE("a header too short or above one MiB is refused before it is read", "[core][image]") {
  for (const std::uint64_t length : {0UL, 24UL, 31UL, (1UL << 20) + 1, 1UL << 40, ~0UL}) {
    std::vector<std::byte> altered = saved();
    put(altered, length_place, length, 8);
    CHECK(fault_of<Keyed>(altered) ==
          "length of the header: found " + std::to_string(length) + " bytes");
  }
  // One that is as long as it says, with checksums that fit.
  Parts parts = parts_of(saved());
  parts.header.parameters.resize((std::size_t{1} << 20) - 200);
  const std::uint64_t to_go = (std::uint64_t{1} << 20) - header_length(written(parts));
  parts.header.parameters.resize(parts.header.parameters.size() + to_go);
  CHECK(fault_of<Keyed>(written(parts)) == "parameters: there are too many");
  parts.header.parameters.resize(std::size_t{1} << 20);
  CHECK(fault_of<Keyed>(written(parts)).starts_with("length of the header"));
}

TEST_CASE("version, byte order and what is left of a header are checked", "[core][image]") {
  const auto altered = [](std::size_t place, std::uint64_t number, std::size_t count) {
    std::vector<std::byte> bytes = saved();
    put(bytes, place, number, count);
    return fault_of<Keyed>(bytes);
  };
  CHECK(altered(0, 'b', 1).starts_with("start: "));
  CHECK(altered(8, 3, 4) == "version: found 3; this release reads 2");
  CHECK(altered(8, 1, 4) ==
        "version: found 1; this release no longer reads it, only 2; build the program that wrote "
        "it with this release, and save again");
  CHECK(altered(12, 0x04030201, 4) == "byte order: it must be little-endian");
  CHECK(altered(40, 255, 1).starts_with("checksum of the header: "));
  // More in the header than its members, with the checksum of it all.
  std::vector<std::byte> bytes = saved();
  const std::size_t length = header_length(bytes);
  const Parts parts = parts_of(bytes);
  std::vector<std::byte> longer(bytes.begin(),
                                bytes.begin() + static_cast<std::ptrdiff_t>(length - 8));
  longer.resize(longer.size() + 8);
  put(longer, length_place, length + 8, 8);
  const std::uint64_t checksum = checksum_of(longer);
  longer.resize(longer.size() + 8);
  put(longer, length, checksum, 8);
  while (longer.size() % ImageHeader::alignment != 0) longer.push_back(std::byte{0});
  longer.insert(longer.end(), parts.contents.begin(), parts.contents.end());
  CHECK(fault_of<Keyed>(longer) == "header: there is more in it than there should be");
}
