// What somebody has counted of a filter, judged by numbers alone: is it as it should be, and if
// not, which causes fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/causes.hpp"
#include "audit/observation.hpp"

namespace bloomlab::audit {

/// Counts that are judged one by one alone. Where there are more, those of the same number of keys
/// are taken together to be compared with causes, and of these the ones of which the most false
/// positives are expected; and all are judged together too.
inline constexpr std::size_t most_separate = 12;

/// An observation beside what is expected.
struct JudgedObservation {
  Observation seen;
  double expected = 0.0;  ///< rate
  /// Central 95 % of the counts that such a filter shows; nothing where no number was told.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::optional<double> at_least = std::nullopt;  ///< share of such filters that show as many
  std::optional<double> p_value = std::nullopt;   ///< two-sided, exact
};

/// A cause that fits, with the rates that it predicts, one an observation.
struct PossibleCause {
  Class kind = Class::unknown;
  std::string text;
  std::vector<double> rates;
  double p_value = 0.0;  ///< of counts as far off, were it so
  std::string mend;      ///< what to change
};

/// Many counts taken together.
struct AllCounts {
  std::uint64_t hits = 0;
  std::uint64_t queries = 0;  ///< of those of which a number was told
  double expected = 0.0;      ///< hits
  double p_value = 1.0;       ///< two-sided, as if all were counted of one filter
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
  /// The least one, by Holm; twice the less of that and of `together`; 1 where no numbers were
  /// told.
  double p_value = 1.0;
  Verdict verdict = Verdict::as_expected;
  std::vector<PossibleCause> causes;  ///< best first; empty where nothing is off, or nothing fits
  std::optional<Proposal> proposal = std::nullopt;
  std::optional<AllCounts> together = std::nullopt;  ///< of more than most_separate
  /// What causes were compared with, and have rates for, where it is not each of `seen`.
  std::vector<Observation> compared = {};
};

/// "as_expected", as JSON has it.
[[nodiscard]] std::string_view name(Verdict verdict) noexcept;

/// Judges what was seen, of which there is something. Causes are ranked by how well they fit and by
/// how common they are: what libraries are known to do (a hash of 32 bits, ln 2 taken twice) comes
/// before what can be made to fit anything (so many more keys than said). Those far behind the best
/// are not named. Milliseconds to seconds. Throws theory::DomainError.
/// @param observed shares in [0, 1]; of more than most_separate at most 2^53 absent keys in all
[[nodiscard]] ObservedJudgement judge(const Observed& observed);

}  // namespace bloomlab::audit
