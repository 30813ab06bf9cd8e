// Kind `growth`: insert up to n keys in steps, and after every step look up inserted keys and
// absent keys. One observation a step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/cells/experiment.hpp"
#include "experiments/kinds/false_positive_rate.hpp"

namespace bloomlab::experiments {

struct Growth final : FilterExperiment {
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

  explicit Growth(Parameters p) : parameters_(p) {}

  std::string_view kind() const override { return name; }
  std::optional<std::string> check(const Cell& cell) const override;
  /// Every step asks the same ones.
  std::uint64_t absent_keys(std::uint64_t /*n*/) const override { return parameters_.queries; }
  std::uint64_t steps() const override { return parameters_.steps; }

  /// Keys that are in at the end of a step: ceil(n step / steps), 1 <= step <= steps <= 10^6.
  static std::uint64_t keys_at(std::uint64_t n, std::uint64_t step, std::uint64_t steps);

  /// The durations of a step are those of its own inserts and of looking up all inserted keys that
  /// are in.
  std::vector<Measurement> measure(Implementation& implementation,
                                   const KeySet& keys) const override;

 private:
  Parameters parameters_;
};

}  // namespace bloomlab::experiments
