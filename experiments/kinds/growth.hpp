// Kind `growth`: insert up to n keys in steps, and after every step look up inserted keys and
// absent keys. One observation a step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/kinds/false_positive_rate.hpp"
#include "experiments/kinds/measurement.hpp"

namespace bloomlab::experiments {

struct Growth {
  static constexpr std::string_view name = "growth";
  static constexpr std::string_view summary =
      "insert n keys in steps; after every step look up the inserted keys so far, and q absent "
      "keys";

  struct Parameters {
    std::uint64_t queries = 0;
    std::uint64_t steps = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{"queries", "queries", "absent keys queried after every step", 1, max_queries},
        p.queries);
    visit(IntegerField{"steps", "steps", "steps of equal size in which n keys go in; at most n", 1,
                       1'000'000},
          p.steps);
  }

  /// Distinct absent keys that a trial asks for [keys]: every step asks the same ones.
  static std::uint64_t absent_keys(const Parameters& p, std::uint64_t /*n*/) { return p.queries; }

  /// A fault of the parameters together with n, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, std::uint64_t n) {
    if (p.steps <= n) return std::nullopt;
    return "steps = " + std::to_string(p.steps) + " is more than n = " + std::to_string(n) +
           "; every step needs a key";
  }

  /// Whether false negatives are a result; elsewhere one of them fails the run.
  static constexpr bool counts_false_negatives = false;

  /// Observations of every trial of a cell.
  static std::uint64_t steps(const Parameters& p) { return p.steps; }

  /// Keys that are in at the end of a step: ceil(n step / steps), 1 <= step <= steps <= 10^6.
  static std::uint64_t keys_at(std::uint64_t n, std::uint64_t step, std::uint64_t steps);

  /// Measures one filter in one trial: `steps` measurements. The durations of a step are those of
  /// its own inserts and of looking up all inserted keys that are in.
  static std::vector<Measurement> measure(const Parameters& p, Implementation& implementation,
                                          const KeySet& keys);
};

}  // namespace bloomlab::experiments
