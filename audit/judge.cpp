#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "audit/audit.hpp"
#include "core/theory/double_hashing.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"
#include "statistics/distributions.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/test.hpp"

namespace bloomlab::audit {
namespace {

using statistics::RateLaw;
using statistics::Sampling;

std::string count_text(std::uint64_t count) { return std::to_string(count); }

std::string rate_text(double rate) { return significant(rate, 3); }

/// The rate by the layout's law. Double hashing in filters too large for its closed form: a query
/// with the progression of an inserted key, from either end, is reported, and one with all but j of
/// its positions with the chance that those are set.
double expected_rate(const Layout& layout, std::uint64_t n) {
  const auto m = static_cast<std::uint64_t>(layout.bits);
  const double plain = rate(layout, n);
  if (!layout.odd_strides || plain >= 0.5) return plain;
  const auto k = static_cast<std::uint64_t>(layout.k);
  if (m <= theory::most_double_hashing_bits && k <= theory::most_double_hashing_probes) {
    return theory::double_hashing_fpr(m, n, k, theory::Stride::odd).rate;
  }
  const double fill = mean_fill(layout, static_cast<double>(n), {});
  return plain +
         4.0 * static_cast<double>(n) / layout.bits / layout.bits * (1.0 + fill) / (1.0 - fill);
}

/// Relative variance between filters as the filters show it; nothing where they are few.
std::optional<double> shown_spread(const RateCell& cell) {
  constexpr std::uint64_t enough = 20;
  if (cell.filters < enough || cell.hits < 20) return std::nullopt;
  const auto filters = static_cast<double>(cell.filters);
  const double mean = static_cast<double>(cell.hits) / filters;
  const double variance = (cell.squares - filters * mean * mean) / (filters - 1.0);
  return std::max(0.0, (variance - mean) / mean / mean);
}

/// What the filters show where they are many, and what smaller ones show, brought to the size,
/// where they are few: the spread falls as 1 / size.
double spread_at(const RateCell& cell, std::span<const RateCell> all) {
  if (const auto shown = shown_spread(cell)) return *shown;
  double spread = 0.0;
  double nearest = 1e9;
  for (const RateCell& other : all) {
    const auto shown = shown_spread(other);
    const double distance = std::abs(std::log(other.load() / cell.load()));
    if (!shown || other.size > cell.size || distance > nearest + 1e-9) continue;
    nearest = distance;
    spread = *shown * static_cast<double>(other.size) / static_cast<double>(cell.size);
  }
  return spread;
}

class Judge {
 public:
  Judge(Evidence evidence, const Examined& examined, const Plan& plan)
      : examined_(examined), plan_(plan) {
    report_.evidence = std::move(evidence);
    report_.alpha = plan.alpha;
    report_.layout_is_declared = static_cast<bool>(examined.expected);
    if (examined.bits_per_key) {
      report_.requested = record::shortest(*examined.bits_per_key) + " bits per key";
    } else if (examined.fpr) {
      report_.requested = "a rate of " + record::shortest(*examined.fpr);
    }
  }

  Report run() && {
    if (!seen().failure.empty()) {
      add({.kind = Class::unknown, .text = "The filter failed: " + seen().failure + "."});
    }
    judge_repeats();
    judge_checks();
    judge_twins();
    judge_rates();
    judge_memory();
    judge_seeds();
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
    const std::uint64_t changed = repeats.changed + repeats.remade_changed;
    if (repeats.changed > 0) {
      add({.kind = Class::nondeterminism,
           .breaks_promise = seen().says_deterministic,
           .text = count_text(repeats.changed) + " of " + count_text(repeats.answers) +
                   " answers of an empty filter changed when the query was repeated."});
    } else if (repeats.empty_hits > 0) {
      add({.kind = Class::stale_memory,
           .text = "A new filter, without a key, reports " + count_text(repeats.empty_hits) +
                   " of " + count_text(repeats.answers) + " keys."});
    } else if (changed > 0) {
      add({.kind = Class::nondeterminism,
           .breaks_promise = seen().says_deterministic,
           .text = "Filters made alike, with one seed and the same keys, answer " +
                   count_text(changed) + " queries differently."});
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

  /// The cell with what is expected of it.
  [[nodiscard]] Place place_of(const RateCell& cell) const {
    Place at{.cell = cell, .layout = examined_.layout(cell.size, cell.memory_bits)};
    const auto known = expected_.find({cell.size, cell.inserted});
    at.expected =
        known != expected_.end() ? known->second : expected_rate(at.layout, cell.inserted);
    expected_[{cell.size, cell.inserted}] = at.expected;
    at.spread = spread_at(cell, seen().rates);
    return at;
  }

  /// Whether the rate of this cell is promised, and then at most or just which.
  [[nodiscard]] std::optional<double> promised(const Place& at) const {
    if (report_.layout_is_declared) return at.expected;
    if (at.cell.inserted != at.cell.size) return std::nullopt;
    if (examined_.fpr) return *examined_.fpr;
    if (examined_.bits_per_key) {
      Layout layout;
      layout.bits = std::max(1.0, *examined_.bits_per_key * static_cast<double>(at.cell.size));
      layout.k =
          std::max(1, static_cast<int>(std::lround(std::log(2.0) * *examined_.bits_per_key)));
      return rate(layout, at.cell.inserted);
    }
    return std::nullopt;
  }

  Judged test(const Place& at) const {
    const RateCell& cell = at.cell;
    Judged judged{.cell = cell, .expected = at.expected};
    // Filters of one set of keys are one filter where the seed changes nothing.
    const bool redrawn = cell.keys == "random integers" || !seed_ignored();
    const double filters = redrawn ? static_cast<double>(cell.filters) : 1.0;
    const auto promise = promised(at);
    if (promise) judged.expected = *promise;
    const double shown = at.spread * (cell.filters >= 20 ? 1.3 : 1.6);
    const double spread = std::max(shown, spread_of(at.layout, static_cast<double>(cell.inserted)));
    const double rate = std::clamp(judged.expected, 0.0, 1.0);
    const double relative = spread * static_cast<double>(cell.filters) / filters + 1e-6 * filters;
    const RateLaw law{rate, std::min(relative * rate * rate, 0.999 * rate * (1.0 - rate))};
    const Sampling sampling{cell.filters, cell.queries / cell.filters};
    const double half =
        1.96 * std::sqrt(std::max(cell.rate(), 1.0 / static_cast<double>(cell.queries)) /
                             static_cast<double>(cell.queries) +
                         spread * cell.rate() * cell.rate() / filters);
    judged.low = std::max(0.0, cell.rate() - half);
    judged.high = std::min(1.0, cell.rate() + half);
    if (!promise) return judged;
    if (rate <= 0.0 || rate >= 1.0 || law.variance <= 0.0) {
      judged.p_value = rate <= 0.0 && cell.hits > 0 ? 0.0 : 1.0;
      return judged;
    }
    const statistics::HitLaw hits(law, sampling);
    const double above = hits.at_least(static_cast<double>(cell.hits));
    const double below = hits.at_most(static_cast<double>(cell.hits));
    judged.p_value = report_.layout_is_declared ? std::min(1.0, 2.0 * std::min(above, below))
                                                : std::min(1.0, above);
    const auto effect =
        statistics::minimum_detectable_effect(law, sampling, {.alpha = 1e-6, .power = 0.9});
    judged.detectable = std::isfinite(effect.increase) ? effect.increase : 0.0;
    return judged;
  }

  [[nodiscard]] bool seed_ignored() const {
    const SeedCheck& seeds = seen().seeds;
    return seeds.first >= 30 && seeds.first == seeds.second && seeds.both == seeds.first;
  }

  void judge_rates() {
    std::vector<Place> places;
    for (const RateCell& cell : seen().rates) places.push_back(place_of(cell));
    std::vector<double> p_values;
    for (const Place& at : places) report_.rates.push_back(test(at));
    for (const RateCell& cell : seen().sources) report_.rates.push_back(test(place_of(cell)));
    for (const Judged& judged : report_.rates) p_values.push_back(judged.p_value);
    const auto adjusted = statistics::holm(p_values);
    std::size_t off = 0;
    std::size_t off_sources = 0;
    const Judged* worst = nullptr;
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      Judged& judged = report_.rates[i];
      judged.adjusted = adjusted[i];
      judged.off = adjusted[i] <= plan_.alpha;
      if (!judged.off) continue;
      (i < places.size() ? off : off_sources) += 1;
      if (i < places.size() && (worst == nullptr || judged.p_value < worst->p_value)) {
        worst = &judged;
      }
    }
    if (off > 0 || (lost_ > 0 && !found(Class::lost_keys) && !found(Class::nondeterminism))) {
      name_cause(places, worst, off);
    } else if (off_sources > 0 && !found(Class::weak_hash)) {
      std::string names;
      for (const Judged& judged : report_.rates) {
        if (judged.off) names += (names.empty() ? "" : "; ") + judged.cell.keys;
      }
      add({.kind = Class::weak_hash,
           .certainty = Certainty::likely,
           .text =
               "The rate is right for random integers, and wrong for other keys: " + names + "."});
    }
  }

  [[nodiscard]] std::string rates_text(const Judged* worst, std::size_t off) const {
    std::string text;
    if (lost_ > 0) {
      std::uint64_t of = 0;
      for (const RateCell& cell : seen().rates) of += cell.inserted_queries;
      text = "Denies " + count_text(lost_) + " of " + count_text(of) + " inserted keys. ";
    }
    if (worst == nullptr) return text;
    const RateCell& cell = worst->cell;
    text += "Reports " + rate_text(cell.rate()) + " of the absent keys where " +
            rate_text(worst->expected) + " is right (" + count_text(cell.inserted) +
            " keys in a filter for " + count_text(cell.size) + "; " + count_text(off) + " of " +
            count_text(seen().rates.size()) + " rates are off).";
    return text;
  }

  void name_cause(const std::vector<Place>& places, const Judged* worst, std::size_t off) {
    constexpr double fits_above = 1e-4;
    constexpr double fails_below = 1e-7;
    constexpr double much_worse = 30.0;
    Finding finding{.text = rates_text(worst, off)};
    std::set<Class> listed;
    for (const Fit& fit : fit_causes(places, seen(), report_.layout_is_declared)) {
      if (listed.insert(fit.kind).second) finding.fits.push_back(fit);
    }
    const auto follows = [&](Class kind) {
      return std::ranges::any_of(finding.fits, [&](const Fit& fit) {
        return fit.kind == kind && fit.p_value > fails_below;
      });
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
    const Fit& best = finding.fits.front();
    const bool alone =
        std::ranges::all_of(finding.fits.begin() + 1, finding.fits.end(), [&](const Fit& other) {
          return other.p_value < fails_below && other.score > best.score + much_worse;
        });
    finding.kind = best.kind;
    finding.cause = best.text;
    if (best.p_value > fits_above) {
      finding.certainty = alone ? Certainty::certain : Certainty::likely;
    } else if (best.p_value > fails_below) {
      finding.certainty = Certainty::likely;
    } else {
      finding.certainty = Certainty::possible;
      finding.cause = "nearest, and it does not fit: " + best.text;
    }
    if (finding.kind == Class::none) {
      finding.kind = report_.layout_is_declared ? Class::unknown : Class::size_formula;
      finding.certainty = Certainty::likely;
    }
    add(std::move(finding));
  }

  void judge_memory() {
    for (const Place& at : memory_places()) {
      const auto size = static_cast<double>(at.cell.size);
      const auto memory = static_cast<double>(at.cell.memory_bits);
      double least = 0.0;
      if (report_.layout_is_declared) {
        if (at.layout.kind != Layout::Kind::other) least = 0.97 * at.layout.bits;
      } else if (examined_.bits_per_key) {
        least = 0.95 * *examined_.bits_per_key * size;
      } else if (examined_.fpr) {
        least = size * std::log2(1.0 / *examined_.fpr);
      }
      if (memory >= least) continue;
      add({.kind = Class::size_formula,
           .breaks_promise = !found(Class::size_formula),
           .text = "Takes " + count_text(at.cell.memory_bits) + " bits for " +
                   count_text(at.cell.size) + " keys, where at least " +
                   count_text(static_cast<std::uint64_t>(least)) + " are needed."});
      return;
    }
  }

  /// Sizes at which rounding is no matter.
  [[nodiscard]] std::vector<Place> memory_places() const {
    std::vector<Place> places;
    for (const RateCell& cell : seen().rates) {
      if (cell.size >= 1000 && cell.inserted == cell.size && cell.memory_bits > 0) {
        places.push_back(place_of(cell));
      }
    }
    return places;
  }

  void judge_seeds() {
    if (seen().full_size > 0) {
      const bool early = seen().full_at <= seen().full_size;
      add({.kind = Class::capacity,
           .breaks_promise = early,
           .text = "A filter for " + count_text(seen().full_size) + " keys turned one away when " +
                   count_text(seen().full_at) + " were inserted."});
    }
    if (!seed_ignored()) return;
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
  mutable std::map<std::pair<std::uint64_t, std::uint64_t>, double> expected_;  // by size and keys
};

}  // namespace

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

std::vector<std::string> Report::reasons() const {
  std::vector<std::string> reasons;
  for (const Finding& finding : findings) {
    if (!finding.breaks_promise) continue;
    std::string line = finding.text;
    if (!finding.cause.empty()) {
      line += " Cause (" + std::string(name(finding.certainty)) +
              "): " + std::string(words(finding.kind)) + ": " + finding.cause + ".";
    }
    reasons.push_back(line);
  }
  return reasons;
}

Report judge(Evidence evidence, const Examined& examined, const Plan& plan) {
  return Judge(std::move(evidence), examined, plan).run();
}

Report audit(const Examined& examined, const Plan& plan, const Progress& progress) {
  return judge(measure(examined, plan, progress), examined, plan);
}

}  // namespace bloomlab::audit
