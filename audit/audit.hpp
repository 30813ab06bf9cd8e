// The report card of one filter: what it promises, what was measured, and why they differ.
//
//     const Examined examined{.name = "mine", .start = [&] { return foreign::start(target); },
//                             .bits_per_key = 10};
//     const Report report = audit(examined, quick_plan(1000));
//     for (const Finding& finding : report.findings) ...   // none breaks where report.holds()
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/causes.hpp"
#include "audit/evidence.hpp"
#include "audit/measure.hpp"
#include "record/fields.hpp"

namespace bloomlab::audit {

/// How sure a cause is.
enum class Certainty {
  certain,   ///< the thing itself was seen or counted (audit/certainty.hpp says of which classes)
  likely,    ///< of the causes that are known its class alone gives such rates
  possible,  ///< others give them, too, or none does: the nearest
};

/// Something that is to be said of the filter.
struct Finding {
  Class kind = Class::unknown;
  Certainty certainty = Certainty::certain;
  bool breaks_promise = true;  ///< false: worth knowing, and no fault
  std::string text;            ///< what was seen, in a sentence
  std::string cause = {};      ///< the cause that fits, in words; empty where it was seen directly
  std::string rivals = {};     ///< classes that the rates do not exclude, in words
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
  /// Of other keys than random integers: p, by Holm, of having the rate of those.
  double as_random = 1.0;
  double detectable = 0.0;  ///< smallest relative effect noticed with power 0.9; 0: unknown
};

/// The rates of all sizes at one load, taken together: what is too small to be seen at one of them
/// is seen in all.
struct Together {
  double load = 0.0;
  std::uint64_t sizes = 0;
  double excess = 0.0;  ///< mean of rate over expected rate less 1, by the weight of each size
  double p_value = 1.0;
  double adjusted = 1.0;  ///< by Holm, with all tests of the audit
  bool off = false;
};

/// What a filter of one size took.
struct Memory {
  std::uint64_t keys = 0;
  std::uint64_t bits = 0;
  double promised_bits = 0.0;     ///< as requested; of a rate, what a standard filter needs for it
  double lower_bound_bits = 0.0;  ///< n log2(1/p) at the measured rate; 0: no false positive seen

  BLOOMLAB_FIELDS(keys, bits, promised_bits, lower_bound_bits)
};

/// What somebody gets who knows the hash function and may choose keys.
struct Attack {
  std::uint64_t keys = 0;       ///< of the filter, made for as many
  double tries = 0.0;           ///< random keys until one is reported; 0: none was
  std::uint64_t found = 0;      ///< absent keys reported under one seed, ...
  std::uint64_t hold = 0;       ///< ... how many of them under another, ...
  double hold_by_chance = 0.0;  ///< ... and how many were to be expected there anyway
  double chosen_rate =
      0.0;  ///< rate when each inserted key was chosen to set k new bits; 0: not known
};

struct Report {
  Evidence evidence;
  std::vector<Finding> findings;
  std::vector<Judged> rates;
  std::vector<Together> together;
  std::vector<Memory> memory;
  Attack attack;
  double alpha = 0.0;
  bool layout_is_declared = false;
  std::string processor = {};  ///< on which times were measured
  std::string requested = {};  ///< "10 bits per key", "a rate of 0.01"

  /// Whether no promise was broken.
  [[nodiscard]] bool holds() const;
};

/// Judges what was measured.
[[nodiscard]] Report judge(Evidence evidence, const Examined& examined, const Plan& plan);

/// Measures and judges. Never throws foreign::Failure: a filter that fails is a finding.
[[nodiscard]] Report audit(const Examined& examined, const Plan& plan,
                           const Progress& progress = {});

/// "certain", "likely", "possible".
[[nodiscard]] std::string_view name(Certainty certainty) noexcept;

}  // namespace bloomlab::audit
