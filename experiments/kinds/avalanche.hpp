// Kind `avalanche`: how many bits of a hash value change when one bit of the key does? Of a hash
// that mixes, each bit of the value changes for half of the keys, whichever bit of the key is
// changed: the strict avalanche criterion.
// Source: Webster, Tavares 1985, "On the design of S-boxes", CRYPTO.
#pragma once

#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct Avalanche : OwnGridKind<Avalanche> {
  static constexpr std::string_view name = "avalanche";
  static constexpr std::string_view summary =
      "change one bit of a key of 8 bytes, and count how often each bit of its hash value changes";

  /// Bits of a key, and of a value.
  static constexpr std::uint64_t bits = 64;

  struct Parameters {
    std::uint64_t keys = 0;  ///< of a trial
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"keys", "keys", "drawn for a trial, each changed in every bit", 1, 1 << 20},
          p.keys);
  }

  struct Point {
    static constexpr std::string_view name = "hash";

    /// The number of a hash in hash_names().
    enum class Hash : std::uint32_t {};
    struct Parameters {
      Hash hash{};
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"hash", "hash of the catalogue", hash_names()}, p.hash);
    }
  };

  /// The catalogue's hashes, but for `identity`, which is none.
  [[nodiscard]] static std::span<const std::string_view> hash_names();

  /// A step for each bit of the key, the lowest first, which is step 1.
  static std::uint64_t steps(const Parameters& /*p*/) { return bits; }

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Hashes each key and the key with one bit changed to a word of 64 bits. `measured`: keys; of
  /// the 64 bits of the word, counted over the keys, least and most, how often the one changes that
  /// changes least and most often; and flips, changes of all of them.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
