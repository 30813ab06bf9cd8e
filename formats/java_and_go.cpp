// The formats of Guava, Spark and bits-and-blooms: a short header and words, all big-endian.

#include <algorithm>

#include "formats/big_endian.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {
namespace {

/// m for words as they were read, of which there must be some.
std::uint64_t bits_in(std::uint64_t words) {
  if (words == 0) refuse_bytes("bits", "there is no word; a filter has at least one");
  return 64 * words;
}

StoredFilter of_one(std::string format, std::string version, std::string hash, StoredBits bits) {
  StoredFilter filter{
      .format = std::move(format), .version = std::move(version), .hash = std::move(hash)};
  filter.layers.push_back(std::move(bits));
  return filter;
}

}  // namespace

StoredFilter read_guava(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const std::uint64_t strategy = in.number(1, "strategy");
  if (strategy > 1) refuse_bytes("strategy", "found " + std::to_string(strategy) + "; 0 or 1");
  const std::uint64_t k = checked_probes(in.number(1, "k"));
  const std::uint64_t words = take_big(in, 4, "number of words");
  StoredBits bits{.m = bits_in(words), .k = k, .words = take_big_words(in, words)};
  // Strategy 0 steps in 32 bits, without their sign.
  if (strategy == 0) bits.reachable = std::min(bits.m, std::uint64_t{1} << 31);
  return of_one("guava", strategy == 0 ? "MURMUR128_MITZ_32" : "MURMUR128_MITZ_64",
                "murmur3_128 seed 0", std::move(bits));
}

StoredFilter read_spark(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const std::uint64_t version = take_big(in, 4, "version");
  if (version != 1 && version != 2) {
    refuse_bytes("version", "found " + std::to_string(version) + "; 1 or 2");
  }
  const std::uint64_t k = checked_probes(take_big(in, 4, "k"));
  const auto seed =
      static_cast<std::int32_t>(version == 2 ? take_big(in, 4, "seed") : std::uint64_t{0});
  const std::uint64_t words = take_big(in, 4, "number of words");
  StoredBits bits{.m = bits_in(words), .k = k, .words = take_big_words(in, words)};
  if (version == 1) bits.reachable = std::min(bits.m, std::uint64_t{1} << 31);
  return of_one("spark", version == 1 ? "V1" : "V2", "murmur3_32 seed " + std::to_string(seed),
                std::move(bits));
}

StoredFilter read_bits_and_blooms(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const std::uint64_t m = take_big(in, 8, "m");
  if (m == 0 || m > 8 * std::uint64_t{bytes.size()}) {
    refuse_bytes("m", "found " + std::to_string(m) + " bits in a file of " +
                          std::to_string(bytes.size()) + " bytes");
  }
  const std::uint64_t k = checked_probes(take_big(in, 8, "k"));
  const std::uint64_t length = take_big(in, 8, "length of the bit set");
  if (length != m) {
    refuse_bytes("length of the bit set",
                 "found " + std::to_string(length) + ", m is " + std::to_string(m));
  }
  StoredBits bits{.m = m, .k = k, .words = take_big_words(in, (m + 63) / 64)};
  if (m % 64 != 0 && bits.words[bits.words.size() - 1] >> (m % 64) != 0) {
    refuse_bytes("bits", "some are set beyond m; the file was altered");
  }
  return of_one("bits_and_blooms", "", "murmur3_128 seed 0, four words", std::move(bits));
}

std::vector<std::byte> guava_bytes(const StoredBits& bits) {
  ByteWriter out;
  append_big(out, bits.reachable == 0 ? 1 : 0, 1);  // the strategy, as read_guava has it
  append_big(out, bits.k, 1);
  append_big(out, bits.words.size(), 4);
  for (std::size_t i = 0; i < bits.words.size(); ++i) append_big(out, bits.words[i], 8);
  return out.take();
}

std::vector<std::byte> bits_and_blooms_bytes(const StoredBits& bits) {
  ByteWriter out;
  for (const std::uint64_t number : {bits.m, bits.k, bits.m}) append_big(out, number, 8);
  for (std::size_t i = 0; i < bits.words.size(); ++i) append_big(out, bits.words[i], 8);
  return out.take();
}

}  // namespace bloomlab::formats
