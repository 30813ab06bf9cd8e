// What somebody has counted of a filter, judged by numbers alone: is it as it should be, and if
// not, which causes fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/causes.hpp"

namespace bloomlab::audit {

/// Absent keys that were looked up in one filter, and how many of them it reported.
struct Observation {
  std::uint64_t n = 0;        ///< keys that were inserted before
  std::uint64_t queries = 0;  ///< absent keys; 0: only the share is known
  double share = 0.0;         ///< of them reported
};

/// A filter as it is said to be, with what was seen of it.
struct Observed {
  Layout layout = {};
  std::uint64_t planned = 1;                              ///< keys that it is made for
  std::optional<double> requested_rate = std::nullopt;    ///< that it was sized for
  std::optional<std::uint64_t> hash_bits = std::nullopt;  ///< bits of the hash that is used
  std::vector<Observation> seen = {};
};

/// An observation beside what is expected.
struct JudgedObservation {
  Observation seen;
  double expected = 0.0;  ///< rate
  /// Central 95 % of the counts that such a filter shows; nothing where no number was told.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::optional<double> p_value = std::nullopt;  ///< two-sided, exact
};

/// A cause that fits, with the rates that it predicts, one an observation.
struct PossibleCause {
  Class kind = Class::unknown;
  std::string text;
  std::vector<double> rates;
  double p_value = 0.0;  ///< of counts as far off, were it so
  std::string mend;      ///< what to change
};

/// What to count to tell the first two causes apart.
struct Proposal {
  std::uint64_t n = 0;        ///< keys to insert
  std::uint64_t queries = 0;  ///< absent keys to look up
  double first = 0.0;         ///< rate by the first cause
  double second = 0.0;        ///< by the second
};

enum class Verdict {
  as_expected,  ///< counts like these are usual
  off,          ///< they are not
  near,         ///< no number of keys was told, and the share is within a tenth
  far           ///< it is not
};

struct ObservedJudgement {
  std::vector<JudgedObservation> seen;
  double p_value = 1.0;  ///< the least one, by Holm; 1 where no numbers were told
  Verdict verdict = Verdict::as_expected;
  std::vector<PossibleCause> causes;  ///< best first; empty where nothing is off, or nothing fits
  std::optional<Proposal> proposal = std::nullopt;
};

/// "as_expected", as JSON has it.
[[nodiscard]] std::string_view name(Verdict verdict) noexcept;

/// Judges what was seen, of which there is something. Causes are ranked by how well they fit and by
/// how common they are: what libraries are known to do (a hash of 32 bits, ln 2 taken twice) comes
/// before what can be made to fit anything (so many more keys than said). Those far behind the best
/// are not named. Milliseconds to seconds. Throws theory::DomainError.
/// @param observed shares in [0, 1]
[[nodiscard]] ObservedJudgement judge(const Observed& observed);

}  // namespace bloomlab::audit
