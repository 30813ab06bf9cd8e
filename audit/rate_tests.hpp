// The rates of an audit against what is promised of them: each for itself, and all sizes together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace bloomlab::audit {

class RateTests {
 public:
  /// Both must outlive it.
  RateTests(const Examined& examined, const Evidence& evidence)
      : examined_(examined), seen_(evidence) {}

  /// The cell with what is expected of it.
  [[nodiscard]] Place place_of(const RateCell& cell) const;
  /// Its rate beside what it should be, with its own p-value.
  [[nodiscard]] Judged test(const Place& at) const;
  /// P-value of a rate of other keys being that of random integers in filters alike.
  [[nodiscard]] double as_random(const Place& keys, const Place& random) const;
  /// Normal scores, each weighted by the precision of its rate (Liptak 1958, "On the combination of
  /// independent tests"), of sizes with hits enough for a normal score.
  [[nodiscard]] std::vector<Together> together(std::span<const Judged> rates) const;
  /// Whether a filter has memory for the keys that it holds, whatever it was made for: as those of
  /// sorted tables do.
  [[nodiscard]] bool built_of_its_keys() const;
  /// Whether the same keys are reported under another seed.
  [[nodiscard]] bool seed_ignored() const;

 private:
  [[nodiscard]] bool is_declared() const { return static_cast<bool>(examined_.expected); }
  [[nodiscard]] bool is_promised(const RateCell& cell) const {
    return is_declared() || cell.inserted == cell.size;
  }
  /// The rate that is promised of the cell, where one is.
  [[nodiscard]] std::optional<double> promised(const Place& at) const;

  /// Relative variance between filters of their own rate: as shown, with room, or as the layout has
  /// it, whichever is more.
  [[nodiscard]] double spread_between(const Place& at) const;
  /// Filters that are independent: those of one set of keys are one filter where the seed changes
  /// nothing.
  [[nodiscard]] std::uint64_t independent_filters(const RateCell& cell) const {
    return cell.keys == RateCell{}.keys || !seed_ignored() ? cell.filters : 1;
  }

  const Examined& examined_;
  const Evidence& seen_;
  mutable std::map<std::pair<std::uint64_t, std::uint64_t>, double> expected_;  // by size and keys
};

}  // namespace bloomlab::audit
