// The lesson for the page in the browser: a lesson goes in, what happens comes out as a plain
// JavaScript object with the names of `bloomlab explain --json`.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/examples.hpp"
#include "analysis/explain/trace.hpp"
#include "core/bits/bit_array.hpp"
#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "core/keys/key_batch.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/models.hpp"
#include "record/number_text.hpp"
#include "statistics/ensemble.hpp"

namespace bloomlab::theory {

/// The only closed form that a lesson asks for by name is that of double hashing; with this
/// definition the page does without all the others.
Evaluation evaluate(const Query& query) {
  if (query.model != "double_hashing_exact") throw DomainError("no such model: " + query.model);
  const auto number = [&](std::size_t i) {
    return std::get<std::uint64_t>(query.arguments[i].value);
  };
  const auto& stride = std::get<std::string>(query.arguments[3].value);
  const Stride kind = stride == "any"  ? Stride::any
                      : stride == "nz" ? Stride::nonzero
                                       : Stride::odd;
  return {.value = double_hashing_fpr(number(0), number(1), number(2), kind).rate, .columns = {}};
}

double Evaluation::number() const { return std::get<double>(value); }

}  // namespace bloomlab::theory

namespace {

namespace explain = bloomlab::analysis::explain;
namespace statistics = bloomlab::statistics;
using emscripten::val;

constexpr double level = 0.95;

template <class Value>
val list_of(const std::vector<Value>& values, const auto& shown) {
  val list = val::array();
  for (std::size_t i = 0; i < values.size(); ++i)
    list.set(static_cast<unsigned>(i), shown(values[i]));
  return list;
}

val numbers(const std::vector<std::uint64_t>& values) {
  return list_of(values, [](std::uint64_t value) { return val(static_cast<double>(value)); });
}

std::vector<std::string> texts_in(const val& list) {
  return emscripten::vecFromJSArray<std::string>(list);
}

std::vector<std::uint64_t> positions_in(const val& list) {
  const auto numbers = emscripten::vecFromJSArray<double>(list);
  return {numbers.begin(), numbers.end()};
}

explain::Lesson lesson_of(const val& asked) {
  explain::Lesson lesson;
  lesson.m = static_cast<std::uint64_t>(asked["m"].as<double>());
  lesson.k = static_cast<std::uint64_t>(asked["k"].as<double>());
  lesson.seed = asked["seed"].as<std::uint64_t>();
  lesson.hash = asked["hash"].as<std::string>();
  lesson.probe = asked["probe"].as<std::string>();
  lesson.reduction = asked["reduction"].as<std::string>();
  lesson.inserted = texts_in(asked["inserted"]);
  lesson.queried = texts_in(asked["queried"]);
  const val given = asked["positions"];
  for (const std::string& key : texts_in(val::global("Object").call<val>("keys", given))) {
    lesson.positions[key] = positions_in(given[key]);
  }
  return lesson;
}

val reading_of(const explain::Reading& reading) {
  val object = val::object();
  object.set("key", reading.key);
  object.set("given", reading.given);
  object.set("digest", list_of(reading.words, [](std::uint64_t word) {
               char text[19];
               std::snprintf(text, sizeof text, "0x%016" PRIx64, word);
               return val(std::string(text));
             }));
  object.set("positions", numbers(reading.positions));
  return object;
}

val insertion_of(const explain::Insertion& insertion) {
  static constexpr std::string_view names[] = {"fresh", "standing", "repeated"};
  val object = reading_of(insertion.reading);
  object.set("touches", list_of(insertion.touches, [](explain::Touch touch) {
               return val(std::string(names[static_cast<int>(touch)]));
             }));
  return object;
}

val question_of(const explain::Question& question) {
  val object = reading_of(question.reading);
  const bool absent = question.verdict == explain::Verdict::absent;
  object.set("answer", std::string(absent ? "absent" : "maybe"));
  object.set("stopped_by",
             question.stopped_by ? val(static_cast<double>(*question.stopped_by)) : val::null());
  object.set("inserted", question.verdict == explain::Verdict::inserted_key);
  object.set("false_positive", question.verdict == explain::Verdict::false_positive);
  return object;
}

std::string bits_text(const std::vector<bool>& bits) {
  std::string text;
  for (const bool bit : bits) text += bit ? '1' : '0';
  return text;
}

val rate_of(const explain::Trace& trace) {
  return list_of(explain::rate_lines(trace), [](const explain::RateLine& line) {
    val object = val::object();
    object.set("name", std::string(line.name));
    object.set("formula", line.formula);
    object.set("numbers", line.numbers);
    object.set("value", line.value);
    return object;
  });
}

val remarks_in(const explain::Trace& trace) {
  return list_of(explain::remarks_of(trace), [](const explain::Remark& remark) {
    val tags = val::object();
    for (const auto& [tag, value] : remark.tags) tags.set(tag, explain::tag_text(value));
    val object = val::object();
    object.set("text", remark.text);
    object.set("tags", tags);
    return object;
  });
}

/// The lesson that was followed last.
std::optional<explain::Trace>& followed() {
  static std::optional<explain::Trace> trace;
  return trace;
}

/// @param asked the lesson. @return explain --json's object, with what each insert does to each of
/// its positions (`touches`) and its remarks as texts to fill, or `fault`: a line.
val follow(const val& asked) {
  val object = val::object();
  try {
    followed() = explain::trace(lesson_of(asked));
  } catch (const std::exception& error) {
    object.set("fault", std::string(error.what()));
    return object;
  }
  const explain::Trace& trace = *followed();
  object.set("n", static_cast<double>(trace.n));
  object.set("bits", bits_text(trace.bits));
  object.set("bits_set", static_cast<double>(trace.bits_set));
  object.set("inserted", list_of(trace.insertions, insertion_of));
  object.set("queries", list_of(trace.questions, question_of));
  object.set("rate", rate_of(trace));
  object.set("remarks", remarks_in(trace));
  return object;
}

/// Counts how many of some absent keys filters report.
class Measurement {
 public:
  Measurement(const explain::Lesson& lesson, const std::vector<std::string>& absent)
      : lesson_(lesson),
        hasher_(bloomlab::make_hasher(lesson.hash)),
        probe_(bloomlab::make_probe(lesson.probe, lesson.reduction)),
        inserted_(lesson.inserted.begin(), lesson.inserted.end()),
        absent_(absent.begin(), absent.end()) {}

  /// By the filter with these bits.
  [[nodiscard]] std::uint64_t reported_by(const std::vector<bool>& bits) {
    bloomlab::BitArray array(bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i]) array.set(i);
    }
    const bloomlab::Standard filter({.m = lesson_.m, .k = lesson_.k}, probe_, std::move(array), 0);
    return filter.count_contained(digest(absent_, lesson_.seed));
  }

  /// By a filter with the lesson's keys and another seed; the first keys only.
  [[nodiscard]] std::uint64_t reported_under(std::uint64_t seed, std::size_t queries) {
    bloomlab::Standard filter({.m = lesson_.m, .k = lesson_.k}, probe_);
    filter.insert(digest(inserted_, seed));
    return filter.count_contained(digest(std::span(absent_).first(queries), seed));
  }

 private:
  bloomlab::DigestBatch digest(std::span<const std::string_view> keys, std::uint64_t seed) {
    return hasher_.digest(bloomlab::KeyBatch::texts(keys), seed,
                          probe_.need(static_cast<int>(lesson_.k)), buffer_);
  }

  const explain::Lesson& lesson_;
  bloomlab::Hasher hasher_;
  bloomlab::Probe probe_;
  std::vector<std::string_view> inserted_;
  std::vector<std::string_view> absent_;
  bloomlab::DigestBuffer buffer_;
};

val estimate_of(const statistics::Estimate& estimate, std::uint64_t hits, std::uint64_t queries) {
  val object = val::object();
  object.set("hits", static_cast<double>(hits));
  object.set("queries", static_cast<double>(queries));
  object.set("value", estimate.value);
  object.set("low", estimate.interval.low);
  object.set("high", estimate.interval.high);
  return object;
}

/// @param absent keys that were not inserted, asked of the lesson's own filter; the first
/// `queries` of them also of `filters` further ones, with the seeds after the lesson's.
val measure(const val& absent, unsigned filters, unsigned queries) {
  const explain::Trace& trace = followed().value();
  const std::vector<std::string> keys = texts_in(absent);
  Measurement measurement(trace.lesson, keys);
  const std::uint64_t own = measurement.reported_by(trace.bits);
  std::vector<std::uint64_t> hits;
  std::uint64_t all = 0;
  for (unsigned i = 1; i <= filters; ++i) {
    hits.push_back(measurement.reported_under(trace.lesson.seed + i, queries));
    all += hits.back();
  }
  val object = val::object();
  object.set("own", estimate_of(statistics::estimate_these_filters(own, keys.size(), level), own,
                                keys.size()));
  object.set("many", estimate_of(statistics::estimate_ensemble(hits, queries, {}, level), all,
                                 std::uint64_t{filters} * queries));
  return object;
}

/// The puzzle as explain --example bottles --json says it, with how many bottles each mouse drinks.
val puzzle(double bottles, double poisoned) {
  const auto count = static_cast<std::uint64_t>(bottles);
  const int mice = explain::mice_for(count);
  const std::vector<int> dead = explain::dead_mice(static_cast<std::uint64_t>(poisoned), mice);
  std::vector<std::uint64_t> drunk;
  for (int mouse = 0; mouse < mice; ++mouse) drunk.push_back(explain::bottles_of(mouse, count));
  val object = val::object();
  object.set("mice", mice);
  object.set("dead_mice", list_of(dead, [](int mouse) { return val(mouse + 1); }));
  object.set("named", static_cast<double>(explain::named_bottle(dead, mice)));
  object.set("rightly_named", static_cast<double>(explain::rightly_named(count)));
  object.set("drunk", numbers(drunk));
  return object;
}

/// A key is a text here: what mixes integers as they are, `identity` and the scheme that needs it,
/// is not offered.
constexpr auto takes_texts = []<class Type>(std::type_identity<Type>) {
  if constexpr (requires { Type::passes_through; }) return !Type::passes_through;
  if constexpr (requires { Type::needs_identity; }) return !Type::needs_identity;
  return true;
};

template <class List>
val names_of() {
  val names = val::array();
  bloomlab::for_each_type<List>([&]<class Type>(std::type_identity<Type> type) {
    if (takes_texts(type)) names.call<void>("push", std::string(Type::name));
  });
  return names;
}

val catalogue() {
  val object = val::object();
  object.set("hash", names_of<bloomlab::Hashes>());
  object.set("probe", names_of<bloomlab::HashingSchemes>());
  object.set("reduction", names_of<bloomlab::Reductions>());
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(explain) {
  emscripten::function("follow", &follow);
  emscripten::function("measure", &measure);
  emscripten::function("puzzle", &puzzle);
  emscripten::function("catalogue", &catalogue);
  emscripten::function("with_interval", &bloomlab::with_interval);
  emscripten::function("parameter_text", &bloomlab::parameter_text);
}
