#include "experiments/kinds/shrinking.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/bits/entropy_coding.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/standard.hpp"
#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::uint64_t most_folds = 64;

/// The fewest bits to which the filter can be folded and have, at so many keys, no higher rate than
/// it was planned to have when full.
std::uint64_t folded_size(const Shrinking::Plan& plan, std::uint64_t planned, double keys) {
  const double rate = theory::exact_fpr(plan.m, planned, plan.k);
  const auto held = static_cast<std::uint64_t>(std::llround(keys));
  std::uint64_t parts = 1;
  while (parts < most_folds && theory::exact_fpr(plan.m / (2 * parts), held, plan.k) <= rate) {
    parts *= 2;
  }
  return plan.m / parts;
}

void insert_all(Membership& set, const KeyedPermutation& keys, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) set.insert(keys(i));
}

}  // namespace

Shrinking::Plan Shrinking::plan(const Point::Parameters& at) {
  constexpr double squared = std::numbers::ln2 * std::numbers::ln2;
  const double bits = -static_cast<double>(at.planned) * std::log(at.fpr) / squared;
  const auto groups = static_cast<std::uint64_t>(std::ceil(bits / most_folds));
  return {.m = groups * most_folds,
          .k = static_cast<std::uint64_t>(std::max(1.0, std::round(-std::log2(at.fpr))))};
}

std::optional<std::string> Shrinking::check(const Parameters& /*p*/, const Point::Parameters& at) {
  if (at.arrived <= at.planned) return std::nullopt;
  return "arrived is " + std::to_string(at.arrived) + ", more than the " +
         std::to_string(at.planned) + " keys that are planned; fewer keys";
}

std::uint64_t Shrinking::memory_bytes(const Point::Parameters& at) {
  return plan(at).m / 4 + 4096;  // what was planned, and what is made of it
}

double Shrinking::seconds(const Parameters& p, const Point::Parameters& at) {
  return 1e-7 * static_cast<double>(p.queries + 2 * at.arrived);
}

Measurement Shrinking::measure_with(const MakeMembership& make, const Parameters& p,
                                    const Point::Parameters& at, std::uint64_t seed) {
  const KeyedPermutation keys(seed);
  const std::uint64_t hash_seed = KeyedDraws(seed).number();
  const Plan planned = plan(at);
  std::unique_ptr<Membership> sent = make(planned.m, planned.k, hash_seed);
  insert_all(*sent, keys, at.arrived);
  // A set that shows no bits tells of no keys.
  const std::uint64_t bits_set = sent->bits() == nullptr ? 0 : sent->bits()->popcount();
  const theory::SmallerFilter smaller =
      theory::smaller_filter(planned.m, planned.k, bits_set, at.fpr);
  std::uint64_t sent_bits = planned.m;
  std::uint64_t sent_bytes = (planned.m + 7) / 8;
  if (at.way == Way::encoded) {
    if (sent->bits() != nullptr) sent_bytes = encode_bits(*sent->bits()).size();
  } else if (at.way != Way::whole) {
    const bool folds = at.way == Way::folded;
    sent_bits = folds ? folded_size(planned, at.planned, smaller.keys) : smaller.bits;
    sent_bytes = (sent_bits + 7) / 8;
    sent = folds ? folded_filter(planned.m, sent_bits, planned.k, hash_seed)
                 : make(sent_bits, planned.k, hash_seed);
    insert_all(*sent, keys, at.arrived);  // their hash values are the same
  }
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < at.arrived; ++i) found += sent->contains(keys(i)) ? 1 : 0;
  std::uint64_t false_positives = 0;
  for (std::uint64_t i = 0; i < p.queries; ++i) {
    false_positives += sent->contains(keys(at.arrived + i)) ? 1 : 0;
  }
  return {std::nullopt,
          {{"true_positives", found},
           {"false_negatives", at.arrived - found},
           {"false_positives", false_positives},
           {"true_negatives", p.queries - false_positives},
           {"planned_bits", planned.m},
           {"probes", planned.k},
           {"bits_set", bits_set},
           {"estimated_keys", static_cast<std::uint64_t>(std::llround(smaller.keys))},
           {"sent_bits", sent_bits},
           {"sent_bytes", sent_bytes},
           {"kept_bytes", at.way == Way::rebuilt ? 8 * at.arrived : 0}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
