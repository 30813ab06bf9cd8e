#include "planner/hash_bits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "core/catalogue.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {
namespace {

struct KnownHash {
  std::string_view name;
  std::uint64_t bits;
};

/// Hashes whose usual names do not end in their width.
constexpr std::array known_hashes = {
    KnownHash{"aphash", 32},        KnownHash{"bernstein", 32},   KnownHash{"bkdr", 32},
    KnownHash{"blake2b", 512},      KnownHash{"blake2s", 256},    KnownHash{"blake3", 256},
    KnownHash{"dek", 32},           KnownHash{"djb2", 32},        KnownHash{"djb2a", 32},
    KnownHash{"elf", 32},           KnownHash{"hashcode", 32},    KnownHash{"highwayhash", 64},
    KnownHash{"java_hashcode", 32}, KnownHash{"java_string", 32}, KnownHash{"java_string_hash", 32},
    KnownHash{"jenkins_oaat", 32},  KnownHash{"jshash", 32},      KnownHash{"lookup3", 32},
    KnownHash{"lose_lose", 32},     KnownHash{"murmur2a", 32},    KnownHash{"oaat", 32},
    KnownHash{"murmur64a", 64},     KnownHash{"pearson", 8},      KnownHash{"one_at_a_time", 32},
    KnownHash{"pjw", 32},           KnownHash{"rapidhash", 64},   KnownHash{"rshash", 32},
    KnownHash{"sdbm", 32},          KnownHash{"siphash", 64},     KnownHash{"string_hashcode", 32},
    KnownHash{"superfasthash", 32}, KnownHash{"wyhash", 64},      KnownHash{"xor8", 8}};

constexpr std::array<std::uint64_t, 14> widths = {8,  16,  24,  32,  48,  53,  56,
                                                  64, 128, 160, 224, 256, 384, 512};

std::string plain(std::string_view name) {
  std::string text(name);
  for (char& letter : text) {
    if (letter == '-') letter = '_';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

/// The usual width that a name ends in, behind a letter or "_".
std::optional<std::uint64_t> width_suffix(std::string_view name) {
  const std::size_t letters = name.find_last_not_of("0123456789");
  if (letters == std::string_view::npos || letters + 1 == name.size()) return std::nullopt;
  std::uint64_t width = 0;
  const auto read = std::from_chars(name.data() + letters + 1, name.data() + name.size(), width);
  const bool usual = read.ec == std::errc{} && std::ranges::find(widths, width) != widths.end();
  return usual ? std::optional(width) : std::nullopt;
}

}  // namespace

std::uint64_t hash_bits_of(std::string_view place, std::string_view name) {
  const std::string asked = plain(name);
  std::vector<std::string_view> known;
  std::optional<std::uint64_t> bits;
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    known.push_back(Hash::name);
    if (Hash::name == asked) bits = static_cast<std::uint64_t>(Hash::digest_bits);
  });
  for (const KnownHash& hash : known_hashes) {
    known.push_back(hash.name);
    if (!bits && hash.name == asked) bits = hash.bits;
  }
  if (!bits) bits = width_suffix(asked);
  if (bits) return std::min(*bits, widest_hash);
  const auto near = record::nearest(asked, known);
  throw record::InputError(
      std::string(place) + ": unknown hash \"" + std::string(name) + "\"; " +
      (near ? "did you mean \"" + std::string(*near) + "\"? Else give" : std::string("give")) +
      " its width by hash_bits, such as hash_bits=32");
}

}  // namespace bloomlab::planner
