// The report card of one filter: what it promises, what was measured, and why they differ.
//
//     const Examined examined{.name = "mine", .start = [&] { return foreign::start(target); },
//                             .bits_per_key = 10};
//     const Report report = audit(examined, quick_plan(1000));
//     for (const std::string& reason : report.reasons()) ...   // none where report.holds()
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/causes.hpp"
#include "audit/evidence.hpp"
#include "audit/examined.hpp"
#include "audit/measure.hpp"
#include "audit/plan.hpp"

namespace bloomlab::audit {

/// How sure a cause is.
enum class Certainty {
  certain,   ///< seen directly, or it fits and nothing else does
  likely,    ///< fits best, and others fit, too
  possible,  ///< nothing fits; the nearest
};

/// Something that is to be said of the filter.
struct Finding {
  Class kind = Class::unknown;
  Certainty certainty = Certainty::certain;
  bool breaks_promise = true;  ///< false: worth knowing, and no fault
  std::string text;            ///< what was seen, in a sentence
  std::string cause = {};      ///< the cause that fits, in words; empty where it was seen directly
  std::vector<Fit> fits = {};  ///< the best cause of every class, best first; of rates
};

/// A rate beside what it should be.
struct Judged {
  RateCell cell;
  double expected = 0.0;
  double low = 0.0;  ///< of the interval of the rate at level 0.95, spread between filters included
  double high = 0.0;
  double p_value = 1.0;   ///< as measured; 1 where nothing is promised
  double adjusted = 1.0;  ///< by Holm over all tests of the audit
  bool off = false;
  double detectable = 0.0;  ///< smallest relative effect noticed with power 0.9; 0: unknown
};

struct Report {
  Evidence evidence;
  std::vector<Finding> findings;
  std::vector<Judged> rates;
  double alpha = 0.0;
  bool layout_is_declared = false;
  std::string requested = {};  ///< "10 bits per key", "a rate of 0.01"

  /// Whether no promise was broken.
  [[nodiscard]] bool holds() const;
  /// A line for every broken promise.
  [[nodiscard]] std::vector<std::string> reasons() const;
};

/// Judges what was measured.
[[nodiscard]] Report judge(Evidence evidence, const Examined& examined, const Plan& plan);

/// Measures and judges. Never throws foreign::Failure: a filter that fails is a finding.
[[nodiscard]] Report audit(const Examined& examined, const Plan& plan,
                           const Progress& progress = {});

/// "certain", "likely", "possible".
[[nodiscard]] std::string_view name(Certainty certainty) noexcept;

}  // namespace bloomlab::audit
