#include "analysis/explain/examples.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

#include "core/bits/bit_array.hpp"
#include "core/filters/counting.hpp"
#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "core/theory/standard.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::explain {

namespace {

using Positions = std::vector<std::uint64_t>;

Lesson fruits_lesson() {
  Lesson lesson;
  lesson.m = 127;
  lesson.k = 2;
  lesson.hash = "javascript_polynomial";
  lesson.reduction = "signed_modulo";
  lesson.inserted = {"apple", "orange"};
  lesson.queried = {"apple", "cabbage"};
  return lesson;
}

Lesson shared_bit_lesson() {
  Lesson lesson;
  lesson.m = 3;
  lesson.k = 2;
  lesson.inserted = {"apple", "pear"};
  lesson.queried = {"apple", "pear"};
  lesson.positions = {{"apple", {0, 1}}, {"pear", {1, 2}}};
  return lesson;
}

Lesson probing_lesson() {
  Lesson lesson;
  lesson.m = 13;
  lesson.probe = "double_hashing_nz";
  lesson.reduction = "modulo";
  lesson.inserted = {"pear", "lemon", "grape"};
  lesson.queried = {"grape", "fig"};
  return lesson;
}

Lesson optimum_lesson() {
  Lesson lesson;
  lesson.m = 40;
  lesson.k = 4;
  lesson.inserted = {"apple", "pear", "plum", "lemon"};
  lesson.queried = {"fig", "grape"};
  return lesson;
}

/// The multipliers that the article's program draws from.
constexpr std::uint32_t first_multiplier = 32;
constexpr std::uint32_t multipliers = 32;

/// The first seed that stands for the multiplier.
std::uint64_t seed_of(std::uint32_t multiplier) {
  std::uint64_t seed = 0;
  while (JavascriptPolynomial::multiplier(seed) != multiplier) ++seed;
  return seed;
}

/// The words of a key by multiplier, from the first one on.
std::vector<std::uint64_t> words_of(const std::string& key) {
  std::vector<std::uint64_t> words;
  for (std::uint32_t i = 0; i < multipliers; ++i) {
    words.push_back(JavascriptPolynomial::digest(std::as_bytes(std::span(key)),
                                                 seed_of(first_multiplier + i))[0]);
  }
  return words;
}

struct PairCount {
  std::uint64_t pairs = 0;
  std::uint64_t reported = 0;      ///< of them, those under which the last key asked for is
  std::uint64_t short_memory = 0;  ///< of these, those whose multipliers are multiples of 8
};

/// Follows the lesson under every pair of multipliers, with the positions that the reduction makes.
template <class Reduction>
PairCount count_pairs(Lesson lesson, std::uint64_t m) {
  lesson.m = m;
  lesson.reduction = Reduction::name;
  std::map<std::string, std::vector<std::uint64_t>> words;
  for (const auto* keys : {&lesson.inserted, &lesson.queried}) {
    for (const std::string& key : *keys) words.try_emplace(key, words_of(key));
  }
  PairCount count;
  for (std::uint32_t a = 0; a < multipliers; ++a) {
    for (std::uint32_t b = 0; b < multipliers; ++b) {
      for (const auto& [key, own] : words) {
        lesson.positions[key] = {Reduction::reduce(own[a], m), Reduction::reduce(own[b], m)};
      }
      ++count.pairs;
      if (trace(lesson).questions.back().verdict != Verdict::false_positive) continue;
      ++count.reported;
      if (a % 8 == 0 && b % 8 == 0) ++count.short_memory;
    }
  }
  return count;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<Remark> fruits_remarks(const Trace& trace) {
  const Lesson& lesson = trace.lesson;
  const std::uint64_t meant = (lesson.m + 1) / 2;
  const PairCount written = count_pairs<SignedModulo>(lesson, lesson.m);
  const PairCount mended = count_pairs<Modulo32>(lesson, meant);
  const std::string& key = lesson.queried.back();
  return {
      {"example.fruits",
       {{"m", lesson.m},
        {"meant", meant},
        {"first", std::uint64_t{first_multiplier}},
        {"last", std::uint64_t{first_multiplier + multipliers - 1}}}},
      {"example.fruits.pairs",
       {{"pairs", written.pairs},
        {"key", key},
        {"reported", written.reported},
        {"share", share(written.reported, written.pairs)}}},
      {"example.fruits.mended",
       {{"meant", meant},
        {"reported", mended.reported},
        {"share", share(mended.reported, mended.pairs)}}},
      {"example.fruits.theory",
       {{"meant", meant},
        {"m", lesson.m},
        {"textbook", theory::approx_fpr(meant, trace.n, lesson.k)},
        {"exact", theory::exact_fpr(meant, trace.n, lesson.k)},
        {"exact_m", theory::exact_fpr(lesson.m, trace.n, lesson.k)}}},
      {"example.fruits.why",
       {{"key", key},
        {"like", lesson.inserted.back()},
        {"reported", written.reported},
        {"short", written.short_memory},
        {"step", std::uint64_t{8}},
        {"meant", meant}}},
  };
}

DigestBatch batch_of(const Reading& reading) {
  return {reading.positions.data(), 1, 1, static_cast<int>(reading.positions.size())};
}

template <class Filter>
bool reports(const Filter& filter, const Reading& reading) {
  return filter.count_contained(batch_of(reading)) == 1;
}

std::string counters_text(const Counting& filter) {
  std::string text;
  for (std::uint64_t i = 0; i < filter.parameters().m; ++i) {
    if (i > 0) text += ' ';
    text += std::to_string(filter.counters().get(i));
  }
  return text;
}

std::string answer_name(bool reported) { return reported ? "maybe" : "absent"; }

/// Removes the first key, once by clearing its bits and once from a counting filter.
std::vector<Remark> shared_bit_remarks(const Trace& trace) {
  const Lesson& lesson = trace.lesson;
  const Reading& removed = trace.insertions[0].reading;
  const Reading& kept = trace.insertions[1].reading;
  const Probe given = Probe::of<Independent, Modulo>();
  BitArray bits(lesson.m);
  for (std::uint64_t i = 0; i < lesson.m; ++i) {
    if (trace.bits[i] && std::ranges::find(removed.positions, i) == removed.positions.end()) {
      bits.set(i);
    }
  }
  std::string left;
  for (std::uint64_t i = 0; i < lesson.m; ++i) {
    if (i > 0) left += ' ';
    left += bits.test(i) ? '1' : '0';
  }
  const Standard plain({.m = lesson.m, .k = lesson.k}, given, std::move(bits), 0);
  Counting counting({.m = lesson.m, .k = lesson.k}, given);
  counting.insert(batch_of(removed));
  counting.insert(batch_of(kept));
  const std::string before = counters_text(counting);
  counting.remove(batch_of(removed));
  return {
      {"example.shared_bit.plain",
       {{"removed", removed.key},
        {"left", left},
        {"kept", kept.key},
        {"answer", answer_name(reports(plain, kept))}}},
      {"example.shared_bit.counting",
       {{"before", before},
        {"removed", removed.key},
        {"after", counters_text(counting)},
        {"kept", kept.key},
        {"answer", answer_name(reports(counting, kept))},
        {"removed_answer", answer_name(reports(counting, removed))}}},
  };
}

std::string sequence_text(const Positions& positions, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += " → ";
    text += std::to_string(positions[i]);
  }
  return text;
}

/// Puts the keys into a table of m slots too, each into the first free slot of its sequence.
std::vector<Remark> probing_remarks(const Trace& trace) {
  std::map<std::uint64_t, std::string> slots;
  std::size_t tried = 0;
  for (const Insertion& insertion : trace.insertions) {
    const Positions& sequence = insertion.reading.positions;
    const auto free = std::find_if(sequence.begin(), sequence.end(),
                                   [&](std::uint64_t slot) { return !slots.contains(slot); });
    tried = static_cast<std::size_t>(free - sequence.begin()) + 1;
    if (free != sequence.end()) slots[*free] = insertion.reading.key;
  }
  const Insertion& last = trace.insertions.back();
  const Positions& sequence = last.reading.positions;
  const std::set<std::uint64_t> distinct(sequence.begin(), sequence.end());
  return {
      {"example.probing",
       {{"key", last.reading.key},
        {"m", trace.lesson.m},
        {"sequence", sequence_text(sequence, sequence.size())}}},
      {"example.probing.table",
       {{"key", last.reading.key},
        {"others", std::uint64_t{trace.insertions.size() - 1}},
        {"tried", sequence_text(sequence, tried)},
        {"slot", sequence[tried - 1]}}},
      {"example.probing.filter",
       {{"key", last.reading.key},
        {"k", trace.lesson.k},
        {"bits", std::uint64_t{distinct.size()}}}},
  };
}

/// ln p ln(1 - p): minus the logarithm of the rate, over m/n, where a bit is 0 with probability p.
double exponent(double p) { return std::log(p) * std::log1p(-p); }

double exponent_slope(double p) { return std::log1p(-p) / p - std::log(p) / (1.0 - p); }

/// Standard deviation of the fill ratio where `balls` independent positions fall into m.
/// Each pair of bits is 0 together with probability (1 - 2/m)^balls.
double share_deviation(double m, double balls) {
  const double zero = std::pow(1.0 - 1.0 / m, balls);
  const double pair = std::pow(1.0 - 2.0 / m, balls);
  return std::sqrt((zero + (m - 1.0) * pair - m * zero * zero) / m);
}

/// The derivations, with the numbers of this filter.
std::vector<Remark> optimum_remarks(const Trace& trace) {
  const auto m = static_cast<double>(trace.lesson.m);
  const auto n = static_cast<double>(trace.n);
  const auto k = static_cast<double>(trace.lesson.k);
  const double p = std::exp(-k * n / m);
  const double best = std::exp(-m / n * exponent(0.5));
  const double bound = n * -std::log2(best);
  return {
      {"example.optimum.independence", {{"kn", trace.n * trace.lesson.k}, {"p", p}}},
      {"example.optimum.exponent",
       {{"p", p}, {"g", exponent(p)}, {"rate", std::exp(-m / n * exponent(p))}}},
      {"example.optimum.symmetry",
       {{"p", p},
        {"mirror", 1.0 - p},
        {"g", exponent(1.0 - p)},
        {"low", 0.25},
        {"low_slope", exponent_slope(0.25)},
        {"high", 0.75},
        {"high_slope", exponent_slope(0.75)},
        {"half_slope", exponent_slope(0.5)}}},
      {"example.optimum.best",
       {{"g", exponent(0.5)}, {"k_real", m / n * std::log(2.0)}, {"rate", best}}},
      {"example.optimum.bound",
       {{"rate", best}, {"bound", bound}, {"m", trace.lesson.m}, {"ratio", m / bound}}},
      {"example.optimum.concentration",
       {{"mean", 1.0 - std::pow(1.0 - 1.0 / m, k * n)},
        {"deviation", share_deviation(m, k * n)},
        {"times", std::uint64_t{100}},
        {"larger", share_deviation(100.0 * m, 100.0 * k * n)}}},
  };
}

}  // namespace

std::optional<Lesson> example_lesson(std::string_view name) {
  if (name == "slides") return slides_lesson();
  if (name == "fruits") return fruits_lesson();
  if (name == "shared_bit") return shared_bit_lesson();
  if (name == "probing") return probing_lesson();
  if (name == "optimum") return optimum_lesson();
  return std::nullopt;
}

std::string tag_text(const TagValue& value) {
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return parameter_text(*number);
  return std::get<std::string>(value);
}

std::vector<Remark> remarks_of(const Trace& trace) {
  if (trace.lesson == fruits_lesson()) return fruits_remarks(trace);
  if (trace.lesson == shared_bit_lesson()) return shared_bit_remarks(trace);
  if (trace.lesson == probing_lesson()) return probing_remarks(trace);
  if (trace.lesson == optimum_lesson()) return optimum_remarks(trace);
  return {};
}

}  // namespace bloomlab::analysis::explain
