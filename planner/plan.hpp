// The size of a standard Bloom filter from what is known: any sufficient part of n keys, rate p, m
// bits and k probes gives the rest.
//
// Guaranteed (the default): by the exact rate, so that every answer keeps its promise: m is the
// smallest that some k meets p with, n is rounded down, and k has the lowest exact rate.
// Compatible: the formulas of the calculators found on the web, hur.st/bloomfilter above all. They
// round k to the nearest integer after choosing m for a real k, and round n up: both can miss p.
// Source: core/theory/sizing.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/fields.hpp"

namespace bloomlab::planner {

enum class Mode { guaranteed, compatible };

[[nodiscard]] constexpr std::string_view name(Mode mode) noexcept {
  return mode == Mode::guaranteed ? "guaranteed" : "compatible";
}

/// What is known of a filter. Sufficient: two of n, p and m (m may be given as memory); k may be
/// added to any.
struct Request {
  std::optional<std::uint64_t> n = std::nullopt;            ///< keys
  std::optional<double> p = std::nullopt;                   ///< rate, in (0, 1)
  std::optional<std::uint64_t> m = std::nullopt;            ///< bits
  std::optional<std::uint64_t> k = std::nullopt;            ///< probes per key
  std::optional<std::uint64_t> memory_bits = std::nullopt;  ///< as m
  Mode mode = Mode::guaranteed;
};

/// A standard filter, with everything known.
struct Plan {
  Mode mode = Mode::guaranteed;
  std::uint64_t n = 0;              ///< distinct keys
  double p = 0.0;                   ///< the rate requested, or achieved where it was solved for
  bool rate_requested = false;      ///< p was given
  double rate = 0.0;                ///< the exact rate at n, m and k
  double approximate_rate = 0.0;    ///< what the calculators' formula says of n, m and k
  std::uint64_t m = 0;              ///< bits
  std::uint64_t k = 0;              ///< probes per key
  std::uint64_t fewest_probes = 0;  ///< the smallest k that meets p at m; 0 where none does
  std::uint64_t memory_bits = 0;    ///< m rounded up to whole words of 64 bits
  std::vector<std::string> solved_for = {};  ///< of "n", "p", "m", "k", those that were not given
  std::vector<std::string> warnings = {};    ///< one sentence each; empty where all is well

  [[nodiscard]] bool keeps_promise() const { return !rate_requested || rate <= p; }
  /// Whether it is one of solved_for.
  [[nodiscard]] bool solves_for(std::string_view quantity) const {
    return std::ranges::find(solved_for, quantity) != solved_for.end();
  }
  /// A standard filter of this very form was asked for: by the calculators' formulas, with this k,
  /// or of this size for this n and p.
  [[nodiscard]] bool fixes_form() const {
    return mode == Mode::compatible || !solves_for("k") ||
           !(solves_for("n") || solves_for("p") || solves_for("m"));
  }
  [[nodiscard]] double bits_per_key() const {
    return static_cast<double>(m) / static_cast<double>(n);
  }

  BLOOMLAB_FIELDS(n, p, rate, m, k, memory_bits, mode, solved_for, keeps_promise(), warnings,
                  bits_per_key(), approximate_rate, fewest_probes)
};

/// Largest m that the planner answers with: 2^61. Beyond m of about 10^13 neighbouring sizes
/// differ by less than a double resolves, and "smallest" holds up to a few bits.
inline constexpr std::uint64_t largest_filter = std::uint64_t{1} << 61;

/// m rounded up to whole words of 64 bits.
[[nodiscard]] constexpr std::uint64_t whole_words(std::uint64_t m) { return (m + 63) / 64 * 64; }

/// Most keys that m bits hold with an exact rate of at most p, with the best k or with this one; 0
/// where not even one key fits.
[[nodiscard]] std::uint64_t capacity(std::uint64_t m, double p);
[[nodiscard]] std::uint64_t capacity(std::uint64_t m, double p, std::uint64_t k);

/// Fewest bits with an exact rate of at most p for n keys and this k. Throws theory::DomainError
/// where they would pass 2^61.
[[nodiscard]] std::uint64_t fewest_bits(std::uint64_t n, double p, std::uint64_t k);

/// The filter that the request asks for. Throws record::InputError, naming the options --items,
/// --fpr, --bits, --probes and --memory, where it asks for too little, for a contradiction, or for
/// what no filter can give.
[[nodiscard]] Plan plan(const Request& request);

/// A sentence where a filter's rate is so low that equal hashes count, if its positions come from
/// the 64 bits that most hashes have; nothing where they make up less than a hundredth of `rate`.
[[nodiscard]] std::optional<std::string> short_hash_warning(std::uint64_t n, std::uint64_t m,
                                                            std::uint64_t k, double rate);

}  // namespace bloomlab::planner
