#include "analysis/explain/bottles_text.hpp"

#include <bit>
#include <vector>

#include "analysis/explain/bottles.hpp"

namespace bloomlab::analysis::explain {
namespace {

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
  std::vector<std::string> numbers;
  for (const int mouse : dead) numbers.push_back(std::to_string(mouse + 1));
  const std::string code = painted(code_of(poisoned, mice), Ink::missing, colours);
  std::string text = lines(
      "bottles.dead",
      {{"poisoned", std::to_string(poisoned)}, {"code", code}, {"dead", lines.list(numbers)}});
  const std::uint64_t named = named_bottle(dead, mice);
  text += "\n";
  return text += lines("bottles.sum", {{"sum", sum_text(dead, named)}});
}

}  // namespace

std::string code_of(std::uint64_t bottle, int mice) {
  std::string code;
  for (int mouse = mice - 1; mouse >= 0; --mouse) code += drinks(mouse, bottle) ? '1' : '0';
  return code;
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
