// Key source `minstd_rand0`: 32-bit keys as the lab report drew them, from std::minstd_rand0 into a
// std::unordered_set<int>, in that set's order. The order is libstdc++'s, whatever library this is
// built with.
//
// The raw outputs go into a default-constructed set, without reserve(), until it holds n; the next
// outputs go into a second one until it holds q; both are read in their order of iteration. The
// generator is a bijection on 1 .. 2^31-2 whose cycle has that length: within one cycle no output
// comes twice, so the two sets are disjoint as long as n + q does not exceed the cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/keys/key_batch.hpp"
#include "core/parameters.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

/// Length of the generator's cycle, 2^31 - 2: its distinct outputs.
inline constexpr std::uint64_t minstd_cycle = 2'147'483'646;

struct MinstdRand0 {
  static constexpr std::string_view name = "minstd_rand0";
  static constexpr std::string_view summary =
      "32-bit integers of std::minstd_rand0, in the order of a std::unordered_set<int> (libstdc++)";
  static constexpr int integer_bytes = 4;        ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = false;  ///< false: all keys of a trial are stored

  struct Parameters {
    std::optional<std::uint64_t> seed;  ///< of the generator in every trial; nothing: the trial's
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"seed", "", "seed of the generator; left out: every trial has its own", 1,
                       minstd_cycle},
          p.seed);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& p) { return !p.seed; }
  /// Distinct keys to be had, inserted keys and absent keys together: less than the cycle.
  static std::uint64_t supply(const Parameters& /*p*/) { return minstd_cycle - 1; }
  /// Memory that n inserted keys and q absent keys need at once [bytes]: a node, a bucket and a key
  /// each.
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t n, std::uint64_t q) {
    return (n + q) * 48;
  }

  /// The keys of one trial, all of them stored. Safe to read from several threads.
  class Keys {
   public:
    /// @param seed the trial's; used where the parameters fix none.
    Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q);

    /// Inserted keys `first` .. `first + count - 1`.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& /*buffer*/) const {
      return KeyBatch::integers(inserted_keys_, integer_bytes).slice(first, count);
    }
    /// Absent keys `first` .. `first + count - 1`.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& /*buffer*/) const {
      return KeyBatch::integers(absent_keys_, integer_bytes).slice(first, count);
    }

   private:
    std::vector<std::uint64_t> inserted_keys_;
    std::vector<std::uint64_t> absent_keys_;
  };

  /// The generator's seed in a trial, 1 .. 2^31-2.
  static std::uint64_t generator_seed(const Parameters& p, std::uint64_t trial_seed) {
    return p.seed ? *p.seed : trial_seed % minstd_cycle + 1;
  }
};

}  // namespace bloomlab::experiments
