#include <array>

#include "analysis/explain/rate.hpp"
#include "analysis/explain/trace_text.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::explain {
namespace {

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

}  // namespace

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

}  // namespace bloomlab::analysis::explain
