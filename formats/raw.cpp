#include "formats/raw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "core/parameters.hpp"
#include "formats/big_endian.hpp"

namespace bloomlab::formats {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;
using Name = std::optional<std::string>;

bool holds(Bytes bytes, std::uint64_t place, std::string_view letters) {
  return has_at(bytes, place, letters.size()) &&
         std::ranges::equal(bytes.subspan(place, letters.size()),
                            std::as_bytes(std::span(letters)));
}

/// As big_at().
std::uint64_t little_at(Bytes bytes, std::uint64_t place, int count) {
  if (!has_at(bytes, place, static_cast<std::uint64_t>(count))) return no_number;
  ByteReader in(bytes.subspan(place));
  return in.number(count, "number");
}

bool is_rate(std::uint64_t bits) {
  const auto rate = std::bit_cast<double>(bits);
  return rate > 0.0 && rate < 1.0;
}

bool are_probes(std::uint64_t k) { return k >= 1 && k <= max_probes; }

bool are_bits(std::uint64_t m) { return m >= 1 && m <= max_filter_bits; }

/// The options that read these bits, of k probes where k is known.
std::string raw_options(const RawBits& raw) {
  return "--format raw --bits " + (raw.m != 0 ? std::to_string(raw.m) : "M") + " --probes " +
         (are_probes(raw.k) ? std::to_string(raw.k) : "K") + " --offset " +
         std::to_string(raw.offset);
}

/// @param note what a reader of the answer has to know beside, such as "; in blocks"
std::string seems(std::string_view what, const RawBits& raw, std::string_view note = {}) {
  std::string text = "it seems to be ";
  text.append(what).append("; read its bits by ").append(raw_options(raw)).append(note);
  return text;
}

/// Source: github.com/DCSO/bloom, bloom.go. Version, n, p, k, m, keys in 8 bytes each, then words,
/// all little-endian; anything may follow.
Name dcso(Bytes bytes) {
  constexpr std::uint64_t header = 48;
  const std::uint64_t k = little_at(bytes, 24, 8);
  const std::uint64_t m = little_at(bytes, 32, 8);
  if ((little_at(bytes, 0, 8) & 0xff) != 1 || !is_rate(little_at(bytes, 16, 8)) || !are_probes(k) ||
      !are_bits(m) || bytes.size() < header || (m + 63) / 64 > (bytes.size() - header) / 8) {
    return std::nullopt;
  }
  return seems("a filter of DCSO's bloom", {.m = m, .k = k, .offset = header});
}

/// Source: BIP 37. Bytes with their number in front (1 byte, or 3), then k, a tweak and flags.
Name bip37(Bytes bytes) {
  constexpr std::uint64_t most_bytes = 36000;
  constexpr std::uint64_t most_k = 50;
  constexpr std::uint64_t after = 9;
  const bool is_long = little_at(bytes, 0, 1) == 0xfd;
  const std::uint64_t header = is_long ? 3 : 1;
  const std::uint64_t length = is_long ? little_at(bytes, 1, 2) : little_at(bytes, 0, 1);
  if (length == 0 || length > most_bytes || bytes.size() != header + length + after) {
    return std::nullopt;
  }
  const std::uint64_t k = little_at(bytes, header + length, 4);
  if (k == 0 || k > most_k || little_at(bytes, bytes.size() - 1, 1) > 2) return std::nullopt;
  return seems("a filterload of Bitcoin (BIP 37)", {.m = 8 * length, .k = k, .offset = header});
}

/// Parquet before its specification of filters: bytes, hash 0 (murmur3), algorithm 0 (blocks), in
/// 4 bytes each and little-endian. Source: parquet-mr, BlockSplitBloomFilter.java of 2018.
Name legacy_parquet(Bytes bytes) {
  constexpr std::uint64_t header = 12;
  const std::uint64_t length = little_at(bytes, 0, 4);
  if (length == 0 || length % 32 != 0 || bytes.size() != header + length ||
      little_at(bytes, 4, 8) != 0) {
    return std::nullopt;
  }
  return seems("a Parquet filter older than the format's own (murmur3, blocks of 32 bytes)",
               {.m = 8 * length, .k = 8, .offset = header},
               "; of blocks the rate is higher than raw says");
}

/// Source: pybloom_live, pybloom.py. Rate, slices, bits per slice, capacity, count, in 8 bytes each
/// and little-endian.
Name pybloom(Bytes bytes) {
  constexpr std::uint64_t header = 40;
  const std::uint64_t k = little_at(bytes, 8, 8);
  const std::uint64_t slice = little_at(bytes, 16, 8);
  if (!is_rate(little_at(bytes, 0, 8)) || !are_probes(k) || !are_bits(slice) ||
      little_at(bytes, 32, 8) > little_at(bytes, 24, 8) ||
      bytes.size() != header + (k * slice + 7) / 8) {
    return std::nullopt;
  }
  return seems("a filter of pybloom_live", {.m = k * slice, .k = k, .offset = header},
               "; it has a slice for each probe");
}

/// Source: Cassandra, OffHeapBitSet.java. k and words in 4 bytes each, big-endian, then words.
Name cassandra(Bytes bytes) {
  constexpr std::uint64_t header = 8;
  const std::uint64_t k = big_at(bytes, 0, 4);
  const std::uint64_t words = big_at(bytes, 4, 4);
  if (!are_probes(k) || words == 0 || bytes.size() != header + 8 * words) {
    return std::nullopt;
  }
  return seems("a filter of Cassandra (Filter.db)", {.m = 64 * words, .k = k, .offset = header});
}

/// Source: Hadoop, util/bloom/Filter.java and BloomFilter.java. -1, k (4 bytes each), a hash (1), m
/// (4), big-endian.
Name hadoop(Bytes bytes) {
  constexpr std::uint64_t header = 13;
  const std::uint64_t k = big_at(bytes, 4, 4);
  const std::uint64_t m = big_at(bytes, 9, 4);
  if (big_at(bytes, 0, 4) != 0xffffffff || !are_probes(k) || !are_bits(m) ||
      bytes.size() != header + (m + 7) / 8) {
    return std::nullopt;
  }
  return seems("a BloomFilter of Hadoop", {.m = m, .k = k, .offset = header});
}

/// Source: libbloom 2, bloom.c: a magic number, the length of a C structure in 2 bytes, that
/// structure (bits, bytes and k at 8, 16 and 24 where a long has 8 bytes), the bits.
Name libbloom(Bytes bytes) {
  if (!holds(bytes, 0, "libbloom2")) return std::nullopt;
  constexpr std::uint64_t structure = 11;
  const std::uint64_t length = little_at(bytes, 9, 2);
  if (length == no_number || bytes.size() <= structure + length) return std::nullopt;
  RawBits raw{.offset = structure + length};
  const std::uint64_t bits = little_at(bytes, structure + 8, 8);
  const std::uint64_t array = bytes.size() - raw.offset;
  if (length >= 25 && are_bits(bits) && little_at(bytes, structure + 16, 8) == array &&
      (bits + 7) / 8 == array) {
    raw.m = bits;
    raw.k = little_at(bytes, structure + 24, 1);
  }
  return seems("a filter of libbloom", raw);
}

/// Source: the Java Object Serialization Specification, 6.4: an object's class, and an array of
/// long. Guava's BloomFilter$SerialForm has k in the 4 bytes in front of the array.
Name java(Bytes bytes) {
  if (!holds(bytes, 0, "\xac\xed\0\5"sv)) return std::nullopt;
  std::string what = "an object that Java serialized";
  const Bytes front = bytes.first(std::min<std::size_t>(bytes.size(), 1U << 16));
  const std::uint64_t length = big_at(front, 6, 2);
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  std::string_view name;
  if (holds(front, 4, "sr") && length <= 200 && 8 + length <= text.size()) {
    name = text.substr(8, length);
    what.append(" (").append(name).append(")");
  }
  constexpr std::string_view longs = "ur\0\2[Jx \4\xb5\x12\xb1u\x93\2\0\0xp"sv;
  const std::size_t place = text.find(longs);
  const std::uint64_t words =
      place == text.npos ? no_number : big_at(front, place + longs.size(), 4);
  const std::uint64_t first = place + longs.size() + 4;
  // No bytes are enough for as many words as no_number.
  if (words == 0 || words > (bytes.size() - first) / 8) {
    return what.insert(0, "it seems to be ") +
           "; have its program write the bits alone, and give " +
           "--format raw --bits M --probes K";
  }
  RawBits raw{.m = 64 * words, .offset = first};
  if (name == "com.google.common.hash.BloomFilter$SerialForm") raw.k = big_at(front, place - 4, 4);
  return seems(what, raw);
}

/// Source: numpy.lib.format: a magic number, a version, the length of a text in 2 bytes, the text.
Name numpy(Bytes bytes) {
  if (!holds(bytes, 0, "\x93NUMPY\1"sv)) return std::nullopt;
  const std::uint64_t length = little_at(bytes, 8, 2);
  if (length == no_number) return std::nullopt;
  return seems("an array of NumPy", {.offset = 10 + length},
               ", with --order msb where packbits() made them");
}

/// Source: RocksDB, table/block_based; LevelDB, doc/table_format.md: a table ends with a number.
Name table(Bytes bytes) {
  if (bytes.size() < 8) return std::nullopt;
  const std::uint64_t end = little_at(bytes, bytes.size() - 8, 8);
  const bool level = end == 0xdb4775248b80fb57;
  if (!level && end != 0x88e241b785f4cff7) return std::nullopt;
  return std::string("it seems to be a table of ") +
         (level ? "LevelDB; its filter block is not read"
                : "RocksDB; its filter block is not read (sst_dump --show_properties names it)");
}

Name pickle(Bytes bytes) {
  const std::uint64_t version = little_at(bytes, 1, 1);
  if (!holds(bytes, 0, "\x80") || version < 2 || version > 5 ||
      !holds(bytes, bytes.size() - 1, ".")) {
    return std::nullopt;
  }
  return "it seems to be a pickle of Python, which runs code where it is loaded; where you trust "
         "it, have Python write the bits alone, and give --format raw --bits M --probes K";
}

/// An object with a name in it, from its first letter to its last.
Name json(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t name = text.find_first_not_of(blanks, 1);
  if (!text.starts_with('{') || name == text.npos || text[name] != '"' ||
      text[text.find_last_not_of(blanks)] != '}') {
    return std::nullopt;
  }
  return "it seems to be JSON; write the base64 or hex of its bits to a file, and give --format "
         "raw --bits M --probes K";
}

struct Start {
  std::string_view letters;
  std::string_view advice;
};

constexpr std::array starts{
    Start{"PARE", "a Parquet file with an encrypted footer; have its writer decrypt it"},
    Start{"ORC",
          "an ORC file, whose filters stand in the index streams of its stripes, which are not "
          "read; write the words of one (bitset) to a file, and give --format raw --bits M "
          "--probes K (numHashFunctions)"},
    Start{"REDIS0",
          "a dump of a whole Redis; load it, and save the key's BF.SCANDUMP, which is read "
          "(RedisBloom), or its GETRANGE, and give --format raw --bits M --probes K"},
    Start{"\x28\xb5\x2f\xfd", "zstd; zstd -dc FILE | bloomlab inspect -"},
    Start{"\xfd"
          "7zXZ",
          "xz; xz -dc FILE | bloomlab inspect -"},
    Start{"BZh", "bzip2; bzip2 -dc FILE | bloomlab inspect -"},
    Start{"PK\3\4", "a zip archive; unzip -p FILE | bloomlab inspect -"},
    Start{"\4\"M\x18", "lz4; lz4 -dc FILE | bloomlab inspect -"},
    Start{"SQLite format 3", "an SQLite database; write the blob of the filter to a file"},
};

Name by_start(Bytes bytes) {
  for (const Start& start : starts) {
    if (!holds(bytes, 0, start.letters)) continue;
    std::string text = "it seems to be ";
    return text.append(start.advice);
  }
  return std::nullopt;
}

}  // namespace

StoredFilter read_raw(Bytes bytes, const RawBits& raw) {
  const std::uint64_t word_bits = 8 * raw.word_bytes;
  const std::uint64_t length = (raw.m + word_bits - 1) / word_bits * raw.word_bytes;
  if (raw.offset >= bytes.size()) {
    refuse_bytes("raw", "--offset " + std::to_string(raw.offset) + " is beyond the " +
                            std::to_string(bytes.size()) + " bytes that there are");
  }
  if (length > bytes.size() - raw.offset) {
    refuse_bytes("raw", "--bits " + std::to_string(raw.m) + " takes " + std::to_string(length) +
                            " bytes; from byte " + std::to_string(raw.offset) + " on there are " +
                            std::to_string(bytes.size() - raw.offset));
  }
  const Bytes array = bytes.subspan(raw.offset, length);
  const std::uint64_t used = raw.m % word_bits;
  ByteReader last(array.last(raw.word_bytes));
  const std::uint64_t word = take_big(last, static_cast<int>(raw.word_bytes), "last word");
  if (used != 0 && (raw.order == BitOrder::lsb ? word >> used : word << used & 0xff) != 0) {
    refuse_bytes("raw", "bits are set behind the last of " + std::to_string(raw.m) +
                            "; --bits, --offset, --order or --word are another array's, or it was "
                            "altered");
  }
  StoredFilter filter{.format = "raw",
                      .place = "bytes " + std::to_string(raw.offset) + " to " +
                               std::to_string(raw.offset + length - 1) + " of " +
                               std::to_string(bytes.size()),
                      .hash = "unknown hash"};
  filter.layers.push_back({.m = raw.m, .k = raw.k, .words = {array, std::endian::little}});
  return filter;
}

Name named_format(Bytes bytes) {
  for (const auto name : {java, libbloom, numpy, dcso, hadoop, cassandra, pybloom, legacy_parquet,
                          bip37, by_start, pickle, json, table}) {
    if (Name found = name(bytes)) return found;
  }
  return std::nullopt;
}

}  // namespace bloomlab::formats
