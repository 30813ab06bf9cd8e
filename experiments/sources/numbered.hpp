// Key source `numbered`: a text with a number in it, such as the addresses user0@example.com,
// user1@example.com, ... or the URLs of a crawl. The numbers run, or have a fixed number of digits
// and are drawn; then all keys have one length, and inserted and absent keys one form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/keys/key_batch.hpp"
#include "core/parameters.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

struct Numbered {
  static constexpr std::string_view name = "numbered";
  static constexpr std::string_view summary =
      "texts with a decimal number in them; inserted keys count from 0, absent keys from n, in "
      "every trial, or both are drawn from the numbers of some digits";
  static constexpr int integer_bytes = 0;       ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = true;  ///< false: all keys of a trial are stored

  /// Most digits of drawn numbers: a trial holds all of them, here 10^7 of 4 bytes.
  static constexpr std::uint64_t most_drawn_digits = 7;

  struct Parameters {
    std::string pattern;
    std::optional<std::uint64_t> digits;  ///< of every number; nothing: as many as it needs
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"pattern", "the text, with {} where the number stands", false, 1000},
          p.pattern);
    visit(IntegerField{"digits", "digits",
                       "every number has this many, with leading zeros, and is drawn anew without "
                       "repetition; left out: numbers count from 0",
                       1, most_drawn_digits},
          p.digits);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& p) { return p.digits.has_value(); }
  /// Distinct keys to be had, inserted keys and absent keys together: 10^digits of drawn ones.
  /// Throws record::InputError with the reason alone where the pattern has not one {}.
  static std::uint64_t supply(const Parameters& p);
  /// Memory that n inserted keys and q absent keys need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& p, std::uint64_t n, std::uint64_t q);

  /// The keys of one trial. Safe to read from several threads, each with its own buffer.
  class Keys {
   public:
    /// @param seed the trial's; draws numbers of a fixed number of digits.
    /// Throws as supply(). Precondition: n + q <= supply(p).
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
    /// Writes the number of key `index`; returns its end.
    char* write_number(char* at, std::uint64_t index) const;

    std::string prefix_;
    std::string suffix_;
    std::uint64_t n_;
    std::size_t digits_;                  ///< of every number; 0: as many as it needs
    std::vector<std::uint32_t> numbers_;  ///< the drawn ones
  };
};

}  // namespace bloomlab::experiments
