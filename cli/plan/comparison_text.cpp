// The comparison of filters as a table in plain text.

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "cli/plan/answer.hpp"
#include "planner/quantity_text.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

using planner::Candidate;
using planner::iec_text;
using TextRow = std::array<std::string, 9>;

/// Letters on a screen: bytes that do not continue one.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string shown_parameters(const Candidate& candidate, bool with_size) {
  std::string text;
  for (const auto& [name, value] : candidate.parameters) {
    if (name == "m" && !with_size) continue;
    text += text.empty() ? "" : " ";
    text += name + "=";
    if (const auto* real = std::get_if<double>(&value)) {
      text += parameter_text(*real);
    } else if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
      text += std::to_string(*whole);
    } else {
      text += std::get<std::string>(value);
    }
  }
  return text;
}

/// What it can do beside answering, in three letters.
std::string abilities(const Candidate& candidate) {
  std::string text = candidate.traits.takes_keys_later ? "" : "static";
  const auto add = [&](bool can, const char* word) {
    if (can) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(candidate.traits.deletes, "deletes");
  add(candidate.traits.grows, "grows");
  add(!candidate.false_negatives.empty(), "may lose keys");
  return text;
}

TextRow row_of(const Candidate& candidate) {
  const std::string name = (candidate.pareto ? "* " : "  ") + candidate.filter;
  if (!candidate.available()) return {name, "", "", "", "", "", "", "", candidate.unavailable};
  const auto timed = [&](double value) {
    return candidate.timing ? significant(value, 3) : std::string("-");
  };
  const auto timing = candidate.timing.value_or(planner::Timing{});
  return {name,
          significant(candidate.bits_per_key, 4),
          iec_text(candidate.memory_bits, 4),
          significant(candidate.rate, 3),
          significant(candidate.lines.absent, 2) + "/" + significant(candidate.lines.present, 2),
          timed(timing.insert_ns),
          timed(timing.absent_ns),
          abilities(candidate),
          shown_parameters(candidate, false)};
}

}  // namespace

std::string parameters_text(const Candidate& candidate) {
  return shown_parameters(candidate, true);
}

std::string comparison_text(const PlanAnswer& answer) {
  std::vector<TextRow> rows = {{"  filter", "bits/key", "memory", "rate", "lines", "insert ns",
                                "absent ns", "abilities", "parameters"}};
  for (const Candidate& candidate : answer.comparison.candidates) rows.push_back(row_of(candidate));
  std::array<std::size_t, 9> widths{};
  for (const TextRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));
  }
  std::string text = "\nWhich filter (* none is better in every respect)\n";
  for (const TextRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - letters(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += "lines: cache lines that a lookup of an absent/present key reads; ";
  text += answer.calibration.empty()
              ? "times: not measured on this machine (bloomlab bench --calibrate measures them)\n"
              : "times: medians of " + answer.calibration + "\n";
  return text + answer.comparison.recommendation + "\n";
}

}  // namespace bloomlab::cli
