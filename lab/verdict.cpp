#include "lab/verdict.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <span>
#include <utility>

#include "analysis/text/words.hpp"
#include "core/theory/models.hpp"
#include "lab/submission.hpp"
#include "record/input_file.hpp"
#include "record/number_text.hpp"

namespace bloomlab::lab {
namespace {

using analysis::Tags;
using analysis::Words;
using foreign::FailureKind;
using Clock = std::chrono::steady_clock;

constexpr double calls_in_all = 10.0;
/// Bits that a filter may take more than it was told, for words and bytes.
constexpr std::uint64_t rounding_bits = 63;

std::string number(double value) { return parameter_text(value); }
std::string number(std::uint64_t value) { return grouped(value); }

/// What the closed form says of the bits of all layers.
std::uint64_t expected_bits(const Case& one) {
  if (!one.fpr) return one.bits();
  const auto total = theory::evaluate(one.prediction(assigned_probes)).number("total_bits");
  return static_cast<std::uint64_t>(total);
}

class Judge {
 public:
  Judge(const Assignment& assignment, const CaseBook& book, const Words& words)
      : assignment_(assignment), book_(book), words_(words) {}

  Verdict verdict() && {
    if (const auto missing = missing_tool(*assignment_.language)) {
      say(false, "toolchain", {{"fault", *missing}});
      return finished("no_toolchain");
    }
    if (const auto fault = build(assignment_, book_)) {
      say(false, "not_built", {{"source", source()}, {"fault", *fault}});
      return finished("not_built");
    }
    say_gaps();
    start_clock();
    const auto fault = try_cases(book_.cases);
    if (!tried_.empty()) {
      say_counts();
      say_rates();
    }
    if (fault) return finished(std::string(foreign::word_of(*fault)));
    if (all_holds()) {
      if (const auto heavy = weigh()) return finished(std::string(foreign::word_of(*heavy)));
    }
    return finished(all_holds() ? "passed" : "failed");
  }

 private:
  /// For all calls together, from now on.
  void start_clock() {
    const std::chrono::duration<double> in_all(calls_in_all * book_.limits.seconds);
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(in_all);
  }

  [[nodiscard]] bool all_holds() const { return verdict_.held() == verdict_.findings.size(); }

  void say(bool holds, const std::string& key, Tags tags = {}) {
    // A text names only some of what is known.
    const std::string list = key + (holds ? ".yes" : ".no");
    const std::string name = words_.has(list) ? list : key;
    const auto used = analysis::tag_names(name, words_.texts().at(name));
    std::erase_if(
        tags, [&](const auto& tag) { return std::ranges::find(used, tag.first) == used.end(); });
    verdict_.findings.push_back({holds, words_(name, tags)});
  }

  Verdict finished(std::string result) {
    verdict_.result = std::move(result);
    return std::move(verdict_);
  }

  [[nodiscard]] std::string source() const { return std::string(assignment_.language->source); }

  [[nodiscard]] std::string name_of(const Case& one) const {
    if (!one.name.empty()) return one.name;
    Tags tags = {{"bits", number(one.bits_per_key)}};
    if (one.fpr) tags["rate"] = number(*one.fpr);
    return words_(one.fpr ? "case.growing" : one.texts ? "case.texts" : "case.plain", tags);
  }

  void say_gaps() {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{8} << 20;
    const auto given = analysis::embedded_text("templates/lab/" + source() + ".in");
    const std::string text =
        record::read_regular(assignment_.folder / assignment_.language->source, most_bytes);
    const auto unfilled = unfilled_gaps(text, given.value_or(""));
    for (const int gap : unfilled) {
      say(false, "gap", {{"gap", std::to_string(gap)}, {"source", source()}});
    }
    if (unfilled.empty()) say(true, "gap", {{"source", source()}});
  }

  /// @return how the filter failed last
  std::optional<FailureKind> try_cases(std::span<const Case> cases) {
    const auto target = target_of(assignment_, book_);
    std::optional<FailureKind> last;
    for (const Case& one : cases) {
      trials_.push_back(try_case(target, one, book_.seed, deadline_));
      const Trial& trial = trials_.back();
      if (!trial.fault) {
        tried_.push_back({&one, &trial});
        continue;
      }
      last = trial.fault->kind;
      say(false, "fault." + std::string(foreign::word_of(*last)),
          {{"case", name_of(one)}, {"fault", trial.fault->text}});
      if (last == FailureKind::timeout || last == FailureKind::memory ||
          last == FailureKind::not_started) {
        break;
      }
    }
    return last;
  }

  /// Measures the memory. What else it shows of the filter is said where it does not hold.
  /// @return how the filter failed
  std::optional<FailureKind> weigh() {
    weighed_ = weighed_cases(assignment_.language->weighed_keys);
    for (Case& one : weighed_) {
      one.name =
          words_("case.weighed", {{"bits", number(one.bits_per_key)}, {"keys", number(one.n)}});
    }
    tried_.clear();
    start_clock();
    if (const auto fault = try_cases(weighed_)) return fault;
    for (const Tried& tried : tried_) {
      if (tried.trial->false_negatives > 0) say_denied(tried);
      if (!fits(*tried.one, *tried.trial, assigned_probes)) say_rate(tried);
    }
    say_memory();
    return std::nullopt;
  }

  void say_memory() {
    const auto& [few, many] = weighed_;
    const auto further = static_cast<double>(many.n - few.n);
    const auto per_key = [further](std::uint64_t less, std::uint64_t more) {
      return (static_cast<double>(more) - static_cast<double>(less)) / further;
    };
    const Trial& light = *tried_.front().trial;
    const Trial& heavy = *tried_.back().trial;
    const double says = per_key(light.memory_bits, heavy.memory_bits);
    const double takes = 8.0 * per_key(light.present_bytes, heavy.present_bytes);
    const double most =
        taken_bits * many.bits_per_key + 8.0 * per_key(0, assignment_.language->spare_mib << 20);
    say(takes <= most, "memory",
        {{"few", number(few.n)},
         {"many", number(many.n)},
         {"takes", number(std::round(takes))},
         {"says", number(says)},
         {"most", number(std::floor(most))}});
  }

  void say_denied(const Tried& tried) {
    say(false, "false_negatives",
        {{"case", name_of(*tried.one)},
         {"denied", number(tried.trial->false_negatives)},
         {"keys", number(tried.one->n)}});
  }

  void say_counts() {
    std::uint64_t inserted = 0;
    bool none_denied = true;
    bool repeats = true;
    bool empty = true;
    bool has_room = true;
    for (const Tried& tried : tried_) {
      const auto& [one, trial] = tried;
      inserted += one->n;
      repeats = repeats && trial->repeats;
      empty = empty && trial->starts_empty;
      has_room = has_room && trial->has_room;
      if (trial->false_negatives == 0) continue;
      none_denied = false;
      say_denied(tried);
    }
    if (none_denied) say(true, "false_negatives", {{"keys", number(inserted)}});
    if (!has_room) say(false, "room");
    if (!repeats) say(false, "repeats");
    if (!empty) say(false, "empty");
    say_sizes(false);
    say_sizes(true);
  }

  void say_sizes(bool growing) {
    const std::string key = growing ? "growth" : "size";
    bool all = true;
    bool any = false;
    for (const auto& [one, trial] : tried_) {
      if (one->fpr.has_value() != growing) continue;
      any = true;
      const std::uint64_t expected = expected_bits(*one);
      if (trial->memory_bits >= expected && trial->memory_bits <= expected + rounding_bits) {
        continue;
      }
      all = false;
      const bool stayed = growing && trial->memory_bits <= one->bits() + rounding_bits;
      say(false, stayed ? "growth.never" : key,
          {{"case", name_of(*one)},
           {"bits", number(trial->memory_bits)},
           {"expected", number(expected)}});
    }
    if (any && all) say(true, key);
  }

  void say_rates() {
    if (tried_.front().one == book_.cases.data()) {
      verdict_.rate = rate_of(*tried_.front().one, *tried_.front().trial);
    }
    std::vector<Tried> plain;
    bool all_plain = true;
    for (const Tried& tried : tried_) {
      const bool holds = say_rate(tried);
      if (tried.one->fpr) continue;
      plain.push_back(tried);
      all_plain = all_plain && holds;
    }
    if (!plain.empty() && !all_plain) say_cause(plain);
  }

  /// @return whether it holds
  bool say_rate(const Tried& tried) {
    const Rate rate = rate_of(*tried.one, *tried.trial);
    const bool holds = fits(*tried.one, *tried.trial, assigned_probes);
    const bool below = rate.measured < rate.theory;
    say(holds,
        holds   ? "rate"
        : below ? "rate.below"
                : "rate.above",
        {{"case", name_of(*tried.one)},
         {"rate", with_interval(rate.measured, rate.interval.low, rate.interval.high)},
         {"level", percent(0.95, 2)},
         {"theory", significant(rate.theory)}});
    return holds;
  }

  /// A cause is a prediction that fits all plain cases.
  void say_cause(const std::vector<Tried>& plain) {
    const auto reported_all = [](const Tried& tried) {
      return tried.trial->false_positives == tried.one->queries;
    };
    const auto reported_none = [](const Tried& tried) { return tried.trial->false_positives == 0; };
    if (std::ranges::all_of(plain, reported_all)) return say(false, "cause.always");
    if (std::ranges::all_of(plain, reported_none)) return say(false, "cause.exact");
    if (const auto k = other_k(plain)) {
      return say(false, "cause.k",
                 {{"k", number(*k)}, {"assigned", std::to_string(assigned_probes)}});
    }
    if (const auto part = part_of_bits(plain)) {
      say(false, "cause.bits", {{"part", percent(*part)}});
    }
  }

  const Assignment& assignment_;
  const CaseBook& book_;
  const Words& words_;
  Verdict verdict_;
  Clock::time_point deadline_;
  std::array<Case, 2> weighed_;
  std::deque<Trial> trials_;
  std::vector<Tried> tried_;
};

}  // namespace

std::size_t Verdict::held() const {
  return static_cast<std::size_t>(std::ranges::count(findings, true, &Finding::holds));
}

Verdict judge(const Assignment& assignment, const CaseBook& book, const Words& words) {
  try {
    return Judge(assignment, book, words).verdict();
  } catch (const foreign::SystemFault& fault) {
    return {.result = std::string(not_graded),
            .findings = {{false, words("toolchain", {{"fault", fault.what()}})}},
            .rate = {}};
  }
}

}  // namespace bloomlab::lab
