// What is known of a filter, and a filter of which everything is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::planner {

enum class Mode { guaranteed, compatible };

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
};

}  // namespace bloomlab::planner
