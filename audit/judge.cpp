// Judges what was measured, what a filter took, and what somebody gets who knows its hash.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/causes.hpp"
#include "audit/certainty.hpp"
#include "audit/rate_tests.hpp"
#include "core/theory/bounds.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/multiplicity.hpp"

namespace bloomlab::audit {
namespace {

/// The least memory that keeps what was promised [bits].
double least_bits(const Place& at, const Examined& examined) {
  const auto size = static_cast<double>(at.cell.size);
  double least = 0.0;
  // Other layouts may keep their rate with less than was allowed.
  if (at.layout.kind != Layout::Kind::other) {
    if (examined.expected) least = 0.97 * at.layout.bits;
    if (examined.bits_per_key) least = std::max(least, 0.95 * *examined.bits_per_key * size);
  }
  if (examined.fpr) least = std::max(least, size * std::log2(1.0 / *examined.fpr));
  return least;
}

/// Whether the declared layout cannot keep the requested rate in the memory that was taken.
bool misses_rate(const Place& at, const Examined& examined) {
  constexpr double rounding = 1.15;  // of k, and of the memory to bytes
  return examined.fpr && examined.expected && at.expected > rounding * *examined.fpr;
}

/// Less memory than what was promised takes, at the first of these sizes where it is so.
std::optional<Finding> too_little_memory(std::span<const Place> places, const Examined& examined) {
  const bool are_powers = std::ranges::all_of(
      places, [](const Place& at) { return std::has_single_bit(at.cell.memory_bits); });
  for (const Place& at : places) {
    const double least = least_bits(at, examined);
    const bool is_little = static_cast<double>(at.cell.memory_bits) < least;
    if (!is_little && !misses_rate(at, examined)) continue;
    std::string text = "Takes " + std::to_string(at.cell.memory_bits) + " bits for " +
                       std::to_string(at.cell.size) + " keys, ";
    text +=
        is_little
            ? "where at least " + std::to_string(static_cast<std::uint64_t>(least)) + " are needed."
            : "which by the declared layout gives a rate of " + significant(at.expected, 3) +
                  " where " + significant(*examined.fpr, 3) + " was requested.";
    return Finding{.kind = Class::size_formula,
                   .text = std::move(text),
                   .cause = are_powers ? "every size is a power of two: rounded down" : ""};
  }
  return std::nullopt;
}

/// The memory of each size beside what was promised and beside the lower bound.
std::vector<Memory> memory_of(const Evidence& seen, const Examined& examined) {
  std::vector<Memory> all;
  for (const RateCell& cell : seen.rates) {
    if (cell.inserted != cell.size) continue;
    const auto size = static_cast<double>(cell.size);
    Memory one{.keys = cell.size, .bits = cell.memory_bits};
    if (examined.bits_per_key) one.promised_bits = *examined.bits_per_key * size;
    if (examined.fpr) {
      one.promised_bits =
          std::log2(std::exp(1.0)) * theory::lower_bound_bits(cell.size, *examined.fpr);
    }
    if (cell.hits > 0) one.lower_bound_bits = theory::lower_bound_bits(cell.size, cell.rate());
    all.push_back(one);
  }
  return all;
}

/// Chosen keys: Gerbet, Kumar, Lauradoux 2015, "The power of evil choices in Bloom filters".
Attack attack_on(const Evidence& seen, const Examined& examined) {
  const SeedCheck& seeds = seen.seeds;
  Attack attack{.found = seeds.first, .hold = seeds.both};
  if (seeds.queries > 0) {
    attack.hold_by_chance = static_cast<double>(seeds.first) * static_cast<double>(seeds.second) /
                            static_cast<double>(seeds.queries);
  }
  for (const RateCell& cell : seen.rates) {
    if (cell.inserted != cell.size) continue;
    attack.keys = cell.size;
    attack.tries = cell.hits > 0 ? 1.0 / cell.rate() : 0.0;
    const Layout layout = examined.layout(cell.size, cell.memory_bits);
    if (layout.kind != Layout::Kind::standard && layout.kind != Layout::Kind::partitioned) {
      continue;
    }
    const double fill = static_cast<double>(cell.size) * layout.k / layout.bits;
    attack.chosen_rate = std::pow(std::min(1.0, fill), layout.k);
  }
  return attack;
}

std::string count_text(std::uint64_t count) { return std::to_string(count); }

std::string rate_text(double rate) { return significant(rate, 3); }

class Judge {
 public:
  Judge(Evidence evidence, const Examined& examined, const Plan& plan)
      : examined_(examined), plan_(plan), tests_(examined, report_.evidence) {
    report_.evidence = std::move(evidence);
    report_.alpha = plan.alpha;
    report_.processor = examined.processor;
    report_.layout_is_declared = static_cast<bool>(examined.expected);
    if (examined.bits_per_key) {
      report_.requested = record::shortest(*examined.bits_per_key) + " bits per key";
    } else if (examined.fpr) {
      report_.requested = "a rate of " + record::shortest(*examined.fpr);
    }
  }

  Report run() && {
    if (!seen().failure.empty()) {
      // What never started was not seen to fail in anything that a filter does.
      add({.kind = Class::unknown,
           .text = (seen().never_started ? "It could not be queried, and nothing of it is judged: "
                                         : "The filter failed: ") +
                   seen().failure + "."});
    }
    judge_failed();
    judge_repeats();
    judge_refused();
    judge_checks();
    judge_twins();
    judge_rates();
    judge_memory();
    judge_seeds();
    report_.memory = memory_of(seen(), examined_);
    report_.attack = attack_on(seen(), examined_);
    return std::move(report_);
  }

 private:
  [[nodiscard]] const Evidence& seen() const { return report_.evidence; }
  void add(Finding finding) { report_.findings.push_back(std::move(finding)); }
  [[nodiscard]] bool found(Class kind) const {
    return std::ranges::any_of(report_.findings, [&](const Finding& f) { return f.kind == kind; });
  }

  void judge_repeats() {
    const RepeatCheck& repeats = seen().repeats;
    if (repeats.changed > 0) {
      add({.kind = Class::nondeterminism,
           .breaks_promise = seen().says_deterministic,
           .text = count_text(repeats.changed) + " of " + count_text(repeats.answers) +
                   " answers of an empty filter changed when the query was repeated."});
    } else if (repeats.empty_hits > 0) {
      add({.kind = Class::stale_memory,
           .text = "A new filter, without a key, reports " + count_text(repeats.empty_hits) +
                   " of " + count_text(repeats.answers) + " keys."});
    } else if (repeats.remade_changed > 0) {
      add({.kind = Class::nondeterminism,
           .breaks_promise = seen().says_deterministic,
           .text = "Filters made alike, with one seed and the same keys, answer " +
                   count_text(repeats.remade_changed) + " queries differently."});
    } else if (repeats.batch_changed > 0) {
      add({.kind = Class::nondeterminism,
           .breaks_promise = seen().says_deterministic,
           .text = count_text(repeats.batch_changed) +
                   " keys are answered in batches otherwise than one by one."});
    }
  }

  /// A line for each way to fail, with the parts of the audit that it cost.
  void judge_failed() {
    std::map<std::string, std::string> parts;
    for (const FailedPart& failed : seen().failed) {
      std::string& text = parts[failed.error];
      text += (text.empty() ? "" : "; ") + failed.part;
    }
    for (const auto& [error, text] : parts) {
      add({.kind = Class::unknown,
           .text = "The filter failed: " + error + ". Not measured: " + text + "."});
    }
    if (seen().untried.empty()) return;
    add({.kind = Class::unknown,
         .text = "After so many failures was not tried: " + seen().untried.front() +
                 ", and of the parts after it " + count_text(seen().untried.size() - 1) + "."});
  }

  /// A line for each key that is the first to be refused in some situation.
  void judge_refused() {
    std::set<std::string> named;
    for (const LossCheck& check : seen().checks) {
      if (check.refused == 0 || !named.insert(check.first_refused).second) continue;
      add({.kind = Class::refused_keys,
           .text = "Fails on the key \"" + check.first_refused + "\" (" + check.situation +
                   "; keys refused: " + count_text(check.refused) + "): " + check.error + "."});
    }
  }

  void judge_checks() {
    for (const LossCheck& check : seen().checks) {
      if (check.lost == 0) continue;
      const bool deletes = check.situation.find("deleted") != std::string::npos;
      Finding finding{
          .kind = deletes ? Class::capacity : Class::lost_keys,
          .text = "Denies " + count_text(check.lost) + " of " + count_text(check.inserted) +
                  " inserted keys: " + check.situation +
                  (check.first.empty() ? "" : "; the first is \"" + check.first + "\"") + "."};
      losing_checks_.push_back(finding);
    }
    for (const RateCell& cell : seen().rates) lost_ += cell.lost;
    for (const RateCell& cell : seen().sources) lost_ += cell.lost;
    const auto& pattern = seen().pattern;
    if (pattern && pattern->lost > 0 && !pattern->repeats) {
      if (!found(Class::nondeterminism)) {
        add({.kind = Class::nondeterminism,
             .text = "Denies inserted keys, and other ones when the query is repeated."});
      }
    } else if (pattern && !pattern->by_key && pattern->lost > 0) {
      add({.kind = Class::lost_keys, .text = pattern_text(*pattern)});
    } else if (lost_ == 0 && !losing_checks_.empty()) {
      for (Finding& finding : losing_checks_) add(std::move(finding));
    }
  }

  static std::string pattern_text(const LossPattern& pattern) {
    std::string text = "Denies " + count_text(pattern.lost) + " of " +
                       count_text(pattern.inserted) + " inserted keys, by their place: number " +
                       pattern.text;
    if (pattern.at_batch_end) {
      text += "; the last key of each batch";
    } else if (pattern.period > 0) {
      text += "; one in " + count_text(pattern.period);
    } else if (pattern.at_growth) {
      text += "; at distances that grow, as where a filter grows";
    }
    return text + ".";
  }

  void judge_twins() {
    std::string names;
    std::uint64_t reported = 0;
    std::uint64_t pairs = 0;
    for (const Twins& twins : seen().twins) {
      const double rate =
          (static_cast<double>(twins.hits) + 1.0) / static_cast<double>(twins.absent);
      const double expected = rate * static_cast<double>(twins.pairs);
      const auto law = statistics::HitLaw::binomial(static_cast<double>(twins.pairs),
                                                    std::min(0.999, 3.0 * rate));
      if (static_cast<double>(twins.reported) < 10.0 * expected ||
          law.at_least(static_cast<double>(twins.reported)) > plan_.alpha * 1e-4) {
        continue;
      }
      names += (names.empty() ? "" : "; ") + twins.difference;
      reported += twins.reported;
      pairs += twins.pairs;
    }
    if (names.empty()) return;
    add({.kind = Class::weak_hash,
         .text = "Reports " + count_text(reported) + " of " + count_text(pairs) +
                 " absent keys that differ from an inserted key only " + names + "."});
  }

  /// Every rate of the audit with its p-values, by Holm over all of them.
  void test_rates(const std::vector<Place>& random, const std::vector<Place>& others) {
    for (const Place& at : random) report_.rates.push_back(tests_.test(at));
    report_.together = tests_.together(report_.rates);
    for (const Place& at : others) {
      report_.rates.push_back(tests_.test(at));
      const auto same = std::ranges::find_if(random, [&](const Place& place) {
        return place.cell.size == at.cell.size && place.cell.inserted == at.cell.inserted;
      });
      if (same != random.end()) report_.rates.back().as_random = tests_.as_random(at, *same);
    }
    std::vector<double> p_values;
    for (const Judged& judged : report_.rates) p_values.push_back(judged.p_value);
    for (const Judged& judged : report_.rates) p_values.push_back(judged.as_random);
    for (const Together& load : report_.together) p_values.push_back(load.p_value);
    const auto all = statistics::holm(p_values);
    auto adjusted = all.begin();
    for (Judged& judged : report_.rates) judged.adjusted = *adjusted++;
    for (Judged& judged : report_.rates) judged.as_random = *adjusted++;
    for (Together& load : report_.together) load.adjusted = *adjusted++;
    for (Judged& judged : report_.rates) judged.off = judged.adjusted <= plan_.alpha;
    for (Together& load : report_.together) load.off = load.adjusted <= plan_.alpha;
  }

  void judge_rates() {
    std::vector<Place> places;
    std::vector<Place> others;
    for (const RateCell& cell : seen().rates) places.push_back(tests_.place_of(cell));
    for (const RateCell& cell : seen().sources) others.push_back(tests_.place_of(cell));
    test_rates(places, others);
    std::size_t off = 0;
    const Judged* worst = nullptr;
    const std::span<const Judged> rates(report_.rates);
    for (const Judged& judged : rates.first(places.size())) {
      if (!judged.off) continue;
      ++off;
      if (worst == nullptr || judged.p_value < worst->p_value) worst = &judged;
    }
    const bool all_off = std::ranges::any_of(report_.together, &Together::off);
    if (off > 0 || all_off ||
        (lost_ > 0 && !found(Class::lost_keys) && !found(Class::nondeterminism))) {
      name_cause(places, worst, off);
    }
    judge_key_forms(rates.first(places.size()), rates.subspan(places.size()));
  }

  [[nodiscard]] static std::string interval_text(const Judged& judged) {
    return rate_text(judged.cell.rate()) + " [" + rate_text(judged.low) + ", " +
           rate_text(judged.high) + "]";
  }

  /// Key forms whose false-positive rate is not that of random integers, or is off where that is
  /// not. No fault where what is promised is kept.
  void judge_key_forms(std::span<const Judged> random, std::span<const Judged> forms) {
    std::string broken;
    std::string kept;
    for (const Judged& form : forms) {
      const auto same = std::ranges::find_if(random, [&](const Judged& judged) {
        return judged.cell.size == form.cell.size && judged.cell.inserted == form.cell.inserted;
      });
      const bool is_known = same != random.end();
      const bool is_alone_off = form.off && !(is_known && same->off);
      if (!is_alone_off && form.as_random > plan_.alpha) continue;
      std::string& text = form.off ? broken : kept;
      text += (text.empty() ? "Reports " : "; ") + interval_text(form) + " of " + form.cell.keys;
      if (form.off) text += " where " + rate_text(form.expected) + " is right";
      if (is_known) text += ", of random integers " + interval_text(*same);
    }
    const std::string intervals = " (95 % confidence intervals).";
    if (!broken.empty()) add({.kind = Class::weak_hash, .text = broken + intervals});
    if (kept.empty()) return;
    add({.kind = Class::weak_hash, .breaks_promise = false, .text = kept + intervals});
  }

  [[nodiscard]] std::string rates_text(const Judged* worst, std::size_t off) const {
    std::string text;
    if (lost_ > 0) {
      std::uint64_t of = 0;
      for (const RateCell& cell : seen().rates) of += cell.inserted_queries;
      text = "Denies " + count_text(lost_) + " of " + count_text(of) + " inserted keys. ";
    }
    if (worst == nullptr) {
      for (const Together& load : report_.together) {
        if (!load.off) continue;
        return text + "Over all sizes, at " + rate_text(load.load) +
               " times the keys they are made for, the rate differs by " +
               rate_text(100.0 * load.excess) + " % from the right one (p by Holm " +
               rate_text(load.adjusted) + ").";
      }
      return text;
    }
    const RateCell& cell = worst->cell;
    text += "Reports " + rate_text(cell.rate()) + " of the absent keys where " +
            rate_text(worst->expected) + " is right (" + count_text(cell.inserted) +
            " keys in a filter for " + count_text(cell.size) + "; " + count_text(off) + " of " +
            count_text(seen().rates.size()) + " rates are off).";
    return text;
  }

  void name_cause(const std::vector<Place>& places, const Judged* worst, std::size_t off) {
    Finding finding{.text = rates_text(worst, off)};
    finding.fits = best_of_classes(fit_causes(places, seen(), report_.layout_is_declared));
    const auto follows = [&](Class kind) {
      return std::ranges::any_of(finding.fits,
                                 [&](const Fit& fit) { return fit.kind == kind && !fit.fails(); });
    };
    // What was seen directly explains the rates, too.
    if (found(Class::lost_keys) && follows(Class::lost_keys)) return;
    if (found(Class::stale_memory) && follows(Class::stale_memory)) return;
    if (found(Class::nondeterminism) || found(Class::weak_hash) || found(Class::stale_memory)) {
      finding.kind = Class::unknown;
      finding.certainty = Certainty::possible;
      finding.cause = "what was found above may explain it";
      add(std::move(finding));
      return;
    }
    if (finding.fits.empty()) {
      add(std::move(finding));
      return;
    }
    name_best(finding);
    if (finding.kind == Class::none) {
      finding.kind = report_.layout_is_declared ? Class::unknown : Class::size_formula;
      finding.certainty = Certainty::likely;
    }
    add(std::move(finding));
  }

  void judge_memory() {
    std::vector<Place> places;  // at sizes where rounding is no matter
    for (const RateCell& cell : seen().rates) {
      if (cell.size >= 1000 && cell.inserted == cell.size && cell.memory_bits > 0) {
        places.push_back(tests_.place_of(cell));
      }
    }
    auto finding = too_little_memory(places, examined_);
    if (!finding) return;
    finding->breaks_promise = !found(Class::size_formula);
    add(std::move(*finding));
  }

  void judge_seeds() {
    if (seen().full_size > 0) {
      const bool early = seen().full_at <= seen().full_size;
      add({.kind = Class::capacity,
           .breaks_promise = early,
           .text = "A filter for " + count_text(seen().full_size) + " keys turned one away when " +
                   count_text(seen().full_at) + " were inserted."});
    }
    if (!tests_.seed_ignored()) return;
    add({.kind = Class::seed_ignored,
         .breaks_promise = false,
         .text = "Under two seeds the same " + count_text(seen().seeds.both) + " of " +
                 count_text(seen().seeds.queries) +
                 " absent keys are reported: who knows the hash can choose such keys beforehand."});
  }

  const Examined& examined_;
  const Plan& plan_;
  Report report_;
  std::vector<Finding> losing_checks_;
  std::uint64_t lost_ = 0;
  RateTests tests_;
};

}  // namespace

Report judge(Evidence evidence, const Examined& examined, const Plan& plan) {
  return Judge(std::move(evidence), examined, plan).run();
}

Report audit(const Examined& examined, const Plan& plan, const Progress& progress) {
  return judge(measure(examined, plan, progress), examined, plan);
}

std::string_view name(Certainty certainty) noexcept {
  switch (certainty) {
    case Certainty::certain:
      return "certain";
    case Certainty::likely:
      return "likely";
    case Certainty::possible:
      break;
  }
  return "possible";
}

bool Report::holds() const {
  return std::ranges::none_of(findings, [](const Finding& f) { return f.breaks_promise; });
}

}  // namespace bloomlab::audit
