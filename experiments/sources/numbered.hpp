// Key source `numbered`: a text with a running number in it, such as the addresses
// user0@example.com, user1@example.com, ... or the URLs of a crawl.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/keys/key_batch.hpp"
#include "core/parameters.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

struct Numbered {
  static constexpr std::string_view name = "numbered";
  static constexpr std::string_view summary =
      "texts with a decimal number in them; inserted keys count from 0, absent keys from n, in "
      "every trial";
  static constexpr int integer_bytes = 0;       ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = true;  ///< false: all keys of a trial are stored

  struct Parameters {
    std::string pattern;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"pattern", "the text, with {} where the number stands"}, p.pattern);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return false; }
  /// Distinct keys to be had, inserted keys and absent keys together.
  /// Throws record::InputError with the reason alone where the pattern has not one {}.
  static std::uint64_t supply(const Parameters& p);
  /// Memory that n inserted keys and q absent keys need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t /*n*/,
                                    std::uint64_t /*q*/) {
    return 0;
  }

  /// The keys of one trial. Safe to read from several threads, each with its own buffer.
  class Keys {
   public:
    /// Throws as supply().
    Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q);

    /// Inserted keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& buffer) const;
    /// Absent keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
      return inserted_keys(n_ + first, count, buffer);
    }

   private:
    std::string prefix_;
    std::string suffix_;
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
