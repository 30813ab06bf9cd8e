#include "analysis/explain/drawing.hpp"

#include <map>

#include "analysis/explain/bottles.hpp"
#include "analysis/explain/bottles_text.hpp"

namespace bloomlab::analysis::explain {
namespace {

Tags key_and_positions(const Reading& reading, const Lines& lines) {
  std::vector<std::string> positions;
  for (const std::uint64_t position : reading.positions) {
    positions.push_back(std::to_string(position));
  }
  return {{"key", reading.key}, {"positions", lines.list(positions)}};
}

std::string note_of(const Question& question, const Lines& lines) {
  Tags tags = key_and_positions(question.reading, lines);
  switch (question.verdict) {
    case Verdict::inserted_key:
      return lines("drawing.inserted_key", tags);
    case Verdict::false_positive:
      return lines("drawing.false_positive", tags);
    case Verdict::absent:
      break;
  }
  tags["position"] = std::to_string(*question.stopped_by);
  return lines("drawing.absent", tags);
}

/// A hue for every key, the same wherever the key comes.
class Hues {
 public:
  [[nodiscard]] std::size_t of(const std::string& key) {
    return numbers_.emplace(key, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

Drawing drawing_of(const Trace& trace, const Lines& lines) {
  Drawing drawing;
  Hues hues;
  drawing.title = lines("drawing", {{"m", std::to_string(trace.lesson.m)},
                                    {"k", std::to_string(trace.lesson.k)},
                                    {"n", std::to_string(trace.n)}});
  drawing.bits = trace.bits;
  for (std::size_t i = 0; i < trace.bits.size(); ++i) drawing.labels.push_back(std::to_string(i));
  for (const Insertion& insertion : trace.insertions) {
    const Reading& reading = insertion.reading;
    drawing.above.push_back({reading.key, reading.positions, hues.of(reading.key)});
    drawing.notes.push_back(lines("drawing.inserted", key_and_positions(reading, lines)));
  }
  for (const Question& question : trace.questions) {
    const Reading& reading = question.reading;
    drawing.below.push_back({reading.key, reading.positions, hues.of(reading.key)});
    drawing.notes.push_back(note_of(question, lines));
  }
  return drawing;
}

Drawing drawing_of_bottles(std::uint64_t bottles, std::uint64_t poisoned, const Lines& lines) {
  const int mice = mice_for(bottles);
  const std::string code = code_of(poisoned, mice);
  Drawing drawing;
  drawing.title = lines("bottles.drawing",
                        {{"bottles", std::to_string(bottles)}, {"mice", std::to_string(mice)}});
  Pointer bottle{std::to_string(poisoned), {}, 0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    drawing.labels.push_back(std::to_string(static_cast<std::size_t>(mice) - i));
    drawing.bits.push_back(code[i] == '1');
    if (drawing.bits.back()) bottle.cells.push_back(i);
  }
  drawing.above.push_back(bottle);
  if (!bottle.cells.empty()) {
    std::vector<std::string> dead;
    for (const int mouse : dead_mice(poisoned, mice)) dead.push_back(std::to_string(mouse + 1));
    drawing.notes.push_back(lines(
        "bottles.dead", {{"poisoned", bottle.name}, {"code", code}, {"dead", lines.list(dead)}}));
  } else {
    drawing.notes.push_back(mice == 0 ? lines("bottles.one")
                                      : lines("bottles.none_dead", {{"poisoned", bottle.name}}));
  }
  return drawing;
}

}  // namespace bloomlab::analysis::explain
