// The theory ladder: closed forms of a cell's rate from the simplest to the one that knows most,
// each judged by the measurement.
#pragma once

#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// A closed form of a cell's rate.
struct ClosedForm {
  /// What it adds to the one before: "approx", "classic", "exact" (ideal hashing into a standard
  /// filter), the model of the filter's own layout ("blocked", ...), "index_pairs" (positions
  /// derived from few words), "hash_width" (keys with equal fingerprints), "duplicates" (members
  /// with equal fingerprints), "reduction" (a hash of 32 bits reduced to m).
  std::string name;
  double rate = unknown;
};

/// The closed forms of a cell with n keys, simplest first; every one contains what those before it
/// know. Empty where the filter has no closed form for a rate.
[[nodiscard]] std::vector<ClosedForm> closed_forms(const Json& cell, std::uint64_t n);

/// Whether a standard filter's positions derive from few words in a way for which there is no
/// closed form at its size, such as odd strides where m is no power of two: it is held against
/// independent positions.
[[nodiscard]] bool lacks_index_form(const Json& cell);

/// The rungs of a measurement, judged by its hits; needs its prediction. Empty where nothing can be
/// judged: no closed form, a rate of 0, trials that stopped by themselves.
[[nodiscard]] std::vector<Rung> ladder_of(const Measurement& measurement);

}  // namespace bloomlab::analysis
