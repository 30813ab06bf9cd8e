// The join with theory: every cell's filter names the closed form that predicts it, and that form
// is evaluated at the cell's parameters. Nothing here knows a filter by name.
//
// Closed forms, each evaluated once: sums in many digits take milliseconds, and the join with
// theory, the ladder, pages and claims ask for the same ones.
//
// The rate of a filter that is asked while it fills: the closed form at every fill, averaged.
//
// The theory ladder: closed forms of a cell's rate from the simplest to the one that knows most,
// each judged by the measurement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "core/theory/models.hpp"

namespace bloomlab::analysis {

/// Whether the cell's filter comes from outside (docs/foreign_filters.md).
[[nodiscard]] bool is_from_outside(const Json& cell);
/// Whether the cell's filter names a closed form: all do but those from outside whose config names
/// none.
[[nodiscard]] bool has_closed_form(const Json& cell);

/// The closed form for `n` distinct keys in the filter that `cell` describes.
/// Throws record::InputError for an unknown filter or wrong parameters, record::RunError where the
/// model refuses them. `where` names file and cell in errors.
[[nodiscard]] Prediction predict(const Json& cell, std::uint64_t n, const std::string& where);

/// Only the recommended rate, from the same form; for the dense lines of figures.
[[nodiscard]] double predicted_rate(const Json& cell, std::uint64_t n);

/// Every measurement with its prediction, where it has one, at the keys that were inserted by then.
[[nodiscard]] std::vector<Measurement> with_theory(std::vector<Measurement> measurements,
                                                   const std::string& where);

/// As theory::evaluate(); of a query that was asked before, what it gave then. Any thread may call.
[[nodiscard]] theory::Evaluation evaluated(const theory::Query& query);

/// As theory::evaluate_value(), likewise.
[[nodiscard]] theory::ColumnValue evaluated_value(const theory::Query& query);

/// What a stream of `n` distinct keys, >= 1, loses of them to the filter that `cell` describes,
/// where each new key is asked for and then inserted: the closed form for i keys, averaged over
/// i = 0 .. n - 1. A key that is wrongly reported, and so left out, changes nothing in this: all
/// its bits are set, and the filter is that of all keys met. `sd_rate` is the mean of the standard
/// deviations, which that of the mean does not exceed; of the other columns there are none.
/// Up to 256 keys the sum is taken as it stands, beyond by Gauss and Legendre's rule with 20 nodes,
/// whose relative error is below (k / 2n)^2 for k probes per key. Throws as predict().
[[nodiscard]] Prediction predict_stream(const Json& cell, std::uint64_t n,
                                        const std::string& where);

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
/// judged: no closed form, a rate of 0, trials that stopped by themselves. `further`: whether what
/// is undecided says how much more would decide it.
[[nodiscard]] std::vector<Rung> ladder_of(
    const Measurement& measurement, statistics::Further further = statistics::Further::planned);

}  // namespace bloomlab::analysis
