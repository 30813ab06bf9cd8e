// Kind `hash_quality`: are the positions that a hash gives spread evenly? Keys are hashed, and it
// is counted how often each position comes: by the high bits of a word, by its low bits, for pairs
// of words, and by the high bits of the sum of both, the second probe of double hashing. The sums
// of squared counts, whole numbers, are all that a chi-square test needs. The counts are of
// positions, never of set bits, whose law is another. Source: Pearson 1900, "On the criterion that
// a given system of deviations from the probable ...".
#pragma once

#include <filesystem>

#include "experiments/cells/foreign_fields.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

/// Names of the catalogue's hashes, but for `identity`, which is none; and `command`, a program.
[[nodiscard]] std::span<const std::string_view> quality_hashes();

struct HashQuality : OwnGridKind<HashQuality> {
  static constexpr std::string_view name = "hash_quality";
  static constexpr std::string_view summary =
      "hash keys and count positions: high bits, low bits, pairs and sums of words; time a hash";

  /// What is hashed, and into how many positions.
  struct Point {
    static constexpr std::string_view name = "hashing";

    /// The number of a hash in quality_hashes().
    enum class Hash : std::uint32_t {};
    /// Where the keys come from.
    enum class Source {
      uniform,     ///< 64-bit integers, as the key source `uniform` has them
      sequential,  ///< 64-bit integers 0, 1, 2, ...
      shifted,     ///< 2^32 times those: low halves are zero, as of aligned sizes or of floats
      decimal,     ///< texts: those integers in decimal
      addresses    ///< texts of 55 bytes: a web address that ends in those integers, of 8 digits
    };
    static constexpr std::array<std::string_view, 5> sources = {"uniform", "sequential", "shifted",
                                                                "decimal", "addresses"};

    struct Parameters {
      Hash hash{};
      Source source = Source::uniform;
      std::uint64_t n = 0;
      std::uint64_t m = 0;
      std::optional<ForeignCommandFields::Parameters> command = {};  ///< what that hash is
      std::filesystem::path folder = {};  ///< where its paths start; no part of the cell
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"hash", "hash of the catalogue, or a program", quality_hashes()}, p.hash);
      visit(ChoiceField{"source",
                        "the keys; shifted: sequential ones times 2^32, decimal: sequential ones "
                        "as text, addresses: those of 8 digits at the end of a web address",
                        sources},
            p.source);
      visit(IntegerField{"n", "keys", "distinct keys hashed; at least 5 m", 1, 1 << 26}, p.n);
      visit(IntegerField{"m", "positions", "positions; a power of two", 4, 1 << 24}, p.m);
      visit(ObjectField<ForeignCommandFields>{"command", "what that hash is"}, p.command);
    }
  };

  /// Positions of each word of a pair: 2^j with the largest j for which 4^j <= m.
  [[nodiscard]] static std::uint64_t pair_side(std::uint64_t m);

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// A trial draws the seed of the hash anew, and the keys of `uniform`.
  static std::span<const std::string_view> redrawn() {
    static constexpr std::array<std::string_view, 1> what = {"hash_seed"};
    return what;
  }

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Hashes the keys of a point to two words each (both halves of a 128-bit hash, or a 64-bit one
  /// under two seeds). `measured`: keys; high_squares, low_squares, pair_squares, the sums of the
  /// squared counts of positions: floor(word m / 2^64) and word mod m of the first word, and the
  /// pair of floor(word s / 2^64) of both words with s = pair_side(m); sum_squares, the same of
  /// floor(word m / 2^64) of the sum of both words mod 2^64; bins and pair_bins, how many positions
  /// there are: bins of the sum, too; of a program what it says of itself. `timing`: hash_ns, of
  /// one word of every key. Throws foreign::Failure where a program fails.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
