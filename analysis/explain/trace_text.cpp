#include "analysis/explain/trace_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <set>
#include <vector>

#include "analysis/explain/drawing.hpp"
#include "analysis/explain/examples.hpp"
#include "core/hashing.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::explain {

namespace {

constexpr std::string_view indent = "   ";

/// A text of the language where there is one for the name, else the catalogue's own summary.
template <class List>
std::string rule_of(const Lines& lines, const std::string& prefix, const std::string& name) {
  if (lines.has(prefix + name)) return lines(prefix + name);
  std::string summary;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) {
    if (Type::name == name) summary = Type::summary;
  });
  return name + ": " + summary;
}

std::string word_text(std::uint64_t word) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[(word >> shift) & 0xf];
  return text;
}

/// Positions without repetition, in the order of the probes.
std::vector<std::uint64_t> distinct(const std::vector<std::uint64_t>& positions) {
  std::vector<std::uint64_t> result;
  std::set<std::uint64_t> seen;
  for (const std::uint64_t position : positions) {
    if (seen.insert(position).second) result.push_back(position);
  }
  return result;
}

/// One teller of a trace; its inserted keys are parts of the text.
class Teller {
 public:
  Teller(const Trace& trace, const Lines& lines, Colours colours)
      : trace_(trace), lines_(lines), colours_(colours) {}

  [[nodiscard]] std::string opening() const {
    const Lesson& lesson = trace_.lesson;
    std::string text =
        lines_("intro", {{"m", std::to_string(lesson.m)}, {"k", std::to_string(lesson.k)}});
    text += "\n";
    if (lesson.source == Source::slides) text += lines_("slides") + "\n";
    if (hashes_a_key()) text += hashing();
    text += lines_("legend", {{"fresh", painted("[1]", Ink::fresh, colours_)},
                              {"standing", painted("(1)", Ink::standing, colours_)},
                              {"missing", painted("[0]", Ink::missing, colours_)}});
    return text += "\n";
  }

  [[nodiscard]] std::string inserts() const {
    std::string text;
    if (!trace_.insertions.empty()) text = heading("inserts");
    for (const Insertion& insertion : trace_.insertions) text += told(insertion);
    text += "\n" + lines_("bits.end", {{"set", std::to_string(trace_.bits_set)},
                                       {"m", std::to_string(trace_.lesson.m)}});
    return text += "\n" + bit_rows(trace_.bits, {}, colours_);
  }

  [[nodiscard]] std::string queries() const {
    if (trace_.questions.empty()) return "";
    std::string text = heading("queries");
    for (const Question& question : trace_.questions) text += told(question);
    return text;
  }

 private:
  [[nodiscard]] std::string heading(std::string_view key) const {
    std::string text = "\n";
    return text += painted(lines_(key), Ink::heading, colours_) + "\n";
  }

  [[nodiscard]] bool hashes_a_key() const {
    const auto hashed = [](const auto& step) { return !step.reading.given; };
    return std::ranges::any_of(trace_.insertions, hashed) ||
           std::ranges::any_of(trace_.questions, hashed);
  }

  [[nodiscard]] std::string hashing() const {
    const Lesson& lesson = trace_.lesson;
    std::string text = lines_("hashing", {{"hash", lesson.hash},
                                          {"seed", std::to_string(lesson.seed)},
                                          {"probe", lesson.probe},
                                          {"reduction", lesson.reduction}});
    text += "\n" + rule_of<HashingSchemes>(lines_, "position.", lesson.probe);
    text += "\n" + rule_of<Reductions>(lines_, "reduction.", lesson.reduction);
    return text += "\n";
  }

  [[nodiscard]] std::string line(std::string_view text) const {
    return std::string(indent).append(text).append("\n");
  }

  [[nodiscard]] std::string read(const Reading& reading) const {
    std::string text;
    if (!reading.words.empty()) {
      std::string words;
      for (const std::uint64_t word : reading.words) {
        if (!words.empty()) words += " ";
        words += word_text(word);
      }
      text += line(lines_(reading.words.size() == 1 ? "word" : "words", {{"words", words}}));
    }
    const Tags positions = {{"positions", lines_.list(reading.positions)}};
    return text += line(lines_(reading.given ? "positions.given" : "positions", positions));
  }

  /// The bits at these positions with the keys that set them: "4 by baidu, 8 by tencent".
  [[nodiscard]] std::string with_setters(const std::vector<std::uint64_t>& positions) const {
    std::vector<std::string> items;
    for (const std::uint64_t position : distinct(positions)) {
      const Insertion& setter = trace_.insertions[*trace_.setter[position]];
      items.push_back(
          lines_("set_by", {{"position", std::to_string(position)}, {"key", setter.reading.key}}));
    }
    return lines_.list(items);
  }

  [[nodiscard]] std::string told(const Insertion& insertion) const {
    std::vector<std::uint64_t> fresh;
    std::vector<std::uint64_t> standing;
    std::vector<std::uint64_t> repeated;
    Marks marks;
    for (std::size_t i = 0; i < insertion.touches.size(); ++i) {
      const std::uint64_t position = insertion.reading.positions[i];
      const Touch touch = insertion.touches[i];
      (touch == Touch::fresh      ? fresh
       : touch == Touch::standing ? standing
                                  : repeated)
          .push_back(position);
      marks.emplace(position, touch == Touch::fresh ? Ink::fresh : Ink::standing);
    }
    std::string text = "\n" + lines_("insert", {{"key", insertion.reading.key}}) + "\n";
    text += read(insertion.reading);
    if (!fresh.empty()) {
      text += line(lines_("fresh", {{"positions", lines_.list(fresh)}}));
    }
    if (!standing.empty())
      text += line(lines_("standing", {{"positions", with_setters(standing)}}));
    if (!repeated.empty()) {
      text += line(lines_("repeated", {{"positions", lines_.list(distinct(repeated))}}));
    }
    if (fresh.empty()) text += line(lines_("changed_nothing"));
    return text += bit_rows(insertion.bits, marks, colours_);
  }

  [[nodiscard]] std::string reason(const Question& question) const {
    const std::string& key = question.reading.key;
    if (question.verdict == Verdict::absent) {
      return lines_("absent", {{"position", std::to_string(*question.stopped_by)}, {"key", key}});
    }
    const bool inserted_key = question.verdict == Verdict::inserted_key;
    return lines_(inserted_key ? "inserted_key" : "false_positive",
                  {{"bits", with_setters(question.reading.positions)}, {"key", key}});
  }

  [[nodiscard]] std::string told(const Question& question) const {
    Marks marks;
    for (const std::uint64_t position : question.reading.positions) {
      marks.emplace(position, trace_.bits[position] ? Ink::standing : Ink::missing);
    }
    std::string text = "\n" + lines_("query", {{"key", question.reading.key}}) + "\n";
    text += read(question.reading);
    text += bit_rows(trace_.bits, marks, colours_);
    const Ink ink = question.verdict == Verdict::inserted_key ? Ink::fresh
                    : question.verdict == Verdict::absent     ? Ink::standing
                                                              : Ink::missing;
    return text += std::string(indent) + painted(reason(question), ink, colours_) + "\n";
  }

  const Trace& trace_;
  const Lines& lines_;
  Colours colours_;
};

/// The powers of 0.99 as the course slides print them for m = 100; the third is a misprint.
struct SlidesPowers {
  static constexpr std::uint64_t m = 100;
  static constexpr std::array<std::string_view, 3> printed = {"0.99", "0.9801", "0.9801"};
};

std::string slides_remark(const Lines& lines) {
  const double base = 1.0 - 1.0 / static_cast<double>(SlidesPowers::m);
  const std::array<std::string, 3> printed = {std::string(SlidesPowers::printed[0]),
                                              std::string(SlidesPowers::printed[1]),
                                              std::string(SlidesPowers::printed[2])};
  return lines("rate.slides", {{"m", std::to_string(SlidesPowers::m)},
                               {"base", parameter_text(base)},
                               {"printed", lines.list(printed)},
                               {"third", parameter_text(base * base * base)}});
}

std::string formula_text(const RateLine& line) {
  std::string text = "     " + line.formula;
  if (!line.numbers.empty()) text.append(" = ").append(line.numbers);
  return text.append(" = ").append(parameter_text(line.value)).append("\n");
}

Tags quantities(const Trace& trace) {
  return {{"m", std::to_string(trace.lesson.m)},
          {"n", std::to_string(trace.n)},
          {"k", std::to_string(trace.lesson.k)},
          {"set", std::to_string(trace.bits_set)}};
}

/// What the example adds to the steps, a sentence a line; empty for most lessons.
std::string remarks_text(const Trace& trace, const Lines& lines) {
  std::string text;
  for (const Remark& remark : remarks_of(trace)) {
    Tags tags;
    for (const auto& [tag, value] : remark.tags) {
      tags[tag] = tag.ends_with("answer") ? lines("answer." + tag_text(value)) : tag_text(value);
    }
    text += "\n" + lines(remark.text, tags);
  }
  return text.empty() ? text : text + "\n";
}

std::string power_of_two(int exponent) {
  std::string text = "2^";
  return text.append(std::to_string(exponent))
      .append(" = ")
      .append(std::to_string(std::uint64_t{1} << exponent));
}

/// The first bottles that a mouse drinks from, with an ellipsis where there are more.
std::string first_bottles(int mouse, std::uint64_t bottles, const Lines& lines) {
  constexpr std::size_t most_shown = 6;
  std::vector<std::string> shown;
  const std::uint64_t worth = std::uint64_t{1} << mouse;
  for (std::uint64_t bottle = worth; bottle <= bottles && shown.size() < most_shown; ++bottle) {
    if (!drinks(mouse, bottle)) bottle += worth;
    if (bottle <= bottles) shown.push_back(std::to_string(bottle));
  }
  if (bottles_of(mouse, bottles) > shown.size()) shown.emplace_back("…");
  return lines.list(shown);
}

std::string task(std::uint64_t bottles, const Lines& lines) {
  const int mice = mice_for(bottles);
  const std::string count = std::to_string(bottles);
  if (mice == 0) return lines("bottles.one") + "\n";
  std::string text = lines("bottles.task", {{"bottles", count}}) + "\n\n";
  text += lines("bottles.bound", {{"bottles", count},
                                  {"mice", std::to_string(mice)},
                                  {"enough", power_of_two(mice)},
                                  {"below", power_of_two(mice - 1)}});
  text += "\n";
  text += lines("bottles.code", {{"first", "1"},
                                 {"last", count},
                                 {"mice", std::to_string(mice)},
                                 {"code", code_of(bottles, mice)}});
  if (std::has_single_bit(bottles)) {
    text += "\n";
    text += lines("bottles.wraps", {{"last", count}, {"mice", std::to_string(mice)}});
  }
  return text + "\n\n" + lines("bottles.drink") + "\n";
}

std::string mice_lines(std::uint64_t bottles, const Lines& lines) {
  std::string text;
  for (int mouse = 0; mouse < mice_for(bottles); ++mouse) {
    text += "   " + lines("bottles.mouse", {{"mouse", std::to_string(mouse + 1)},
                                            {"worth", std::to_string(std::uint64_t{1} << mouse)},
                                            {"examples", first_bottles(mouse, bottles, lines)},
                                            {"count", std::to_string(bottles_of(mouse, bottles))}});
    text += "\n";
  }
  return text;
}

std::string sum_text(const std::vector<int>& dead, std::uint64_t bottle) {
  std::string sum;
  for (const int mouse : dead) {
    if (!sum.empty()) sum += " + ";
    sum += std::to_string(std::uint64_t{1} << mouse);
  }
  return sum.append(" = ").append(std::to_string(bottle));
}

std::string outcome(std::uint64_t bottles, std::uint64_t poisoned, const Lines& lines,
                    Colours colours) {
  const int mice = mice_for(bottles);
  const std::vector<int> dead = dead_mice(poisoned, mice);
  if (dead.empty()) return lines("bottles.none_dead", {{"poisoned", std::to_string(poisoned)}});
  const std::string code = painted(code_of(poisoned, mice), Ink::missing, colours);
  std::string text = lines("bottles.dead", {{"poisoned", std::to_string(poisoned)},
                                            {"code", code},
                                            {"dead", lines.list(numbered(dead))}});
  const std::uint64_t named = named_bottle(dead, mice);
  text += "\n";
  return text += lines("bottles.sum", {{"sum", sum_text(dead, named)}});
}

}  // namespace

std::string trace_text(const Trace& trace, const Lines& lines, Colours colours) {
  const Teller teller(trace, lines, colours);
  return teller.opening() + teller.inserts() + teller.queries() + remarks_text(trace, lines) +
         rate_text(trace, lines, colours);
}

std::string rate_text(const Trace& trace, const Lines& lines, Colours colours) {
  std::string text = "\n";
  text += painted(lines("rate"), Ink::heading, colours) + "\n";
  text += lines("rate.quantities", quantities(trace)) + "\n\n";
  for (const RateLine& line : rate_lines(trace)) {
    const std::string key = "rate." + std::string(line.name);
    text += "   ";
    text += line.name == "probe" ? lines(key, {{"probe", trace.lesson.probe}}) : lines(key);
    text += "\n";
    text += formula_text(line);
    if (line.name == "key_miss" && trace.lesson.source == Source::slides) {
      text += "   " + slides_remark(lines) + "\n";
    }
  }
  if (!trace.lesson.positions.empty()) text += "   " + lines("rate.given") + "\n";
  return text;
}

std::string bottles_text(std::uint64_t bottles, std::uint64_t poisoned, const Lines& lines,
                         Colours colours) {
  std::string text = task(bottles, lines);
  if (mice_for(bottles) == 0) return text;
  text += mice_lines(bottles, lines);
  text += "\n";
  text += outcome(bottles, poisoned, lines, colours) + "\n";
  if (bottles <= most_tried_bottles) {
    text += lines("bottles.all", {{"bottles", std::to_string(bottles)},
                                  {"right", std::to_string(rightly_named(bottles))}});
    text += "\n";
  }
  text += "\n";
  return text += lines("bottles.lesson") + "\n";
}

}  // namespace bloomlab::analysis::explain
