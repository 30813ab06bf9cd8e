#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "analysis/explain/trace.hpp"
#include "analysis/explain/trace_text.hpp"
#include "core/catalogue.hpp"
#include "core/theory/standard.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::explain {

namespace {

using Positions = std::vector<std::uint64_t>;

/// A lesson that the probe takes, with keys of its kind.
Lesson lesson_for(const Hasher& hasher, const Probe& probe) {
  Lesson lesson;
  lesson.hash = hasher.name();
  lesson.probe = probe.family();
  lesson.reduction = probe.reduction();
  lesson.m = probe.accepts(64) ? 64 : 63;
  lesson.k = static_cast<std::uint64_t>(probe.only_k().value_or(4));
  lesson.seed = 5;
  for (int i = 0; i < 6; ++i) lesson.inserted.push_back(std::to_string(1000 + 77 * i));
  for (int i = 0; i < 40; ++i) lesson.queried.push_back(std::to_string(1000 + 11 * i));
  return lesson;
}

/// What a filter of core answers, asked as a batch.
std::vector<Answer> answers_of(const Lesson& lesson, const Hasher& hasher, const Probe& probe) {
  Standard filter({.m = lesson.m, .k = lesson.k}, probe);
  const DigestNeed need = probe.need(static_cast<int>(lesson.k));
  DigestBuffer buffer;
  const auto digests_of = [&](const std::vector<std::string>& keys, auto use) {
    std::vector<std::string_view> texts(keys.begin(), keys.end());
    std::vector<std::uint64_t> values;
    for (const std::string& key : keys) values.push_back(std::stoull(key));
    const KeyBatch batch =
        hasher.passes_through() ? KeyBatch::integers(values, 4) : KeyBatch::texts(texts);
    use(hasher.digest(batch, lesson.seed, need, buffer));
  };
  digests_of(lesson.inserted, [&](const DigestBatch& digests) { filter.insert(digests); });
  std::vector<Answer> answers(lesson.queried.size());
  digests_of(lesson.queried,
             [&](const DigestBatch& digests) { filter.contains(digests, answers); });
  return answers;
}

void check_agreement(const Hasher& hasher, const Probe& probe) {
  const Lesson lesson = lesson_for(hasher, probe);
  const Trace told = trace(lesson);
  const std::vector<Answer> answers = answers_of(lesson, hasher, probe);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Question& question = told.questions[i];
    CHECK((question.verdict == Verdict::absent) == (answers[i] == Answer::absent));
    CHECK(question.stopped_by.has_value() == (answers[i] == Answer::absent));
    for (const std::uint64_t position : question.reading.positions) REQUIRE(position < lesson.m);
  }
}

const RateLine& line_of(const std::vector<RateLine>& lines, std::string_view name) {
  for (const RateLine& line : lines) {
    if (line.name == name) return line;
  }
  FAIL("no line " << name);
  return lines.front();
}

std::string fault_text(const Lesson& lesson) { return fault_of(lesson).value_or("none"); }

}  // namespace

TEST_CASE("the example of the slides sets and finds the bits that they show",
          "[analysis][explain]") {
  const Trace told = trace(slides_lesson());
  REQUIRE(told.insertions.size() == 2);
  CHECK(told.insertions[0].reading.positions == Positions{1, 4, 7});
  CHECK(told.insertions[0].touches == std::vector{Touch::fresh, Touch::fresh, Touch::fresh});
  CHECK(told.insertions[1].touches == std::vector{Touch::fresh, Touch::standing, Touch::fresh});
  std::set<std::size_t> set;
  for (std::size_t i = 0; i < told.bits.size(); ++i) {
    if (told.bits[i]) set.insert(i);
  }
  CHECK(set == std::set<std::size_t>{1, 3, 4, 7, 8});
  CHECK(told.setter[4] == std::size_t{0});
  CHECK(told.setter[8] == std::size_t{1});
  CHECK_FALSE(told.setter[5].has_value());
  REQUIRE(told.questions.size() == 3);
  CHECK(told.questions[0].verdict == Verdict::inserted_key);
  CHECK(told.questions[1].verdict == Verdict::absent);
  CHECK(told.questions[1].stopped_by == std::uint64_t{5});
  CHECK(told.questions[2].verdict == Verdict::false_positive);
  CHECK(told.bits_set == 5);
}

TEST_CASE("a trace answers as the filter does, for every hash, probe and reduction",
          "[analysis][explain]") {
  for_each_type<Hashes>([]<class Hash>(std::type_identity<Hash>) {
    for_each_type<HashingSchemes>([]<class Family>(std::type_identity<Family>) {
      for_each_type<Reductions>([]<class Reduction>(std::type_identity<Reduction>) {
        if constexpr (Family::needs_identity == Hash::passes_through &&
                      Family::template allows<Reduction>) {
          INFO(Hash::name << " " << Family::name << " " << Reduction::name);
          check_agreement(Hasher::of<Hash>(), Probe::of<Family, Reduction>());
        }
      });
    });
  });
}

TEST_CASE("hashed and given positions go into one filter", "[analysis][explain]") {
  Lesson lesson = slides_lesson();
  lesson.inserted.push_back("hashed");
  lesson.queried.push_back("hashed");
  const Trace told = trace(lesson);
  const Reading& reading = told.insertions.back().reading;
  CHECK_FALSE(reading.given);
  CHECK(reading.words.size() == 3);
  for (const std::uint64_t position : reading.positions) CHECK(told.bits[position]);
  CHECK(told.questions.back().verdict == Verdict::inserted_key);

  Lesson alone;
  alone.inserted = {"hashed"};
  CHECK(trace(alone).insertions[0].reading.positions == reading.positions);
}

TEST_CASE("a position that a key hits twice is distinguished from one that another key set",
          "[analysis][explain]") {
  Lesson lesson;
  lesson.inserted = {"a", "b", "a"};
  lesson.positions = {{"a", {5, 5, 2}}, {"b", {2, 9, 9}}};
  const Trace told = trace(lesson);
  CHECK(told.insertions[0].touches == std::vector{Touch::fresh, Touch::repeated, Touch::fresh});
  CHECK(told.insertions[1].touches == std::vector{Touch::standing, Touch::fresh, Touch::repeated});
  CHECK(told.insertions[2].touches ==
        std::vector{Touch::standing, Touch::standing, Touch::standing});
  CHECK(told.n == 2);
  CHECK(told.bits_set == 3);
}

TEST_CASE("an empty filter denies every key", "[analysis][explain]") {
  Lesson lesson;
  lesson.queried = {"a"};
  const Trace told = trace(lesson);
  CHECK(told.questions[0].verdict == Verdict::absent);
  CHECK(told.questions[0].stopped_by == told.questions[0].reading.positions[0]);
  for (const RateLine& line : rate_lines(told)) {
    const bool misses = line.name.ends_with("miss");
    CHECK((line.value > 0) == misses);
  }
}

TEST_CASE("the rate's lines hold the numbers of the theory", "[analysis][explain]") {
  const auto lines = rate_lines(trace(slides_lesson()));
  CHECK(line_of(lines, "share").numbers == "5/16");
  CHECK(line_of(lines, "share").value == 0.3125);
  CHECK(line_of(lines, "conditional").numbers == "0.3125^3");
  CHECK(line_of(lines, "conditional").value == Approx(0.030517578125));
  CHECK(line_of(lines, "one_miss").value == 0.9375);
  CHECK(line_of(lines, "key_miss").value == Approx(0.823974609375));
  CHECK(line_of(lines, "all_miss").value == Approx(std::pow(0.9375, 6)));
  CHECK(line_of(lines, "classic").value ==
        Approx(std::pow(1 - line_of(lines, "all_miss").value, 3)));
  CHECK(line_of(lines, "textbook").numbers == "(1 − e^(−6/16))^3");
  CHECK(line_of(lines, "textbook").value == Approx(std::pow(1 - std::exp(-6.0 / 16), 3)));
  CHECK(line_of(lines, "exact").value == theory::exact_fpr(16, 2, 3));
  CHECK(lines.back().name == "exact");
}

TEST_CASE("double hashing has an exact line of its own", "[analysis][explain]") {
  Lesson lesson;
  lesson.inserted = {"a", "b"};
  lesson.probe = "double_hashing";
  const auto lines = rate_lines(trace(lesson));
  CHECK(lines.back().name == "probe");
  CHECK(lines.back().value > line_of(lines, "exact").value);
}

TEST_CASE("faults of a lesson are told in one line", "[analysis][explain]") {
  const Lesson sound = slides_lesson();
  CHECK(fault_text(sound) == "none");
  const auto with = [&](auto change) {
    Lesson lesson = sound;
    change(lesson);
    CHECK_THROWS_AS(trace(lesson), record::InputError);
    return fault_text(lesson);
  };
  CHECK(with([](Lesson& l) { l.m = 257; }) ==
        "m is 257; it must be from 1 to 256, as every bit is drawn; bloomlab plan speaks of larger "
        "filters");
  CHECK(with([](Lesson& l) { l.k = 0; }) == "k is 0; it must be from 1 to 256");
  CHECK(with([](Lesson& l) { l.hash = "xxhash3_46"; }) ==
        "unknown hash \"xxhash3_46\"; did you mean \"xxhash3_64\"?");
  CHECK(with([](Lesson& l) { l.probe = "remixed"; }) ==
        "unknown probe \"remixed\"; did you mean \"remix\"?");
  CHECK(with([](Lesson& l) { l.reduction = "maks"; }) ==
        "unknown reduction \"maks\"; did you mean \"mask\"?");
  CHECK(with([](Lesson& l) {
          l.probe = "double_hashing_nz";
          l.reduction = "mask";
        }) ==
        "the probe \"double_hashing_nz\" does not take the reduction \"mask\"; allowed: "
        "\"multiply_shift\", \"modulo\", \"modulo_32\"");
  CHECK(with([](Lesson& l) { l.hash = "identity"; }) ==
        "\"identity\" is no hash; it goes only with the probe \"lab_shift_xor\", not with "
        "\"independent\"");
  CHECK(with([](Lesson& l) {
          l.positions["baidu"] = {1, 4};
        }) == "the positions of \"baidu\" are 2; k = 3 of them are needed");
  CHECK(with([](Lesson& l) {
          l.positions["baidu"] = {1, 4, 16};
        }) == "the positions of \"baidu\" hold 16; allowed are 0 to 15, as m is 16");
  CHECK(with([](Lesson& l) {
          l.positions["alibaba"] = {1, 4, 7};
        }) ==
        "the positions of \"alibaba\" are given, but the key is neither inserted nor queried; name "
        "it there too");
  CHECK(with([](Lesson& l) {
          l.queried = {"taobao", "0voice", ""};
        }) == "a key is empty; give texts of at least one letter");
  CHECK(with([](Lesson& l) {
          l.queried = {"taobao", "0voice", "\xff"};
        })
            .ends_with("holds bytes that cannot be shown; give UTF-8 text without control "
                       "characters"));
}

TEST_CASE("a probe that mixes keys itself takes integers only", "[analysis][explain]") {
  Lesson lesson;
  lesson.probe = "lab_shift_xor";
  lesson.reduction = "modulo";
  CHECK(fault_text(lesson) ==
        "the probe \"lab_shift_xor\" mixes the keys itself; found the hash \"xxhash3_64\", write "
        "\"identity\"");
  lesson.hash = "identity";
  CHECK(fault_text(lesson) == "standard: the probe lab_shift_xor has k = 5, not 3");
  lesson.k = 5;
  lesson.inserted = {"-1", "4294967295", "7"};
  const Trace told = trace(lesson);
  CHECK(told.insertions[0].reading.positions == told.insertions[1].reading.positions);
  CHECK(told.insertions[2].reading.words == std::vector<std::uint64_t>{7});
  lesson.queried = {"4294967296"};
  CHECK(fault_text(lesson) ==
        "the probe \"lab_shift_xor\" takes 32-bit integer keys; found the key \"4294967296\"; give "
        "whole numbers from -2147483648 to 4294967295");
}

}  // namespace bloomlab::analysis::explain
